public import TimelineModel
// Whoever writes requirements in Swift needs their subjects.
@_exported public import TimelineSession

/// Something that motion has to be, whatever an earlier session was: a requirement that needs no golden recording.
///
/// ```swift
/// expectMotion("run.kymo", [
///   .follows(.item("card", .centerY)), .settlesBy(.key("blur"), 0.4), .hitch(longest: 0.034),
/// ])
/// ```
///
/// Times are seconds, lengths points, values of keys in their own unit. Where an instant is given, what happens from
/// it on is judged. Of several transitions in a session each is judged, and the worst counts. A limit of time bears half
/// a frame, since nothing is shown between two frames. An order of events and the longest interval do not.
public struct MotionExpectation: Hashable, Sendable {
  /// What is required, with its limits.
  package var demand: Demand
  /// What it is required of. Several where they are judged together.
  package var subjects: [MotionSubject]
  /// What counts. `nil`: as the kind has it.
  package var from: MotionMoment?
  /// Whether it holds where there is no such subject, or no such instant.
  public var isOptional = false
  /// What people call it, once in a file: 1 to 64 letters, digits, `.`, `_` and `-`. `nil`: nothing.
  public var id: String?

  package init(_ demand: Demand, of subjects: [MotionSubject], from: MotionMoment? = nil) {
    (self.demand, self.subjects, self.from) = (demand, subjects, from)
  }

  /// The kinds, by their names in files, in the order of the manual.
  package enum Kind: String, CaseIterable, Sendable {
    case follows, continuous, monotone, overshoot, before, stagger, apart, hitch
    case handsOver = "hands_over"
    case settlesBy = "settles_by"
    case staysIn = "stays_in"
    case appearsBy = "appears_by"

    /// Whether a number of it has to be at least so large, not at most.
    package var isLeast: Bool { self == .before || self == .apart }
  }

  /// How far a value may be off its neighbours' course if a requirement does not say it, in points.
  static let usualExcess = 8.0

  /// A length in one of several forms.
  package enum Extent: Hashable, Sendable {
    /// In points. Of a key in another unit it says nothing.
    case points(Double)
    /// In the subject's own unit.
    case own(Double)
    /// As a share of all that the subject covers. No unit.
    case share(Double)
  }

  /// What is required. Times are seconds.
  package enum Demand: Hashable, Sendable {
    case follows(
      MotionSubject, gain: Double, gainTolerance: Double, deadZone: Double, lag: Double,
      within: Extent?)
    case handsOver(MotionSubject, gain: Double?, share: Double)
    case continuous(Extent?)
    case monotone(isRising: Bool?, slack: Double)
    case overshoot(percent: Double, target: Double?)
    case settlesBy(Double, percent: Double, target: Double?)
    case staysIn(Rect2D, slack: Double)
    case before(MotionMoment, atLeast: Double)
    case stagger(step: Double, tolerance: Double, moved: Extent?)
    case appearsBy(Double, alpha: Double)
    case apart(gap: Double)
    case hitch(longest: Double, ratio: Double)

    /// The kind that it is of.
    package var kind: Kind {
      switch self {
      case .follows: .follows
      case .handsOver: .handsOver
      case .continuous: .continuous
      case .monotone: .monotone
      case .overshoot: .overshoot
      case .settlesBy: .settlesBy
      case .staysIn: .staysIn
      case .before: .before
      case .stagger: .stagger
      case .appearsBy: .appearsBy
      case .apart: .apart
      case .hitch: .hitch
      }
    }
  }

  /// The requirement, for as long as what it is about is in the recording: one that is not there passes.
  public var whereThere: MotionExpectation {
    var expectation = self
    expectation.isOptional = true
    return expectation
  }
}

// MARK: - The twelve kinds

extension MotionExpectation {
  /// A value keeps to the finger while that is down: lag, gain and jump by `TimedFollow`, from the finger's leaving the
  /// dead zone to the lift. Each has a 90 % interval, and a limit inside of it decides nothing: too short to tell.
  ///
  /// - Parameters:
  ///   - subject: One number.
  ///   - source: What it follows: a finger's axis, or another number.
  ///   - gain: g, units of the subject for one of the source.
  ///   - gainTolerance: How far g may be off. `nil`: 5 % of the gain.
  ///   - deadZone: How far the source goes before the subject begins to, in the source's unit.
  ///   - lag: The largest lag, in seconds.
  ///   - within: The largest root mean square that is left, in the subject's unit. `nil`: what 2 pt of the source are.
  public static func follows(
    _ subject: MotionSubject, source: MotionSubject = .finger(.y), gain: Double = 1,
    gainTolerance: Double? = nil, deadZone: Double = 0, lag: Double = 0.02, within: Double? = nil
  ) -> MotionExpectation {
    MotionExpectation(
      .follows(
        source, gain: gain, gainTolerance: gainTolerance ?? 0.05 * abs(gain), deadZone: deadZone,
        lag: lag, within: within.map(Extent.own)), of: [subject])
  }

  /// A value goes on at the finger's speed when it is let go: the settle's spring, run back to the place that was shown
  /// last, has a share of the finger's speed near 1. What is too short to tell does not fail.
  ///
  /// - Parameters:
  ///   - subject: One number.
  ///   - source: What lets it go.
  ///   - gain: Units of the subject for one of the source. `nil`: as the drive has it.
  ///   - share: By how much the share may differ from 1. No unit.
  public static func handsOver(
    _ subject: MotionSubject, source: MotionSubject = .finger(.y), gain: Double? = nil,
    share: Double = 0.2
  ) -> MotionExpectation {
    MotionExpectation(.handsOver(source, gain: gain, share: share), of: [subject])
  }

  /// Nothing jumps: between two samples a value moves as fast as just before or just after, in between, or as an even
  /// acceleration from there leads to. What it goes beyond that is the excess. Of elements only what is on the screen counts.
  ///
  /// - Parameters:
  ///   - subject: A number, or the center of elements.
  ///   - excess: The largest excess, in the subject's unit. `nil`: 8 pt, which a kick from rest at 900 pt/s stays below,
  ///     or 5 % of the range of a key in another unit.
  ///   - from: From when on. `nil`: always.
  public static func continuous(
    _ subject: MotionSubject, excess: Double? = nil, from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(.continuous(excess.map(Extent.own)), of: [subject], from: from)
  }

  /// A value goes one way only.
  ///
  /// - Parameters:
  ///   - subject: One number.
  ///   - isRising: Which way. `nil`: towards its last value.
  ///   - slack: How far it may come back, as a share of all that it covers.
  ///   - from: From when on. `nil`: from the transition's start.
  public static func monotone(
    _ subject: MotionSubject, isRising: Bool? = nil, slack: Double = 0.005,
    from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(.monotone(isRising: isRising, slack: slack), of: [subject], from: from)
  }

  /// A value goes beyond its target by no more than a part of its way.
  ///
  /// - Parameters:
  ///   - subject: One number.
  ///   - percent: How far, in percent of the way from where it begins.
  ///   - target: Where it goes, in its unit. `nil`: its last value.
  ///   - from: Where the way begins. `nil`: at the transition's start.
  public static func overshoot(
    _ subject: MotionSubject, atMost percent: Double = 8, target: Double? = nil,
    from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(.overshoot(percent: percent, target: target), of: [subject], from: from)
  }

  /// A value has come to rest by a time: from then on it stays within a part of its way.
  ///
  /// - Parameters:
  ///   - subject: One number.
  ///   - seconds: How long it may take.
  ///   - after: From when on. `nil`: from the release, and without one from the first value.
  ///   - percent: How near, in percent of the way of the whole transition.
  ///   - target: Where it goes, in its unit. `nil`: its last value.
  public static func settlesBy(
    _ subject: MotionSubject, _ seconds: Double, after: MotionMoment? = nil,
    within percent: Double = 2, target: Double? = nil
  ) -> MotionExpectation {
    MotionExpectation(
      .settlesBy(seconds, percent: percent, target: target), of: [subject], from: after)
  }

  /// Elements stay within a rectangle while they are shown.
  ///
  /// - Parameters:
  ///   - subject: The elements, by frame or center.
  ///   - rect: The rectangle, in content coordinates, in points.
  ///   - slack: How far they may be outside, in points.
  ///   - from: From when on. `nil`: always.
  public static func staysIn(
    _ subject: MotionSubject, _ rect: Rect2D, slack: Double = 0.5, from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(.staysIn(rect, slack: slack), of: [subject], from: from)
  }

  /// One event comes before another, the first of each.
  ///
  /// - Parameters:
  ///   - subject: The event that comes first.
  ///   - moment: What comes after it.
  ///   - seconds: The least time between them. With 0 only the order counts.
  public static func before(
    _ subject: MotionSubject, _ moment: MotionMoment, atLeast seconds: Double = 0
  ) -> MotionExpectation {
    MotionExpectation(.before(moment, atLeast: seconds), of: [subject])
  }

  /// Elements set off one after the other.
  ///
  /// - Parameters:
  ///   - subjects: Numbers or centers, in the order in which they set off.
  ///   - step: The time from one to the next, in seconds.
  ///   - tolerance: How far that may be off, in seconds.
  ///   - moved: How far is set off, in the subject's unit. `nil`: 2 % of what it moves in the stretch.
  ///   - from: From when on. `nil`: from the transition's start.
  public static func stagger(
    _ subjects: [MotionSubject], step: Double, tolerance: Double = 0.01, moved: Double? = nil,
    from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(
      .stagger(step: step, tolerance: tolerance, moved: moved.map(Extent.own)), of: subjects,
      from: from)
  }

  /// Elements are shown by a time: there, not hidden, and opaque.
  ///
  /// - Parameters:
  ///   - subject: The elements.
  ///   - seconds: How long it may take.
  ///   - after: From when on. `nil`: from the release, and without one from the start.
  ///   - alpha: The opacity that counts as shown. No unit.
  public static func appearsBy(
    _ subject: MotionSubject, _ seconds: Double, after: MotionMoment? = nil, alpha: Double = 0.99
  ) -> MotionExpectation {
    MotionExpectation(.appearsBy(seconds, alpha: alpha), of: [subject], from: after)
  }

  /// Frames of elements keep a distance from each other while they are shown.
  ///
  /// - Parameters:
  ///   - subjects: The elements. Each is held against each.
  ///   - gap: The smallest distance, in points. 0: they do not overlap.
  ///   - from: From when on. `nil`: always.
  public static func apart(
    _ subjects: [MotionSubject], gap: Double = 0, from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(.apart(gap: gap), of: subjects, from: from)
  }

  /// Frames come evenly while something moves.
  ///
  /// - Parameters:
  ///   - longest: The longest interval between two of them, in seconds.
  ///   - ratio: Milliseconds of lateness in a second of motion, as of `FrameMetrics/hitchRatio`.
  ///   - from: From when on. `nil`: always.
  public static func hitch(
    longest: Double = 0.034, ratio: Double = 5, from: MotionMoment? = nil
  ) -> MotionExpectation {
    MotionExpectation(.hitch(longest: longest, ratio: ratio), of: [.frames], from: from)
  }
}
