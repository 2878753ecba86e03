import Foundation
import Synchronization
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// The policy `live` with a writer that is held back: what does not fit is dropped and counted.
@Suite struct LiveTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// A recorder whose rings are one page, 512 words, of which so many are kept for events.
  private func smallRecorder(reservedWords: Int) throws -> Recorder {
    var settings = RecorderSettings()
    settings.ringBytes = 1
    settings.reservedBytes = reservedWords * 8
    return try Recorder(path: path, session: fixedDescription(), policy: .live, settings: settings)
  }

  private func frame(_ time: Int64) -> FrameState {
    FrameState(
      time: Instant(nanoseconds: time), phase: .idle, progress: nil, contentOffset: .zero,
      contentSize: .zero)
  }

  private func loss(
    _ what: LossRecord.What, _ key: KeyHandle?, _ first: Int64, _ last: Int64, _ count: Int64
  ) -> LossRecord {
    LossRecord(
      what: what, key: key, first: Instant(nanoseconds: first), last: Instant(nanoseconds: last),
      count: count)
  }

  @Test func `a kept state answers all questions and queries, until it is let go`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription())
    let key = recorder.keyHandle(for: "key", role: .custom, unit: "1")
    func add(_ time: Int64) {
      recorder.record(0, for: key, at: Instant(nanoseconds: time), phase: .idle)
      recorder.sync()
    }
    add(1)
    func counts(_ reader: RecordingReader) throws -> [Int64] {
      let rows = try reader.query("SELECT count(*) FROM samples").rest()
      guard case .integer(let count) = rows.first?.first else { return [] }
      return [Int64(try reader.samples(of: key, in: 1).rest().count), count]
    }
    do {
      let reader = try RecordingReader(path: path)
      try reader.keepState()
      #expect(try counts(reader) == [1, 1])
      add(2)
      #expect(try counts(reader) == [1, 1])
      reader.letGoOfState()
      #expect(try counts(reader) == [2, 2])
    }
    try recorder.finish(at: .zero, outcome: .none)
    // Without a log the state keeps writers out, and lets them in when it is let go.
    let finished = try RecordingReader(path: path)
    try finished.keepState()
    let refusal = WriterTurn.$waitMilliseconds.withValue(0) {
      #expect(throws: StoreError.self) { try RecordingEditor(path: path) }
    }
    #expect(refusal?.code == .busy)
    finished.letGoOfState()
    _ = try RecordingEditor(path: path)
  }

  @Test func `a query that was begun sees packed and plain rows of one state`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription())
    let key = recorder.keyHandle(for: "key", role: .custom, unit: "1")
    for time in 0..<2_000 {
      recorder.record(Double(time), for: key, at: Instant(nanoseconds: Int64(time)), phase: .idle)
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    do {
      let rows = try reader.query("SELECT value FROM samples")
      let refusal = WriterTurn.$waitMilliseconds.withValue(0) {
        #expect(throws: StoreError.self) { try RecordingEditor(path: path) }
      }
      #expect(refusal?.code == .busy)
      #expect(try rows.rest().count == 2_000)
    }
    do {
      let editor = try RecordingEditor(path: path)
      #expect(try editor.seal(session: 1, precision: .exact).rows == 2_000)
      try editor.settleIntoOneFile()
    }
    #expect(try reader.query("SELECT value FROM samples").rest().count == 2_000)
  }

  @Test
  func `some questions are answered from one state of the file, whatever is recorded meanwhile`()
    throws
  {
    let recorder = try Recorder(path: path, session: fixedDescription())
    let key = recorder.keyHandle(for: "key", role: .custom, unit: "1")
    func add(_ time: Int64) {
      recorder.record(0, for: key, at: Instant(nanoseconds: time), phase: .idle)
      recorder.sync()
    }
    add(1)
    let reader = try RecordingReader(path: path)
    func count() throws -> Int { try reader.samples(of: key, in: 1).rest().count }
    let counts = try reader.inOneState {
      let before = try count()
      add(2)
      return [before, try count()]
    }
    #expect(counts == [1, 1])
    #expect(try count() == 2)
    try recorder.finish(at: .zero, outcome: .none)
  }

  @Test func `values beyond the ring are lost, counted by key and range of time`() throws {
    // 256 words are left for values, and one takes three.
    let recorder = try smallRecorder(reservedWords: 256)
    let first = recorder.keyHandle(for: "first", role: .custom, unit: "1")
    let second = recorder.keyHandle(for: "second", role: .custom, unit: "1")
    recorder.withWriterHeld {
      for step in 0..<100 {
        recorder.record(0, for: first, at: Instant(nanoseconds: Int64(step)), phase: .idle)
        recorder.record(0, for: second, at: Instant(nanoseconds: Int64(step)), phase: .idle)
      }
      recorder.record(0, for: second, at: Instant(nanoseconds: -50), phase: .idle)
      recorder.record(
        TouchSample(
          time: Instant(nanoseconds: 190), contact: 0, phase: .began, position: .zero))
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(
      try reader.samples(of: first, in: 1).rest().map(\.sample.time.nanoseconds) == Array(0..<43))
    #expect(
      try reader.samples(of: second, in: 1).rest().map(\.sample.time.nanoseconds) == Array(0..<42))
    #expect(
      try reader.losses(in: 1) == [
        loss(.sample, first, 43, 99, 57), loss(.sample, second, -50, 99, 59),
        loss(.touch, nil, 190, 190, 1),
      ])
    #expect(try reader.sessionRecord(1).counts?.lost == 117)
    #expect(try reader.sessionRecord(1).isClean)
  }

  @Test func `drops are told to the app once, by a call and by a warning event`() throws {
    let told = Mutex<[RecordingTrouble]>([])
    var settings = RecorderSettings()
    settings.ringBytes = 1
    settings.commitNanoseconds = .max
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .live, settings: settings
    ) { trouble in told.withLock { $0.append(trouble) } }
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    for _ in 0..<2 {
      recorder.withWriterHeld {
        for step in 0..<300 {
          recorder.record(0, for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
        }
      }
      recorder.writeBatch()
    }
    try recorder.finish(at: .zero, outcome: .none)
    #expect(told.withLock { $0 }.first == .backPressure)
    let reader = try RecordingReader(path: path)
    let events = try reader.events(in: 1).rest()
    #expect(events.map(\.kind) == told.withLock { $0.map { _ in .warning } })
    #expect(events.allSatisfy { $0.fieldsJSON.contains(#""code":"backPressure""#) })
    let kept = try reader.samples(in: 1).rest().count
    #expect(Int64(kept) + (try reader.sessionRecord(1).counts?.lost ?? 0) == 600)
  }

  @Test func `events have a reserve that values cannot take`() throws {
    let recorder = try smallRecorder(reservedWords: 256)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    recorder.withWriterHeld {
      for step in 0..<90 {
        recorder.record(0, for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
      }
      // An event without fields takes four words.
      for step in 0..<70 {
        recorder.record(TimelineEvent(time: Instant(nanoseconds: Int64(step)), kind: .mark))
      }
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    #expect(try reader.samples(in: 1).rest().count == 85)
    #expect(try reader.events(in: 1).rest().filter { $0.kind == .mark }.count == 64)
    #expect(try reader.losses(in: 1).map(\.count) == [5, 6])
  }

  @Test func `a lost frame takes nothing with it that later frames need`() throws {
    let recorder = try smallRecorder(reservedWords: 0)
    let items = (0..<2).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    func record(_ time: Int64, _ x: Double) {
      recorder.beginFrame(frame(time))
      for item in items {
        recorder.record(
          Pose(center: Point2D(x: x, y: 0), size: .zero), of: item,
          at: ItemIndexPath(section: 0, item: 0))
      }
      recorder.endFrame()
    }
    recorder.withWriterHeld {
      // Each frame takes 29 words of 512; the last three do not fit.
      for step in 0..<20 { record(Int64(step), Double(step)) }
    }
    recorder.writeBatch()
    record(20, 16)
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let frames = try reader.foldedFrames(in: 1).rest()
    #expect(frames.map(\.frame.number) == Array(0..<18))
    #expect(frames.map(\.frame.state.time.nanoseconds) == Array(0..<17) + [20])
    let places = (Array(0..<17) + [16]).map { [Double($0), Double($0)] }
    #expect(frames.map { $0.elements.map(\.pose.center.x) } == places)
    #expect(try reader.losses(in: 1) == [loss(.frame, nil, 17, 19, 3)])
  }

  @Test(.timeLimit(.minutes(20)))
  func `what is given is written without anybody asking`() async throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    recorder.record(1, for: key, at: .zero, phase: .idle)
    let reader = try RecordingReader(path: path)
    while try reader.samples(in: 1).next() == nil { await Task.yield() }
    recorder.record(
      ReleaseDecision(
        transition: 0, time: .zero, outcome: .finish, decidedBy: "rule", rule: "progress",
        ruleOutcome: .finish, threshold: 0.5, progress: 1, progressVelocity: nil,
        marginProgress: 0.5))
    while try reader.decisions(in: 1).isEmpty { await Task.yield() }
    try recorder.finish(at: .zero, outcome: .none)
    #expect(try reader.sessionRecord(1).isClean)
  }

  @Test func `a reader that stays open does not stop the end`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .live)
    let reader = try RecordingReader(path: path)
    let sessions = try reader.query("SELECT uuid FROM sessions UNION ALL SELECT 'more'")
    #expect(try sessions.next() != nil)
    let error = WriterTurn.$waitMilliseconds.withValue(0) {
      #expect(throws: StoreError.self) { try recorder.finish(at: .zero, outcome: .none) }
    }
    #expect(error?.code == .logInUse)
    #expect(try sessions.rest().count == 1)
    #expect(try RecordingReader(path: path).sessionRecord(1).isClean)
  }
}
