import Foundation
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

@Suite struct SealingTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private func seal(
    _ precision: SealPrecision = .exact, at path: String? = nil
  ) throws -> SealingReport {
    let editor = try RecordingEditor(path: path ?? self.path)
    defer { withExtendedLifetime(editor) {} }
    return try editor.seal(session: 1, precision: precision)
  }

  private func expand() throws -> SealingReport {
    try RecordingEditor(path: path).expand(session: 1)
  }

  private let questions = [
    "SELECT * FROM plain_attribute ORDER BY session, frame, item",
    "SELECT * FROM attributes ORDER BY session, frame, item",
    "SELECT frame, count(*) FROM plain_attribute WHERE session = 1 GROUP BY frame ORDER BY frame",
    "SELECT * FROM attributes WHERE session = 1 AND frame = 7 ORDER BY item",
    "SELECT * FROM plain_attribute WHERE session = 1 AND frame > 30 AND frame <= 65.5 ORDER BY frame, item",
    "SELECT count(*) FROM plain_attribute WHERE session = 2",
    "SELECT count(*) FROM plain_attribute WHERE frame IN (3, 70, 1, 3000) AND session IN (2, 1)",
    "SELECT frame, item FROM plain_attribute WHERE session = 1 AND frame >= 100 ORDER BY 1 DESC, 2 DESC",
    "SELECT count(*) FROM plain_attribute WHERE frame < 'x' AND frame > NULL",
    "SELECT f.frame, (SELECT count(*) FROM plain_attribute AS a WHERE a.session = f.session "
      + "AND a.frame = f.frame) FROM frame AS f ORDER BY f.frame",
    "SELECT typeof(center_x), count(*) FROM plain_attribute GROUP BY 1 ORDER BY 1",
  ]

  @Test(arguments: 0..<6)
  func `what is sealed gives the same answers, and the same rows when it is expanded`(
    seed: Int
  ) throws {
    try SealedRecordings.make(path, seed: UInt64(seed))
    let rows = try SealedRecordings.dump(path)
    let frames = try SealedRecordings.frames(path)
    let answers = try questions.map { try RecordingReader(path: path).query($0).rest() }

    let report = try seal()
    #expect(report.segments == 3)
    #expect(report.plainRows > 0)
    #expect(try SealedRecordings.frames(path) == frames)
    for (question, answer) in zip(questions, answers) {
      #expect(try RecordingReader(path: path).query(question).rest() == answer, "\(question)")
    }
    // Only key frames and what is too small are rows still, for any tool.
    let plain = try SealedRecordings.strings("SELECT DISTINCT frame FROM plain_attribute", path)
    #expect(plain.sorted() == ["0", "120", "121", "122", "60"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])

    let again = try seal()
    #expect(again.segments == 0)
    #expect(again.plainRows == report.plainRows)
    #expect(try expand().rows == report.rows)
    #expect(try SealedRecordings.dump(path) == rows)
    #expect(try expand().segments == 0)
  }

  @Test("Expanding takes some dozens of SQLite's steps a row, and twice the segments twice as many")
  func expandingIsCheap() throws {
    func steps(_ segments: Int) throws -> (steps: Int, rows: Int) {
      let path = folder.path("\(segments).kymo")
      try SealedRecordings.make(path, segments: segments)
      _ = try RecordingEditor(path: path).seal(session: 1)
      var rows = 0
      let steps = try sqliteSteps {
        rows = Int(try RecordingEditor(path: path).expand(session: 1).rows)
      }
      return (steps, rows)
    }
    let (few, many) = (try steps(6), try steps(12))
    #expect(few.rows > 4000)
    #expect(many.rows > 9000)
    #expect(Double(many.steps - few.steps) < 60 * Double(many.rows - few.rows))
  }

  @Test func `any single frame of a sealed recording is the one that was recorded`() throws {
    try SealedRecordings.make(path)
    let frames = try SealedRecordings.frames(path)
    _ = try seal()
    for number in frames.indices {
      let place = Int64(number)
      #expect(try SealedRecordings.frames(path, place...place) == [frames[number]])
    }
  }

  @Test func `the same recording gives the same file, byte for byte`() throws {
    let other = folder.path("other.kymo")
    for path in [path, other] {
      try SealedRecordings.make(path)
      _ = try seal(at: path)
    }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path))
        == Data(contentsOf: URL(fileURLWithPath: other)))
  }

  @Test(arguments: [SealPrecision.float32, .point1024])
  func `a rounded session says so, is rounded once, and comes back as it was rounded`(
    precision: SealPrecision
  ) throws {
    try SealedRecordings.make(path)
    let numbers = "SELECT center_x, alpha, transform_tx FROM plain_attribute ORDER BY frame, item"
    let before = try RecordingReader(path: path).query(numbers).rest()
    let report = try seal(precision)
    #expect(try #require(report.largestRounding) > 0)
    #expect(try RecordingReader(path: path).sessionRecord(1).precision == precision)
    let after = try RecordingReader(path: path).query(numbers).rest()
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) {
      #expect(real(new[0]) == real(old[0]).map(precision.length))
      #expect(real(new[1]) == real(old[1]).map(precision.number))
      #expect(real(new[2]) == real(old[2]).map(precision.length))
    }
    let frames = try SealedRecordings.frames(path)
    #expect(try seal(precision).segments == 0)
    #expect(try seal(.exact).segments == 0)
    _ = try expand()
    #expect(try SealedRecordings.frames(path) == frames)
    #expect(try RecordingReader(path: path).sessionRecord(1).precision == precision)
    _ = try seal()
    #expect(try SealedRecordings.frames(path) == frames)
    #expect(
      try SealedRecordings.strings("SELECT DISTINCT precision FROM segment", path)
        == [precision.rawValue])
  }

  private func real(_ value: SQLValue) -> Double? {
    switch value {
    case .real(let real): real
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  @Test func `rounding a sealed session takes less room, and lengths stay near`() throws {
    try SealedRecordings.make(
      path, shape: RandomSegments.Shape(items: 40, frames: 60, spatialEvery: 0))
    let exact = try seal().bytes
    let report = try seal(.point1024)
    #expect(report.segments == 3)
    #expect(report.bytes < exact)
    #expect(SealPrecision.point1024.length(1.0 / 3) == 341.0 / 1024)
    #expect(SealPrecision.point1024.length(-0.0001).sign == .plus)
    #expect(SealPrecision.point1024.length(1e300) == 1e300)
    #expect(SealPrecision.float32.length(1e300) == 1e300)
    #expect(SealPrecision.float32.number(1.0 / 3) == Double(Float(1.0 / 3)))
  }

  @Test func `a file that is being recorded is refused and left alone`() throws {
    let store = try SealedRecordings.make(path, isFinished: false)
    let error = #expect(throws: StoreError.self) { try RecordingEditor(path: path) }
    #expect(error?.code == .busy)
    withExtendedLifetime(store) {}
    #expect(throws: StoreError.self) { try RecordingEditor(path: folder.path("absent.kymo")) }
  }

  @Test func `a session without a clean end is told apart`() throws {
    _ = try SealedRecordings.make(path, isFinished: false)
    let editor = try RecordingEditor(path: path)
    let sessions = try editor.sessions()
    #expect(sessions.map(\.isFinished) == [false])
    #expect(throws: StoreError.self) { try editor.seal(session: 9) }
  }

  @Test func `transforms in words that no recorder writes stay rows`() throws {
    try SealedRecordings.make(path)
    try Recordings.run(
      """
      UPDATE plain_attribute SET transform_3d = replace(transform_3d, ',0,', ',0.0,')
      WHERE frame < 60 AND transform_3d IS NOT NULL
      """, on: path)
    let rows = try SealedRecordings.dump(path)
    #expect(try seal().segments == 2)
    _ = try expand()
    #expect(try SealedRecordings.dump(path) == rows)
  }

  @Test func `numbers that no segment can have stay rows`() throws {
    try SealedRecordings.make(path)
    for (frame, item) in [((1 << 48) - 1, Int64(Int32.max)), (1 << 40, 0), (1 << 33, 1)]
      as [(Int64, Int64)]
    {
      try Recordings.run(
        """
        INSERT INTO frame VALUES (1, \(frame), 0, 0, 1, NULL, 0.0, 0.0, 0.0, 0.0, NULL, 0);
        INSERT INTO plain_attribute SELECT session, \(frame), \(item), change, index_section, index_item,
        center_x, center_y, width, height, alpha, z_index, hidden, transform_a, transform_b,
        transform_c, transform_d, transform_tx, transform_ty, transform_3d
        FROM plain_attribute WHERE change = 0 LIMIT 1;
        """, on: path)
    }
    let rows = try SealedRecordings.dump(path)
    _ = try seal()
    _ = try expand()
    #expect(try SealedRecordings.dump(path) == rows)
  }
}
