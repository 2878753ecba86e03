import TimelineModel
import TimelineRendering
import TransitionEngine
import TransitionScenarios

/// `kymo scenario layout`: what a scenario's layout places where.
func scenarioLayoutCommand() -> Command {
  Command(
    name: "scenario layout", summary: "Print the poses of a scenario's layout, or of two mixed",
    arguments: "SCENARIO", argumentCount: 1...1,
    examples: [
      "kymo scenario layout grid.json",
      "kymo scenario layout grid.json --mix-with detail --progress 0.25 --json",
      "kymo scenario layout grid.json --bounds 480x320 --rect 0,250,480,320",
    ],
    discussion: """
      The whole content is printed unless --rect is given. alpha is as computed, so it may be outside of
      0 to 1. Mixing starts at the initial layout, or at --layout. Some layouts depend on the viewport
      (circle) or on the scroll position (line): --bounds and --offset set these.
      """,
    columns: ElementListing.fields.described()
      + FrameState.fields.choosing("content_size", "content_offset").described(),
    flags: [
      LayoutFlags.layout, LayoutFlags.progress, LayoutFlags.mixWith, LayoutFlags.bounds,
      LayoutFlags.offset, LayoutFlags.rect, LayoutFlags.content, Flags.listing,
    ], run: runLayout)
}

/// The flags of `kymo scenario layout` alone.
enum LayoutFlags {
  /// Text, as that of `to`: the scenario alone knows the names.
  static var layout: Flag<String> {
    .text("layout", "NAME", "the layout").standard("the initial one")
  }
  static var progress: Flag<Double> {
    .number("progress", "P", "how much of --mix-with is mixed in, from 0 to 1")
  }
  static var mixWith: Flag<String> {
    .text("mix-with", "NAME", "the layout to mix with")
  }
  static var bounds: Flag<Size2D> {
    .size("bounds", "WxH", "the size of the viewport, in points")
  }
  static var offset: Flag<Point2D> {
    .point("offset", "X,Y", "the scroll position, in points")
  }
  static var rect: Flag<Rect2D> {
    .rect("rect", "X,Y,W,H", "only elements that intersect this rectangle, in points")
  }
  static var content: Flag<Bool> {
    .toggle("content", "add a row with content_size and content_offset")
  }
}

private func runLayout(_ invocation: Invocation) throws -> ExitCode {
  var scenario = try invocation.console.readScenario(invocation.positionals[0]).scenario
  scenario.viewport = try invocation.value(LayoutFlags.bounds) ?? scenario.viewport
  scenario.contentOffset = try invocation.value(LayoutFlags.offset) ?? scenario.contentOffset
  let snapshot = try takeSnapshot(scenario, invocation)
  let rect = try invocation.value(LayoutFlags.rect)
  let writer = try invocation.rowWriter(
    columns: ElementListing.columns
      + (invocation.has(LayoutFlags.content) ? ["content_size", "content_offset"] : []))
  for element in snapshot.elements where rect.map({ element.frame.intersects($0) }) ?? true {
    let id = scenario.data.identity(of: element.path)?.id
    writer.write(
      ElementListing(
        element.path.category, kind: element.path.elementKind, id: id, at: element.path.indexPath,
        element.pose
      ).row)
  }
  if invocation.has(LayoutFlags.content) {
    writer.write(
      EventField.list([
        "category": "summary", "content_size": snapshot.contentSize,
        "content_offset": snapshot.contentOffset,
      ]))
  }
  writer.finish()
  for warning in snapshot.warnings { invocation.note("\(warning.message)") }
  return .yes
}

extension Invocation {
  /// The name of a layout, which must be one of the scenario's.
  fileprivate func layoutName(_ flag: Flag<String>, among names: [String]) throws -> String? {
    guard let name = text(flag) else { return nil }
    guard names.contains(name) else { throw Failure.unknown(name, of: flag.name, among: names) }
    return name
  }
}

private func takeSnapshot(
  _ scenario: Scenario, _ invocation: Invocation
) throws -> LayoutSnapshot {
  let names = scenario.layouts.map(\.name)
  let from = try invocation.layoutName(LayoutFlags.layout, among: names) ?? scenario.initialLayout
  let progress = try invocation.value(LayoutFlags.progress)
  let to = try invocation.layoutName(LayoutFlags.mixWith, among: names)
  let snapshot: LayoutSnapshot?
  switch (progress, to) {
  case (nil, nil): snapshot = scenario.snapshot(of: from)
  case (let progress?, let to?):
    snapshot = scenario.snapshot(from: from, to: to, progress: progress)
  default: throw Failure.usage("--progress and --mix-with can only be used together")
  }
  guard let snapshot else {
    throw Failure.usage("unknown layout '\(from)'. \(choices(near: from, among: names))")
  }
  return snapshot
}

extension Flag<Rect2D> {
  /// A rectangle "x,y,width,height", in points.
  static func rect(_ name: String, _ value: String, _ help: String) -> Flag {
    Flag(name, value, help) { text, name in
      guard let numbers = text.numbers(count: 4, between: ",") else {
        throw Failure.usage("--\(name) must be four numbers x,y,width,height (got '\(text)')")
      }
      return Rect2D(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }
}

extension Flag<Size2D> {
  /// An extent "320x480", in points.
  static func size(_ name: String, _ value: String, _ help: String) -> Flag {
    Flag(name, value, help) { text, name in
      guard let numbers = text.numbers(count: 2, between: "x"), numbers.allSatisfy({ $0 >= 0 })
      else {
        throw Failure.usage(
          "--\(name) must be a width and a height such as 320x480 (got '\(text)')")
      }
      return Size2D(width: numbers[0], height: numbers[1])
    }
  }
}

extension Flag<Point2D> {
  /// A point "x,y", in points.
  static func point(_ name: String, _ value: String, _ help: String) -> Flag {
    Flag(name, value, help) { text, name in
      guard let numbers = text.numbers(count: 2, between: ",") else {
        throw Failure.usage("--\(name) must be two numbers x,y (got '\(text)')")
      }
      return Point2D(x: numbers[0], y: numbers[1])
    }
  }
}

extension String {
  /// So many finite numbers with a letter between them. `nil` for anything else.
  fileprivate func numbers(count: Int, between letter: Character) -> [Double]? {
    let numbers = split(separator: letter, omittingEmptySubsequences: false)
      .compactMap { Double($0.trimmed) }.filter(\.isFinite)
    let parts = self.count { $0 == letter } + 1
    return numbers.count == count && parts == count ? numbers : nil
  }
}

extension Substring {
  /// The text without blanks around it.
  var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
