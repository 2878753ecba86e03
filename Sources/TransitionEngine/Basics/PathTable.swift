import TimelineModel

/// Values by path, as in a dictionary. The cells of a section are found by their numbers.
struct PathTable<Value> {
  /// The values of cells, by the section's number.
  private var cells: [NumberTable<Value>] = []
  /// The values of all other elements.
  private var others: [ElementPath: Value] = [:]

  /// The value at a path. `nil` if none was set.
  subscript(path: ElementPath) -> Value? {
    guard path.category == .cell else { return others[path] }
    let section = path.indexPath.section
    return cells.indices.contains(section) ? cells[section][path.indexPath.item] : nil
  }

  /// Sets the value at a path whose section is one of the data.
  mutating func set(_ value: Value, at path: ElementPath) {
    guard path.category == .cell else {
      others[path] = value
      return
    }
    let section = path.indexPath.section
    while cells.count <= section { cells.append(NumberTable()) }
    cells[section].set(value, at: path.indexPath.item)
  }
}
