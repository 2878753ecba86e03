package import TimelineModel

/// One thing that a motion story says: about which element, of which kind, when, and the number with its interval.
package struct StoryFact: Hashable, Sendable {
  /// The kinds of facts. A comparison of two stories pairs facts by element and kind.
  package enum Kind: String, Sendable, CaseIterable {
    case lag
    case pickupJump = "pickup_jump"
    case deadZone = "dead_zone"
    case axisLeak = "axis_leak"
    case scrolls
    case scrollLag = "scroll_lag"
    case fingerTaken = "finger_taken"
    case handOver = "hand_over"
    case lift
    case stays
    case flickCancelled = "flick_cancelled"
    case settle
    case overshoot
    case stiffness
    case damping
    case end
    case noFollower = "no_follower"
    case steps
    case resists
    case wraps
    case noReaction = "no_reaction"
    case start
    case moves
    case changes
    case duration
    case easing
    case originX = "origin_x"
    case originY = "origin_y"
    case linear
    case reducedMotion = "reduced_motion"
    case interrupted
    case jump
    case flash
    case stagger
    case unevenStagger = "uneven_stagger"
    case atOnce = "at_once"
    case order
    case runsTwice = "runs_twice"
    case lateFrame = "late_frame"
    case frames
    case unrest
    case ambient
    case lost
    case unseen
    case small
    case error
    case outcome
    case scales
    case itemCount = "item_count"
  }

  /// How early a fact is told.
  package enum Rank: Int, Comparable, Sendable {
    case outcome, fault, subject, motion, detail, remark
    /// A number for comparisons, without a sentence.
    case silent

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The element's name as recorded, or `frames` or `page`.
  package var subject: String
  /// Whether the subject is an element's name, which comes from the recording.
  package var isElement = true
  package var kind: Kind
  /// When, in seconds of the session. `nil`: at no instant.
  package var time: Double?
  /// The number. `nil`: the fact has none, or it cannot be told.
  package var value: Double?
  /// The 90 % interval's ends. `nil` as ``value``.
  package var low: Double?
  package var high: Double?
  /// The number's unit. Empty: none.
  package var unit = ""
  /// What it says.
  var detail = StoryDetail.none
  /// The session's unit of lengths.
  var lengthUnit = ""
  /// The sentence without the subject. Empty of a silent fact.
  package var text: String {
    (isExcused ? "excused: " : "") + Wording.sentence(detail, unit: lengthUnit)
  }
  /// The fault that it is. `nil`: none.
  package internal(set) var fault: MotionFault?
  /// Whether it is wrong whatever was meant.
  package var isFault: Bool { fault != nil }
  /// Whether it was a fault, and is known and excused.
  package private(set) var isExcused = false
  /// Whether its ``MotionFault`` may apply to it.
  var isJudged = true
  /// The number that is judged, in the unit of the fault's limit, if it is not the one that is printed.
  var judgedNumber: Estimated?
  package var rank = Rank.motion

  init(
    _ subject: String, _ kind: Kind, at time: Double? = nil, _ estimate: Estimated? = nil,
    unit: String = "", saying detail: StoryDetail = .none, isJudged: Bool = true,
    rank: Rank = .motion
  ) {
    (self.subject, self.kind, self.time, self.unit) = (subject, kind, time, unit)
    (value, low, high) = (estimate?.value, estimate?.low, estimate?.high)
    (self.detail, self.isJudged, self.rank) = (detail, isJudged, rank)
  }

  /// Makes a known fault none.
  mutating func excuse() {
    (fault, isExcused, rank) = (nil, true, .subject)
  }

  /// The fact, held against the limit of its fault.
  func judged() -> StoryFact {
    guard isJudged, let candidate = MotionFault.of(kind),
      candidate.applies(to: judgedNumber ?? number)
    else { return self }
    var fact = self
    (fact.fault, fact.rank) = (candidate, .fault)
    return fact
  }

  private var number: Estimated? {
    guard let value, let low, let high else { return nil }
    return Estimated(value, low: low, high: high)
  }

  /// A fact about the frames or the page as a whole.
  static func about(
    _ subject: String, _ kind: Kind, at time: Double? = nil, _ estimate: Estimated? = nil,
    unit: String = "", saying detail: StoryDetail, isJudged: Bool = true, rank: Rank = .remark
  ) -> StoryFact {
    var fact = StoryFact(
      subject, kind, at: time, estimate, unit: unit, saying: detail, isJudged: isJudged, rank: rank)
    fact.isElement = false
    return fact
  }
}

extension StoryFact: ResultRow {
  package static let fields = makeFields()

  private static func makeFields() -> [ResultField<StoryFact>] {
    [
      ResultField("about", "The element's name, or frames or page.", \.subject),
      ResultField("says", "The fact in a sentence; empty for a number alone.", \.text),
      ResultField("what", "The kind of fact, such as overshoot.", \.kind.rawValue),
      ResultField("t_ns", "The instant of the fact.") { fact in
        fact.time.flatMap { Instant(seconds: $0) }
      },
      ResultField("value", "The number of the fact, in the row's unit.", \.value),
      ResultField("low", "Lower end of the number's 90 % interval.", \.low),
      ResultField("high", "Upper end of the number's 90 % interval.", \.high),
      ResultField("unit", "The number's unit.", \.unit),
      ResultField("fault", "Whether the fact is a fault in any design.", \.isFault),
      ResultField("excused", "Whether the fact was a fault, and is excused.", \.isExcused)
        .when(\.isExcused),
    ]
  }
}
