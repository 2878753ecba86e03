import JSONText

/// Events that list contacts.
extension JSONTouchWalk {
  /// The list of an event that tells most of its contacts.
  func bestList(
    _ fields: [String: JSONValue], hasOwnTime: Bool, _ context: JSONEvent
  ) -> (name: String, values: [JSONValue])? {
    guard context.time != nil else { return nil }
    var empty: (name: String, values: [JSONValue])?
    for (key, value) in reader.candidates(fields, { $0.listRank }) {
      guard let values = Self.elements(value) else { continue }
      let plain = TouchName.words(of: key).joined()
      if values.isEmpty {
        empty = empty ?? (plain, values)
        continue
      }
      // Events of their own have their own times.
      guard values.allSatisfy(reader.isPlace), hasOwnTime || !values.contains(where: reader.hasTime)
      else {
        continue
      }
      return (plain, values)
    }
    guard let empty, [nil, .ended, .cancelled].contains(context.phase), !down.isEmpty,
      reader.place(of: fields) == nil
    else {
      return nil
    }
    return empty
  }

  /// An array, or an object that has numbers for names, as a TouchList is written.
  static func elements(_ value: JSONValue) -> [JSONValue]? {
    switch value {
    case .array(let values): return values
    case .object(let fields):
      let numbered = fields.compactMap { key, value in Int(key).map { (index: $0, value: value) } }
      guard !numbered.isEmpty || fields["length"] == .integer(0) else { return nil }
      return numbered.sorted { $0.index < $1.index }.map(\.value)
    default: return nil
    }
  }

  /// Takes an event that lists contacts.
  ///
  /// Without phases, and in a list of those that touch, a contact that is missing has lifted.
  mutating func contacts(
    _ values: [JSONValue], named list: String?, _ context: JSONEvent, line: Int
  ) -> Int {
    guard let time = context.time else { return 0 }
    var listed: [ListedContact] = []
    for value in values {
      guard case .object(let fields) = value, let place = reader.place(of: fields) else { continue }
      var event = context
      (event.identifier, event.phase, event.kind) = (nil, nil, nil)
      _ = reader.read(fields, into: &event)
      (event.time, event.unit) = (time, context.unit)
      if event.phase == nil || list == "changedtouches" { event.phase = context.phase }
      listed.append(ListedContact(place: place, event: event))
    }
    let before = down
    if listed.contains(where: { $0.event.identifier == nil }) { nameByPlace(&listed) }
    let ids = listed.map { $0.event.identifier ?? "" }
    let isChange = list == "changedtouches" || listed.contains { $0.event.phase != context.phase }
    let isLift = context.phase == .ended || context.phase == .cancelled
    var count = 0
    for (index, var one) in listed.enumerated() {
      let id = ids[index]
      if !isChange {
        one.event.phase = phase(of: id, at: index, context, list, ids, before)
        // An event about another contact repeats where this one is.
        if one.event.phase == .moved, lastPlaces[id] == one.place { continue }
      }
      lastPlaces[id] = one.place
      count += take(one.place, one.event, line: line)
    }
    guard !isChange else { return count }
    // Whoever is missing has lifted.
    let listsAllDown = list != "touchpoints" || isLift && ids.isEmpty
    for id in before where !ids.contains(id) && listsAllDown {
      let phase: WrittenPhase = context.phase == .cancelled ? .cancelled : .ended
      append(
        TouchRow(line: line, time: time, unit: context.unit, identifier: id, phase: phase), context)
      count += 1
    }
    return count
  }

  /// Gives contacts without names those of the nearest ones that are down, the nearest pairs first.
  private func nameByPlace(_ listed: inout [ListedContact]) {
    var pairs: [(distance: Double, index: Int, name: String)] = []
    for (index, one) in listed.enumerated().prefix(ContactListTracker.limit) {
      for name in down.prefix(ContactListTracker.limit) {
        guard let place = lastPlaces[name] else { continue }
        let (dx, dy) = (one.place.x - place.x, one.place.y - place.y)
        pairs.append((dx * dx + dy * dy, index, name))
      }
    }
    var names: [Int: String] = [:]
    for pair in pairs.sorted(by: { ($0.distance, $0.index) < ($1.distance, $1.index) })
    where names[pair.index] == nil && !names.values.contains(pair.name) {
      names[pair.index] = pair.name
    }
    var next = 0
    for index in listed.indices {
      while names[index] == nil, names.values.contains("\(next)") || down.contains("\(next)") {
        next += 1
      }
      listed[index].event.identifier = names[index] ?? "\(next)"
      names[index] = listed[index].event.identifier
    }
  }

  /// What a listed contact does.
  func phase(
    of id: String, at index: Int, _ context: JSONEvent, _ list: String?, _ ids: [String],
    _ before: [String]
  ) -> WrittenPhase {
    var phase = context.phase
    var action = context.actionIndex
    if case .number(let number)? = phase {
      // Android's number, with the index of the contact in the higher bits.
      phase = [0: .began, 1: .ended, 2: .moved, 3: .cancelled, 5: .began, 6: .ended][number & 0xFF]
      if number > 255 { action = number >> 8 }
    }
    let isDown = before.contains(id)
    switch phase {
    case .ended?, .cancelled?:
      if let action, ids.count > 1 { return action == index ? phase! : .moved }
      let lifts = list == "touchpoints" || before.allSatisfy(ids.contains)
      return lifts && isDown ? phase! : isDown ? .moved : .hovers
    default: return isDown ? .moved : .began
    }
  }
}

/// One element of such a list, before it is known what it does.
private struct ListedContact {
  var place: JSONPlace
  var event: JSONEvent
}
