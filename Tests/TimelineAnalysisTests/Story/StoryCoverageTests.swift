import TestSupport
import Testing
import TimelineModel

@testable import MotionJudgement

/// Whether the facts of whole stories hold the truth of pages that are drawn by chance, and whether they call a fault no more
/// than is one.
@Suite struct StoryCoverageTests {
  @Test(arguments: [(60.0, 100), (120, 60)])
  func `facts of a drag hold the truth, and clean pages have no fault`(
    rate: Double, count: Int
  ) throws {
    var dice = SplitMix(seed: UInt64(rate))
    var coverages: [StoryFact.Kind: FoundInDrags.Coverage] = [:]
    var alarms: [StoryFact.Kind: FoundInDrags.Alarms] = [:]
    for _ in 0..<count {
      let drag = SimulatedDrag(rate: rate, dice: &dice)
      let story = try FilmedPage(drag, name: "sheet").story()
      for (kind, truth) in drag.truths {
        guard let fact = story.facts.first(where: { $0.kind == kind && $0.subject == "sheet" }),
          let value = fact.value, let low = fact.low, let high = fact.high
        else { continue }
        coverages[kind, default: .init()].add(Estimated(value, low: low, high: high), truth)
      }
      for (kind, isFaulty) in drag.faults {
        let isAlarm = story.faults.contains { $0.kind == kind }
        alarms[kind, default: .init()].add(isAlarm, isFaulty: isFaulty)
      }
    }
    // What is not told holds nothing.
    let least: [StoryFact.Kind: Double] = [
      .lag: 0.95, .pickupJump: 0.15, .handOver: 0.65, .stiffness: 0.9, .damping: 0.9,
    ]
    for (kind, share) in least {
      let coverage = coverages[kind, default: .init()]
      #expect(coverage.share >= 0.85, "\(kind): \(coverage)")
      #expect(Double(coverage.count) >= share * Double(count), "\(kind): \(coverage)")
    }
    for kind in [StoryFact.Kind.lag, .pickupJump, .handOver, .jump] {
      let found = alarms[kind, default: .init()]
      #expect(found.falsely == 0, "\(kind): \(found)")
      #expect(found.clean > 0, "\(kind): \(found)")
      // A page that has the fault is found out, unless it is too slow to tell.
      #expect(Double(found.rightly) >= 0.6 * Double(found.faulty), "\(kind): \(found)")
    }
  }
}

extension SimulatedDrag {
  /// The numbers that a story tells.
  fileprivate var truths: [(kind: StoryFact.Kind, truth: Double)] {
    [
      (.lag, own), (.pickupJump, abs(jump)), (.handOver, 100 * kept), (.stiffness, stiffness),
      (.damping, damping),
    ]
  }

  /// Whether it goes on for long in the finger's direction.
  private var goesOn: Bool {
    let shown = driven.values
    let way = (shown.last ?? 0) - (shown.first ?? 0)
    let more = (settle.values.last ?? 0) - (shown.last ?? 0)
    return way * more > 40 * abs(way)
  }

  /// What is wrong with it; nil: between clean and faulty, where either answer is right.
  fileprivate var faults: [(kind: StoryFact.Kind, isFaulty: Bool?)] {
    [
      (.lag, own <= 1 ? false : own >= 2 ? true : nil), (.pickupJump, jump != 0),
      // What goes back need not keep a speed.
      (.handOver, keep == 1 ? false : keep == 0 && goesOn ? true : nil),
      (.jump, jump == 0 ? false : nil),
    ]
  }
}
