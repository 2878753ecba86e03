import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineStore

/// Taking sessions out of recordings, cutting them and bringing them together.
@Suite struct EditorTests {
  let folder: TemporaryFolder
  var path: String { folder.path("runs.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ uuid: String, to path: String? = nil, frames: Int64 = 30) throws {
    try EditedRecordings.add(uuid, to: path ?? self.path, frames: frames)
  }

  @Test func `a deleted session is gone from every view, and losses says so`() throws {
    for uuid in ["one", "two", "three"] { try add(uuid) }
    let before = try EditedRecordings.contents(path, session: 3)
    let editor = try RecordingEditor(path: path)
    let removal = try editor.delete(2)
    try editor.settleIntoOneFile()
    #expect(removal.uuid == "two")
    #expect(removal.isWhole)
    #expect(removal.rowCount > 100)
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecords().map(\.uuid) == ["one", "three"])
    #expect(try EditedRecordings.contents(path, session: 2).isEmpty)
    #expect(try EditedRecordings.contents(path, session: 3) == before)
    #expect(try reader.removals() == [removal])
    #expect(
      try reader.query("SELECT session, what FROM losses").rest()
        == [[.integer(2), .text("session")]])
    #expect(try reader.query("PRAGMA integrity_check").rest() == [[.text("ok")]])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["runs.kymo"])
  }

  @Test func `the number of a deleted session is not given again`() throws {
    try add("one")
    let editor = try RecordingEditor(path: path)
    try editor.delete(1)
    #expect(throws: StoreError.self) { try editor.delete(1) }
    try editor.settleIntoOneFile()
    try add("two")
    #expect(try RecordingReader(path: path).sessionRecords().map(\.number) == [2])
  }

  @Test func `nothing of a deleted session's texts stays in the file`() throws {
    try add("one")
    try EditedRecordings.add("two", to: path, names: "plain item")
    let editor = try RecordingEditor(path: path)
    try editor.delete(1)
    try editor.settleIntoOneFile()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.range(of: Data("secret item".utf8)) == nil)
  }

  @Test(arguments: [(0, 29), (5, 20), (10, 19), (11, 11), (0, 3), (28, 90)])
  func `what a trimmed session shows is what it showed before at the same instants`(
    first: Int64, last: Int64
  ) throws {
    try add("one")
    let range = Instant(nanoseconds: first * 10)...Instant(nanoseconds: last * 10)
    let reader = try RecordingReader(path: path)
    let frames = try reader.foldedFrames(in: 1).rest().filter {
      range.contains($0.frame.state.time)
    }
    let samples = try reader.samples(in: 1).rest().filter { range.contains($0.sample.time) }
    let touches = try reader.touches(in: 1).rest().filter { range.contains($0.time) }
    let editor = try RecordingEditor(path: path)
    let removal = try editor.trim(1, to: range)
    try editor.settleIntoOneFile()
    let trimmed = try RecordingReader(path: path)
    let kept = try trimmed.foldedFrames(in: 1).rest()
    #expect(kept.map(\.elements) == frames.map(\.elements))
    #expect(kept.map(\.frame.state) == frames.map(\.frame.state))
    #expect(kept.first?.frame.isKeyFrame == true)
    #expect(try trimmed.samples(in: 1).rest() == samples)
    #expect(try trimmed.touches(in: 1).rest() == touches)
    let session = try trimmed.sessionRecord(1)
    #expect(session.counts?.samples == Int64(samples.count))
    #expect(session.counts?.frames == Int64(frames.count))
    #expect(
      session.counts?.attributes
        == Int64(try trimmed.query("SELECT count(*) FROM attributes").rest()[0][0].integer ?? -1))
    #expect(try trimmed.keySummaries(in: 1).map(\.sampleCount) == [Int64(samples.count)])
    #expect((removal == nil) == (first == 0 && last >= 29))
    #expect(try trimmed.removals().count == (removal == nil ? 0 : 1))
  }

  @Test func `a session outside of the range keeps its row and nothing else`() throws {
    try add("one")
    let editor = try RecordingEditor(path: path)
    _ = try editor.trim(1, to: Instant(nanoseconds: 5_000)...Instant(nanoseconds: 6_000))
    try editor.settleIntoOneFile()
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).counts?.frames == 0)
    #expect(try reader.foldedFrames(in: 1).rest().isEmpty)
    #expect(try reader.samples(in: 1).rest().isEmpty)
  }

  @Test func `merged sessions have the same rows, and none comes twice`() throws {
    let other = folder.path("other.kymo")
    let output = folder.path("all.kymo")
    try add("one")
    try add("two")
    try add("three", to: other, frames: 12)
    let editor = try RecordingEditor(path: output, isMade: true)
    let sources = [path, other].map { ($0, try? RecordingReader(path: $0)) }
    for (_, reader) in sources {
      guard let reader else { continue }
      for session in try reader.sessionRecords() {
        _ = try editor.copySession(session.number, from: reader)
      }
    }
    #expect(throws: StoreError.self) {
      try editor.copySession(1, from: RecordingReader(path: other))
    }
    try editor.settleIntoOneFile()
    #expect(
      try RecordingReader(path: output).sessionRecords().map(\.uuid) == ["one", "two", "three"])
    #expect(
      try EditedRecordings.contents(output, session: 2)
        == EditedRecordings.contents(path, session: 2))
    #expect(
      try EditedRecordings.contents(output, session: 3)
        == EditedRecordings.contents(other, session: 1))
  }

  @Test(
    "A row of another recording that breaks a rule of its table is not brought in",
    arguments: [
      "plain_attribute SET change = 3", "plain_attribute SET hidden = 2",
      "plain_attribute SET hidden = -1",
      "plain_attribute SET center_x = 'far'", "plain_attribute SET transform_ty = x'00'",
      "plain_attribute SET z_index = 'top'", "touch SET phase = 'odd'", "frame SET phase = 9",
    ])
  func brokenRowsStayOut(change: String) throws {
    try add("one")
    try Recordings.run(
      """
      PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, ', WITHOUT', ' WITHOUT') WHERE name = 'plain_attribute';
      UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'plain_attribute'
      """, on: path)
    try Recordings.run("PRAGMA ignore_check_constraints = ON; UPDATE \(change)", on: path)
    let editor = try RecordingEditor(path: folder.path("all.kymo"), isMade: true)
    let reader = try RecordingReader(path: path)
    let error = #expect(throws: StoreError.self) { try editor.copySession(1, from: reader) }
    #expect(error?.code == .damaged, "\(String(describing: error))")
    #expect(try editor.sessions().isEmpty)
  }

  @Test("Bringing in a row takes some dozens of SQLite's steps")
  func mergingIsCheap() throws {
    func steps(_ frames: Int64) throws -> Int {
      let path = folder.path("\(frames).kymo")
      try add("one", to: path, frames: frames)
      return try sqliteSteps {
        let editor = try RecordingEditor(path: folder.path("into \(frames).kymo"), isMade: true)
        _ = try editor.copySession(1, from: try RecordingReader(path: path))
      }
    }
    // Of each frame: itself, a value, a touch and at most three poses.
    let more = try steps(2000) - steps(1000)
    #expect(more < 1000 * 500, "\(more)")
  }

  @Test func `a redacted copy has no touches and no names, and the same film`() throws {
    try add("one")
    let output = folder.path("shared.kymo")
    let redaction = Redaction(leavesOutTouches: true, hashesItems: true, salt: "s")
    let editor = try RecordingEditor(path: output, isMade: true)
    let reader = try RecordingReader(path: path)
    _ = try editor.copySession(1, from: reader, redaction: redaction)
    try editor.settleIntoOneFile()
    let shared = try RecordingReader(path: output)
    #expect(try shared.touches(in: 1).rest().isEmpty)
    #expect(try shared.sessionRecord(1).counts?.touches == 0)
    #expect(try shared.sessionRecord(1).description.redaction == redaction.note)
    #expect(
      try shared.items(in: 1).map(\.identity.id)
        == reader.items(in: 1).map { redaction.pseudonym(of: $0.identity.id) })
    #expect(
      try shared.foldedFrames(in: 1).rest() == reader.foldedFrames(in: 1).rest())
    let bytes = try Data(contentsOf: URL(fileURLWithPath: output))
    #expect(bytes.range(of: Data("secret item".utf8)) == nil)
  }

  @Test func `a recording that is being recorded is not edited`() throws {
    let store = try Recordings.open(path)
    do {
      _ = try RecordingEditor(path: path)
      Issue.record("It was opened.")
    } catch {
      #expect(error.code == .busy)
    }
    withExtendedLifetime(store) {}
  }

  @Test func `what is no recording is left as it is`() throws {
    let letter = folder.path("letter.kymo")
    try Data("Dear reader, this is a letter.\n".utf8).write(to: URL(fileURLWithPath: letter))
    for (name, code) in [
      (letter, StoreError.Code.notADatabase), (folder.path("none.kymo"), .notFound),
      (folder.url.path, .notAFile),
    ] {
      do {
        _ = try RecordingEditor(path: name)
        Issue.record("\(name) was opened.")
      } catch {
        #expect(error.code == code)
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: letter)).count == 31)
  }
}
