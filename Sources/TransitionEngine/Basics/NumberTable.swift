import TimelineModel

/// Values by number, as in a dictionary. Numbers near to each other are found without a hash: an update of many items
/// looks up each of them several times.
struct NumberTable<Value> {
  /// The values of a stretch of numbers without a large gap, and its first number.
  private var values: [Value?] = []
  private var first = 0
  /// Whatever is outside of the stretch.
  private var others: [Int: Value] = [:]

  /// The value of a number. `nil` if none was set.
  subscript(number: Int) -> Value? {
    let place = number &- first
    if values.indices.contains(place), let value = values[place] { return value }
    return others.isEmpty ? nil : others[number]
  }

  /// Sets the value of a number.
  mutating func set(_ value: Value, at number: Int) {
    if values.isEmpty { first = number }
    var place = number &- first
    // At most three times as much room as there is, so that a few numbers far apart take no more than that.
    let room = 2 * values.count + 64
    guard place >= -room, place <= room else {
      others[number] = value
      return
    }
    if place < 0 {
      let more = max(-place, values.count)
      values.insert(contentsOf: repeatElement(nil, count: more), at: 0)
      first &-= more
      place += more
    }
    while values.count <= place { values.append(nil) }
    values[place] = value
  }
}

extension NumberTable {
  /// The value of an element. `nil` if none was set. Sinks count elements from 0.
  subscript(item: ItemHandle) -> Value? { self[Int(item.rawValue)] }

  /// Sets the value of an element.
  mutating func set(_ value: Value, of item: ItemHandle) { set(value, at: Int(item.rawValue)) }
}
