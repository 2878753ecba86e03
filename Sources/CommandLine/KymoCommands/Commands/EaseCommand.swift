import JSONText
import MotionPhysics
import TimelineModel
import TimelineRendering

/// `kymo ease`: an easing curve as numbers.
func easeCommand() -> Command {
  Command(
    name: "ease", summary: "an easing curve's progress at points of its time",
    arguments: "[NAME]", argumentCount: 0...1,
    examples: [
      "kymo ease cubicInOut --at 0.1,0.25", "kymo ease --bezier 0.25,0.1,0.25,1",
      "kymo ease --steps 4,jump-both --json", "kymo ease --list",
    ],
    discussion: """
      x is the share of the time that is over, y the progress; neither has a unit. The
      curves are those of AHEasing and the names of CSS and Core Animation; NAME may also
      be a text like "cubic-bezier(0.3,0,0.7,1)" or "steps(4,end)". Outside 0 to 1 linear
      and AHEasing's curves hold their ends; the others go on as CSS has it.
      """,
    flags: [
      EaseFlags.at, EaseFlags.bezier, EaseFlags.steps, Flags.list, Flags.listing,
    ], run: runEase)
}

/// The flags of `kymo ease` alone.
enum EaseFlags {
  static var at: Flag<String> {
    .text("at", "X,X,…", "at these shares of the time; 0, 0.1, … 1 by default")
  }
  static var bezier: Flag<String> {
    .text("bezier", "X1,Y1,X2,Y2", "the cubic Bézier curve with these control points")
  }
  static var steps: Flag<String> {
    .text(
      "steps", "N[,POSITION]", "N steps that jump-start, jump-end (default), jump-none or jump-both"
    )
  }
}

private func runEase(_ invocation: Invocation) throws -> ExitCode {
  if invocation.has(Flags.list) {
    try invocation.listCurves()
    return .yes
  }
  let easing = try invocation.easing()
  let positions = try invocation.positions()
  let writer = try invocation.rowWriter(columns: ["x", "y"])
  for x in positions {
    writer.write([EventField("x", .number(x)), EventField("y", .number(easing.value(at: x)))])
  }
  writer.finish()
  return .yes
}

extension Invocation {
  /// The curve that was asked for, in one of three ways.
  fileprivate func easing() throws -> Easing {
    var texts = positionals
    if let points = text(EaseFlags.bezier) { texts.append("cubic-bezier(\(points))") }
    if let steps = text(EaseFlags.steps) { texts.append("steps(\(steps))") }
    guard texts.count == 1 else {
      throw Failure.usage(
        texts.isEmpty
          ? "kymo ease expects a name, --bezier or --steps; kymo ease --list prints the names"
          : "a name, --bezier and --steps each name a curve; give one of them")
    }
    do {
      return try Easing(reading: texts[0])
    } catch {
      guard error.code == .unknownName else { throw error }
      let hint = didYouMean(texts[0], among: Easing.names)
      throw Failure.usage(
        "there is no easing curve '\(texts[0])'\(hint ?? "; see kymo ease --list")")
    }
  }

  /// The points in time that were asked for.
  fileprivate func positions() throws -> [Double] {
    guard let text = text(EaseFlags.at) else { return (0...10).map { Double($0) / 10 } }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let share = Double(word.trimmed), share.isFinite else {
        throw Failure.usage("--at expects numbers with commas between, not '\(text)'")
      }
      return share
    }
  }

  fileprivate func listCurves() throws {
    guard positionals.isEmpty, text(EaseFlags.at) == nil, text(EaseFlags.bezier) == nil,
      text(EaseFlags.steps) == nil
    else {
      throw Failure.usage("--list lists every curve; leave everything else but the format out")
    }
    let rows = Easing.names.map { name in
      [
        EventField("name", .text(name)),
        EventField("css", FieldValue(Easing(named: name)?.functionText)),
      ]
    }
    try print(rows, columns: ["name", "css"])
  }
}
