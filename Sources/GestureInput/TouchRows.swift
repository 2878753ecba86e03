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
  /// Which of the text's lists of positions it is in.
  var list = 0
  /// Whether its text says of it something else than a phase: a click, a kind.
  var isOther = false
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
  /// The unit that such texts have, which is taken without a note if steps in it are possible.
  var usualUnit: TimeUnit?
  private(set) var rows: [TouchRow] = []

  mutating func append(_ row: TouchRow) { rows.append(row) }

  /// Why rows cannot be read as touches.
  enum Trouble: Error {
    /// The unit of time cannot be told from the steps.
    case unknownUnit(step: Double?)
    /// The phases are numbers of two systems that say different things.
    case unknownPhases
  }

  /// Writes the contacts into a log.
  ///
  /// - Parameter unit: The unit of time that somebody decided. `nil`: the name's, or else what the steps fit.
  func write(to log: inout TouchLog, unit: TimeUnit?) throws(Trouble) {
    let found = try timeUnit(decided: unit, &log)
    log.timeUnit = found
    noteCoarseTimes(&log)
    let rows = try withPhases(inPhases(of: rows))
    var contacts = NamedContacts()
    var last: [String: (x: Double?, y: Double?)] = [:]
    for row in rows {
      guard let phase = row.phase.flatMap(Self.phase) else { continue }
      guard let time = row.time.nanoseconds(in: unit ?? row.unit ?? found ?? .nanoseconds) else {
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

  /// Writes the contacts into a log, and refuses the file if its rows cannot be understood.
  func write(
    to log: inout TouchLog, unit: TimeUnit?, _ source: GestureSource
  ) throws(GestureError) {
    do throws(Trouble) {
      try write(to: &log, unit: unit)
    } catch {
      throw refusal(of: error, source)
    }
    let hovers = rows.contains { $0.phase == .hovers || $0.isDown == false }
    if log.touches.isEmpty, hovers, log.losses.sentences.isEmpty {
      throw source.error(
        .noTouches, line: rows.first?.line,
        "The pointer only moves without a touch or a button, and no \(noun) begins a contact. Press a button while you "
          + "record, or leave the \(noun)s' phases out.")
    }
  }

  /// The refusal of a file, with the flag that helps.
  func refusal(of trouble: Trouble, _ source: GestureSource) -> GestureError {
    let sentence =
      switch trouble {
      case .unknownUnit(let step?):
        Self.mayCountFrames(step)
          ? "\(timeName) has steps of \(Self.text(step)), as a count of rows or frames has, so its unit cannot be "
            + "told. Say --time-unit ns, us, ms or s."
          : "The unit of \(timeName) cannot be told from its median step of \(Self.text(step)). "
            + "Say --time-unit ns, us, ms or s."
      case .unknownUnit(nil):
        "The unit of \(timeName) cannot be told from one time. Say --time-unit ns, us, ms or s."
      case .unknownPhases:
        "The numbers of the phases are of no known system, or of several. Write the words began, moved, ended and "
          + "cancelled."
      }
    return source.error(.unsupported, line: rows.first?.line, sentence)
  }

  /// Takes rows without a position for the time in which nothing touches.
  mutating func liftAtGaps() {
    for index in rows.indices where rows[index].isDown == nil {
      rows[index].isDown = rows[index].x != nil
    }
  }

  /// Puts the rows in the order of their times.
  mutating func sortByTime(unit: TimeUnit?) {
    let order = rows.enumerated().map { index, row in
      (time: row.time.nanoseconds(in: unit ?? row.unit ?? .nanoseconds) ?? .max, index: index)
    }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    rows = order.map { rows[$0.index] }
  }

  /// Leaves out rows of other events, if words say what is a touch.
  mutating func dropOthers() {
    let hasWords = rows.contains { row in
      if case .number? = row.phase { false } else { row.phase != nil }
    }
    if hasWords { rows.removeAll(where: \.isOther) }
    // A number that never changes says a kind or a version, not a phase.
    let numbers = rows.compactMap { if case .number(let number) = $0.phase { number } else { nil } }
    if hasWords || numbers.count > 2 && Set(numbers).count == 1 {
      for index in rows.indices {
        if case .number? = rows[index].phase { rows[index].phase = nil }
      }
    }
  }

  /// Takes the names of contacts away if they are names of rows.
  mutating func dropUselessNames() {
    let names = Set(rows.map(\.identifier)).count
    let landings = rows.count { $0.phase == .began }
    guard rows.count > 2, names * 2 > rows.count + 1, names > landings + 1 else { return }
    for index in rows.indices { rows[index].identifier = "" }
  }

  /// Takes away the names that elements without phases have.
  mutating func joinStrokes() {
    for index in rows.indices where rows[index].identifier.hasPrefix("stroke ") {
      rows[index].identifier = ""
    }
  }

  /// Makes a contact of each list of positions, if nothing else parts them and time passes between the lists.
  mutating func partLists() {
    guard let first = rows.first, rows.contains(where: { $0.list != first.list }),
      rows.allSatisfy({ $0.phase == nil && $0.isDown == nil && $0.identifier.isEmpty }),
      let step = medianStep
    else { return }
    var part = 0
    for index in rows.indices.dropFirst() {
      if rows[index].list != rows[index - 1].list,
        let gap = rows[index].time.step(since: rows[index - 1].time),
        gap < 0 || gap > 4 * step
      {
        part += 1
      }
      rows[index].identifier = part == 0 ? "" : "\(part)"
    }
  }

  // MARK: The unit of time

  /// The unit that is used for all rows. `nil` if each says its own.
  func timeUnit(
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
    if let usualUnit,
      step.map({ TimeUnit.possibleSteps ~= $0 * Double(usualUnit.nanoseconds) }) ?? true
    {
      return usualUnit
    }
    guard let step, let unit = TimeUnit(ofStep: step), !Self.mayCountFrames(step) else {
      throw Trouble.unknownUnit(step: step)
    }
    log.warn(
      "The \(timeName) is taken as \(unit.plural) (median step \(Self.text(step))). Say --time-unit to decide."
    )
    return unit
  }

  /// Whether a step of numbers without a unit is as well one of a count of frames or reports: 1, 2 or 3.
  private static func mayCountFrames(_ step: Double) -> Bool { step < 4 && step == step.rounded() }

  /// The steps from each report of a contact to its next, in the text's own unit.
  private static func steps(of rows: [TouchRow]) -> [Double] {
    var last: [String: WrittenTime] = [:]
    var steps: [Double] = []
    for row in rows {
      if let before = last[row.identifier], let step = row.time.step(since: before) {
        steps.append(step)
      }
      last[row.identifier] = row.time
    }
    return steps
  }

  /// Says if most reports have the same time as the one before: no velocity comes from a clock of whole seconds.
  private func noteCoarseTimes(_ log: inout TouchLog) {
    var last: [String: TouchRow] = [:]
    var (same, count) = (0, 0)
    for row in rows where row.x != nil {
      if let before = last[row.identifier] {
        count += 1
        if before.time == row.time, before.x != row.x || before.y != row.y { same += 1 }
      }
      last[row.identifier] = row
    }
    guard count > 3, same * 2 > count else { return }
    log.losses.add(
      line: rows.first?.line ?? 0,
      "\(same) of \(count + 1) positions have the time of the one before. The times are too coarse for velocities."
    )
  }

  /// The median of the steps above 0 between a contact's reports, in the text's own unit.
  private var medianStep: Double? {
    let steps = Self.steps(of: rows).filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return nil }
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
    var whole: [TouchRow] = []
    var before: [String: TouchRow] = [:]
    for (index, row) in rows.enumerated() {
      var row = row
      let id = row.identifier
      row.phase = first[id] == index ? .began : .moved
      let rests = before[id].map { ($0.x, $0.y) == (row.x, row.y) } ?? true
      before[id] = row
      guard last[id] == index else {
        whole.append(row)
        continue
      }
      // A lift where the contact was before reports no position. This row does.
      if rests { whole.append(row) }
      row.phase = .ended
      whole.append(row)
    }
    return whole
  }

  /// What the numbers of phases mean in the systems that have them.
  ///
  /// Sources: MotionEvent, UITouch.Phase and UnityEngine.TouchPhase (the same numbers), UIGestureRecognizer.State,
  /// State of react-native-gesture-handler, and the states of MultitouchSupport, in their documentation or headers.
  private static let numberedPhases: [[Int: WrittenPhase]] = [
    [
      0: .began, 1: .ended, 2: .moved, 3: .cancelled, 5: .began, 6: .ended, 7: .hovers, 9: .hovers,
      10: .hovers,
    ],
    [0: .began, 1: .moved, 2: .moved, 3: .ended, 4: .cancelled],
    [0: .hovers, 1: .began, 2: .moved, 3: .ended, 4: .cancelled, 5: .cancelled],
    [0: .hovers, 1: .cancelled, 2: .began, 3: .cancelled, 4: .moved, 5: .ended],
    [0: .hovers, 1: .hovers, 2: .hovers, 3: .began, 4: .moved, 5: .ended, 6: .hovers, 7: .hovers],
  ]

  /// Rows whose numbers are phases of the system in which they tell contacts, and leave the least unexplained.
  private func withPhases(_ rows: [TouchRow]) throws(Trouble) -> [TouchRow] {
    let numbers = rows.compactMap { if case .number(let number) = $0.phase { number } else { nil } }
    guard !numbers.isEmpty else { return rows }
    let fitting = Self.numberedPhases.compactMap { phases in
      Self.unexplained(phases, rows).map { (unexplained: $0, phases: phases) }
    }
    let fewest = fitting.map(\.unexplained).min()
    let best = fitting.filter { $0.unexplained == fewest }.map { found in
      rows.map { row in
        guard case .number(let number) = row.phase else { return row }
        var row = row
        row.phase = found.phases[Self.withoutPointer(number)]
        return row
      }
    }
    guard let first = best.first, best.allSatisfy({ $0.map(\.phase) == first.map(\.phase) }) else {
      throw Trouble.unknownPhases
    }
    return first
  }

  /// Android writes the index of the pointer that goes up or down into the higher bits.
  private static func withoutPointer(_ number: Int) -> Int { number > 255 ? number & 0xFF : number }

  /// How many contacts are down at the end, and how many rows tell nothing of one, if numbers are read in one way. `nil` if
  /// contacts do not begin, move and end in this order.
  private static func unexplained(_ phases: [Int: WrittenPhase], _ rows: [TouchRow]) -> Int? {
    var down: Set<String> = []
    var hovers = 0
    for row in rows {
      guard case .number(let number) = row.phase else { continue }
      switch phases[withoutPointer(number)] {
      case .began: guard down.insert(row.identifier).inserted else { return nil }
      case .moved: guard down.contains(row.identifier) else { return nil }
      case .ended, .cancelled: guard down.remove(row.identifier) != nil else { return nil }
      case .hovers: hovers += 1
      case nil, .number: return nil
      }
    }
    return down.count + hovers
  }
}
