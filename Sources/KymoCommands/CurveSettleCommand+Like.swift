import MotionPhysics
import TimelineModel
import TimelineRendering

/// `kymo curve settle --like`: a line of one animation system in the words of the others.
extension Invocation {
  /// Reads the line and prints a row for each system.
  func printTranslations(of line: String) throws {
    let others: [any FlagSource] = [
      SettleFlags.mass, SettleFlags.stiffness, SettleFlags.damping, SettleFlags.dampingRatio,
      SettleFlags.response, SettleFlags.duration, SettleFlags.bounce, SettleFlags.settlingDuration,
      SettleFlags.decay, SettleFlags.discrete, SettleFlags.timing, SettleFlags.completionSpeed,
      SettleFlags.cubic, SettleFlags.noOvershoot, SettleFlags.noOverdamping,
      SettleFlags.definition, SettleFlags.epsilon, SettleFlags.velocityEpsilon, SettleFlags.at,
      SettleFlags.rate, SettleFlags.settlingTimes,
    ]
    if let flag = given(others).first {
      throw Failure.usage("--like and --\(flag) cannot be combined. Remove one of them")
    }
    if has(SettleFlags.velocity), has(SettleFlags.relativeVelocity) {
      throw Failure.usage(
        "--velocity and --relative-velocity cannot be combined. Remove one of them")
    }
    let (from, to) = (try value(SettleFlags.start) ?? 0, try value(SettleFlags.target) ?? 1)
    let velocity =
      try value(SettleFlags.relativeVelocity).map { absoluteVelocity($0, remaining: to - from) }
      ?? value(SettleFlags.velocity)
    let read = try MotionLine(
      reading: line, system: value(SettleFlags.system), from: from, to: to, velocity: velocity)
    let rows = read.translations(from: from, to: to)
    guard try outputFormat() == .table else {
      for remark in read.remarks { console.note(remark.asClause) }
      try print(rows)
      return
    }
    output.write(read.summary + "\n")
    for remark in read.remarks { output.write(remark + "\n") }
    for row in rows { output.write("\n" + paragraph(of: row)) }
  }

  /// A row as lines, because a table would cut what is to be pasted.
  private func paragraph(of row: MotionTranslation) -> String {
    var text = row.system + "\n"
    if let line = row.line { text += "  \(line)\n" }
    var facts: [String] = []
    if row.line != nil {
      let rest =
        row.restSeconds.map { "At rest after \(NumberText.fixed($0, 3)) s" } ?? "Never at rest"
      facts.append(row.restRule.map { "\(rest): \($0)." } ?? "\(rest).")
    }
    if let error = row.largestError, error > 0 {
      facts.append("At most \(NumberText.short(error * 100, digits: 3)) % of the distance off.")
    }
    if let remark = row.remark { facts.append(remark) }
    for line in wrapped(facts.joined(separator: " "), width: 78) { text += "  \(line)\n" }
    return text
  }
}

extension SettleFlags {
  static var like: Flag<String> {
    .text("like", "LINE", "print this line of an animation system in the words of the others")
  }
  static var system: Flag<SpringSystem> {
    Flag("system", "NAME", "with --like: whose line it is") { text, name in
      guard let system = SpringSystem.named(text) else {
        throw Failure.unknown(text, of: name, among: SpringSystem.all.map(\.name))
      }
      return system
    }.offering(SpringSystem.all.map(\.name))
  }
}
