import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// A session whose own row is lost is there all the same as long as anything of it is.
@Suite struct NamelessSessionTests {
  let fixture: JournalFixture
  var output: String { fixture.folder.path("recovered.kymo") }

  init() throws { fixture = try JournalFixture() }

  private func recover(after text: String) throws -> SalvageReport {
    try Recordings.run(text, on: fixture.path)
    let report = try RecordingSalvage.recover(fixture.path, into: output, replacing: true)
    let findings = try RecordingExamination.examine(output, isDeep: true)
    #expect(!findings.contains { $0.what == "unknownSession" })
    return report
  }

  @Test func `the crash journal gives a session its identity back, and its rows`() throws {
    try fixture.write()
    let report = try recover(after: "DELETE FROM session")
    let session = try #require(report.sessions.first)
    #expect(report.sessions.count == 1)
    #expect(session.uuid == fixture.uuid)
    #expect(session.journalRows > 10)
    #expect(session.remarks.contains { $0.contains("its own row is lost") })
    #expect(!report.isWhole)
  }

  @Test func `without a journal the identity is made up`() throws {
    let report = try recover(after: "DELETE FROM session")
    #expect(report.sessions.map(\.uuid) == ["00000000-0000-8000-8000-000000000001"])
  }

  @Test func `a uuid that another session has is not given twice`() throws {
    try fixture.write()
    let report = try recover(
      after: """
        UPDATE session SET session = 7;
        INSERT INTO session (session, uuid, schema_version, clock, software)
          VALUES (8, '00000000-0000-8000-8000-000000000001', 3, 'virtual', 'tests');
        """)
    #expect(
      report.sessions.map(\.uuid) == [
        "00000001-0000-8000-8000-000000000001", fixture.uuid,
        "00000000-0000-8000-8000-000000000001",
      ])
  }

  @Test func `names alone are enough for a session`() throws {
    for text in [
      "INSERT INTO key SELECT 2, key, name, role, unit FROM key",
      "INSERT INTO item SELECT 2, item, category, element_kind, id FROM item",
    ] {
      let fixture = try JournalFixture()
      try Recordings.run(text, on: fixture.path)
      let report = try RecordingSalvage.recover(
        fixture.path, into: fixture.folder.path("out.kymo"), replacing: true)
      #expect(report.sessions.map(\.number) == [1, 2])
    }
  }

  @Test func `sessions are counted from 1, and rows of no session are refused`() throws {
    let report = try recover(
      after: "INSERT INTO key SELECT -3, key, name, role, unit FROM key")
    #expect(report.sessions.map(\.number) == [1])
    #expect(report.refusedRows > 0)
  }

  @Test func `a crash journal that was left behind is missed`() throws {
    let report = try recover(after: "INSERT INTO journal VALUES (1, 0, 12)")
    #expect(
      report.sessions[0].remarks == [
        "\(fixture.journal) belongs to it and is not beside the file"
      ])
    #expect(!report.isWhole)
    // A session whose journal was read to its end misses nothing.
    let lane = JournalTable.recoveredLane
    #expect(
      try recover(after: "INSERT INTO journal VALUES (1, \(lane), 12)").sessions[0].remarks == [])
  }
}
