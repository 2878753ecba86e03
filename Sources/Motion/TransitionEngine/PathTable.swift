import TimelineModel

/// Values by path, as in a dictionary. The cells of a section that follow each other are found by their number, which
/// takes no hash: an update of many items looks up each of them several times.
struct PathTable<Value> {
  /// Cells of one section without a large gap, from the first that was set.
  private struct Stretch {
    var first = 0
    var values: [Value?] = []
  }

  /// By the section's number.
  private var stretches: [Stretch] = []
  /// Whatever is in no stretch.
  private var others: [ElementPath: Value] = [:]

  /// The value at a path; nil if none was set.
  subscript(path: ElementPath) -> Value? {
    let (section, item) = (path.indexPath.section, path.indexPath.item)
    if path.category == .cell, stretches.indices.contains(section) {
      let place = item &- stretches[section].first
      if stretches[section].values.indices.contains(place),
        let value = stretches[section].values[place]
      {
        return value
      }
    }
    return others.isEmpty ? nil : others[path]
  }

  /// Sets the value at a path whose section is one of the data.
  mutating func set(_ value: Value, at path: ElementPath) {
    guard path.category == .cell else {
      others[path] = value
      return
    }
    let (section, item) = (path.indexPath.section, path.indexPath.item)
    while stretches.count <= section { stretches.append(Stretch()) }
    if stretches[section].values.isEmpty { stretches[section].first = item }
    let (place, count) = (item - stretches[section].first, stretches[section].values.count)
    // At most twice as much room as there is, so that few cells far apart take no more than that.
    guard place >= 0, place <= 2 * count + 64 else {
      others[path] = value
      return
    }
    while stretches[section].values.count <= place { stretches[section].values.append(nil) }
    stretches[section].values[place] = value
  }
}
