import Foundation
import RecordingRepair
import SQLiteAccess
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// Rows of transitions, as a store writes them and as events and decisions make them.
@Suite struct TransitionTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("run.kymo")
  }

  /// What is given to a store.
  private enum Given {
    case event(TimelineEvent.Kind, Int64, [EventField])
    case decision(Int64, transition: Int, ReleaseOutcome, String)

    static func event(_ kind: TimelineEvent.Kind, _ time: Int64) -> Given { .event(kind, time, []) }
  }

  /// Writes events and decisions, so many in each commit.
  private func record(
    _ given: [Given], perCommit: Int = .max, into path: String? = nil
  ) throws -> RecordingReader {
    let path = path ?? self.path
    let store = try RecordingStore(
      path: path, description: Recordings.description(),
      uuid: "00000000-0000-4000-8000-000000000001")
    var (events, decisions): (Int64, Int64) = (0, 0)
    var rest = given[...]
    while !rest.isEmpty {
      try store.begin(isDurable: false)
      for given in rest.prefix(perCommit) {
        switch given {
        case .event(let kind, let time, let fields):
          try store.insert(
            TimelineEvent(time: Instant(nanoseconds: time), kind: kind, fields: fields),
            sequence: events)
          events += 1
        case .decision(let time, let transition, let outcome, let decidedBy):
          try store.insert(
            ReleaseDecision(
              transition: transition, time: Instant(nanoseconds: time), outcome: outcome,
              decidedBy: DecisionSource(decidedBy), rule: "progress", ruleOutcome: outcome,
              threshold: 0.5,
              progress: 0.75,
              progressVelocity: nil, marginProgress: 0.25), sequence: decisions)
          decisions += 1
        }
      }
      rest = rest.dropFirst(perCommit)
      try store.commit()
    }
    return try RecordingReader(path: path)
  }

  /// Number, start, release, settle, completion and outcome.
  private func rows(_ transitions: [TransitionRecord]) -> [String] {
    transitions.map { row in
      let times = [row.start, row.release, row.settle, row.completion].map {
        $0.map { "\($0.nanoseconds)" } ?? "-"
      }
      return "\(row.number): \(times.joined(separator: " ")) \(row.outcome?.rawValue ?? "-")"
    }
  }

  /// Whether the rows are those that events and decisions make.
  private func agree(_ reader: RecordingReader) throws -> Bool {
    let text = TransitionTable.contradictions.split(separator: "?1").joined(separator: "1")
    return try reader.query(text).rest().first?[0] == .integer(0)
  }

  @Test func `an app's events make numbered rows, and what they do not say is nil`() throws {
    let reader = try record([
      .event(.start, 10, EventField.list(["to": "open"])), .event(.settle, 30),
      .event(.finish, 30),
      .event(.completion, 50), .event(.completion, 60, EventField.list(["finished": false])),
      .event(.start, 70), .event(.start, 90, EventField.list(["animated": true])),
      .event(.cancel, 95),
    ])
    let found = try reader.transitions(in: 1)
    #expect(rows(found) == ["0: 10 - 30 50 finish", "1: 70 - - - -", "2: 90 - - - cancel"])
    #expect((found[0].from, found[0].to, found[0].began) == (nil, "open", nil))
    #expect((found[0].decidedBy, found[0].retargetedFrom, found[0].sequence) == (nil, nil, 0))
    #expect(found[2].began == .animated)
  }

  @Test func `what comes before the first start is a transition if its end was asked for`() throws {
    let ended = try record([
      .event(.settle, 1), .event(.finish, 2), .event(.start, 10),
      .decision(12, transition: 1, .cancel, "app"),
    ])
    #expect(rows(try ended.transitions(in: 1)) == ["0: - - 1 - finish", "1: 10 12 - - cancel"])
    #expect(try ended.transitions(in: 1).map(\.sequence) == [1, 2])
  }

  @Test func `without its end it is none`() throws {
    let open = try record([
      .event(.settle, 1), .decision(2, transition: 0, .finish, "app"), .event(.start, 10),
    ])
    #expect(rows(try open.transitions(in: 1)) == ["0: 10 - - - -"])
  }

  @Test func `a completion that comes after the next start is of the transition that it names`()
    throws
  {
    func completion(_ number: Int64, _ time: Int64) -> Given {
      .event(
        .completion, time,
        EventField.list(["transition": FieldValue.integer(number), "finished": number == 8]))
    }
    let reader = try record(
      [
        .event(.start, 10, EventField.list(["transition": 7])),
        .event(.start, 20, EventField.list(["transition": 8])), completion(7, 25),
        completion(8, 40),
        completion(9, 50),
      ], perCommit: 1)
    #expect(rows(try reader.transitions(in: 1)) == ["7: 10 - - 25 cancel", "8: 20 - - 40 finish"])
    #expect(try agree(reader))
  }

  @Test
  func `a decision at the instant of a start is of the transition before that has its number`()
    throws
  {
    let reader = try record([
      .event(.start, 0), .event(.start, 10), .decision(10, transition: 0, .finish, "rule"),
      .decision(20, transition: 1, .cancel, "script"),
    ])
    let found = try reader.transitions(in: 1)
    #expect(rows(found) == ["0: 0 10 - - finish", "1: 10 20 - - cancel"])
    // Engines of older versions called the app "script".
    #expect(found.map(\.decidedBy) == ["rule", "app"])
  }

  @Test(arguments: 0..<40)
  func `rows that are kept commit by commit are those that all events make`(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let kinds: [TimelineEvent.Kind] = [
      .start, .start, .finish, .cancel, .settle, .completion, .retarget, .push, .pop, .animation,
      .mark,
    ]
    // Every fourth app's threads give their events out of the order of time.
    let back: Int64 = seed % 4 == 3 ? -3 : 0
    var time: Int64 = 0
    var given: [Given] = []
    for _ in 0..<60 {
      time += Int64.random(in: back...4, using: &generator)
      if Int.random(in: 0..<6, using: &generator) == 0 {
        given.append(
          .decision(
            time - Int64.random(in: 0...3, using: &generator),
            transition: Int.random(in: 0..<6, using: &generator),
            Bool.random(using: &generator) ? .finish : .cancel, "app"))
        continue
      }
      let fields = EventField.list([
        "transition": FieldValue.integer(Int64.random(in: -1..<6, using: &generator)),
        "to": ["a", "b"].randomElement(using: &generator) ?? "", "from": "c",
        "animated": Bool.random(using: &generator), "finished": Bool.random(using: &generator),
        "outcome": ["finish", "cancel", "?"].randomElement(using: &generator) ?? "",
        "cause": ["retarget", "layout"].randomElement(using: &generator) ?? "",
        "transforms": "decomposed",
      ]).filter { _ in Bool.random(using: &generator) }
      given.append(.event(kinds.randomElement(using: &generator) ?? .mark, time, fields))
    }
    let reader = try record(
      given, perCommit: seed % 3 == 0 ? 1 : Int.random(in: 1...9, using: &generator))
    #expect(try agree(reader))
    #expect(try !reader.transitions(in: 1).isEmpty)
    #expect(try RecordingExamination.examine(path).allSatisfy { $0.what != "transitions" })
  }

  @Test(arguments: [
    (
      TransitionTable.addNewest,
      "SEARCH decision USING INDEX decision_by_time (session=? AND t_ns>?)"
    ),
    (
      TransitionTable.firstChanged,
      "SEARCH t USING COVERING INDEX transition_by_number (session=? AND number=?)"
    ),
  ])
  func `a commit finds decisions by their time, and transitions by their number`(
    text: String, step: String
  ) throws {
    _ = try Recordings.open(path)
    let connection = try Connection(path: path, for: .reading)
    let plan = try connection.prepare("EXPLAIN QUERY PLAN " + text)
    var steps: [String?] = []
    while try plan.step() { steps.append(plan.text(at: 3)) }
    #expect(steps.contains(step))
  }

  @Test func `twice the decisions take twice the steps, however many commits`() throws {
    func steps(_ transitions: Int) throws -> Int {
      let path = folder.path("\(transitions).kymo")
      var given: [Given] = []
      for number in 0..<transitions {
        let start = Int64(number) * 10
        given.append(.event(.start, start))
        given.append(.decision(start + 5, transition: number, .finish, "rule"))
        // Not every app says of which transition it is.
        let fields = EventField.list(["transition": FieldValue.integer(Int64(number))])
        given.append(.event(.completion, start + 9, number % 2 == 0 ? fields : []))
      }
      return try sqliteSteps { _ = try record(given, perCommit: 3, into: path) }
    }
    let (few, more, many) = (try steps(200), try steps(400), try steps(800))
    #expect(Double(many - more) < 2.1 * Double(more - few))
  }

  @Test func `thousands of decided transitions are read with work that grows as they do`() throws {
    func reading(_ transitions: Int) throws -> Int {
      let path = folder.path("read-\(transitions).kymo")
      var given: [Given] = []
      for number in 0..<transitions {
        let start = Int64(number) * 10
        given.append(.event(.start, start))
        given.append(.decision(start + 5, transition: number, .finish, "rule"))
      }
      _ = try record(given, perCommit: 500, into: path)
      var count = 0
      let steps = try sqliteSteps {
        count = try RecordingReader(path: path).transitions(in: 1).count
      }
      #expect(count == transitions)
      return steps
    }
    let (few, more) = (try reading(1000), try reading(4000))
    #expect(Double(more) < 5 * Double(few))
  }

  @Test func `a transaction that is taken back leaves no row`() throws {
    let store = try Recordings.open(path)
    try store.begin(isDurable: false)
    try store.insert(TimelineEvent(time: Instant(nanoseconds: 5), kind: .start), sequence: 1)
    store.rollBack()
    try store.begin(isDurable: false)
    try store.insert(TimelineEvent(time: Instant(nanoseconds: 5), kind: .finish), sequence: 1)
    try store.commit()
    let reader = try RecordingReader(path: path)
    #expect(rows(try reader.transitions(in: 1)) == ["0: 0 0 - - finish"])
    #expect(try agree(reader))
  }
}
