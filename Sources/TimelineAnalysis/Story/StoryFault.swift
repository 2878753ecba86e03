/// A fault as a table for readers has it.
package struct StoryFault: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// When a fact is one.
  package var condition: String
  /// What is done to see it.
  package var act: Act

  /// What has to be done so that a fault can show.
  package enum Act: Hashable, Sendable, CaseIterable {
    /// A finger drags or flicks an element.
    case swipe
    /// A click, a key or the pointer.
    case click
    /// Anything.
    case any
    /// The page is asked for less motion.
    case reducedMotion
    /// Anything, on the real clock.
    case realClock
  }

  /// The table, in the order in which a motion goes.
  package static var all: [StoryFault] {
    StoryFact.Kind.allCases.compactMap(\.fault)
  }
}

/// The numbers beyond which a fact is a fault, for the story that judges and for the words of ``StoryFault``.
enum StoryLimit {
  /// The page's own lag, in frames.
  static let ownLag = 1.5
  /// The lag behind the finger if it is not known when the page heard of it, in frames: one more, which the system takes
  /// to tell it.
  static let lag = ownLag + 1
  /// A jump as the finger picks something up, in points.
  static let pickupJump = 3.0
  /// The shares of the finger's way across that are neither rounding nor meant.
  static let leak = 0.03...0.8
  /// The least share of the finger's speed that a release keeps.
  static let kept = 0.62
  /// A finger of this speed throws, in points per second.
  static let thrown = 800.0
  /// How long after the lift or the action something rests, in seconds.
  static let rest = 1.0
  /// How long an answer to a click, a key or the pointer takes to begin, in seconds.
  static let answer = 0.1
  /// A transition that starts at as many moves of the finger was not meant to.
  static let restarts = 5
  /// The longest way at constant speed, and the longest one under reduced motion, in points.
  static let (linearWay, reducedWay) = (24.0, 24.0)
  /// The least share of its speed that something keeps when a second action turns it.
  static let keptInTurn = 0.6
  /// How far a frame lies off its neighbours' course, in points: a kick from rest at 900 pt/s shows 4.4.
  static let jump = 8.0
  /// How long something is opaque before it fades in, in seconds: a flash is shorter.
  static let flash = 0.12
}

extension StoryFact.Kind {
  /// The fault that a fact of this kind may be; nil: such facts are never faults.
  package var fault: StoryFault? {
    func fault(_ act: StoryFault.Act, _ name: String, _ condition: String) -> StoryFault {
      StoryFault(name: name, condition: condition, act: act)
    }
    let whole = StoryWords.whole
    func percent(_ share: Double) -> String { whole(share * 100) }
    let (ownLag, leak) = (StoryWords.fixed(StoryLimit.ownLag, 1), StoryLimit.leak)
    return switch self {
    case .lag: fault(.swipe, "late", "the page's own lag is above \(ownLag) frames")
    case .pickupJump:
      fault(
        .swipe, "jumps at pick-up",
        "the element jumps more than \(whole(StoryLimit.pickupJump)) px as the finger picks it up")
    case .axisLeak:
      fault(
        .swipe, "leaks across",
        "it follows \(percent(leak.lowerBound)) to \(percent(leak.upperBound)) % of the finger's way across"
      )
    case .scrollLag:
      fault(.swipe, "late scroll", "it follows a scroll, and its own lag is above \(ownLag) frames")
    case .handOver:
      fault(
        .swipe, "speed lost",
        "it goes on with less than \(percent(StoryLimit.kept)) % of the finger's speed")
    case .flickCancelled:
      fault(
        .swipe, "flick cancelled",
        "thrown faster than \(whole(StoryLimit.thrown)) px/s, it goes back")
    case .settle:
      fault(
        .any, "slow rest",
        "it rests more than \(whole(StoryLimit.rest)) s after the lift or the action")
    case .noFollower:
      fault(.swipe, "restarts", "its CSS transition starts again with each move of the finger")
    case .noReaction: fault(.click, "nothing moves", "a click or a key on an element has no answer")
    case .start:
      fault(
        .click, "starts late",
        "more than \(StoryWords.milliseconds(StoryLimit.answer)) after a click, a key or the pointer"
      )
    case .linear:
      fault(
        .any, "constant speed",
        "it moves more than \(whole(StoryLimit.linearWay)) px linearly, and stops dead")
    case .reducedMotion:
      fault(
        .reducedMotion, "reduced motion",
        "it moves more than \(whole(StoryLimit.reducedWay)) px although `--reduced-motion` is asked for"
      )
    case .interrupted:
      fault(
        .any, "interrupted",
        "a second action takes more than \(percent(1 - StoryLimit.keptInTurn)) % of its speed")
    case .jump:
      fault(
        .any, "jumps",
        "one frame is off its course by more than \(whole(StoryLimit.jump)) px")
    case .flash:
      fault(
        .any, "flashes, blinks",
        "it is opaque for less than \(StoryWords.milliseconds(StoryLimit.flash)) before it fades in, or drops for a frame"
      )
    case .unevenStagger:
      fault(.any, "start unevenly", "elements that move alike start at uneven distances")
    case .atOnce: fault(.any, "at once", "one of them has no animation")
    case .order: fault(.any, "goes above, under", "the order of two elements turns in mid-motion")
    case .runsTwice:
      fault(.any, "runs again", "the same animation starts twice without another action")
    case .lateFrame:
      fault(
        .realClock, "late frame", "the page held a frame back; only the real clock shows it")
    default: nil
    }
  }
}
