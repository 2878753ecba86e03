import MotionPhysics
import TimelineModel
import TimelineRendering

/// `kymo curve settle`: a settle from parameters alone, as numbers.
func curveSettleCommand() -> Command {
  Command(
    name: "curve settle", summary: "how a value comes to rest, from parameters alone",
    arguments: "", argumentCount: 0...0,
    examples: [
      "kymo curve settle --stiffness 100 --damping 10 --at 0.1,250ms,1",
      "kymo curve settle --duration 0.5 --bounce 0.3 --velocity 4 --settling-times",
      "kymo curve settle --decay 0.998 --velocity 500",
      "kymo curve settle --cubic --duration 0.3 --velocity 8",
      "kymo curve settle --timing ease-in-out --duration 0.75 --start 0.6",
    ],
    discussion: """
      A spring by default, of mass 1, stiffness 100 and damping 20; told by these three, by
      a damping ratio (with a stiffness, a response or a settling duration), or by duration
      and bounce as in SwiftUI. Values are in any unit, velocities in units per second,
      times in seconds; t_s is the time since the start.

      Without --at or --rate a table of 21 evenly spaced times until it is settled by the
      definition of --definition. --settling-times lists that time by every definition, with
      its thresholds. What never settles is 3.4e38 for core-animation, the
      answer that Core Animation gives itself, and null for the others. --epsilon is a share
      of the distance for core-animation; a length in the value's unit for swiftui, compose,
      flutter, motion, rebound, pop and, where it creeps, libadwaita, whose time does not
      depend on the way up to critical damping; and for --decay the speed that counts as
      rest. Without it each takes its own. wave and fluid take no threshold. compose and
      libadwaita cut their time to whole milliseconds: wholeTime_ms.

      A spring that does not swing has settled for core-animation at the first step of 0.1 s
      from which on the way left stays below epsilon; Core Animation's own walk stops at the
      first step below it, which a thrown value may only pass through. The walk ends at
      102.4 s, and that is the answer for what is not there by then, such as a spring of
      stiffness 0.

      A timing curve lasts (1 - p) duration / speed from p to 1; with --start P, --target 1 or 0.
      Its velocity is the curve's own, not one that is passed in.
      """,
    flags: [
      SettleFlags.start, SettleFlags.target, SettleFlags.velocity, SettleFlags.relativeVelocity,
      SettleFlags.mass, SettleFlags.stiffness, SettleFlags.damping, SettleFlags.dampingRatio,
      SettleFlags.response, SettleFlags.duration, SettleFlags.bounce,
      SettleFlags.settlingDuration, SettleFlags.decay, SettleFlags.discrete, SettleFlags.timing,
      SettleFlags.completionSpeed, SettleFlags.cubic, SettleFlags.noOvershoot,
      SettleFlags.noOverdamping, SettleFlags.definition, SettleFlags.epsilon,
      SettleFlags.velocityEpsilon, SettleFlags.at, SettleFlags.rate, SettleFlags.settlingTimes,
      Flags.listing,
    ], showsHelpAlone: true, run: runSettle)
}

/// The flags of `kymo curve settle` alone.
enum SettleFlags {
  static var start: Flag<Double> {
    .number("start", "X", "the value at the start; 0 by default")
  }
  static var target: Flag<Double> {
    .number("target", "X", "the target; 1 by default")
  }
  static var velocity: Flag<Double> {
    .number("velocity", "V", "the velocity at the start, in units per second; 0 by default")
  }
  static var relativeVelocity: Flag<Double> {
    .number(
      "relative-velocity", "V", "the same as distances per second, positive towards the target")
  }
  static var mass: Flag<Double> {
    .number("mass", "M", "the spring's mass; 1 by default")
  }
  static var stiffness: Flag<Double> {
    .number("stiffness", "K", "the spring's stiffness; 100 by default")
  }
  static var damping: Flag<Double> {
    .number("damping", "C", "the spring's damping; 20 by default")
  }
  static var dampingRatio: Flag<Double> {
    .number("damping-ratio", "Z", "damping as a share of critical damping")
  }
  static var response: Flag<Double> {
    .number("response", "S", "2 pi / frequency, in seconds; with --damping-ratio")
  }
  static var duration: Flag<Double> {
    .number("duration", "S", "SwiftUI's duration with --bounce; or of a timing curve or cubic")
  }
  static var bounce: Flag<Double> {
    .number("bounce", "B", "SwiftUI's bounce, above -1; with --duration")
  }
  static var settlingDuration: Flag<Double> {
    .number(
      "settling-duration", "S",
      "the swiftui settling time from rest over the distance 1; with --damping-ratio")
  }
  static var decay: Flag<Double> {
    .number("decay", "RATE", "friction alone, the rate per millisecond (0.998); with --velocity")
  }
  static var discrete: Flag<Bool> {
    .toggle("discrete", "sum the decay over whole milliseconds, as WWDC 2018 and pop do")
  }
  static var timing: Flag<Easing> {
    Flag("timing", "NAME", "a timing curve (kymo curve ease --list); with --duration") { text, _ in
      try Easing(reading: text)
    }
  }
  static var completionSpeed: Flag<Double> {
    .number(
      "completion-speed", "S", "how much faster the rest of a timing curve runs; 1 by default")
  }
  static var cubic: Flag<Bool> {
    .toggle("cubic", "the cubic that keeps the velocity and rests after --duration")
  }
  static var noOvershoot: Flag<Bool> {
    .toggle("no-overshoot", "never past the target; for springs and cubics")
  }
  static var noOverdamping: Flag<Bool> {
    .toggle(
      "no-overdamping", "a spring that creeps becomes critical, as in Core Animation and SwiftUI")
  }
  static var definition: Flag<SettleDefinition> {
    .choice(
      "definition", "NAME", "which definition of settled ends the table; core-animation by default")
  }
  static var epsilon: Flag<Double> {
    .number("epsilon", "E", "the threshold of settled, above 0; each definition's own by default")
  }
  static var velocityEpsilon: Flag<Double> {
    .number(
      "velocity-epsilon", "E", "the speed that counts as rest, for flutter, motion and rebound")
  }
  /// Seconds.
  static var at: Flag<[Double]> {
    Flag("at", "T,T,…", "at these times (0.25, 250ms, …)") { text, name in
      try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let time = parseSeconds(String(word.trimmed)), time >= 0 else {
          throw Failure.usage(
            "--\(name) expects times such as 0.25 or 250ms with commas between, not '\(text)'")
        }
        return time
      }
    }
  }
  static var rate: Flag<Double> {
    .number("rate", "R", "at R frames a second, until it is settled")
  }
  static var settlingTimes: Flag<Bool> {
    .toggle("settling-times", "the settling time by every definition")
  }
}

private func runSettle(_ invocation: Invocation) throws -> ExitCode {
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
      throw Failure.usage("--settling-times tells no values; leave --\(flag) out")
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
        throw Failure.usage("--\(name) is \(jsonText(value)); give a number above 0")
      }
    }
    return tolerance
  }

  /// The times that were asked for, in seconds.
  fileprivate func settleTimes(of settle: AskedSettle) throws -> [Double] {
    let tolerance = try settleTolerance()
    let definition = try value(SettleFlags.definition) ?? .coreAnimation
    guard !has(SettleFlags.at) || !has(SettleFlags.rate) else {
      throw Failure.usage("--at and --rate each say when; give one of them")
    }
    if let times = try value(SettleFlags.at) { return times }
    let end = settle.seconds(by: definition, tolerance)
    guard let rate = try value(SettleFlags.rate) else {
      let steps = Double(AskedSettle.tableSteps)
      return end == 0 ? [0] : (0...AskedSettle.tableSteps).map { Double($0) / steps * end }
    }
    guard rate > 0 else {
      throw Failure.usage("--rate is \(jsonText(rate)); give frames a second, above 0")
    }
    let frames = (end * rate).rounded(.up)
    guard frames <= AskedSettle.mostFrames else {
      throw Failure.usage(
        "--rate \(jsonText(rate)) makes over a million frames until it is settled; give a lower one"
      )
    }
    return (0...Int(frames)).map { Double($0) / rate }
  }
}

/// Reads "0.25", "250ms", "3us", "10ns" or "2s" as seconds; nil for anything else.
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
