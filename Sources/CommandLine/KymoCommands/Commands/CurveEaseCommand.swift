import JSONText
import MotionPhysics
import TimelineModel
import TimelineRendering

/// `kymo curve ease`: an easing curve as numbers.
func curveEaseCommand() -> Command {
  Command(
    name: "curve ease", summary: "an easing curve's progress at points of its time",
    arguments: "[NAME]", argumentCount: 0...1,
    examples: [
      "kymo curve ease cubicInOut --x 0.1,0.25", "kymo curve ease --bezier 0.25,0.1,0.25,1",
      "kymo curve ease --steps 4,jump-both --json", "kymo curve ease --list",
    ],
    discussion: """
      x is the share of the time that is over, y the progress; neither has a unit. The
      curves are those of AHEasing and the names of CSS and Core Animation; NAME may also
      be a text like "cubic-bezier(0.3,0,0.7,1)" or "steps(4,end)". Outside 0 to 1 linear
      and AHEasing's curves hold their ends; the others go on as CSS has it.
      """,
    flags: [
      EaseFlags.x, EaseFlags.bezier, EaseFlags.steps, EaseFlags.list, Flags.listing,
    ], run: runEase)
}

/// The flags of `kymo curve ease` alone.
enum EaseFlags {
  static var list: Flag<Bool> {
    .toggle("list", "the names of all curves, and what they are as CSS functions")
  }
  static var x: Flag<[Double]> {
    Flag("x", "X,X,…", "at these shares of the time; 0, 0.1, … 1 by default") { text, name in
      try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let share = Double(word.trimmed), share.isFinite else {
          throw Failure.usage("--\(name) expects numbers with commas between, not '\(text)'")
        }
        return share
      }
    }
  }
  static var bezier: Flag<Easing> {
    Flag(
      "bezier", "X1,Y1,X2,Y2", "the cubic Bézier curve with these control points"
    ) { text, _ in try easing("cubic-bezier(\(text))") }
  }
  static var steps: Flag<Easing> {
    Flag(
      "steps", "N[,POSITION]", "N steps that jump-start, jump-end (default), jump-none or jump-both"
    ) { text, _ in try easing("steps(\(text))") }
  }

  /// The curve of a name or of a function's text.
  fileprivate static func easing(_ text: String) throws -> Easing {
    do {
      return try Easing(reading: text)
    } catch {
      guard error.code == .unknownName else { throw error }
      let hint = didYouMean(text, among: Easing.names)
      throw Failure.usage(
        "there is no easing curve '\(text)'\(hint ?? "; see kymo curve ease --list")")
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
          ? "kymo curve ease expects a name, --bezier or --steps; kymo curve ease --list prints the names"
          : "a name, --bezier and --steps each name a curve; give one of them")
    }
    return try value(EaseFlags.bezier) ?? value(EaseFlags.steps) ?? EaseFlags.easing(positionals[0])
  }

  fileprivate func listCurves() throws {
    guard positionals.isEmpty, given(EaseFlags.x, EaseFlags.bezier, EaseFlags.steps).isEmpty else {
      throw Failure.usage("--list lists every curve; leave everything else but the format out")
    }
    let rows = Easing.names.map {
      EventField.list(["name": $0, "css": Easing(named: $0)?.functionText])
    }
    try print(rows, columns: ["name", "css"])
  }
}
