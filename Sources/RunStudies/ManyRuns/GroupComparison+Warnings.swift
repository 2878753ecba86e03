import MotionMeasures
import TimelineModel
import TimelineStatistics
import TimelineStore

extension GroupComparison {
  /// A session that is there twice counts once: it says nothing new.
  static func withoutDoubles(
    _ runs: [GroupRun], side: String, _ warnings: inout [String]
  ) -> [GroupRun] {
    var seen: Set<String> = []
    let kept = runs.filter { seen.insert($0.session.uuid).inserted }
    if kept.count < runs.count {
      let count = runs.count - kept.count
      warnings.append(
        "\(count) \(side) \(count == 1 ? "session was" : "sessions were") given twice. Each counts once."
      )
    }
    return kept
  }

  /// What differs between the sessions that should not.
  static func warnings(of base: [GroupRun], _ new: [GroupRun]) -> [String] {
    var warnings: [String] = []
    let uuids = Set(base.map(\.session.uuid))
    let shared = new.count { uuids.contains($0.session.uuid) }
    if shared > 0 {
      warnings.append(
        "\(shared) \(shared == 1 ? "session is" : "sessions are") on both sides, base and new, and cannot differ."
      )
    }
    let recorders = different(base, new) {
      "\($0.session.description.software), schema \($0.session.schemaVersion)"
    }
    if let recorders {
      warnings.append("The sessions were recorded by different programs: \(recorders).")
    }
    let rates = different(base, new) { run in
      run.session.description.refreshRate.map { "\(FieldValue.jsonNumber($0)) Hz" } ?? "unknown"
    }
    if let rates {
      warnings.append(
        "The refresh rates of the displays differ: \(rates). Hitches and velocities depend on them."
      )
    }
    return warnings
  }

  /// A key to which sessions give several units.
  static func warning(of mixed: MetricTable.MixedUnits) -> String {
    let units = mixed.units.map { $0.isEmpty ? "no unit" : $0 }.joined(separator: " and in ")
    return
      "The sessions have \(mixed.key) in different units: its \(mixed.measure.rawValue) is in \(units). "
      + "The numbers are compared as they are."
  }

  /// "base A and B, new A". `nil` where all are the same.
  private static func different(
    _ base: [GroupRun], _ new: [GroupRun], _ value: (GroupRun) -> String
  ) -> String? {
    let before = inOrder(base.map(value))
    let after = inOrder(new.map(value))
    guard Set(before + after).count > 1 else { return nil }
    return "base \(before.joined(separator: " and ")), new \(after.joined(separator: " and "))"
  }

  /// Each once, in the order of their first appearance.
  static func inOrder(_ values: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0).inserted }
  }

  /// What the numbers of sessions allow.
  mutating func addOwnWarnings(_ base: [GroupRun], _ new: [GroupRun]) {
    let percent = FieldValue.jsonNumber(options.level * 100)
    if let needed = MedianInterval.neededCount(level: options.level) {
      for (name, runs) in [("base", base), ("new", new)] where runs.count < needed {
        warnings.append(
          "\(runs.count) \(name) \(runs.count == 1 ? "session is" : "sessions are") too few for a \(percent) % interval of the median, which needs \(needed)."
        )
      }
    }
    addPowerWarning(base.count, new.count)
    if let pairing {
      let left = base.count + new.count - 2 * pairing.pairs.count
      if left > 0 {
        warnings.append(
          "\(left) \(left == 1 ? "session has" : "sessions have") no partner with \(left == 1 ? "its" : "their") name, and \(left == 1 ? "is" : "are") left out."
        )
      }
    }
    addOneSidedWarning()
    let names = rows.constantLabels.joined(separator: ", ")
    if !names.isEmpty {
      warnings.append(
        "These have the same number in all sessions, so they are not tested: \(names).")
    }
    for mean in means {
      if let refusal = mean.refusal {
        warnings.append(
          "The geometric mean of \(mean.unit == "1" ? "numbers" : mean.unit) cannot be computed: \(refusal)."
        )
      }
    }
  }

  /// Names the keys of which only one side tells anything.
  private mutating func addOneSidedWarning() {
    var sides: [(name: String, keys: [String])] = [("base", []), ("new", [])]
    let keys = rows.keys
    let measured = rows.measuredKeys
    sides[0].keys = keys.filter { !measured.new.contains($0) }
    sides[1].keys = keys.filter { !measured.base.contains($0) }
    for side in sides where !side.keys.isEmpty {
      warnings.append(
        "Only \(side.name) sessions have \(side.keys.joined(separator: ", ")), so that is not tested."
      )
    }
  }

  /// Says when nothing could have come out, however different the sessions are.
  private mutating func addPowerWarning(_ baseCount: Int, _ newCount: Int) {
    guard testCount > 0 else { return }
    let isPaired = pairing != nil
    func smallest(_ first: Int, _ second: Int) -> Double {
      isPaired ? SignedRankTest.smallestP(first) : RankSumTest.smallestP(first, second)
    }
    let (first, second) = pairing.map { ($0.pairs.count, $0.pairs.count) } ?? (baseCount, newCount)
    let reachable = smallest(first, second)
    let sizes = pairing == nil ? "\(first) and \(second) sessions" : "\(first) pairs"
    let smallestText = NumberText.short(reachable, digits: reachable < 0.1 ? 2 : 3)
    let alpha = NumberText.short(options.alpha)
    if reachable >= options.alpha {
      warnings.append(
        "With \(sizes) no result can be significant: the smallest possible p is \(smallestText), and it must be below "
          + "\(alpha). Give \(runsToReach(options.alpha, smallest)).")
    } else if reachable >= levelOfOneTest {
      warnings.append(
        "With \(sizes) and \(testCount) tests no result can be significant: the smallest possible p is "
          + "\(smallestText), and \(testCount) times that is not below \(alpha). Give "
          + "\(runsToReach(levelOfOneTest, smallest)), or fewer keys or metrics.")
    }
  }

  /// How many sessions reach a p below a level.
  private func runsToReach(_ level: Double, _ smallest: (Int, Int) -> Double) -> String {
    var count = 1
    // 2^−n passes every level above 0 before this many.
    while smallest(count, count) >= level, count < 1100 { count += 1 }
    return pairing == nil ? "\(count) on each side" : "\(count) pairs"
  }
}
