import GestureInput
import JSONText
import TimelineModel
import TransitionEngine

/// The largest number that maps device units to points, ours: places of a device are below 10^9, and
/// stay far from what a Double can hold.
private let largestMapNumber = 1e9

extension JSONReader {
  /// A pair of numbers of a map from device units to points.
  fileprivate func mapNumber() throws(JSONError) -> Point2D {
    let pair = try point()
    guard abs(pair.x) <= largestMapNumber, abs(pair.y) <= largestMapNumber else {
      throw failure("The numbers of a map must be at most 1e9.")
    }
    return pair
  }
}

extension Scenario.GesturePlan {
  init(_ reader: JSONReader, scenario: Scenario) throws(JSONError) {
    let fields = try reader.object(allowing: [
      "recognizer", "drives", "resetDuration", "to", "offset", "progress", "keys", "map",
    ])
    if try fields["drives"]?.choice(Drives.self) == .item {
      for name in ["to", "offset", "progress", "keys"] {
        if let field = fields[name] {
          throw field.failure("Unknown field '\(name)' of a gesture that resizes an item.")
        }
      }
      guard try fields.required("recognizer").choice(GestureMapping.Recognizer.self) == .pinch
      else {
        throw reader.failure("The recognizer of a gesture that resizes an item must be pinch.")
      }
      pinchesItem =
        try fields["resetDuration"]?.nonNegativeNumber()
        ?? CollectionView.defaultUpdateDurationSeconds
    } else if let field = fields["resetDuration"] {
      throw field.failure(
        "Unknown field 'resetDuration': only a gesture that resizes an item has it.")
    }
    if pinchesItem != nil {
      to = nil
    } else if let name = fields["to"] {
      to = try scenario.layoutName(name)
    } else {
      guard scenario.layouts.count == 2 else {
        throw reader.failure(
          "Missing field 'to': the scenario has \(scenario.layouts.count) layouts, not two.")
      }
      to = nil
    }
    contentOffset = try fields["offset"].map { reader throws(JSONError) in
      try Scenario.OffsetPlan(reader, scenario: scenario)
    }
    let map = try fields["map"]?.object(allowing: ["scale", "offset"])
    scale = try map?["scale"]?.mapNumber() ?? Point2D(x: 1, y: 1)
    offset = try map?["offset"]?.mapNumber() ?? .zero
    mapping = try Self.readMapping(fields)
  }

  /// The receiver of the touches.
  private enum Drives: String, CaseIterable {
    case transition
    case item
  }

  private static func readMapping(_ fields: JSONFields) throws(JSONError) -> GestureMapping {
    var progress: GestureMapping.Progress?
    var progressBack: GestureMapping.Progress?
    if let reader = fields["progress"] {
      let range = try reader.object(allowing: ["of", "from", "to", "clamp", "back"])
      let source = try range.required("of").choice(GestureMapping.Source.self)
      let clamp = try range["clamp"]?.bool() ?? false
      progress = try readProgress(reader, range, of: source, clamp: clamp)
      if let back = range["back"] {
        progressBack = try readProgress(
          back, back.object(allowing: ["from", "to"]), of: source, clamp: clamp)
      }
    }
    var keys: [GestureMapping.Key] = []
    if let fields = try fields["keys"]?.object() {
      for name in fields.names { keys.append(try readKey(name, fields.required(name))) }
    }
    return GestureMapping(
      recognizer: try fields.required("recognizer").choice(GestureMapping.Recognizer.self),
      progress: progress, progressBack: progressBack, keys: keys)
  }

  private static func readProgress(
    _ reader: JSONReader, _ range: JSONFields, of source: GestureMapping.Source, clamp: Bool
  ) throws(JSONError) -> GestureMapping.Progress {
    let from = try range.required("from").number()
    let to = try range.required("to").number()
    do {
      return try GestureMapping.Progress(of: source, from: from, to: to, clamp: clamp)
    } catch {
      throw reader.failure(error.message)
    }
  }

  private static func readKey(
    _ name: String, _ reader: JSONReader
  ) throws(JSONError) -> GestureMapping.Key {
    guard name != progressKeyName, !name.isEmpty else {
      throw reader.failure("The key '\(name)' is the transition's progress. Choose another name.")
    }
    if case .string = reader.value {
      return GestureMapping.Key(
        name: name, source: try reader.choice(GestureMapping.Source.self), ending: .freezes)
    }
    let fields = try reader.object(allowing: ["of", "finishTarget", "cancelTarget"])
    return GestureMapping.Key(
      name: name, source: try fields.required("of").choice(GestureMapping.Source.self),
      ending: .settles(
        finishTarget: try fields["finishTarget"]?.number() ?? 0,
        cancelTarget: try fields["cancelTarget"]?.number() ?? 0))
  }
}
