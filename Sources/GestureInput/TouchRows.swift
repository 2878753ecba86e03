import TimelineModel

/// One report of one contact as a text writes it: its unit of time, its contact and its phase may be open yet.
struct TouchRow {
  /// The line, or the number of the element, for messages.
  var line: Int
  var time: WrittenTime
  /// The unit that the name of the time says.
  var unit: TimeUnit?
  /// The contact's name. Empty: the text names none.
  var identifier = ""
  /// `nil`: the text names none.
  var phase: WrittenPhase?
  /// Whether it says that the contact is down.
  var isDown: Bool?
  /// `nil`: it stays where it was.
  var x: Double?
  var y: Double?
  var slot: Int?
  var trackingID: Int?
  var isResampled = false
}

/// Makes contacts of the rows that a table, JSON or a log holds: the unit of time, the phases and the contacts are decided
/// here, once for all of them.
struct TouchRows {
  /// What a row is called in a sentence: "row", "event", "line".
  var noun = "row"
  /// The name of the time, for sentences: `t_ns`.
  var timeName = "time"
  /// Whether y grows upwards.
  var isYUp = false
  private(set) var rows: [TouchRow] = []

  mutating func append(_ row: TouchRow) { rows.append(row) }

  /// Why rows are no touches.
  enum Trouble: Error {
    /// The unit of time cannot be told from the steps.
    case unknownUnit(step: Double?)
    /// The phases are numbers of two systems that say different things.
    case unknownPhases
  }

  /// Writes the contacts into a log.
  ///
  /// - Parameter unit: The unit of time that somebody decided. `nil`: the name's, or else the one that the steps fit.
  func write(to log: inout TouchLog, unit: TimeUnit?) throws(Trouble) {
    let found = try timeUnit(decided: unit, &log)
    log.timeUnit = found
    let rows = try withPhases(inPhases(of: rows))
    var contacts = NamedContacts()
    var last: [String: (x: Double?, y: Double?)] = [:]
    for row in rows {
      guard let phase = row.phase.flatMap(Self.phase) else { continue }
      guard let time = row.time.nanoseconds(in: row.unit ?? found ?? .nanoseconds) else {
        log.losses.add(line: row.line, "The time does not fit. The \(noun) was left out.")
        continue
      }
      let before = phase == .began ? nil : last[row.identifier]
      let place = (x: row.x ?? before?.x, y: row.y.map { isYUp ? -$0 : $0 } ?? before?.y)
      last[row.identifier] = place
      contacts.take(
        TouchLog.Touch(
          nanoseconds: time, line: row.line, contact: 0, slot: row.slot, trackingID: row.trackingID,
          phase: phase, x: place.x, y: place.y, isResampled: row.isResampled),
        id: row.identifier, to: &log)
    }
    log.hasOpenContacts = contacts.hasContacts
  }

  private static func phase(_ written: WrittenPhase) -> TouchPhase? {
    switch written {
    case .began: .began
    case .moved: .moved
    case .ended: .ended
    case .cancelled: .cancelled
    case .hovers, .number: nil
    }
  }

  // MARK: The unit of time

  /// The unit that is used for all rows. `nil` if each says its own.
  private func timeUnit(
    decided: TimeUnit?, _ log: inout TouchLog
  ) throws(Trouble) -> TimeUnit? {
    if let decided { return decided }
    guard rows.contains(where: { if case .number = $0.time { true } else { false } }) else {
      return nil
    }
    let step = medianStep
    if let named = rows.first(where: { $0.unit != nil })?.unit {
      if let step, let other = TimeUnit(ofStep: step), other != named,
        !(TimeUnit.possibleSteps ~= step * Double(named.nanoseconds))
      {
        log.losses.add(
          line: rows.first?.line ?? 0,
          "\(timeName) is read as \(named.plural), and its median step of \(Self.text(step)) would be "
            + "\(other.plural) of a finger. Say --time-unit \(other.rawValue) if it is.")
      }
      return named
    }
    guard let step, let unit = TimeUnit(ofStep: step) else {
      throw Trouble.unknownUnit(step: step)
    }
    log.warn(
      "The \(timeName) is taken as \(unit.plural) (median step \(Self.text(step))). Say --time-unit to decide."
    )
    return unit
  }

  /// The median of the steps above 0 between a contact's reports, in the text's own unit.
  private var medianStep: Double? {
    var last: [String: WrittenTime] = [:]
    var steps: [Double] = []
    for row in rows {
      if let before = last[row.identifier], let step = row.time.step(since: before), step > 0 {
        steps.append(step)
      }
      last[row.identifier] = row.time
    }
    guard !steps.isEmpty else { return nil }
    steps.sort()
    return steps[(steps.count - 1) / 2]
  }

  private static func text(_ step: Double) -> String {
    step == step.rounded() && abs(step) < 1e15
      ? String(Int64(step)) : String((step * 1e6).rounded() / 1e6)
  }

  // MARK: Phases

  /// Rows whose phases come from what else they say: pressed or not, or nothing at all.
  private func inPhases(of rows: [TouchRow]) -> [TouchRow] {
    if rows.contains(where: { $0.phase != nil }) {
      // Some systems give a move the same word whether it is pressed or not.
      var down: Set<String> = []
      return rows.filter { row in
        switch row.phase {
        case .began: down.insert(row.identifier)
        case .ended, .cancelled: down.remove(row.identifier)
        case .moved where row.isDown == false: return down.contains(row.identifier)
        default: break
        }
        return true
      }
    }
    var rows = rows
    if rows.contains(where: { $0.isDown != nil }) {
      var down: Set<String> = []
      for index in rows.indices {
        let id = rows[index].identifier
        switch (rows[index].isDown ?? down.contains(id), down.contains(id)) {
        case (true, false):
          down.insert(id)
          rows[index].phase = .began
        case (true, true): rows[index].phase = .moved
        case (false, true):
          down.remove(id)
          rows[index].phase = .ended
        case (false, false): rows[index].phase = .hovers
        }
      }
      return rows
    }
    // Positions alone: a contact is all that has its name.
    var first: [String: Int] = [:]
    var last: [String: Int] = [:]
    for (index, row) in rows.enumerated() {
      first[row.identifier] = first[row.identifier] ?? index
      last[row.identifier] = index
    }
    for index in rows.indices {
      let id = rows[index].identifier
      rows[index].phase = first[id] == index ? .began : last[id] == index ? .ended : .moved
    }
    return rows
  }

  /// Rows whose numbers are phases: of Android (0 down, 1 up, 2 move, 3 cancel) or of UIKit and Unity (0 began, 1 moved, 2
  /// stationary, 3 ended, 4 cancelled).
  ///
  /// Sources: MotionEvent, UITouch.Phase and UnityEngine.TouchPhase in their documentation.
  private func withPhases(_ rows: [TouchRow]) throws(Trouble) -> [TouchRow] {
    let numbers = rows.compactMap { if case .number(let number) = $0.phase { number } else { nil } }
    guard !numbers.isEmpty else { return rows }
    let android: [Int: WrittenPhase] = [
      0: .began, 1: .ended, 2: .moved, 3: .cancelled, 5: .began, 6: .ended, 7: .hovers, 9: .hovers,
      10: .hovers,
    ]
    let unity: [Int: WrittenPhase] = [0: .began, 1: .moved, 2: .moved, 3: .ended, 4: .cancelled]
    let fitting = [android, unity].filter { Self.tells($0, rows) }
    guard fitting.count == 1 else { throw Trouble.unknownPhases }
    return rows.map { row in
      guard case .number(let number) = row.phase else { return row }
      var row = row
      row.phase = fitting[0][number]
      return row
    }
  }

  /// Whether numbers read in one way tell contacts that begin, move and end in this order.
  private static func tells(_ phases: [Int: WrittenPhase], _ rows: [TouchRow]) -> Bool {
    var down: Set<String> = []
    for row in rows {
      guard case .number(let number) = row.phase else { continue }
      switch phases[number] {
      case .began: guard down.insert(row.identifier).inserted else { return false }
      case .moved: guard down.contains(row.identifier) else { return false }
      case .ended, .cancelled: guard down.remove(row.identifier) != nil else { return false }
      case .hovers: break
      case nil, .number: return false
      }
    }
    return true
  }
}
