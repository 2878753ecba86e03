import GestureInput
import JSONText
import MotionPhysics
import TimelineModel
import TransitionEngine

extension Scenario {
  /// Reads a scenario file's text.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - name: The file's name, for messages.
  /// - Throws: ``ScenarioError`` for text that is not JSON, a field that is missing, unknown or out
  ///   of range, and a name that leads nowhere.
  public static func read(_ bytes: [UInt8], name: String) throws(ScenarioError) -> Scenario {
    do {
      return try Scenario(JSONReader(try parseJSON(bytes)))
    } catch {
      throw ScenarioError(error, file: name)
    }
  }

  /// The quickest display, in frames per second: at more, the longest settle (102.4 s) alone would be
  /// more than ``frameLimit`` frames.
  static let highestRefreshRate = 9000.0

  /// The JSON Schema (2020-12) that describes scenario files.
  public static var schema: String {
    String(decoding: PackageResources.scenario_schema_json, as: UTF8.self)
  }

  private init(_ root: JSONReader) throws(JSONError) {
    let fields = try root.object(allowing: [
      "scenario", "name", "viewport", "contentInset", "contentOffset", "refreshRate", "scale",
      "sections", "layouts", "initialLayout", "transition", "reentry", "traceLayoutCalls", "settle",
      "release",
      "gesture",
      "script",
    ])
    let version = try fields.required("scenario")
    guard try version.integer() == 1 else {
      throw version.failure("Unknown version of the scenario format. Known: 1.")
    }
    name = try fields["name"]?.string()
    viewport = try fields.required("viewport").size()
    contentInset = try fields["contentInset"]?.insets() ?? .zero
    contentOffset = try fields["contentOffset"]?.point() ?? .zero
    refreshRate = try fields["refreshRate"]?.positiveNumber(upTo: Scenario.highestRefreshRate) ?? 60
    scale = try fields["scale"]?.positiveNumber(upTo: 1000) ?? 1
    data = try CollectionData(fields.required("sections"))
    layouts = try Scenario.readLayouts(fields.required("layouts"), data: data, scale: scale)
    initialLayout = try Scenario.readInitialLayout(fields, layouts: layouts)
    transition = try fields["transition"]?.transitionStyle() ?? TransitionStyle()
    transition.reentry = try fields["reentry"]?.choice(ReentryPolicy.self) ?? .refuse
    traceLayoutCalls = try fields["traceLayoutCalls"]?.bool() ?? false
    settle = try fields["settle"]?.settleParameters() ?? SettleParameters()
    release =
      try fields["release"]?.releaseParameters(isOfTouchpad: false) ?? ReleaseParameters()
    releaseOfDeltas =
      try fields["release"]?.releaseParameters(isOfTouchpad: true) ?? ReleaseParameters(.gnome)
    gesture = nil
    script = []
    changesData = try Scenario.changesData(fields["script"])
    gesture = try fields["gesture"].map { reader throws(JSONError) in
      try GesturePlan(reader, scenario: self)
    }
    release.rule.distance = release.rule.distance ?? progressDistance
    if release.rule.kind.definition.ownNumbers.contains(.outputLength) {
      release.rule.outputLength = release.rule.outputLength ?? outputLength
    }
    (releaseOfDeltas.rule.distance, releaseOfDeltas.rule.outputLength) = (
      release.rule.distance, release.rule.outputLength
    )
    script = try Scenario.readScript(fields["script"], scenario: self)
  }

  private static func readInitialLayout(
    _ fields: JSONFields, layouts: [NamedLayout]
  ) throws(JSONError) -> String {
    if let reader = fields["initialLayout"] {
      let name = try reader.string()
      return try known(name, among: layouts, at: reader)
    }
    if let only = layouts.first, layouts.count == 1 { return only.name }
    return try fields.required("initialLayout").string()
  }

  private static func known(
    _ name: String, among layouts: [NamedLayout], at reader: JSONReader
  ) throws(JSONError) -> String {
    guard layouts.contains(where: { $0.name == name }) else {
      throw reader.failure(
        "Unknown layout '\(name)'. \(remedy(for: name, among: layouts.map(\.name)))")
    }
    return name
  }

  /// The layout that a field names.
  func layoutName(_ reader: JSONReader) throws(JSONError) -> String {
    try Scenario.known(reader.string(), among: layouts, at: reader)
  }

  /// An item that is there at the start. Any place where the script changes the data, since it may be
  /// there by then.
  func itemPath(_ reader: JSONReader) throws(JSONError) -> ItemIndexPath {
    changesData ? try reader.indexPath() : try data.itemPath(reader)
  }
}

extension CollectionData {
  /// The path of an item that is there.
  func itemPath(_ reader: JSONReader) throws(JSONError) -> ItemIndexPath {
    let path = try reader.indexPath()
    guard path.section < sections.count, path.item < sections[path.section].itemCount else {
      throw reader.failure("Unknown item [\(path.section), \(path.item)].")
    }
    return path
  }

  fileprivate init(_ reader: JSONReader) throws(JSONError) {
    var sections: [Section] = []
    var names = Set<String>()
    var ids = Set<String>()
    var numbered = Set<String>()
    for element in try reader.array() {
      let fields = try element.object(allowing: ["id", "items"])
      let id = try fields.required("id").string()
      guard names.insert(id).inserted else {
        throw element.failure("The section id '\(id)' is used twice.")
      }
      let items = try fields.required("items")
      let section = try Section(id: id, items: items)
      if case .array = items.value {
        for (number, item) in section.items.enumerated() where !ids.insert(item).inserted {
          throw try items.array()[number].failure("The item id '\(item)' is used twice.")
        }
      } else {
        numbered.insert(id)
      }
      sections.append(section)
    }
    self.init(sections: sections)
    guard itemCounts.reduce(0, +) <= LayoutFields.itemLimit else {
      throw reader.failure("The sections have more than \(LayoutFields.itemLimit) items.")
    }
    // A listed id may read like one that a count has made ("nuts/0").
    let counted = CollectionData(sections: sections.filter { numbered.contains($0.id) })
    for id in ids.sorted() where counted.indexPath(ofItem: id) != nil {
      throw reader.failure("The item id '\(id)' is also made by a section with a number of items.")
    }
  }
}

extension Scenario {
  /// Reads the layouts in the order of their names.
  static func readLayouts(
    _ reader: JSONReader, data: CollectionData, scale: Double
  ) throws(JSONError) -> [NamedLayout] {
    let fields = try reader.object()
    guard !fields.names.isEmpty else {
      throw reader.failure("Missing layout: a scenario must have one.")
    }
    var layouts: [NamedLayout] = []
    for name in fields.names {
      let layout = try fields.required(name)
      let type = try LayoutType.named(by: layout)
      let make = try type.read(LayoutFields(layout, of: type, data: data, scale: scale))
      layouts.append(
        NamedLayout(name: name, type: type.name, json: layout.value.sortedJSON, make: make))
    }
    return layouts
  }
}

/// Why a scenario cannot be read: the file, the position in it and one sentence.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name as it was given.
  public var file: String
  /// The JSON path of the error ("$.layouts.grid.itemSize"). In a text that is not JSON, line and column ("3:15").
  public var path: String
  /// A full sentence: what is wrong.
  public var message: String

  package init(file: String, path: String, message: String) {
    self.file = file
    self.path = path
    self.message = message
  }

  init(_ error: JSONError, file: String) {
    self.init(file: file, path: error.path, message: error.message)
  }

  /// File, path and sentence.
  public var description: String {
    JSONError(path: path, message: message).description(in: file)
  }
}
