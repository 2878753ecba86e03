import TimelineInterchange
import TimelineModel
import TimelineStore

/// `kymo export`: a session as a file that other programs read.
func exportCommand() -> Command {
  Command(
    name: "export", summary: "a session as CSV, NDJSON, trace, Lottie, keyframes, SVG or touches",
    arguments: "FORMAT FILE", argumentCount: 2...2,
    examples: [
      "kymo export csv pinch.kymo --key progress -o progress.csv",
      "kymo export chrome pinch.kymo -o pinch.json",
      "kymo export lottie pinch.kymo -o pinch.lottie.json",
      "kymo export ndjson old.kymo | kymo record --from-ndjson - --into new.kymo",
      "kymo export cdp drag.evemu --scale 1/3 -o drag.cdp.ndjson",
      "kymo export evemu swipe.ndjson --scale 3 --panel 1080x2400 -o swipe.evemu",
    ],
    discussion: """
      csv is one table (--table), one row per value, with CR LF, text as it is and numbers that are
      read back bit for bit; ndjson is everything in the order of time, and kymo record reads
      it back; chrome is a trace for the Perfetto UI with keys, touches, phases, events and the
      presence of items, and curves of those that --item names. These are written row by row.
      lottie, waapi (keyframes of Element.animate) and svg show the frames' items as rectangles in the
      viewport; time begins with the first frame, hidden items are left out, and so are
      keyframes that a straight line reproduces within the tolerance.
      cdp is touches, of a gesture file too, as calls of Chromium's DevTools protocol, one a line:
      a program that sends each at its time, with that time as timestamp, drives a page by them.
      evemu is touches as a touch screen that evemu-device and evemu-play make; its places are
      whole units and its times microseconds.
      Without -o the file goes to standard output. Ends with 3 when the format cannot carry
      something of this session, and says what.
      """,
    flags: [
      Flags.out.described("where to; - is standard output; -o for short"),
      Flags.force,
      Flags.key.described("only this key; may be given again", repeats: true),
      Flags.item.described("only this item; may be given again", repeats: true),
      Flags.from.described("only from this time on (0.25, 250ms, …)"),
      Flags.to.described("only up to this time"),
      ExportFlags.table,
      ExportFlags.wide,
      ExportFlags.guardFormulas, ExportFlags.simplify, ExportFlags.scale, ExportFlags.translate,
      ExportFlags.panel, Flags.gestureReading,
    ], run: runExport)
}

/// The flags of `kymo export` alone.
enum ExportFlags {
  static var table: Flag<ExportTable> {
    .choice(
      "table", "NAME",
      "of csv: " + ExportTable.allCases.map(\.rawValue).joined(separator: ", ")
        + "; samples by default")
  }
  static var guardFormulas: Flag<Bool> {
    .toggle("guard-formulas", "of csv: an apostrophe before text such as =1+1")
  }
  static var wide: Flag<Bool> {
    .toggle("wide", "of csv: one row per instant, one column per key")
  }
  static var simplify: Flag<Double> {
    .number(
      "simplify", "T",
      "of lottie, waapi and svg, in points, degrees and percent; "
        + "\(ExportOptions.defaultTolerance) by default, 0 loses nothing")
  }
  static var scale: Flag<Double> {
    Flag(
      "scale", "N",
      "of cdp and evemu: CSS pixels, or units of the panel, in a unit of the touches, as 0.5 or 1/3; 1"
    ) { text, name in
      // A panel has whole units a pixel, and a third of one is no decimal number.
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
        Double(String($0))
      }
      let scale = parts.count == 2 ? (parts[0] ?? 0) / (parts[1] ?? 0) : parts[0] ?? 0
      guard parts.count <= 2, scale > 0, scale.isFinite else {
        throw Failure.usage("--\(name) wants a number above 0, such as 0.5 or 1/3, not '\(text)'")
      }
      return scale
    }
  }
  static var translate: Flag<Point2D> {
    Flag("translate", "X,Y", "of cdp and evemu: added to each position then") { text, name in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Double(String($0))
      }
      guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
        throw Failure.usage("--\(name) wants two numbers, such as 20,-4.5, not '\(text)'")
      }
      return Point2D(x: x, y: y)
    }
  }
  static var panel: Flag<Size2D> {
    Flag(
      "panel", "WxH",
      "of evemu: the touch screen's size in its units; as large as the touches need by default"
    ) { text, name in
      let parts = text.split(separator: "x", omittingEmptySubsequences: false).map {
        Int32(String($0))
      }
      guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0
      else {
        throw Failure.usage("--\(name) wants two whole numbers, such as 1080x2400, not '\(text)'")
      }
      return Size2D(width: Double(width), height: Double(height))
    }
  }
}

private func runExport(_ invocation: Invocation) throws -> ExitCode {
  if let format = touchFormats.first(where: { $0.name == invocation.positionals[0] }) {
    return try exportTouches(format, invocation)
  }
  let format = try exportFormat(invocation)
  for flag in invocation.given(
    ExportFlags.scale, ExportFlags.translate, ExportFlags.panel, Flags.gestureReading)
  {
    throw Failure.usage("--\(flag) is for touches (cdp, evemu), not for \(format.rawValue)")
  }
  let source = try SessionArgument(invocation.console, invocation.positionals[1])
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
        "there is no element in any frame of that time, so that the file shows nothing; see kymo replay"
      )
      return .loss
    }
    invocation.note(
      "\(counted(kept, "keyframe")) \(kept == 1 ? "represents" : "represent") \(counted(poses, "pose")); between them the error is at most "
        + FieldValue.jsonNumber(options.tolerance) + " (points, degrees, percent)")
  }
  if report.formulaCount > 0 {
    invocation.note(
      report.formulaCount == 1
        ? "1 cell begins like a spreadsheet's formula and is written as it is; --guard-formulas puts an "
          + "apostrophe before it"
        : "\(report.formulaCount) cells begin like a spreadsheet's formula and are written as they are; "
          + "--guard-formulas puts an apostrophe before them")
  }
  return report.losses.isEmpty ? .yes : .loss
}

private func exportFormat(_ invocation: Invocation) throws -> ExportFormat {
  let name = invocation.positionals[0]
  guard let format = ExportFormat(rawValue: name) else {
    throw Failure.usage(
      "there is no format '\(name)'; there are "
        + (ExportFormat.allCases.map(\.rawValue) + touchFormats.map { $0.name })
        .joined(separator: ", "))
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
    throw Failure.usage("--\(flag) is for csv, not for \(format.rawValue)")
  }
  guard !options.isWide || options.table == .samples else {
    throw Failure.usage("--wide has a column for each key, so it goes with --table samples")
  }
  if let tolerance = try invocation.value(ExportFlags.simplify) {
    guard format.isStage else {
      throw Failure.usage("--simplify is for lottie, waapi and svg, not for \(format.rawValue)")
    }
    guard tolerance >= 0 else { throw Failure.usage("--simplify expects a number of 0 or more") }
    options.tolerance = tolerance
  }
  let names = invocation.texts(Flags.key)
  guard names.isEmpty || format.hasKeys(in: options.table) else {
    throw Failure.usage("--key chooses values of keys, of which there are none in this format")
  }
  for name in names { _ = try source.keys(named: name) }
  if !names.isEmpty { options.keys = names }
  let ids = invocation.texts(Flags.item)
  guard ids.isEmpty || format.hasItems(in: options.table) else {
    throw Failure.usage("--item chooses items, of which there are none in this table")
  }
  if !ids.isEmpty {
    let known = Set(try source.reader.items(in: source.session.number).map(\.identity.id))
    for id in ids where !known.contains(id) {
      throw Failure.usage("there is no item \(id) in this session; see kymo replay --items")
    }
    options.items = ids
  }
  options.range = try invocation.range(Flags.from, Flags.to)
  try source.requireOverlap(options.range, flag: invocation.has(Flags.from) ? "from" : "to")
  return options
}
