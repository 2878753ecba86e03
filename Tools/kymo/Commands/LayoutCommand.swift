import Scenarios
import TimelineModel
import TimelineRendering
import TransitionEngine

/// `kymo layout`: what a scenario's layout places where.
let layoutCommand = Command(
  name: "layout", summary: "the attributes of a scenario's layout, or of two mixed",
  arguments: "SCENARIO", argumentCount: 1...1,
  examples: [
    "kymo layout grid.json",
    "kymo layout grid.json --progress 0.25 --to detail --format json",
  ],
  discussion: """
    Lists the whole content unless --rect is given; alpha is as computed and may leave
    0 to 1. Mixing starts at the initial layout, or at --layout.
    """,
  flags: [
    Flag("layout", "NAME", "this layout in place of the initial one"),
    Flag("progress", "P", "mix with the layout of --to at this progress"),
    Flag("to", "NAME", "the layout to mix with"),
    Flag("rect", "X,Y,W,H", "only elements that meet this rectangle, in points"),
    Flag("summary", nil, "add an object with contentSize and contentOffset"),
  ] + Flag.listing
) { invocation in
  let scenario = try readScenario(invocation.positionals[0]).scenario
  let snapshot = try takeSnapshot(scenario, invocation)
  let rect = try invocation.rect("rect")
  let writer = try invocation.rowWriter(
    columns: elementColumns + (invocation.has("summary") ? ["contentSize", "contentOffset"] : []))
  for element in snapshot.elements where rect.map({ element.frame.intersects($0) }) ?? true {
    let id = scenario.data.identity(of: element.path)?.id
    writer.write(elementFields(element.path, id: id, pose: element.pose))
  }
  if invocation.has("summary") {
    writer.write([
      Field("kind", .text("summary")), Field("contentSize", FieldValue(snapshot.contentSize)),
      Field("contentOffset", FieldValue(snapshot.contentOffset)),
    ])
  }
  writer.finish()
  for warning in snapshot.warnings { say("kymo: \(warning.message)") }
  return .yes
}

private func takeSnapshot(
  _ scenario: Scenario, _ invocation: Invocation
) throws -> LayoutSnapshot {
  let names = scenario.layouts.map(\.name)
  let from = try invocation.choice("layout", among: names) ?? scenario.initialLayout
  let progress = try invocation.number("progress")
  let to = try invocation.choice("to", among: names)
  let snapshot: LayoutSnapshot?
  switch (progress, to) {
  case (nil, nil): snapshot = scenario.snapshot(of: from)
  case (let progress?, let to?):
    snapshot = scenario.snapshot(from: from, to: to, progress: progress)
  default: throw Failure.usage("--progress and --to go together")
  }
  guard let snapshot else { throw Failure.usage("the scenario has no layout \(from)") }
  return snapshot
}

extension Invocation {
  /// A rectangle "x,y,width,height", in points.
  func rect(_ name: String) throws -> Rect? {
    guard let text = text(name) else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmed)
    }
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
      let height = numbers[3], [x, y, width, height].allSatisfy(\.isFinite)
    else {
      throw Failure.usage("--\(name) wants four numbers x,y,width,height, not '\(text)'")
    }
    return Rect(x: x, y: y, width: width, height: height)
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
