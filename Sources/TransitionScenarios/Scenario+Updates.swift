import GestureInput
import JSONText
import TimelineModel
import TransitionEngine

extension Scenario.UpdatePlan {
  init(_ fields: JSONFields, _ scenario: Scenario) throws(JSONError) {
    changes = []
    for element in try fields["operations"]?.array() ?? [] { changes.append(try Change(element)) }
    layout = try fields["layout"].map { reader throws(JSONError) in
      try scenario.layoutName(reader)
    }
    reportedCounts = try fields["counts"].map { reader throws(JSONError) in
      var counts: [Int] = []
      for element in try reader.array() {
        counts.append(Int(try element.integer(in: 0...LayoutFields.itemLimit)))
      }
      return counts
    }
  }
}

extension Scenario.UpdatePlan.Change {
  /// The field that names the operation.
  private enum Name: String, CaseIterable {
    case delete
    case insert
    case move
    case reload
    case deleteSection
    case insertSection
    case moveSection
    case reloadSection
  }

  fileprivate init(_ reader: JSONReader) throws(JSONError) {
    let given = try reader.object()
    let names = Name.allCases.filter { given[$0.rawValue] != nil }
    guard let name = names.first, names.count == 1 else {
      throw reader.failure(
        "An operation must have exactly one of "
          + Name.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    let others: [String]
    switch name {
    case .delete, .reload, .deleteSection, .reloadSection: others = []
    case .insert: others = ["id"]
    case .move, .moveSection: others = ["to"]
    case .insertSection: others = ["id", "items"]
    }
    let fields = try reader.object(allowing: [name.rawValue] + others)
    let place = try fields.required(name.rawValue)
    switch name {
    case .delete: operation = .deleteItem(try place.indexPath())
    case .reload: operation = .reloadItem(try place.indexPath())
    case .insert:
      operation = .insertItem(try place.indexPath())
      id = try fields["id"]?.string()
    case .move:
      operation = .moveItem(
        from: try place.indexPath(), to: try fields.required("to").indexPath())
    case .deleteSection: operation = .deleteSection(try place.sectionNumber())
    case .reloadSection: operation = .reloadSection(try place.sectionNumber())
    case .moveSection:
      operation = .moveSection(
        from: try place.sectionNumber(), to: try fields.required("to").sectionNumber())
    case .insertSection:
      operation = .insertSection(try place.sectionNumber())
      section = try CollectionData.Section(
        id: fields.required("id").string(), items: fields["items"])
    }
  }
}

extension JSONReader {
  fileprivate func sectionNumber() throws(JSONError) -> Int {
    Int(try integer(in: 0...Int64(Int32.max)))
  }
}

extension CollectionData.Section {
  /// Reads a number of items, or the list of their ids. None when left out.
  init(id: String, items reader: JSONReader?) throws(JSONError) {
    switch reader?.value {
    case nil: self.init(id: id, count: 0)
    case .integer:
      self.init(id: id, count: Int(try reader?.integer(in: 0...LayoutFields.itemLimit) ?? 0))
    case .array:
      var ids: [String] = []
      for item in try reader?.array() ?? [] { ids.append(try item.string()) }
      self.init(id: id, items: ids)
    default:
      throw reader?.failure("Must be a number of items, or an array of their ids.")
        ?? JSONReader(.null).failure("")
    }
  }
}

extension Scenario {
  /// The beginning of ids that are made up for inserted items. A number follows.
  static let madeUpPrefix = "inserted/"

  /// A number from which on no id of the file reads like one that is made up.
  var firstMadeUpNumber: Int {
    var first = 0
    func look(_ id: String) {
      guard id.hasPrefix(Scenario.madeUpPrefix),
        let number = Int(id.dropFirst(Scenario.madeUpPrefix.count)), number < Int(Int32.max)
      else { return }
      first = max(first, number + 1)
    }
    func look(_ section: CollectionData.Section) {
      // The ids of a counted section begin with its own.
      if section.id + "/" == Scenario.madeUpPrefix { first = max(first, section.itemCount) }
      guard section.itemID(0) != section.id + "/0" else { return }
      for item in 0..<section.itemCount { section.itemID(item).map(look) }
    }
    for section in data.sections { look(section) }
    for case .update(let plan, _) in script.map(\.action) {
      for change in plan.changes {
        change.id.map(look)
        change.section.map(look)
      }
    }
    return first
  }
}
