import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// What is left of a damaged recording comes into a new one, and nothing that was not in the old one.
@Suite struct SalvageTests {
  let folder: TemporaryFolder
  let whole: String
  let bytes: [UInt8]

  /// A recording with some hundred pages.
  init() throws {
    folder = try TemporaryFolder()
    whole = folder.path("whole.kymo")
    try Recordings.make(whole)
    try Recordings.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29999)
      INSERT INTO plain_sample SELECT 1, 1000000 + i / 3 * 8333333, (i % 3) << 2, i / 7.0 FROM n;
      WITH RECURSIVE n(i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < 2004)
      INSERT INTO frame SELECT 1, i, i * 8333333, 1, i % 120 = 5, 0.5, 0.0, 0.0, 100.0, 200.0, NULL, 0 FROM n;
      INSERT INTO plain_attribute SELECT 1, f.frame, item, 0, 0, 0, f.frame / 3.0, 1.5, 20, 20, 1, 0, 0,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM frame AS f, (SELECT 0 AS item UNION SELECT 1 UNION SELECT 2) WHERE f.frame > 4;
      INSERT INTO key VALUES (1, 1, 'one', 'custom', '1'), (1, 2, 'two', 'custom', '1');
      INSERT INTO item VALUES (1, 1, 'cell', NULL, 'pear'), (1, 2, 'decoration', 'shade', 'fig');
      UPDATE session SET sample_count = (SELECT count(*) FROM plain_sample),
        frame_count = (SELECT count(*) FROM frame), touch_count = 1, event_count = 1,
        attribute_count = (SELECT count(*) FROM plain_attribute);
      """, on: whole)
    bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
  }

  private static let page = 1_024

  /// Salvages damaged bytes; the rows of each table that are in the result, and how many of them are not
  /// in the whole recording.
  private func salvage(
    _ damaged: [UInt8], _ name: String
  ) throws -> (report: SalvageReport, kept: [String: Int64], invented: Int64) {
    let path = folder.path("\(name).kymo")
    let output = folder.path("\(name) recovered.kymo")
    try Data(damaged).write(to: URL(fileURLWithPath: path))
    let report = try RecordingSalvage.recover(path, into: output, replacing: true)
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == damaged)
    // Everything that is there can be read again.
    try Recordings.readEverything(output)
    #expect(
      try RecordingReader(path: output).query("PRAGMA integrity_check").rest() == [[.text("ok")]])
    // What is missing is told already, and nothing is wrong that was not before.
    let own = Set(try RecordingExamination.examine(whole, isDeep: true).map(\.what))
    #expect(
      try RecordingExamination.examine(output, isDeep: true)
        .filter { $0.severity != .note && !own.contains($0.what) } == [])
    var kept: [String: Int64] = [:]
    var invented: Int64 = 0
    for table in [
      "plain_sample", "frame", "plain_attribute", "key", "item", "event", "touch", "decision",
    ] {
      kept[table] = try Recordings.number("SELECT count(*) FROM \(table)", on: output)
      // Whose row is lost gets a name that says so.
      let isNamed = ["key": "name", "item": "id"][table].map { "\($0) NOT LIKE 'lost-name-%'" }
      invented += try Recordings.number(
        """
        SELECT count(*) FROM (SELECT * FROM \(table) WHERE \(isNamed ?? "true")
          EXCEPT SELECT * FROM whole.\(table))
        """, on: output, attaching: whole)
    }
    return (report, kept, invented)
  }

  @Test func `a sound recording is the same afterwards`() throws {
    let (report, kept, invented) = try salvage(bytes, "sound")
    #expect(report.isWhole)
    #expect(report.sessions.count == 1)
    #expect(report.sessions[0].isClean)
    #expect(kept["plain_sample"] == 30_005)
    #expect(kept["frame"] == 2_005)
    #expect(kept["plain_attribute"] == 6_005)
    #expect(invented == 0)
  }

  @Test(arguments: [100, 10])
  func `noise over a share of the pages costs about that share of the rows`(divisor: Int) throws {
    var generator = SplitMix(seed: 31)
    var lost: [Double] = []
    for round in 0..<6 {
      var damaged = bytes
      let pages = bytes.count / Self.page
      for _ in 0..<max(1, pages / divisor) {
        let page = 1 + Int(generator.next() % UInt64(pages - 1))
        for index in page * Self.page..<(page + 1) * Self.page {
          damaged[index] = UInt8(truncatingIfNeeded: generator.next())
        }
      }
      let (report, kept, invented) = try salvage(damaged, "noise")
      #expect(invented == 0, "round \(round)")
      #expect(!report.isWhole)
      lost.append(1 - Double(kept["plain_sample"] ?? 0) / 30_005)
      // What is lost is said, to the row, as long as the session's own row is there.
      guard report.sessions[0].isClean else { continue }
      let said = report.sessions[0].losses.first { $0.what == "samples" }?.count ?? 0
      #expect(said + (kept["plain_sample"] ?? 0) == 30_005)
    }
    let mean = lost.reduce(0, +) / Double(lost.count)
    print(
      "one page in \(divisor) noise, 6 trials: "
        + "\(lost.map { ($0 * 1e4).rounded() / 100 }) % of samples lost")
    #expect(mean < 2 / Double(divisor))
    #expect(lost.max() ?? 1 < 5 / Double(divisor))
  }

  @Test(arguments: [512, 1_024, 4_096, 65_536])
  func `without its first page a recording keeps its rows, whatever the size of its pages`(
    page: Int
  ) throws {
    if page != Self.page { try Recordings.run("PRAGMA page_size = \(page); VACUUM", on: whole) }
    var damaged = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
    var generator = SplitMix(seed: 32)
    for index in 0..<page { damaged[index] = UInt8(truncatingIfNeeded: generator.next()) }
    let (report, kept, invented) = try salvage(damaged, "headless")
    #expect(invented == 0)
    #expect(kept["plain_sample"] ?? 0 > 29_500)
    #expect(report.orphanPages > damaged.count / page / 3)
    #expect(report.sessions.map(\.uuid) == ["00000000-0000-4000-8000-000000000001"])
    #expect(report.sessions[0].isClean)
  }

  @Test func `a recording cut off in the middle gives what lies before the cut`() throws {
    let (report, kept, invented) = try salvage(Array(bytes[..<(bytes.count / 2 + 100)]), "cut")
    #expect(invented == 0)
    #expect(!report.isWhole)
    #expect(kept["plain_sample"] ?? 0 > 2_500)
    let said = report.sessions.first?.losses.first { $0.what == "samples" }?.count ?? 0
    #expect(said + (kept["plain_sample"] ?? 0) == 30_005)
  }

  @Test func `rows whose session, key or element is lost get one that says so`() throws {
    try Recordings.run("DELETE FROM session; DELETE FROM key; DELETE FROM item", on: whole)
    let output = folder.path("nameless recovered.kymo")
    let report = try RecordingSalvage.recover(whole, into: output)
    #expect(report.sessions.map(\.number) == [1])
    #expect(report.sessions[0].remarks.count == 1)
    let reader = try RecordingReader(path: output)
    #expect(try reader.keys(in: 1).map(\.name) == ["lost-name-0", "lost-name-1", "lost-name-2"])
    #expect(try reader.items(in: 1).count == 3)
    #expect(try Recordings.readEverything(output) > 25_000)
  }

  @Test func `flipped bytes and noise never stop a salvage`() throws {
    let small = folder.path("small.kymo")
    try Recordings.make(small)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: small)))
    var generator = SplitMix(seed: 33)
    let path = folder.path("hostile.kymo")
    let output = folder.path("hostile recovered.kymo")
    var saved = 0
    for round in 0..<120 {
      var damaged = bytes
      for _ in 0..<(1 + generator.next() % 64) {
        damaged[Int(generator.next() % UInt64(bytes.count))] =
          UInt8(truncatingIfNeeded: generator.next())
      }
      if round % 10 == 0 { damaged = Array(damaged[..<(bytes.count * (round + 1) / 121)]) }
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      do {
        _ = try RecordingSalvage.recover(path, into: output, replacing: true)
        saved += 1
        try Recordings.readEverything(output)
        let found = try RecordingExamination.examine(output, isDeep: true)
        #expect(found.filter { $0.severity == .damage } == [], "round \(round)")
      } catch {
        #expect(error.message.contains(".kymo"), "\(error)")
      }
      _ = try? RecordingExamination.examine(path, isDeep: true)
    }
    print("120 small recordings with random bytes: \(saved) gave something back")
    #expect(saved > 60)
    #expect(!FileManager.default.fileExists(atPath: output + ".part"))
  }

  @Test func `what is no recording, and what is there already, is refused`() throws {
    let output = folder.path("out.kymo")
    let text = folder.path("text.kymo")
    try Data(String(repeating: "hello, world\n", count: 2_000).utf8)
      .write(to: URL(fileURLWithPath: text))
    let refusals = [
      (folder.path("none.kymo"), StoreError.Code.notFound), (folder.url.path, .notAFile),
      (text, .damaged),
    ]
    for (path, code) in refusals {
      let error = #expect(throws: StoreError.self) {
        try RecordingSalvage.recover(path, into: output)
      }
      #expect(error?.code == code)
    }
    try Data("kept".utf8).write(to: URL(fileURLWithPath: output))
    let error = #expect(throws: StoreError.self) {
      try RecordingSalvage.recover(whole, into: output)
    }
    #expect(error?.code == .exists)
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == Data("kept".utf8))
    let same = #expect(throws: StoreError.self) {
      try RecordingSalvage.recover(whole, into: whole, replacing: true)
    }
    #expect(same?.code == .exists)
  }
}
