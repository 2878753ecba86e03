import GestureInput
import TimelineInterchange
import TimelineModel
import TimelineStore

/// `kymo export`: a session as a file that other programs read.
func exportCommand() -> Command {
  Command(
    name: "export", summary: "Write a session as CSV, NDJSON, trace, animation or touches",
    arguments: "FORMAT FILE", argumentCount: 2...2,
    choices: ["FORMAT": Choices(offered: ExportFormat.allCases.map(\.rawValue))],
    examples: [
      "kymo export csv pinch.kymo --key progress -o progress.csv",
      "kymo export csv pinch.kymo --key finger.y,item.apple.center.y --wide",
      "kymo export chrome pinch.kymo --items apple,pear -o pinch.json",
      "kymo export lottie pinch.kymo -o pinch.lottie.json",
      "kymo export ndjson old.kymo | kymo record --from-ndjson - --into copy.kymo",
      "kymo export cdp drag.evemu --scale 1/3 -o drag.cdp.ndjson",
    ],
    exits: [.loss: "if the format cannot carry a part of the session, or input was left out"],
    discussion: """
      FORMAT is csv, ndjson, chrome, lottie, waapi, svg, cdp or evemu. FILE alone means its last
      session. Without -o the file is written to standard output.

      csv is one table (--table) with a row for each value, and its numbers keep all bits. ndjson is
      everything in the order of time, and kymo record reads it. chrome is a trace for the Perfetto
      UI: keys, touches, phases, events, the presence of elements, and curves of the elements that
      --items names.

      lottie, waapi (keyframes for Element.animate) and svg show elements as rectangles in the
      viewport. Time begins with the first frame. Hidden elements are left out, and so are keyframes
      that a straight line reproduces within the tolerance.

      \(Flags.texts)

      cdp and evemu are touches. cdp has one call of Chromium's DevTools protocol on each line, and a program that sends each call at its
      time drives a page. evemu is for evemu-device and evemu-play. Its positions are whole units,
      and its times are microseconds.

      \(Flags.keyGrammar)
      Only csv, ndjson and chrome have them.
      """,
    flags: [
      Flags.out.described("write to this file, or - for standard output").inSection(.output),
      Flags.force.inSection(.output), Flags.keys, Flags.items,
      Flags.from.described("only from this time on (0.25, 250ms, …)"),
      Flags.to.described("only up to this time"),
      ExportFlags.table, ExportFlags.wide, ExportFlags.guardFormulas, ExportFlags.simplify,
      ExportFlags.scale, ExportFlags.translate, ExportFlags.panel, Flags.gestureReading,
    ], run: runExport)
}

/// The flags of `kymo export` alone.
enum ExportFlags {
  static var table: Flag<ExportTable> {
    .choice(
      "table", "NAME",
      "csv: " + ExportTable.allCases.map(\.rawValue).joined(separator: ", ")
    ).standard("samples")
  }
  static var guardFormulas: Flag<Bool> {
    .toggle("guard-formulas", "csv: put an apostrophe before text such as =1+1")
  }
  static var wide: Flag<Bool> {
    .toggle("wide", "csv: one row for each instant, one column for each key")
  }
  static var simplify: Flag<Double> {
    .number(
      "simplify", "T",
      "lottie, waapi and svg: largest error in points, degrees or percent, 0 for none"
    ).standard("\(ExportOptions.defaultTolerance)")
  }
  static var scale: Flag<Double> {
    Flag(
      "scale", "N",
      "cdp and evemu: CSS pixels, or units of the panel, in a unit of the touches, such as 1/3"
    ) { text, name in
      // A panel has whole units a pixel, and a third of one is no decimal number.
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
        Double(String($0))
      }
      let scale = parts.count == 2 ? (parts[0] ?? 0) / (parts[1] ?? 0) : parts[0] ?? 0
      guard parts.count <= 2, scale > 0, scale.isFinite else {
        throw Failure.usage(
          "--\(name) must be a number above 0, such as 0.5 or 1/3 (got '\(text)')")
      }
      return scale
    }.standard("1")
  }
  static var translate: Flag<Point2D> {
    Flag("translate", "X,Y", "cdp and evemu: added to each position after --scale") { text, name in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Double(String($0))
      }
      guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
        throw Failure.usage("--\(name) must be two numbers, such as 20,-4.5 (got '\(text)')")
      }
      return Point2D(x: x, y: y)
    }
  }
  static var panel: Flag<Size2D> {
    Flag(
      "panel", "WxH",
      "evemu: size of the touch screen in its units"
    ) { text, name in
      let parts = text.split(separator: "x", omittingEmptySubsequences: false).map {
        Int32(String($0))
      }
      guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0
      else {
        throw Failure.usage(
          "--\(name) must be two whole numbers, such as 1080x2400 (got '\(text)')")
      }
      return Size2D(width: Double(width), height: Double(height))
    }.standard("as large as the touches need")
  }
}

private func runExport(_ invocation: Invocation) throws -> ExitCode {
  if let format = touchFormats.first(where: { $0.name == invocation.positionals[0] }) {
    return try exportTouches(format, invocation)
  }
  let format = try exportFormat(invocation)
  for flag in invocation.given(ExportFlags.scale, ExportFlags.translate, ExportFlags.panel) {
    throw Failure.usage("--\(flag) needs the format cdp or evemu (got '\(format.rawValue)')")
  }
  let source = try SessionArgument(invocation, invocation.positionals[1])
  let options = try exportOptions(invocation, format, source)
  let export = try SessionExport(source.session, in: source.reader, options: options)
  let output = try FileOutput(invocation, flag: Flags.out, beside: [source.reader.path])
  let bar = ProgressBar(invocation.console, label: "exporting")
  defer { bar.finish() }
  let report = try export.write(format, progress: bar.update) { try output.write($0) }
  try output.finish()
  bar.finish()
  output.announce()
  for loss in report.losses { invocation.note("\(loss.sentence)") }
  if let kept = report.keyframeCount, let poses = report.poseCount {
    guard poses > 0 else {
      invocation.note(
        "no frame of that time has an element, so that the file shows nothing. kymo replay lists frames"
      )
      return .loss
    }
    invocation.note(
      "\(counted(kept, "keyframe")) \(kept == 1 ? "represents" : "represent") \(counted(poses, "pose")), with an error of at most "
        + FieldValue.jsonNumber(options.tolerance) + " (points, degrees, percent)")
  }
  if report.formulaCount > 0 {
    invocation.note(
      report.formulaCount == 1
        ? "1 cell begins like a spreadsheet's formula. --guard-formulas puts an apostrophe before it"
        : "\(report.formulaCount) cells begin like a spreadsheet's formula. --guard-formulas puts an "
          + "apostrophe before them")
  }
  return report.losses.isEmpty ? .yes : .loss
}

private func exportFormat(_ invocation: Invocation) throws -> ExportFormat {
  let name = invocation.positionals[0]
  guard let format = ExportFormat(rawValue: name) else {
    let names = ExportFormat.allCases.map(\.rawValue) + touchFormats.map { $0.name }
    throw Failure.usage("unknown format '\(name)'. \(choices(near: name, among: names))")
  }
  return format
}

/// What is asked for, refused where the format has no use for it: a filter that does nothing would be taken for
/// one that did.
private func exportOptions(
  _ invocation: Invocation, _ format: ExportFormat, _ source: SessionArgument
) throws -> ExportOptions {
  var options = ExportOptions()
  options.table = try invocation.value(ExportFlags.table) ?? .samples
  options.isWide = invocation.has(ExportFlags.wide)
  options.guardsFormulas = invocation.has(ExportFlags.guardFormulas)
  for flag in invocation.given(ExportFlags.table, ExportFlags.wide, ExportFlags.guardFormulas)
  where format != .csv {
    throw Failure.usage("--\(flag) needs the format csv (got '\(format.rawValue)')")
  }
  guard !options.isWide || options.table == .samples else {
    throw Failure.usage("--wide needs --table samples (got '\(options.table.rawValue)')")
  }
  if let tolerance = try invocation.value(ExportFlags.simplify) {
    guard format.isStage else {
      throw Failure.usage(
        "--simplify needs the format lottie, waapi or svg (got '\(format.rawValue)')")
    }
    guard tolerance >= 0 else {
      throw Failure.usage(
        "--simplify must be a number of 0 or more (got '\(FieldValue.jsonNumber(tolerance))')")
    }
    options.tolerance = tolerance
  }
  let what =
    "the \(format == .csv ? "table \(options.table.rawValue)" : "format \(format.rawValue)")"
  guard !invocation.has(Flags.keys) || format.hasKeys(in: options.table) else {
    throw Failure.usage("\(what) has no keys. Omit --key")
  }
  options.keys = try invocation.namedValues(in: source)?.names
  guard !invocation.has(Flags.items) || format.hasItems(in: options.table) else {
    throw Failure.usage("\(what) has no elements. Omit --items")
  }
  options.items = try invocation.namedItems(in: source).map { $0.sorted() }
  options.range = try invocation.range(Flags.from, Flags.to)
  try source.requireOverlap(options.range, flag: invocation.has(Flags.from) ? "from" : "to")
  return options
}

/// `kymo export cdp|evemu`: the touches of a gesture file, of a session or of an app's lines.
func exportTouches(_ format: any TouchFormat.Type, _ invocation: Invocation) throws -> ExitCode {
  for flag in invocation.given(
    Flags.keys, Flags.items, ExportFlags.table, ExportFlags.wide, ExportFlags.guardFormulas,
    ExportFlags.simplify)
  {
    throw Failure.usage("the format \(format.name) has only touches. Omit --\(flag)")
  }
  var map = PositionMap()
  map.scale = try invocation.value(ExportFlags.scale) ?? map.scale
  map.offset = try invocation.value(ExportFlags.translate) ?? map.offset
  let panel = try invocation.value(ExportFlags.panel)
  guard panel == nil || format.hasPanel else {
    throw Failure.usage("--panel needs the format evemu (got '\(format.name)')")
  }
  let path = invocation.positionals[1]
  let all = try readTouches(path, invocation)
  let range = try invocation.range(Flags.from, Flags.to)
  let touches = all.filter { range.contains($0.time) }
  guard !touches.isEmpty else {
    throw Failure.usage(
      all.isEmpty
        ? "\(inputName(path)) has no touches" : "\(inputName(path)) has no touches in that time")
  }
  let output = try FileOutput(
    invocation, flag: Flags.out, beside: [SessionArgument.split(path).path])
  let losses = try format.write(touches, map: map, panel: panel) { try output.write($0) }
  try output.finish()
  output.announce()
  for loss in losses { invocation.note("\(loss)") }
  return losses.isEmpty ? .yes : .loss
}

private func readTouches(_ path: String, _ invocation: Invocation) throws -> [TouchSample] {
  let text = try InputText(path, invocation)
  if let text, !text.isLines { return try text.touches().touches }
  let source =
    try text.map { try SessionArgument($0, named: path, invocation) }
    ?? SessionArgument(invocation.console, path)
  return try source.reader.touches(in: source.session.number).rest()
}
