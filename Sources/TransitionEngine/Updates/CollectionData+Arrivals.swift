import TimelineModel

extension CollectionData {
  /// The ids that a batch update brings: those of inserted items and whole inserted sections.
  struct Arrivals {
    /// Ids by their places after the update.
    private(set) var items: [ItemIndexPath: String] = [:]
    /// Sections by their numbers after the update.
    private(set) var sections: [Int: Section] = [:]

    init(_ changes: [DataChange]) {
      for change in changes {
        switch change {
        case .insertItem(let path, let id): items[path] = id
        case .insertSection(let number, let section): sections[number] = section
        default: continue
        }
      }
    }

    /// Refuses an inserted section whose id another section has.
    func checkSectionIDs(of all: [Section]) throws(UpdateError) {
      guard !sections.isEmpty else { return }
      var staying = Set<String>()
      for (number, section) in all.enumerated() where sections[number] == nil {
        staying.insert(section.id)
      }
      for (number, section) in sections.sorted(by: { $0.key < $1.key })
      where !staying.insert(section.id).inserted {
        throw UpdateError(
          .duplicateID, sections: [number],
          message:
            "The id \"\(section.id)\" of the section inserted at \(number) is already there. "
            + "Choose another, or delete the section that has it in the same update.")
      }
    }

    /// Refuses an inserted item whose id another item has.
    func checkItemIDs(against staying: [ItemNames]) throws(UpdateError) {
      let items = items.sorted { $0.key < $1.key }
      let sections = sections.sorted { $0.key < $1.key }
      var known = KnownNames()
      let repeating = known.formUnion(
        items.map { ItemNames(.listed([$0.value])) } + sections.map(\.value.names))
      if let repeating, repeating < items.count {
        throw Self.fault(items[repeating].value, at: items[repeating].key)
      }
      if let repeating {
        let number = sections[repeating - items.count].key
        throw UpdateError(
          .duplicateID, sections: [number],
          message: "An id of an item in the section inserted at \(number) appears twice. "
            + "Give every inserted item an id of its own.")
      }
      guard let id = known.firstShared(with: staying) else { return }
      if let (path, _) = items.first(where: { $0.value == id }) { throw Self.fault(id, at: path) }
      throw UpdateError(
        .duplicateID,
        sections: sections.filter { $0.value.names.index(of: id) != nil }.map(\.key),
        message: "The id \"\(id)\" in an inserted section is already there. "
          + "Choose another, or delete the item that has it in the same update.")
    }

    private static func fault(_ id: String, at path: ItemIndexPath) -> UpdateError {
      UpdateError(
        .duplicateID, indexPaths: [path],
        message: "The id \"\(id)\" inserted at \(path.text) is already there. "
          + "Choose another, or delete the item that has it in the same update.")
    }
  }
}
