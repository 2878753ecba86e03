import MotionMeasures
import TimelineModel
import TimelineSession

/// What a page had heard of a finger in each frame of a drive.
struct HeardDrive {
  /// What a track shows in those of some frames in which it has a value.
  typealias Shown = (frames: [Int], values: [Double])

  /// How the page was told: by handlers of pointers, or by those of touches.
  private struct Knowledge {
    /// How far the finger had come beyond its dead zone, for each frame of the drive, in points.
    var places: [Double]
    /// How old the place was, in seconds; nil while the finger had not come beyond.
    var ages: [Double?]
  }

  let frames: ReadFrames
  /// The frames from the last that had heard of no motion to the last that had not heard of the lift.
  let drive: ClosedRange<Int>
  /// How far the finger came in all, and its last place beyond the dead zone, in points.
  let way: Double
  private let last: Double
  private let ways: [Knowledge]

  /// Looks up what was heard in each frame.
  ///
  /// - Parameters:
  ///   - told: What the page was told.
  ///   - beyond: When the finger left its dead zone, and where it was then.
  ///   - release: When the session says that it was let go.
  ///   - frames: The frames; none of a recording that does not say when their callbacks ran.
  /// - Returns: nil if the page was told of fewer than two places, or if fewer than two frames are in the drive.
  init?(
    _ told: ToldContact, along axis: FingerAxis, beyond: Sample, to release: Instant,
    _ frames: ReadFrames
  ) {
    let onset = beyond.time.seconds
    let all = [told.places, told.touchPlaces.count > 2 ? told.touchPlaces : []]
    let starts = all.compactMap { places in
      places.filter { $0.time > onset }.compactMap(\.heard).min()
    }
    guard let start = starts.min() else { return nil }
    // Of a lift that was not the release the page may hear whenever it will.
    var lift = release.seconds
    if let lifted = told.lift, lifted <= lift, let heard = told.heardLift {
      lift = max(lift, heard)
    }
    guard let drive = FingerKnowledge.drive(from: start, to: lift, began: frames.began) else {
      return nil
    }
    ways = all.compactMap { FingerKnowledge($0, began: frames.began[drive]) }.map { known in
      var found = Knowledge(places: [], ages: [])
      for (place, frame) in zip(known.places, drive) {
        let isBeyond = place.time > onset
        found.places.append(isBeyond ? place.along(axis) - beyond.value : 0)
        found.ages.append(isBeyond ? frames.times[frame].seconds - place.time : nil)
      }
      return found
    }
    guard !ways.isEmpty else { return nil }
    (self.frames, self.drive) = (frames, drive)
    let places = told.places.filter { $0.time > onset }.map { $0.along(axis) - beyond.value }
    last = places.last ?? 0
    way = max(0, places.max() ?? 0) - min(0, places.min() ?? 0)
  }

  /// What a track shows in some frames: its newest value at each of them.
  func shown(_ track: Track, in range: some RangeExpression<Int>) -> Shown {
    var found: Shown = ([], [])
    var run = track.runs.startIndex
    for frame in range.relative(to: frames.times) {
      let time = frames.times[frame]
      while run < track.runs.count, let end = track.runs[run].times.last, end < time { run += 1 }
      guard run < track.runs.count else { break }
      let index = track.runs[run].times.partitioningIndex { $0 > time } - 1
      guard index >= 0 else { continue }
      found.frames.append(frame)
      found.values.append(track.runs[run].columns[0][index])
    }
    return found
  }

  /// How an item follows that shows something in frames of the drive.
  ///
  /// - Parameters:
  ///   - gain: The gain that is taken for given where it fits.
  ///   - noise: How exact the shown values are, in points of the finger.
  /// - Throws: why nothing can be told.
  func follow(
    _ shown: Shown, gain: Double, noise: Double
  ) throws(TooShortToTell) -> MotionDrive.Following {
    let values = shown.values.map { $0 / gain }
    var (best, ages): (HeardFollow?, [Double]) = (nil, [])
    var reason = TooShortToTell.fewFrames
    for known in ways {
      let numbers = shown.frames.map { $0 - drive.lowerBound }
      do throws(TooShortToTell) {
        let fit = try HeardFollow(
          heard: numbers.map { known.places[$0] }, shown: values, noise: noise)
        if let best, best.rms.value <= fit.rms.value { continue }
        (best, ages) = (fit, numbers.compactMap { known.ages[$0] })
      } catch {
        reason = error
      }
    }
    guard let best else { throw reason }
    let steps = zip(frames.times[drive].dropFirst(), frames.times[drive])
      .map { $0.seconds(since: $1) }.sorted()
    let frame = steps[steps.count / 2]
    let place = best.place(after: last, from: (shown.values.first ?? 0) / gain).scaled(by: gain)
    return MotionDrive.Following(
      lag: best.lag(ages: ages, frame: frame) ?? best.own.scaled(by: frame),
      gain: best.gain.scaled(by: gain), rms: best.rms.scaled(by: abs(gain)),
      worst: frames.times[shown.frames[best.worst]],
      heardPlace: best.own.value < HeardFollow.atOnce ? place : nil, isHeard: true,
      explained: best.rSquared, end: place.value)
  }
}
