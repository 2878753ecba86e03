import GestureInput
import JSONText
import MotionPhysics
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

  /// Whether any step of a script changes the data.
  static func changesData(_ reader: JSONReader?) throws(JSONError) -> Bool {
    for element in try reader?.array() ?? [] {
      if try element.object()["do"]?.value == .string("update") { return true }
    }
    return false
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
    case cancelInPlace
    case setLayout
    case animate
    case update
    case bounds
    case contentInset
    case pinch
    case endPinch
    case push
    case pop
    case scroll
    case scrollToItem
    case mark
  }

  /// Fields beside `at` and `do`.
  private static func fieldNames(_ name: Name) -> [String] {
    switch name {
    case .start: ["to", "offset", "transforms"]
    case .progress: ["value"]
    case .value: ["key", "value", "finishTarget", "cancelTarget"]
    case .invalidate, .finish, .cancel, .cancelInPlace: []
    case .setLayout: ["to", "animated", "duration", "easing", "transforms"]
    case .animate: ["to", "duration", "easing", "offset", "transforms"]
    case .update: ["operations", "layout", "counts", "duration", "easing"]
    case .bounds: ["size", "duration", "easing"]
    case .contentInset: ["to"]
    case .pinch: ["touches"]
    case .endPinch: ["duration", "easing"]
    case .push: ["layout", "animated", "duration", "easing"]
    case .pop: ["animated", "interactive", "duration", "easing"]
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
    guard time >= .zero else { throw at.failure("A step must not be before the session's start.") }
    guard scenario.reaches(time) else {
      throw at.failure(
        "The step comes after more than \(Scenario.frameLimit) frames, the limit of a session. "
          + "Step earlier, or lower the refresh rate.")
    }
    path = reader.path
    action = try Self.action(name, fields, scenario)
  }

  private static func action(
    _ name: Name, _ fields: JSONFields, _ scenario: Scenario
  ) throws(JSONError) -> Scenario.Action {
    switch name {
    case .start: return .start(try .init(fields, scenario))
    case .animate:
      let timing = try Scenario.Timing(fields, duration: CollectionView.defaultDurationSeconds)
      guard timing.duration > 0 else {
        throw try fields.required("duration").failure("Must be a duration above 0.")
      }
      return .animate(try .init(fields, scenario), timing)
    case .setLayout:
      let timing = try Scenario.Timing(fields, duration: CollectionView.defaultDurationSeconds)
      let isAnimated = try fields["animated"]?.bool() ?? false
      return .setLayout(try .init(fields, scenario), isAnimated ? timing : nil)
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
    case .cancelInPlace: return .cancelInPlace
    case .update:
      return .update(
        try .init(fields, scenario),
        try .init(fields, duration: CollectionView.defaultUpdateDurationSeconds))
    case .bounds:
      return .bounds(try fields.required("size").size(), try .init(fields, duration: 0))
    case .contentInset: return .contentInset(try fields.required("to").insets())
    case .pinch:
      let touches = try fields.required("touches").array(count: 2)
      return .pinch(try touches[0].point(), try touches[1].point())
    case .endPinch:
      return .endPinch(
        try .init(fields, duration: CollectionView.defaultUpdateDurationSeconds))
    case .push:
      return .push(
        layout: try scenario.layoutName(fields.required("layout")),
        try Scenario.Timing(navigation: fields))
    case .pop:
      if try fields["interactive"]?.bool() ?? false {
        for name in ["animated", "duration", "easing"] {
          if let field = fields[name] {
            throw field.failure("Unknown field '\(name)' of an interactive pop.")
          }
        }
        return .interactivePop
      }
      return .pop(try Scenario.Timing(navigation: fields))
    case .scroll:
      return .scroll(to: try fields.required("to").point())
    case .scrollToItem:
      return .scrollToItem(
        try scenario.itemPath(fields.required("item")),
        position: try fields["position"]?.choice(ItemScrollPosition.self) ?? .minimal)
    case .mark:
      return .mark(try fields.required("text").string())
    }
  }
}

extension Scenario.Timing {
  /// Reads `duration` and `easing`.
  init(_ fields: JSONFields, duration: Double) throws(JSONError) {
    self.duration = try fields["duration"]?.nonNegativeNumber() ?? duration
    easing = try fields["easing"]?.easing() ?? .linear
  }

  /// Reads those of a push or pop. `nil` for one that is not animated.
  fileprivate init?(navigation fields: JSONFields) throws(JSONError) {
    try self.init(fields, duration: NavigationController.defaultDurationSeconds)
    guard try fields["animated"]?.bool() ?? true else { return nil }
  }
}

extension Scenario.TransitionPlan {
  init(_ fields: JSONFields, _ scenario: Scenario) throws(JSONError) {
    layout = try scenario.layoutName(fields.required("to"))
    offset = try fields["offset"].map { reader throws(JSONError) in
      try Scenario.OffsetPlan(reader, scenario: scenario)
    }
    transforms = try fields["transforms"]?.choice(TransformMixing.self)
  }
}

extension Scenario.OffsetPlan {
  /// The value of `items` in place of a list.
  private enum Items: String, CaseIterable {
    case visible
  }

  init(_ reader: JSONReader, scenario: Scenario) throws(JSONError) {
    let placing = [
      "items", "placement", "placementInset", "anchor", "toSize", "toContentInset", "legal",
    ]
    let fields = try reader.object(allowing: ["target"] + placing)
    if let target = fields["target"] {
      for name in placing {
        if let field = fields[name] {
          throw field.failure("Unknown field '\(name)' of an offset with a 'target'.")
        }
      }
      self.target = try target.point()
      return
    }
    let list = try fields.required("items")
    if case .string = list.value {
      _ = try list.choice(Items.self)
    } else {
      var items: [ItemIndexPath] = []
      for element in try list.array() { items.append(try scenario.itemPath(element)) }
      guard !items.isEmpty else { throw list.failure("Missing item: at least one is needed.") }
      self.items = items
    }
    placement = try fields["placement"]?.choice(Placement.self) ?? .center
    options.placementInset = try fields["placementInset"]?.insets() ?? .zero
    options.anchor = try fields["anchor"]?.point()
    options.toSize = try fields["toSize"]?.size()
    options.toContentInset = try fields["toContentInset"]?.insets()
    options.legal = try fields["legal"]?.bool() ?? false
  }
}
