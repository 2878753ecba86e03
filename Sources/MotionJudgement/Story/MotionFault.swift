package import TimelineModel

/// A built-in requirement: what is wrong in any design.
///
/// ``all`` is the only list of faults. `watch`, `show`, the page, `kymo help faults`, the skill and the article
/// `WatchAPage` print from it. To add a fault, add its entry here. A new fact has its sentence in `Wording+Story.swift`, and a
/// `StoryTeller` finds it.
package struct MotionFault: Hashable, Sendable {
  /// The kind of fact that is judged. Its name is the fault's id in rows, which never changes.
  package let kind: StoryFact.Kind
  /// The act that shows it.
  package let act: Act
  /// The name for people.
  package let name: String
  /// When a fact is the fault, in words.
  package let condition: String
  /// The limit of the fact's number, in the fact's unit. `nil`: that the fact is there is the fault.
  package let limit: Limit?

  /// The id in rows.
  package var id: String { kind.rawValue }

  private init(
    _ kind: StoryFact.Kind, _ act: Act, _ name: String, _ condition: String,
    _ limit: Limit? = nil
  ) {
    (self.kind, self.act, self.name, self.condition) = (kind, act, name, condition)
    self.limit = limit
  }

  /// What has to be done so that a fault can show.
  package enum Act: String, Hashable, Sendable, CaseIterable {
    /// A finger drags or flicks an element.
    case swipe
    /// A click, a key or the pointer.
    case click
    /// Anything.
    case any
    /// The page is asked for less motion.
    case reducedMotion = "reduced_motion"
    /// Anything, on the real clock.
    case realClock = "real_clock"
  }

  /// Whether a story has the fact only if it is the fault, so that a story without the fact is free of the fault.
  var isAlone: Bool { limit == nil || kind == .pickupJump || kind == .flickCancelled }

  /// Whether a fact's number passes the limit with its whole 90 % interval. Without a limit the fact itself is the fault.
  func applies(to number: Estimated?) -> Bool {
    guard let limit else { return true }
    return number.map { limit.side(of: $0) == .beyond } ?? false
  }
}

extension MotionFault {
  // Numbers that an entry below holds against something else than its fact's number, or that the words of a fact need.

  /// The page's own lag, in frames.
  static let ownLag = 1.5
  /// The part of the lag behind the finger that the system takes to tell the page, in frames. It is taken off if the
  /// recording does not say when the page heard of the finger.
  static let systemLag = 1.0
  /// The jump as the finger picks something up, in points.
  static let pickupJump = 3.0
  /// The shares of the finger's way across that are neither rounding nor meant.
  static let leak = 0.03...0.8
  /// The least share of the finger's speed that a release keeps.
  static let kept = 0.62
  /// A finger of this speed throws, in points per second.
  static let thrown = 800.0
  /// What goes back though it was thrown so far, as a share of its way, was thrown far enough for any rule.
  static let farThrown = 0.45
  /// The share of a late frame that the page's own work must fill.
  static let ownWork = 0.4
  /// How long after the lift or the action something rests, in seconds.
  static let rest = 1.0
  /// How long an answer to a click, a key or the pointer takes to begin, in seconds.
  static let answer = 0.1
  /// A transition that starts at as many moves of the finger was not meant to.
  static let restarts = 5
  /// The longest way at constant speed, in points.
  static let linearWay = 24.0
  /// The longest way under reduced motion, in points.
  static let reducedWay = 24.0
  /// The least share of its speed that something keeps when a second action turns it.
  static let keptInTurn = 0.6
  /// How far a frame lies off its neighbours' course, in points: a kick from rest at 900 pt/s shows 4.4.
  static let jump = MotionExpectation.usualExcess
  /// How long something is opaque before it fades in, in seconds: a flash is shorter.
  static let flash = 0.12

  /// The faults in the order in which a motion goes.
  package static let all: [MotionFault] = [
    MotionFault(
      .lag, .swipe, "late", "the page's own lag is above \(NumberText.fixed(ownLag, 1)) frames",
      .atMost(ownLag)),
    MotionFault(
      .steps, .swipe, "moves in steps",
      "it stands still under a moving finger for more than 2 frames, time and again"),
    MotionFault(
      .pickupJump, .swipe, "jumps at pick-up",
      "the element jumps more than \(NumberText.whole(pickupJump)) px as the finger picks it up",
      .atMost(pickupJump)),
    MotionFault(
      .axisLeak, .swipe, "leaks across",
      "it follows \(percent(leak.lowerBound)) to \(percent(leak.upperBound)) % of the finger's way across"
    ),
    MotionFault(
      .scrollLag, .swipe, "late scroll",
      "it follows a scroll, and its own lag is above \(NumberText.fixed(ownLag, 1)) frames",
      .atMost(ownLag)),
    MotionFault(
      .fingerTaken, .swipe, "finger taken",
      "the browser takes the finger from what follows it, which stays behind"),
    MotionFault(
      .handOver, .swipe, "speed lost",
      "it goes farther with the finger, and keeps less than \(percent(kept)) % of its speed",
      .atLeast(100 * kept)),
    MotionFault(
      .flickCancelled, .swipe, "flick cancelled",
      "thrown faster than \(NumberText.whole(thrown)) px/s over "
        + "\(percent(farThrown)) % of its way, it goes back", .atMost(thrown)),
    MotionFault(
      .settle, .any, "slow rest",
      "a spring or a script rests more than \(NumberText.whole(rest)) s after the lift or the action",
      .atMost(1000 * rest)),
    MotionFault(
      .noFollower, .swipe, "restarts",
      "its CSS transition starts again with each move of the finger"
    ),
    MotionFault(
      .noReaction, .click, "nothing moves", "a click or a key on an element has no answer"),
    MotionFault(
      .start, .click, "starts late",
      "more than \(NumberText.whole(1000 * answer)) ms after a click, a key or the pointer",
      .atMost(1000 * answer)),
    MotionFault(
      .linear, .any, "constant speed",
      "it moves more than \(NumberText.whole(linearWay)) px linearly, and stops dead"),
    MotionFault(
      .reducedMotion, .reducedMotion, "reduced motion",
      "it moves more than \(NumberText.whole(reducedWay)) px although `--reduced-motion` is asked for"
    ),
    MotionFault(
      .interrupted, .any, "interrupted",
      "a second action takes more than \(percent(1 - keptInTurn)) % of its speed",
      .outside(-100 * keptInTurn...100 * keptInTurn)),
    MotionFault(
      .jump, .any, "jumps", "one frame is off its course by more than \(NumberText.whole(jump)) px"),
    MotionFault(
      .flash, .any, "flashes, blinks",
      "it is opaque for less than \(NumberText.whole(1000 * flash)) ms before it fades in, or drops for a frame"
    ),
    MotionFault(
      .unevenStagger, .any, "start unevenly", "elements that move alike start at uneven distances"),
    MotionFault(
      .order, .any, "goes above, under", "the order of two elements turns in mid-motion"),
    MotionFault(
      .runsTwice, .any, "runs again", "the same animation starts twice without another action"),
    MotionFault(
      .lateFrame, .realClock, "late frame",
      "the page's own work filled a frame; only the real clock shows it"),
  ]

  /// What only a page or an app can say of itself: pictures show neither when it heard of a finger nor what it did between
  /// them.
  static let ofPages: Set<StoryFact.Kind> = [.lag, .scrollLag, .lateFrame]

  private static let byKind = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

  /// The fault that a fact of a kind may be. `nil`: such facts are never faults.
  package static func of(_ kind: StoryFact.Kind) -> MotionFault? { byKind[kind] }

  private static func percent(_ share: Double) -> String { NumberText.whole(share * 100) }
}

extension MotionFault: ResultRow {
  package static let fields: [ResultField<MotionFault>] = [
    ResultField("id", "The fault's id, which is the fact's kind in rows of `watch`.", \.id),
    ResultField("name", "The fault's name.", \.name),
    ResultField("when", "When a fact is the fault.", \.condition),
    ResultField("act", "What has to be done so that it can show.", \.act.rawValue),
  ]
}
