import MotionMeasures
import TimelineModel

extension RunComparison {
  /// Puts into words how B moved differently, in what fails first of each key: the progress first, what the frames say
  /// of the viewport last, and once what several did alike. Where something was decided otherwise, that is the reason.
  mutating func nameMovements() {
    guard decisionsAreEqual else { return }
    let ranked = keys.indices.sorted { keys[$0].rank < keys[$1].rank }
    let words = ranked.map { keys[$0].isSame ? nil : movement(of: keys[$0]) }
    for (index, place) in ranked.enumerated() {
      guard let said = words[index], words.firstIndex(of: said) == index,
        let verdict = keys[place].verdicts.firstIndex(where: { $0.grade == .fail })
      else { continue }
      keys[place].verdicts[verdict].difference =
        "\(keys[place].name) \(said)" + RunComparison.so(words.count { $0 == said } - 1)
    }
  }

  /// That others do the same, in brackets; empty for none.
  static func so(_ others: Int) -> String {
    others == 0 ? "" : " (so \(others == 1 ? "does" : "do") \(others) more)"
  }

  /// How a key of B moved otherwise than A's, without its name; nil where the two have no time in common.
  private func movement(of key: Key) -> String? {
    guard let curve = key.comparison else { return nil }
    func text(_ value: Double) -> String { NumberText.short(value) }
    if isOnlyLate(key) {
      let lag = text((abs(curve.lagSeconds) * 10_000).rounded() / 10)
      let word = curve.lagSeconds > 0 ? "later" : "earlier"
      return curve.lagIsAtLimit
        ? "comes \(word) by a lag beyond \(lag) ms" : "comes \(lag) ms \(word)"
    }
    let unit = ["", "1"].contains(key.unit) ? "" : " \(key.unit)"
    func change(
      _ verb: String, _ before: Double, _ now: Double, _ unit: String, above least: Double
    ) -> String? {
      abs(now - before) > least ? "\(verb) \(text(now)) instead of \(text(before))\(unit)" : nil
    }
    for motion in key.motions {
      guard let a = motion.a, let b = motion.b else { continue }
      let (before, now) = (a.overshootPercent ?? 0, b.overshootPercent ?? 0)
      let past = " % past \(text(b.finalValue))\(unit)"
      let settles = [a, b].map { (($0.settle2Seconds ?? 0) * 1000).rounded() }
      let least = tolerance.residualShare * max(a.extent, b.extent)
      let parts = [
        change("ends at", a.finalValue, b.finalValue, unit, above: least),
        before < 0.5
          ? now < 0.5 ? nil : "swings \(text(now.rounded()))\(past)"
          : change("swings", before.rounded(), now.rounded(), past, above: 0),
        change("settles in", settles[0], settles[1], " ms", above: lagLimitSeconds * 1000),
      ].compactMap { $0 }
      guard !parts.isEmpty else { continue }
      let place = key.motions.count > 1 ? " in transition #\(motion.transition)" : ""
      return parts.joined(separator: " and ") + place
    }
    return curve.aligned.map {
      "is up to \(text($0.maximum))\(unit) off, at \(text($0.timeOfMaximum.seconds)) s"
    }
  }
}
