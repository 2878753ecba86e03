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
    var listed: [(place: JSONPlace, context: JSONEvent)] = []
    for (index, value) in values.enumerated() {
      guard case .object(let fields) = value, let place = reader.place(of: fields) else { continue }
      var inside = context
      inside.identifier = nil
      let phase = inside.phase
      inside.phase = nil
      _ = reader.read(fields, into: &inside)
      inside.time = time
      inside.unit = context.unit
      inside.identifier =
        inside.identifier
        ?? (values.count == 1 && context.identifier != nil ? context.identifier : "\(index)")
      if inside.phase == nil || list == "changedtouches" { inside.phase = phase }
      if inside.phase == .number(-1) { inside.phase = phase }
      listed.append((place, inside))
    }
    let ids = listed.compactMap(\.context.identifier)
    let before = down
    let isChange = list == "changedtouches" || listed.contains { $0.context.phase != context.phase }
    let isLift = context.phase == .ended || context.phase == .cancelled
    var count = 0
    for (index, var one) in listed.enumerated() {
      let id = ids[index]
      if !isChange {
        one.context.phase = phase(of: id, at: index, context, list, ids, before)
        // An event about another contact repeats where this one is.
        if one.context.phase == .moved, lastPlaces[id] == one.place { continue }
      }
      lastPlaces[id] = one.place
      count += take(one.place, one.context, line: line)
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
