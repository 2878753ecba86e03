import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo plot`: the curves of a run, or of two over one another, as text or SVG.
func plotCommand() -> Command {
  Command(
    name: "plot", summary: "curves of one or two runs, as text or SVG",
    arguments: "FILE [SESSION] [FILE SESSION]", argumentCount: 1...4,
    examples: [
      "kymo plot pinch.kymo --key progress", "kymo plot pinch.kymo --svg pinch.svg",
      "kymo plot drag.evemu", "kymo plot yesterday.kymo today.kymo --align release --svg both.svg",
    ],
    discussion: """
      A plot for each key, or for those that --key names; of a gesture file (see kymo touches)
      for each contact. FILE may also be an app's lines. Of one run, what settled by itself
      is dashed; of two, the second one is. The SVG follows the reader's light or dark colours
      and marks starts and releases.
      """,
    flags: [
      Flags.key.described("plot this key; may be given again", repeats: true),
      Flags.from.described("nothing before this time (0.25, 250ms, …)", keepsFormerName: false),
      Flags.to.described("nothing after this time", keepsFormerName: false),
      Flags.alignOfDrawing,
      PlotFlags.width, PlotFlags.height, PlotFlags.svg, Flags.force, Flags.gestureReading,
    ], run: runPlot)
}

/// The flags of `kymo plot` alone.
enum PlotFlags {
  static var width: Flag<Int> {
    .wholeNumber("width", "W", in: 1...10_000, "width in characters; of the SVG in pixels")
  }
  static var height: Flag<Int> {
    .wholeNumber(
      "height", "H", in: 1...10_000, "height of each plot in lines; of the SVG in pixels")
  }
  static var svg: Flag<String> {
    .text("svg", "OUT", "write an SVG there; - is standard output")
  }
}

private func runPlot(_ invocation: Invocation) throws -> ExitCode {
  guard invocation.has(PlotFlags.svg) || !invocation.has(Flags.force) else {
    throw Failure.usage("--force is for --svg; standard output is never replaced")
  }
  let file = invocation.positionals[0]
  if try SampleFile.isOne(file), try !OpenedLines.areIn(file) {
    return try plotGesture(file, invocation)
  }
  try invocation.refuseGestureReading(of: file)
  let names = try RunName.runs(in: invocation.positionals, of: invocation.command)
  var wishes = try Playback.Wishes(invocation, runCount: names.count)
  wishes.isStill = true
  let lines = try names.map {
    try OpenedLines.areIn($0.file) ? OpenedLines($0.file, invocation) : nil
  }
  let sources = try zip(names, lines).map { try $1?.source ?? $0.open(invocation.console) }
  let output =
    try invocation.has(PlotFlags.svg)
    ? FileOutput(invocation, flag: PlotFlags.svg, beside: sources.map(\.reader.path)) : nil
  try invocation.put(try RunPlot(try Playback(sources, wishes), sources), into: output)
  return lines.contains { $0?.hasLosses == true } ? .loss : .yes
}

/// Plots the places of contacts over time, each to its lift.
private func plotGesture(_ path: String, _ invocation: Invocation) throws -> ExitCode {
  guard invocation.positionals.count == 1 else {
    throw Failure.usage("a gesture file has no sessions; leave '\(invocation.positionals[1])' out")
  }
  for flag in invocation.given(Flags.key, Flags.alignOfDrawing) {
    throw Failure.usage("--\(flag) is about a recording; \(inputName(path)) is a file of touches")
  }
  let range = try invocation.range(Flags.from, Flags.to)
  let output =
    try invocation.has(PlotFlags.svg)
    ? FileOutput(invocation, flag: PlotFlags.svg, beside: [path]) : nil
  let file = try SampleFile(insteadOfRecording: path, invocation)
  try invocation.put(try RunPlot(file, in: range, title: inputName(path)), into: output)
  return file.hasLosses ? .loss : .yes
}

extension Invocation {
  /// Writes a plot as SVG where there is a file for it, and as text where there is none.
  fileprivate func put(_ plot: RunPlot, into output: FileOutput?) throws {
    let (width, height) = (
      try value(PlotFlags.width), try value(PlotFlags.height)
    )
    if let output {
      let drawing = plot.drawing
      let sized = CurveDrawing(
        title: drawing.title, panels: drawing.panels, markers: drawing.markers,
        width: width.map(Double.init) ?? drawing.width,
        panelHeight: height.map(Double.init) ?? drawing.panelHeight)
      try output.finish(with: sized.svg)
      output.announce()
    } else {
      console.output.write(plot.text(width: width ?? 64, height: height ?? 10))
    }
  }
}
