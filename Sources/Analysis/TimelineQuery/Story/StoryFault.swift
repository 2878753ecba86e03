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

extension StoryFact.Kind {
  /// The fault that a fact of this kind may be; nil: such facts are never faults.
  package var fault: StoryFault? {
    func fault(_ act: StoryFault.Act, _ name: String, _ condition: String) -> StoryFault {
      StoryFault(name: name, condition: condition, act: act)
    }
    return switch self {
    case .lag: fault(.swipe, "late", "the page's own lag is above 1.5 frames")
    case .pickupJump:
      fault(
        .swipe, "jumps at pick-up", "the element jumps more than 3 px as the finger picks it up")
    case .axisLeak:
      fault(.swipe, "leaks across", "it follows 3 to 80 % of the finger's way across")
    case .scrollLag:
      fault(.swipe, "late scroll", "it follows a scroll, and its own lag is above 1.5 frames")
    case .handOver:
      fault(.swipe, "speed lost", "it goes on with less than 62 % of the finger's speed")
    case .flickCancelled:
      fault(.swipe, "flick cancelled", "thrown faster than 800 px/s, it goes back")
    case .settle:
      fault(.any, "slow rest", "it rests more than 1 s after the lift or the action")
    case .noReaction: fault(.click, "nothing moves", "a click or a key on an element has no answer")
    case .start:
      fault(.click, "starts late", "more than 100 ms after a click, a key or the pointer")
    case .linear:
      fault(.any, "constant speed", "it moves more than 24 px linearly, and stops dead")
    case .reducedMotion:
      fault(
        .reducedMotion, "reduced motion",
        "it moves more than 24 px although `--reduced-motion` is asked for")
    case .interrupted:
      fault(.any, "interrupted", "a second action takes more than 40 % of its speed")
    case .jump: fault(.any, "jumps", "one frame is off its course by more than 6 px")
    case .flash:
      fault(
        .any, "flashes, blinks",
        "it is opaque for less than 120 ms before it fades in, or drops for a frame")
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
