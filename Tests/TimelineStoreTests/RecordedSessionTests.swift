import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// Sessions read by the names of keys and elements.
@Suite struct RecordedSessionTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("run.kymo")
    try Recordings.make(path)
  }

  private func session() throws -> RecordedSession { try RecordingReader(path: path).lastSession() }

  @Test func `frames have their time, and their elements by name`() throws {
    var seen: [String] = []
    for frame in try session().frames {
      for (element, pose) in frame {
        seen.append("\(frame.time.nanoseconds) \(element) \(pose.center.x)")
      }
    }
    #expect(seen == (0..<5).map { "\($0 * 10) apple \(Double($0))" })
  }

  @Test func `a frame gives the pose of an element by its name`() throws {
    let frame = try #require(try session().frame(at: Instant(nanoseconds: 25)))
    #expect(frame.time == Instant(nanoseconds: 20))
    #expect(frame["apple"]?.center.x == 2)
    #expect(frame["pear"] == nil)
    #expect(try session().frame(at: Instant(nanoseconds: -1)) == nil)
  }

  @Test(arguments: [(0, 40, 5), (5, 25, 2), (10, 10, 1), (41, 99, 0), (-9, -1, 0)])
  func `frames of a stretch of time have both of its ends`(from: Int64, to: Int64, count: Int)
    throws
  {
    let frames = try session().frames(
      in: Instant(nanoseconds: from)...Instant(nanoseconds: to))
    #expect(try frames.rest().count == count)
  }

  @Test func `a value holds until the next one, and there is none before the first`() throws {
    let session = try session()
    #expect(try session.value(forAnimatedKey: "x", at: Instant(nanoseconds: 29)) == 2.0 / 3)
    #expect(try session.value(forAnimatedKey: "x", at: Instant(nanoseconds: 30)) == 1)
    #expect(try session.value(forAnimatedKey: "x", at: Instant(nanoseconds: 9_000)) == 4.0 / 3)
    #expect(try session.value(forAnimatedKey: "x", at: Instant(nanoseconds: -1)) == nil)
  }

  @Test func `samples of a key come in the order of time`() throws {
    let samples = try session().samples(of: "x")
    #expect(samples.map(\.time.nanoseconds) == [0, 10, 20, 30, 40])
    let some = try session().samples(
      of: "x", in: Instant(nanoseconds: 10)...Instant(nanoseconds: 29))
    let thirds: [Double] = [1.0 / 3, 2.0 / 3]
    #expect(some.map(\.value) == thirds)
    #expect(some.failure == nil)
  }

  @Test func `an animated key goes before another one of its name`() throws {
    let path = folder.path("two.kymo")
    try Recordings.make(path)
    try Recordings.run(
      """
      INSERT INTO key (session, key, name, role, unit) VALUES (1, 1, 'x', 'custom', '1');
      UPDATE key SET key = 2 WHERE key = 0; UPDATE key SET key = 0 WHERE key = 1; UPDATE key SET key = 1 WHERE key = 2
      """, on: path)
    let session = try RecordingReader(path: path).lastSession()
    #expect(try session.keys.map(\.role) == [.custom, .animated])
    #expect(try session.samples(of: "x").rest() == [])
  }

  @Test
  func `a session gives touches, transitions, decisions, estimates, events, keys and elements`()
    throws
  {
    let session = try session()
    #expect(try session.touches.map(\.position) == [Point2D(x: 1, y: 2)])
    #expect(try session.decisions.map(\.outcome) == [.finish])
    #expect(try session.estimates.map(\.value) == [1])
    #expect(try session.events.map(\.kind) == [.start])
    #expect(try session.transitions.map(\.outcome) == [.finish])
    #expect(try session.keys.map(\.name) == ["x"])
    #expect(try session.elements.map(\.id) == ["apple"])
    #expect(session.number == 1)
    #expect(session.outcome == .finished)
  }

  @Test func `sessions are found by position and by name, and a wrong one is named`() throws {
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessions().map(\.number) == [1])
    #expect(try reader.session(1).uuid == reader.session(named: "small").uuid)
    let unknown = #expect(throws: StoreError.self) { try reader.session(named: "tiny") }
    #expect(unknown?.code == .noSuchSession)
    #expect(unknown?.message == "\(path) has no session 'tiny'. Use one of its sessions().")
    #expect(throws: StoreError.self) { try reader.session(2) }
  }

  @Test func `a key that a session does not have is named beside those that it has`() throws {
    let session = try session()
    for ask in [
      { _ = try session.samples(of: "y") },
      { _ = try session.value(forAnimatedKey: "y", at: .zero) },
    ] {
      let error = #expect(throws: StoreError.self) { try ask() }
      #expect(error?.code == .noSuchKey)
      #expect(error?.message == "\(path)#1 has no key 'y'. Its keys are x.")
    }
  }

  @Test func `a loop ends at a row that cannot be read, and says why`() throws {
    try Recordings.run(
      "PRAGMA ignore_check_constraints = ON; UPDATE frame SET phase = 9 WHERE frame = 3", on: path)
    let frames = try session().frames
    #expect(frames.map(\.time.nanoseconds) == [0, 10, 20])
    #expect(frames.failure?.code == .damaged)
    #expect(throws: StoreError.self) { try session().frames.rest() }
  }

  @Test func `an element without a name is damage`() throws {
    try Recordings.run("DELETE FROM item", on: path)
    let error = #expect(throws: StoreError.self) { try session().frames.rest() }
    #expect(error?.message.contains("an element 0 without a name") == true)
    #expect(throws: StoreError.self) { try session().frame(at: .zero) }
  }

  @Test func `a frame that was over before it could be read is left out`() throws {
    try Recordings.run("UPDATE frame SET unread = 1 WHERE frame = 2", on: path)
    #expect(try session().frames.map(\.time.nanoseconds) == [0, 10, 30, 40])
    #expect(try session().frame(at: Instant(nanoseconds: 25))?.time == Instant(nanoseconds: 10))
  }
}
