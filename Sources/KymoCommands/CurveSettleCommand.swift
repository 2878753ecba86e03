import MotionPhysics
import TimelineModel
import TimelineRendering

/// `kymo curve settle`: a settle from parameters alone, as numbers.
func curveSettleCommand() -> Command {
  Command(
    name: "curve settle", summary: "Print how a value settles, or a spring in other systems",
    arguments: "", argumentCount: 0...0,
    examples: [
      "kymo curve settle --stiffness 100 --damping 10 --at 0.1,250ms,1",
      "kymo curve settle --duration 0.5 --bounce 0.3 --velocity 4 --settling-times",
      "kymo curve settle --decay 0.998 --velocity 500",
      "kymo curve settle --timing ease-in-out --duration 0.75 --start 0.6",
      "kymo curve settle --like 'stiffness 300 damping 26'",
      "kymo curve settle --like '.spring(response: 0.5, dampingFraction: 0.8)'",
      "kymo curve settle --like 'tension 170 friction 26' --system react-spring",
    ],
    discussion: """
      The default is a spring. --mass, --stiffness and --damping describe it. You can instead give a
      damping ratio with a stiffness, a response or a time to rest. Or give a duration and a
      bounce, as in SwiftUI. Values are in any unit, velocities in units per second, and times in
      seconds.

      Without --at or --rate, the table has 21 evenly spaced times until the value is at rest by
      --definition. --settling-times prints this time and its thresholds for every definition. A
      spring that never comes to rest has 3.4e38 for core-animation, and null for the others.

      --epsilon is a share of the distance for core-animation, and a length for swiftui, compose,
      flutter, motion and overdamped springs of libadwaita. For --decay it is the speed
      that counts as stopped. The article "Estimators and definitions of rest" explains them.

      --like takes a line pasted from code, and prints the same motion in the words of CSS, UIKit,
      Compose, Motion and others, with the rest by each one's rule. If a line means different springs
      in two systems, --system decides. A curve is printed in the words of CSS and as the nearest
      spring, with the largest error.
      """,
    columns: [
      ResultColumn("t_s", .number, "The time since the start."),
      ResultColumn("value", .number, "The value at that time."),
      ResultColumn("velocity", .number, "The velocity at that time, per second."),
    ] + SettlingTime.fields.described() + MotionTranslation.fields.described(),
    flags: [
      SettleFlags.start, SettleFlags.target, SettleFlags.velocity, SettleFlags.relativeVelocity,
      SettleFlags.mass, SettleFlags.stiffness, SettleFlags.damping, SettleFlags.dampingRatio,
      SettleFlags.response, SettleFlags.duration, SettleFlags.bounce,
      SettleFlags.settlingDuration, SettleFlags.decay, SettleFlags.discrete, SettleFlags.timing,
      SettleFlags.completionSpeed, SettleFlags.cubic, SettleFlags.noOvershoot,
      SettleFlags.noOverdamping, SettleFlags.definition, SettleFlags.epsilon,
      SettleFlags.velocityEpsilon, SettleFlags.at, SettleFlags.rate, SettleFlags.settlingTimes,
      SettleFlags.like, SettleFlags.system, Flags.listing,
    ], showsHelpAlone: true, run: runSettle)
}

/// The flags of `kymo curve settle` alone.
enum SettleFlags {
  static var start: Flag<Double> {
    .number("start", "X", "the value at the start").standard("0")
  }
  static var target: Flag<Double> {
    .number("target", "X", "the target").standard("1")
  }
  static var velocity: Flag<Double> {
    .number("velocity", "V", "the velocity at the start, in units per second").standard("0")
  }
  static var relativeVelocity: Flag<Double> {
    .number(
      "relative-velocity", "V", "the same in distances per second, positive towards the target")
  }
  static var mass: Flag<Double> {
    .number("mass", "M", "the mass of the spring").standard("1")
  }
  static var stiffness: Flag<Double> {
    .number("stiffness", "K", "the stiffness of the spring").standard("100")
  }
  static var damping: Flag<Double> {
    .number("damping", "C", "the damping of the spring").standard("20")
  }
  static var dampingRatio: Flag<Double> {
    .number("damping-ratio", "Z", "the damping as a share of critical damping")
  }
  static var response: Flag<Double> {
    .number("response", "S", "with --damping-ratio: the period of the undamped spring, in seconds")
  }
  static var duration: Flag<Double> {
    .number("duration", "S", "the duration of --bounce, --timing or --cubic, in seconds")
  }
  static var bounce: Flag<Double> {
    .number("bounce", "B", "with --duration: the bounce of SwiftUI, above -1")
  }
  static var settlingDuration: Flag<Double> {
    .number(
      "settling-duration", "S",
      "with --damping-ratio: the time to rest of SwiftUI, without a velocity at first")
  }
  static var decay: Flag<Double> {
    .number("decay", "RATE", "with --velocity: friction alone, the rate per millisecond (0.998)")
  }
  static var discrete: Flag<Bool> {
    .toggle("discrete", "with --decay: sum over whole milliseconds, as WWDC 2018 and pop do")
  }
  static var timing: Flag<Easing> {
    Flag("timing", "NAME", "with --duration: a timing curve (kymo curve ease --list)") { text, _ in
      try Easing(reading: text)
    }.offering(.curves)
  }
  static var completionSpeed: Flag<Double> {
    .number("completion-speed", "S", "with --timing: how much faster the curve runs")
      .standard("1")
  }
  static var cubic: Flag<Bool> {
    .toggle("cubic", "with --duration: the cubic that keeps the velocity")
  }
  static var noOvershoot: Flag<Bool> {
    .toggle("no-overshoot", "for springs and cubics: never pass the target")
  }
  static var noOverdamping: Flag<Bool> {
    .toggle(
      "no-overdamping", "limit the damping to critical, as in Core Animation and SwiftUI")
  }
  static var definition: Flag<SettleDefinition> {
    .name(
      "definition",
      "the definition of rest: " + SettleDefinition.offeredNames.joined(separator: ", ")
    ).standard("core-animation")
  }
  static var epsilon: Flag<Double> {
    .number("epsilon", "E", "the threshold of rest, above 0")
      .standard("that of the definition")
  }
  static var velocityEpsilon: Flag<Double> {
    .number(
      "velocity-epsilon", "E", "the speed that counts as stopped, for flutter and motion"
    ).standard("that of the definition")
  }
  /// Seconds.
  static var at: Flag<[Double]> {
    Flag("at", "T,T,…", "print these times (0.25, 250ms, …)") { text, name in
      try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let time = parseSeconds(String(word.trimmed)), time >= 0 else {
          throw Failure.usage(
            "--\(name) must be times such as 0.25 or 250ms, separated by commas (got '\(text)')")
        }
        return time
      }
    }
  }
  static var rate: Flag<Double> {
    .number("rate", "R", "print R frames a second until the value is at rest")
  }
  static var settlingTimes: Flag<Bool> {
    .toggle("settling-times", "print the time to rest by every definition")
  }
}

private func runSettle(_ invocation: Invocation) throws -> ExitCode {
  if let line = try invocation.value(SettleFlags.like) {
    try invocation.printTranslations(of: line)
    return .yes
  }
  if invocation.has(SettleFlags.system) {
    throw Failure.usage("--system can only be used with --like")
  }
  let settle = try invocation.askedSettle()
  if invocation.has(SettleFlags.settlingTimes) {
    try invocation.printSettlingTimes(of: settle)
    return .yes
  }
  let times = try invocation.settleTimes(of: settle)
  let writer = try invocation.rowWriter(columns: ["t_s", "value", "velocity"])
  for time in times {
    let (value, velocity) = (settle.value(atSeconds: time), settle.velocity(atSeconds: time))
    writer.write(EventField.list(["t_s": time, "value": value, "velocity": velocity]))
  }
  writer.finish()
  return .yes
}

extension Invocation {
  /// A row for every definition, with the thresholds that it took.
  fileprivate func printSettlingTimes(of settle: AskedSettle) throws {
    for flag in given(SettleFlags.at, SettleFlags.rate, SettleFlags.definition) {
      throw Failure.usage("--settling-times and --\(flag) cannot be combined. Remove one of them")
    }
    let times = settle.settlingTimes(try settleTolerance())
    let isTable = try outputFormat() == .table
    let columns = isTable ? SettlingTime.fields.tableColumns() : SettlingTime.columns
    try print(times.rows, columns: columns)
    if isTable { console.output.write("\n" + meanings(of: times)) }
  }

  /// The meaning of each definition as whole lines, which a table's cell would cut.
  private func meanings(of times: [SettlingTime]) -> String {
    let indent = (times.map(\.definition.count).max() ?? 0) + 2
    var lines = ""
    for time in times {
      var name = time.definition
      for line in wrapped(time.meaning, width: 80 - indent) {
        lines += name.padded(to: indent) + line + "\n"
        name = ""
      }
    }
    return lines
  }

  /// The thresholds that were asked for.
  func settleTolerance() throws -> SettleTolerance {
    let tolerance = SettleTolerance(
      epsilon: try value(SettleFlags.epsilon),
      velocityEpsilon: try value(SettleFlags.velocityEpsilon))
    for (name, value) in [
      (SettleFlags.epsilon.name, tolerance.epsilon),
      (SettleFlags.velocityEpsilon.name, tolerance.velocityEpsilon),
    ] {
      guard let value else { continue }
      guard value > 0 else {
        throw Failure.usage("--\(name) must be a number above 0 (got \(jsonText(value)))")
      }
    }
    return tolerance
  }

  /// The times that were asked for, in seconds.
  fileprivate func settleTimes(of settle: AskedSettle) throws -> [Double] {
    let tolerance = try settleTolerance()
    let definition = try value(SettleFlags.definition) ?? .coreAnimation
    guard !has(SettleFlags.at) || !has(SettleFlags.rate) else {
      throw Failure.usage("--at and --rate cannot be combined. Remove one of them")
    }
    if let times = try value(SettleFlags.at) { return times }
    let end = settle.seconds(by: definition, tolerance)
    guard let rate = try value(SettleFlags.rate) else {
      let steps = Double(AskedSettle.tableSteps)
      return end == 0 ? [0] : (0...AskedSettle.tableSteps).map { Double($0) / steps * end }
    }
    guard rate > 0 else {
      throw Failure.usage("--rate must be a number above 0 (got \(jsonText(rate)))")
    }
    let frames = (end * rate).rounded(.up)
    guard frames <= AskedSettle.mostFrames else {
      throw Failure.usage(
        "--rate \(jsonText(rate)) gives more than a million frames until the value is at rest. Use a lower rate"
      )
    }
    return (0...Int(frames)).map { Double($0) / rate }
  }
}

/// Reads "0.25", "250ms", "3us", "10ns" or "2s" as seconds. `nil` for anything else.
private func parseSeconds(_ text: String) -> Double? {
  for (suffix, divisor) in [("ns", 1e9), ("us", 1e6), ("ms", 1e3), ("s", 1), ("", 1)]
  where text.hasSuffix(suffix) {
    guard let number = Double(text.dropLast(suffix.count)), number.isFinite else { return nil }
    return number / divisor
  }
  return nil
}

/// A number as the program prints it.
func jsonText(_ number: Double) -> String { FieldValue.number(number).json }
