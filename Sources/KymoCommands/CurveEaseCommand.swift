import JSONText
import MotionPhysics
import TimelineModel
import TimelineRendering

/// `kymo curve ease`: an easing curve as numbers.
func curveEaseCommand() -> Command {
  Command(
    name: "curve ease", summary: "Print the progress of an easing curve",
    arguments: "[NAME]", argumentCount: 0...1,
    choices: ["NAME": .curves],
    examples: [
      "kymo curve ease ease-in-out --x 0.1,0.25", "kymo curve ease --bezier 0.25,0.1,0.25,1",
      "kymo curve ease --steps 4,jump-both --json", "kymo curve ease --list",
    ],
    discussion: """
      Give NAME, --bezier or --steps. The names are those of CSS, Core Animation and AHEasing. NAME may
      also be a function such as "cubic-bezier(0.3,0,0.7,1)" or "steps(4,end)".

      x is the share of the time that has passed, and y is the progress. Outside of 0 to 1, linear
      and the curves of AHEasing hold their ends, and other curves continue as CSS defines.
      """,
    columns: [
      ResultColumn("x", .number, "The share of the time that has passed."),
      ResultColumn("y", .number, "The progress at that time."),
      ResultColumn("name", .text, "With --list: the name of a curve."),
      ResultColumn("css", .text, "With --list: the curve as a function of CSS, or null."),
    ],
    flags: [
      EaseFlags.x, EaseFlags.bezier, EaseFlags.steps, EaseFlags.list, Flags.listing,
    ], run: runEase)
}

/// The flags of `kymo curve ease` alone.
enum EaseFlags {
  static var list: Flag<Bool> {
    .toggle("list", "print the names of all curves, with their CSS functions")
  }
  static var x: Flag<[Double]> {
    Flag("x", "X,X,…", "shares of the time") { text, name in
      try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let share = Double(word.trimmed), share.isFinite else {
          throw Failure.usage("--\(name) must be numbers separated by commas (got '\(text)')")
        }
        return share
      }
    }.standard("0, 0.1, … 1")
  }
  static var bezier: Flag<Easing> {
    Flag(
      "bezier", "X1,Y1,X2,Y2", "a cubic Bézier curve with these control points"
    ) { text, _ in try easing("cubic-bezier(\(text))") }
  }
  static var steps: Flag<Easing> {
    Flag(
      "steps", "N[,POSITION]",
      "N steps, with a POSITION of jump-end, jump-start, jump-none or jump-both"
    ) { text, _ in try easing("steps(\(text))") }
  }

  /// The curve of a name or of a function's text.
  fileprivate static func easing(_ text: String) throws -> Easing {
    do {
      return try Easing(reading: text)
    } catch {
      guard error.code == .unknownName else { throw error }
      let known = choices(
        near: text, among: Easing.offeredNames + Easing.unofferedNames,
        listedBy: "kymo curve ease --list")
      throw Failure.usage("unknown easing curve '\(text)'. \(known)")
    }
  }
}

private func runEase(_ invocation: Invocation) throws -> ExitCode {
  if invocation.has(EaseFlags.list) {
    try invocation.listCurves()
    return .yes
  }
  let easing = try invocation.easing()
  let positions = try invocation.value(EaseFlags.x) ?? (0...10).map { Double($0) / 10 }
  let rows = positions.map {
    EventField.list(["x": $0, "y": easing.value(at: $0)])
  }
  try invocation.print(rows, columns: ["x", "y"])
  return .yes
}

extension Invocation {
  /// The curve that was asked for, in one of three ways.
  fileprivate func easing() throws -> Easing {
    let count = positionals.count + given(EaseFlags.bezier, EaseFlags.steps).count
    guard count == 1 else {
      throw Failure.usage(
        count == 0
          ? "missing NAME, --bezier or --steps. See kymo curve ease --list"
          : "NAME, --bezier and --steps cannot be combined. Use one of them")
    }
    return try value(EaseFlags.bezier) ?? value(EaseFlags.steps) ?? EaseFlags.easing(positionals[0])
  }

  fileprivate func listCurves() throws {
    guard positionals.isEmpty, given(EaseFlags.x, EaseFlags.bezier, EaseFlags.steps).isEmpty else {
      throw Failure.usage("--list cannot be combined with a curve or with --x")
    }
    let rows = Easing.names.map {
      EventField.list(["name": $0, "css": Easing(named: $0)?.functionText])
    }
    try print(rows, columns: ["name", "css"])
  }
}
