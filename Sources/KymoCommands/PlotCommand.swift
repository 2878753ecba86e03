import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo plot`: curves as text or SVG, or the stage as a filmstrip.
func plotCommand() -> Command {
  Command(
    name: "plot", summary: "Draw curves as text or SVG, or a filmstrip of the stage",
    forms: [plotCurvesForm(), plotFilmForm()],
    examples: [
      "kymo plot pinch.kymo --key progress", "kymo plot pinch.kymo -o pinch.svg",
      "kymo plot pinch.kymo --key finger.y,item.apple.center.y",
      "kymo plot pinch.kymo --film -o pinch.svg", "kymo plot drag.evemu",
      "kymo plot yesterday.kymo today.kymo --align release -o both.svg",
    ],
    exits: [.loss: "if a part of the input, or one of the times, was left out"],
    discussion: """
      Without --film it draws a plot for each key, or for those that --key names. A session without
      keys, such as that of a watched page, gives the elements that move most. FILE alone means its
      last session. A gesture file gives a plot for each contact.

      \(Flags.texts)

      The position of an element that was measured has its 90 % interval as a pale band, as text
      only if that is wider than a dot.

      The settle of one session is dashed, and of two sessions the second one. The SVG follows the
      light or dark colours of the reader and marks starts and releases.

      \(Flags.keyGrammar)
      A finger is drawn over the centers of elements along its axis.

      With --film it draws the stage several times, side by side. Without --at the pictures are
      spaced so that the stage travels equally far between them. The picture nearest to a release
      moves to the release.

      If nothing moves, they are spaced evenly in time. A picture of a release has a border, and the
      line below shows the times of the pictures.
      """,
    choose: { $0.has(PlotFlags.film) ? 1 : 0 })
}

/// The form that draws curves.
private func plotCurvesForm() -> CommandForm {
  CommandForm(
    arguments: "A [B]", argumentCount: 1...2,
    flags: [
      Flags.keys.described("plot these values, with commas between"),
      PlotFlags.from, PlotFlags.to, Flags.alignOfDrawing, PlotFlags.width, PlotFlags.height,
      PlotFlags.out, Flags.force.inSection(.output), Flags.gestureReading,
    ], run: runPlot)
}

/// The flags of `kymo plot` alone.
enum PlotFlags {
  static var width: Flag<Int> {
    .wholeNumber("width", "W", in: 1...10_000, "width in characters, of an SVG in pixels")
      .standard("64, of an SVG 860")
  }
  static var height: Flag<Int> {
    .wholeNumber(
      "height", "H", in: 1...10_000, "height of each plot in lines, of an SVG in pixels"
    ).standard("10, of an SVG 220")
  }
  static var out: Flag<String> {
    Flag<String>.text("out", "OUT.svg", "write an SVG to this file, or - for standard output")
      .inSection(.output)
  }
  static var film: Flag<Bool> {
    .toggle("film", "draw the stage several times, side by side")
  }
  static var from: Flag<Int64> { Flags.from.described("nothing before this time (0.25, 250ms, …)") }
  static var to: Flag<Int64> { Flags.to.described("nothing after this time") }
}

private func runPlot(_ invocation: Invocation) throws -> ExitCode {
  guard invocation.has(PlotFlags.out) || !invocation.has(Flags.force) else {
    throw Failure.usage("--force needs --out")
  }
  let names = invocation.positionals
  if names.count == 1, let text = try InputText(names[0], invocation), !text.isLines {
    return try plotSamples(SampleFile(text), invocation)
  }
  var wishes = try Playback.Wishes(invocation, runCount: names.count)
  wishes.isStill = true
  let sources = try names.map { try SessionArgument(invocation, $0) }
  let output =
    try invocation.has(PlotFlags.out)
    ? FileOutput(invocation, flag: PlotFlags.out, beside: sources.map(\.reader.path)) : nil
  let playback = try Playback(sources, wishes)
  try invocation.put(try RunPlot(playback, sources), into: output)
  if playback.elementsLeftOut > 0 {
    invocation.note(
      "\(counted(playback.elementsLeftOut, "more value")) of elements \(playback.elementsLeftOut == 1 ? "changes" : "change"). "
        + "Name them with --key, such as item.ID.center.y")
  }
  return .yes
}

/// Plots the positions of contacts over time, each to its lift, or the values of a table.
private func plotSamples(_ file: SampleFile, _ invocation: Invocation) throws -> ExitCode {
  for flag in invocation.given(Flags.alignOfDrawing) {
    throw Failure.usage("--\(flag) needs two files, and \(file.name) is one")
  }
  let range = try invocation.range(Flags.from, Flags.to)
  let output =
    try invocation.has(PlotFlags.out)
    ? FileOutput(invocation, flag: PlotFlags.out, beside: invocation.positionals) : nil
  var file = file
  try file.keep(namedBy: invocation.texts(Flags.keys))
  try invocation.put(try RunPlot(file, in: range), into: output)
  return .yes
}

extension Invocation {
  /// Writes a plot as SVG into a file, or as text if there is no file.
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
      for text in plot.texts(width: width ?? 64, height: height ?? 10) {
        console.output.write(text)
      }
    }
  }
}
