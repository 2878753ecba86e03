import KymographCLibrary
import PictureTracking
import TimelineModel
import TimelineSession
import VideoReading

/// What came of following elements through a clip.
struct TrackedClip {
  var tracks: [VideoTrack]
  /// The times of all pictures, in nanoseconds from the first one that is recorded.
  var times: [Int64]
  /// How much each picture differs from the one before, in levels of grey.
  var changes: [Double]
  /// Only pictures whose numbers are multiples of it have poses.
  var step: Int
  /// When the first picture that is recorded comes in the clip, in nanoseconds.
  var start: Int64
  var size: PictureSize
  var summary: VideoSummary
  /// What was found of each track.
  var results: [TrackResult]
  /// Pictures that show again what the one before showed, though an element was on its way.
  let repeated: Set<Int>
  /// For each track the pictures in which it stood while the rest went on.
  let held: [Set<Int>]

  init(
    tracks: [VideoTrack], times: [Int64], changes: [Double], step: Int, start: Int64,
    size: PictureSize, summary: VideoSummary, results: [TrackResult]
  ) {
    (self.tracks, self.times, self.changes, self.step) = (tracks, times, changes, step)
    (self.start, self.size, self.summary, self.results) = (start, size, summary, results)
    var (repeated, held) = (Set<Int>(), [Set<Int>]())
    for result in results {
      // A rest between pictures that were left out cannot be told from a repeat.
      let found = step == 1 ? PictureRepeats.find(result.poses, changes: changes) : [:]
      repeated.formUnion(found.filter { $0.value == .repeated }.keys)
      held.append(Set(found.filter { $0.value == .held }.keys))
    }
    (self.repeated, self.held) = (repeated, held)
  }

  /// The numbers of the pictures that are recorded.
  var recorded: StrideTo<Int> { stride(from: 0, to: times.count, by: step) }

  /// When a picture comes, in nanoseconds from the first one.
  func instant(_ index: Int) -> Instant { Instant(nanoseconds: times[index]) }
}

// MARK: - Rates

extension TrackedClip {
  /// An element that goes farther from picture to picture is in motion, in pixels.
  private static let motion = 0.3
  /// Fewer steps in motion say nothing of a rate.
  private static let fewestSteps = 3

  /// The pictures a second while an element moves, or of the whole clip if none does. `nil`: of one picture.
  var rate: Double? {
    var (all, moving) = ([Double](), [Double]())
    var before: Int?
    for index in recorded {
      defer { before = index }
      guard let before else { continue }
      let seconds = Double(times[index] - times[before]) / 1e9
      all.append(seconds)
      let moves = results.contains { result in
        guard let one = result.poses[before], let two = result.poses[index] else { return false }
        return hypot(two.x - one.x, two.y - one.y) > Self.motion
      }
      if moves { moving.append(seconds) }
    }
    let steps = (moving.count >= Self.fewestSteps ? moving : all).sorted()
    guard !steps.isEmpty else { return nil }
    let median = steps[steps.count / 2]
    // Ticks make steps longer and shorter in turn, and a gap is no step.
    let usual = steps.filter { (0.5...1.5).contains($0 / median) }
    let rate = Double(usual.count) / usual.reduce(0, +)
    // A whole number that the ticks allow is the likely one.
    let tick = Double(summary.timeBase?.nanoseconds(1) ?? 0) / 1e9
    let isWhole = abs(rate - rate.rounded()) <= rate * rate * tick / Double(usual.count)
    return isWhole ? rate.rounded() : (100 * rate).rounded() / 100
  }

  /// A spring's period has at least so many pictures, or nothing can be said of it.
  private static let picturesOfPeriod = 8.0

  /// The highest stiffness, of a mass of 1, that the clip can show: that of a spring with eight pictures a period.
  var highestStiffness: Double? {
    rate.map { rate in
      let turns = 2 * Double.pi * rate / Self.picturesOfPeriod
      return turns * turns
    }
  }

  /// Every so many pictures one repeats, such as 5 of an app at 48 Hz that was recorded at 60. `nil`: there is no rhythm.
  var rhythm: Int? { RepeatRhythm.every(repeated.sorted()) }
}

// MARK: - One track

extension TrackedClip {
  /// Pictures in which a track has no pose.
  struct Loss {
    /// The first picture without a pose.
    var first: Int
    /// The first one with a pose again. `nil`: it does not come back.
    var next: Int?
    var reason: LossReason
  }

  /// The stretches in which a track was lost.
  func losses(_ track: Int) -> [Loss] {
    let result = results[track]
    var losses: [Loss] = []
    var open: Loss?
    var latest: LossReason?
    for index in recorded {
      if result.poses[index] != nil {
        if var loss = open {
          // Before its first pose it was looked for backwards, so the last reason is the first.
          if loss.first == 0, let latest { loss.reason = latest }
          loss.next = index
          losses.append(loss)
        }
        (open, latest) = (nil, nil)
      } else {
        let reason = result.losses[index] ?? .notFound
        open = open ?? Loss(first: index, next: nil, reason: reason)
        latest = reason
      }
    }
    if let open { losses.append(open) }
    return losses
  }

  /// How many recorded pictures have a pose of a track.
  func found(_ track: Int) -> Int { recorded.count { results[track].poses[$0] != nil } }

  /// The middle half of a 90 % interval, in pixels, of the worse axis. `nil`: it was never found.
  func halfWidth(_ track: Int) -> Double? {
    let errors = recorded.compactMap { results[track].poses[$0].map { max($0.errorX, $0.errorY) } }
      .sorted()
    return errors.isEmpty ? nil : errors[errors.count / 2]
  }

  /// A motion is larger, in pixels; a fade is larger, as a share.
  private static let (leastWay, leastFade) = (0.5, 0.1)

  /// Whether it goes to another place.
  func moves(_ track: Int) -> Bool {
    let poses = recorded.compactMap { results[track].poses[$0] }
    func spread(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
    return max(spread(poses.map(\.x)), spread(poses.map(\.y))) > Self.leastWay
  }

  /// Whether its opacity changes, by more than noise. Single pictures do not count.
  func fades(_ track: Int) -> Bool {
    let values = recorded.compactMap { results[track].poses[$0]?.opacity }.sorted()
    guard values.count > 4 else { return false }
    return values[values.count - 3] - values[2] > Self.leastFade
  }
}
