import JSONText
import TimelineModel
import TransitionEngine

extension Scenario {
  /// The steps in the order in which they happen: by time, and as written where times are equal.
  static func readScript(
    _ reader: JSONReader?, scenario: Scenario
  ) throws(JSONError) -> [Step] {
    guard let reader else { return [] }
    var steps: [Step] = []
    for element in try reader.array() {
      steps.append(try Step(element, scenario: scenario))
    }
    // Sorted by time and then by place: Swift's sort keeps no order by itself.
    return steps.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }
}

extension Scenario.Step {
  /// The names of the steps that this version knows.
  private enum Name: String, CaseIterable {
    case start
    case progress
    case value
    case invalidate
    case finish
    case cancel
    case setLayout
    case scroll
    case scrollToItem
    case mark
  }

  /// Fields beside `at` and `do`.
  private static func fieldNames(_ name: Name) -> [String] {
    switch name {
    case .start: ["to", "offset"]
    case .progress: ["value"]
    case .value: ["key", "value", "finishTarget", "cancelTarget"]
    case .invalidate, .finish, .cancel: []
    case .setLayout: ["to", "animated", "duration"]
    case .scroll: ["to"]
    case .scrollToItem: ["item", "position"]
    case .mark: ["text"]
    }
  }

  fileprivate init(_ reader: JSONReader, scenario: Scenario) throws(JSONError) {
    let name = try reader.object().required("do").choice(Name.self)
    let fields = try reader.object(allowing: ["at", "do"] + Self.fieldNames(name))
    let at = try fields.required("at")
    time = try at.instant()
    guard time >= .zero else { throw at.failure("A step cannot be before the session's start.") }
    guard scenario.reaches(time) else {
      throw at.failure(
        "Until then the display shows more than \(Scenario.frameLimit) frames, the most that one run "
          + "may take; step earlier or lower the refresh rate.")
    }
    path = reader.path
    action = try Self.action(name, fields, scenario)
  }

  private static func action(
    _ name: Name, _ fields: JSONFields, _ scenario: Scenario
  ) throws(JSONError) -> Scenario.Action {
    switch name {
    case .start:
      let offset = try fields["offset"].map { reader throws(JSONError) in
        try Scenario.OffsetPlan(reader, scenario: scenario)
      }
      return .start(to: try scenario.layoutName(fields.required("to")), offset: offset)
    case .progress:
      return .progress(try fields.required("value").number())
    case .value:
      return .value(
        try fields.required("value").number(), key: try fields.required("key").keyName(),
        finishTarget: try fields["finishTarget"]?.number(),
        cancelTarget: try fields["cancelTarget"]?.number())
    case .invalidate: return .invalidate
    case .finish: return .finish
    case .cancel: return .cancel
    case .setLayout:
      return .setLayout(
        to: try scenario.layoutName(fields.required("to")),
        animated: try fields["animated"]?.bool() ?? false,
        duration: try fields["duration"]?.nonNegativeNumber() ?? 0.3)
    case .scroll:
      return .scroll(to: try fields.required("to").point())
    case .scrollToItem:
      return .scrollToItem(
        try scenario.itemPath(fields.required("item")),
        position: try fields["position"]?.choice(ScrollPosition.self) ?? .minimal)
    case .mark:
      return .mark(try fields.required("text").string())
    }
  }
}

extension Scenario.OffsetPlan {
  fileprivate init(_ reader: JSONReader, scenario: Scenario) throws(JSONError) {
    let fields = try reader.object(allowing: [
      "items", "placement", "placementInset", "anchor", "toSize", "toContentInset", "legal",
    ])
    items = []
    let list = try fields.required("items")
    for element in try list.array() { items.append(try scenario.itemPath(element)) }
    guard !items.isEmpty else { throw list.failure("At least one item is wanted.") }
    options = PlacementOptions()
    placement = try fields["placement"]?.choice(Placement.self) ?? .center
    options.placementInset = try fields["placementInset"]?.insets() ?? .zero
    options.anchor = try fields["anchor"]?.point()
    options.toSize = try fields["toSize"]?.size()
    options.toContentInset = try fields["toContentInset"]?.insets()
    options.legal = try fields["legal"]?.bool() ?? false
  }
}
