import JSONText
import TimelineModel
import TransitionEngine

/// One type of layout that scenario files can name: its fields, and how a layout is made from them.
///
/// A new type is a file in this folder with a `static let`, and one more entry in ``all``.
struct LayoutType: Sendable {
  /// Makes a layout under a name, a new one each time.
  typealias Maker = @Sendable (_ name: String) -> any CollectionViewLayout

  /// The text of the field `type`.
  let name: String
  let fieldNames: [String]
  let read: @Sendable (LayoutFields) throws(JSONError) -> Maker

  /// Every type, in the order in which messages name them.
  static let all: [LayoutType] = [
    .flow, .fixed, .line, .circle, .stack, .enlarged, .flyIn, .pinch,
  ]

  /// The type that an object names.
  ///
  /// - Throws: An error at the field `type`, with the nearest known name.
  static func named(by reader: JSONReader) throws(JSONError) -> LayoutType {
    let field = try reader.object().required("type")
    let name = try field.string()
    if let type = all.first(where: { $0.name == name }) { return type }
    let names = all.map(\.name)
    throw field.failure("Unknown layout type '\(name)'. \(remedy(for: name, among: names))")
  }
}

/// The fields of one layout in a scenario file, and what of the scenario they are checked against.
struct LayoutFields {
  /// The fields, of which each is one that the type knows.
  let fields: JSONFields
  /// The sections and items at the start.
  let data: CollectionData
  /// Most items that a scenario may have in all its sections. A guard against a mistyped number, ours.
  /// The layouts themselves have no limit.
  static let itemLimit: Int64 = 1_000_000
  /// Pixels per point.
  let scale: Double

  init(
    _ reader: JSONReader, of type: LayoutType, data: CollectionData, scale: Double
  ) throws(JSONError) {
    fields = try reader.object(allowing: ["type"] + type.fieldNames)
    self.data = data
    self.scale = scale
  }

  /// A field, or nil when it is left out.
  subscript(name: String) -> JSONReader? { fields[name] }

  /// The path of an item that is there at the start. `nil` when the field is left out.
  func itemPath(_ name: String) throws(JSONError) -> ItemIndexPath? {
    guard let reader = fields[name] else { return nil }
    return try data.itemPath(reader)
  }
}
