package import TimelineModel

/// The time that a player moves in: its ends, the frames that it steps by, the markers, and what is idle.
package struct PlayerTimeline: Hashable, Sendable {
  package var start: Instant
  /// Where it ends, not before ``start``.
  package var end: Instant
  /// The instants to step by, strictly rising: the frames of the run in front.
  package private(set) var frames: [Instant]
  /// The markers in the order of time.
  package private(set) var markers: [PlayerMarker]
  /// Stretches that are skipped, in order and apart from each other: from their beginning the player
  /// goes on at their end.
  package private(set) var skips: [ClosedRange<Instant>]
  /// Whether more is still being recorded, so that the end may move.
  package var isGrowing: Bool
  /// How the recorder of the followed session came to its end. `nil`: nothing is followed, or it records still.
  package var recorderEnd: RecorderEnd?

  /// How a recorder comes to its end.
  package enum RecorderEnd: Hashable, Sendable {
    /// It finished the session.
    case finished
    /// It was ended before it could.
    case ended
  }

  /// Makes a timeline. A marker outside of the ends is left out.
  ///
  /// - Parameters:
  ///   - range: From where to where.
  ///   - frames: Instants in any order.
  ///   - markers: Markers in any order.
  ///   - skips: Stretches in order, apart from each other.
  ///   - isGrowing: Whether more is still being recorded.
  package init(
    _ range: ClosedRange<Instant>, frames: [Instant] = [], markers: [PlayerMarker] = [],
    skips: [ClosedRange<Instant>] = [], isGrowing: Bool = false
  ) {
    start = range.lowerBound
    end = range.upperBound
    var rising: [Instant] = []
    for frame in frames.sorted() where range.contains(frame) && frame != rising.last {
      rising.append(frame)
    }
    self.frames = rising
    self.markers = markers.enumerated().filter { range.contains($0.element.time) }
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    self.skips = skips.filter { range.contains($0.lowerBound) && $0.upperBound <= range.upperBound }
    self.isGrowing = isGrowing
  }

  /// Seconds that are played from an instant to the end, skips left out.
  package func seconds(from time: Instant) -> Double {
    let skipped = skips.reduce(0.0) { sum, skip in
      sum + max(0, skip.upperBound.seconds(since: max(time, skip.lowerBound)))
    }
    return max(0, end.seconds(since: time) - skipped)
  }

  /// The instants between which more than `limit` passes, as stretches to skip: each begins `limit`
  /// after the one instant and ends at the other.
  ///
  /// - Parameters:
  ///   - busy: When something happened, in any order.
  ///   - limit: Nanoseconds that are left of each, not negative.
  package static func skips(
    between busy: [Instant], longerThan limit: Int64
  ) -> [ClosedRange<Instant>] {
    let sorted = busy.sorted()
    return zip(sorted, sorted.dropFirst()).compactMap { before, after in
      let cut = before.advanced(byNanoseconds: limit)
      return cut < after ? cut...after : nil
    }
  }

  /// How many frames are at or before an instant.
  package func frameCount(upTo time: Instant) -> Int {
    frames.partitioningIndex { $0 > time }
  }

  /// The first marker after an instant.
  package func marker(after time: Instant) -> PlayerMarker? {
    let index = markers.partitioningIndex { $0.time > time }
    return index < markers.count ? markers[index] : nil
  }

  /// The last marker before an instant.
  package func marker(before time: Instant) -> PlayerMarker? {
    let index = markers.partitioningIndex { $0.time >= time }
    return index > 0 ? markers[index - 1] : nil
  }

  /// The first stretch to skip that ends after an instant.
  func skip(endingAfter time: Instant) -> ClosedRange<Instant>? {
    let index = skips.partitioningIndex { $0.upperBound > time }
    return index < skips.count ? skips[index] : nil
  }

  /// The instant brought between the ends.
  package func clamped(_ time: Instant) -> Instant { max(start, min(end, time)) }
}

/// A moment of a run that one may want to see: a start, a release, a settle, a note.
package struct PlayerMarker: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A gesture was recognised, or a transition started.
    case start
    /// The lift, or the step that asked for finish or cancel, with the decision.
    case release
    case settle
    /// A transition is over.
    case completion
    /// A note of the user's.
    case note
    /// An error or a warning.
    case trouble

    /// The character of the marker lane. Of a release that of its outcome, where that is known.
    var sign: String {
      switch self {
      case .start: "▷"
      case .release: "▲"
      case .settle: "≈"
      case .completion: "□"
      case .note: "•"
      case .trouble: "!"
      }
    }
  }

  /// When it is, on the player's clock.
  package var time: Instant
  package var kind: Kind
  /// The decision of a release.
  package var outcome: ReleaseOutcome?
  /// The words about it.
  package var label: String
  /// Number of the run that it belongs to.
  package var run: Int

  package init(
    time: Instant, kind: Kind, outcome: ReleaseOutcome? = nil, label: String, run: Int = 0
  ) {
    self.time = time
    self.kind = kind
    self.outcome = outcome
    self.label = label
    self.run = run
  }

  /// The character of the marker lane.
  var sign: String { outcome?.sign ?? kind.sign }

  /// The colour of the decision, or of an error. `nil` for other markers.
  var color: ScreenStyle.Color? { kind == .trouble ? .red : outcome?.color }
}

extension ReleaseOutcome {
  /// The page's sign: a filled diamond for finish, a hollow one for cancel.
  var sign: String { self == .finish ? "◆" : "◇" }

  /// The page's hue.
  var color: ScreenStyle.Color { self == .finish ? .green : .magenta }
}

/// How the player writes times and speeds.
enum PlayerText {
  /// Seconds with three decimals, rounded: "0.367".
  static func seconds(_ time: Instant) -> String {
    let microseconds = time.nanoseconds / 1000
    let rounded =
      microseconds < 0 ? (microseconds - 500) / 1000 : (microseconds + 500) / 1000
    let digits = String(rounded.magnitude % 1000)
    return (rounded < 0 ? "-" : "") + String(rounded.magnitude / 1000) + "."
      + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// "1×", "1/4×", "2×".
  static func speed(_ speed: Double) -> String {
    if speed < 1, (1 / speed).rounded() * speed > 0.9999, (1 / speed).rounded() * speed < 1.0001 {
      return "1/" + NumberText.cell((1 / speed).rounded()) + "×"
    }
    return NumberText.cell(speed) + "×"
  }
}
