import Foundation
import Testing

@testable import TimelineStore

/// Whether a session's recorder lives is told from its crash journal.
@Suite struct RecorderStateTests {
  let fixture: JournalFixture

  init() throws { fixture = try JournalFixture() }

  @Test func `what became of a recorder is told, also of one that was killed`() throws {
    func state() throws -> RecorderState {
      let reader = try RecordingReader(path: fixture.path)
      return try reader.recorderState(of: reader.sessionRecord(1))
    }
    #expect(try state() == .unknown)
    let held = try fixture.write()
    #expect(try state() == .recording)
    held.letGo()
    #expect(try state() == .recording)
    try fixture.write()
    #expect(try state() == .ended)
    try fixture.openForWriting()
    #expect(try state() == .ended)
    try Data("junk".utf8).write(to: URL(fileURLWithPath: fixture.journal))
    #expect(try state() == .ended)
  }
}
