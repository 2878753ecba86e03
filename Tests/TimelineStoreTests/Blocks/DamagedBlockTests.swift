import TestSupport
import Testing

@testable import TimelineStore

@Suite struct DamagedBlockTests {
  let folder: TemporaryFolder
  let path: String
  /// The frames as they were recorded.
  let frames: [String]

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("run.kymo")
    try SealedRecordings.make(path)
    frames = try SealedRecordings.frames(path)
    _ = try RecordingEditor(path: path).seal(session: 1)
  }

  /// Damages the segment that begins with frame 60 and expects that its frames are refused by name, while
  /// key frames and the other segments are read.
  private func damage(_ sql: String, names property: String) throws {
    try Recordings.run(sql, on: path)
    let error = #expect(throws: StoreError.self) { try SealedRecordings.frames(path) }
    #expect(error?.code == .damaged)
    let message = error?.message ?? ""
    #expect(
      message.contains("block \(property) of the frames 60 to 119 of session 1"), "\(message)")
    #expect(throws: StoreError.self) { try SealedRecordings.frames(path, 61...61) }
    #expect(try SealedRecordings.frames(path, 0...60) == Array(frames[0...60]))
    #expect(try SealedRecordings.frames(path, 120...400) == Array(frames[120...]))
    let query = #expect(throws: StoreError.self) {
      try RecordingReader(path: path).query("SELECT count(*) FROM attributes").rest()
    }
    #expect(query?.message.contains("block \(property)") == true, "\(query?.message ?? "")")
    #expect(throws: StoreError.self) { try RecordingEditor(path: path).expand(session: 1) }
  }

  @Test func `a byte of a block that changed is told with session, frames and property`() throws {
    try damage(
      """
      UPDATE block SET data = CAST(substr(data, 1, 9) || x'5a5b' || substr(data, 12) AS BLOB)
      WHERE property = 'center_y' AND first_frame = 60
      """, names: "center_y")
  }

  @Test func `a block that ends early is told`() throws {
    try damage(
      "UPDATE block SET data = substr(data, 1, 20) WHERE property = 'width' AND first_frame = 60",
      names: "width")
  }

  @Test func `blocks that changed places are told`() throws {
    try damage(
      """
      UPDATE block SET (data, checksum) = (SELECT b.data, b.checksum FROM block AS b
      WHERE b.first_frame = 0 AND b.property = block.property)
      WHERE property = 'alpha' AND first_frame = 60
      """, names: "alpha")
  }

  @Test func `properties that changed places are told`() throws {
    try damage(
      """
      UPDATE block SET property = 'x' WHERE property = 'height' AND first_frame = 60;
      UPDATE block SET property = 'height' WHERE property = 'center_x' AND first_frame = 60;
      UPDATE block SET property = 'center_x' WHERE property = 'x'
      """, names: "center_x")
  }

  @Test func `a block that is gone, or is no block at all, is told`() throws {
    try damage(
      "DELETE FROM block WHERE property = 'transform_tx' AND first_frame = 60",
      names: "transform_tx")
  }

  @Test func `a segment's row that says something else is told`() throws {
    try Recordings.run(
      "UPDATE segment SET row_count = row_count + 1 WHERE first_frame = 60", on: path)
    let error = #expect(throws: StoreError.self) { try SealedRecordings.frames(path) }
    #expect(error?.code == .damaged)
  }

  @Test func `segments with numbers that none can have give an error and nothing worse`() throws {
    for (first, last, rows) in [
      (Int64.max, Int64.max, Int64(5)), (1, .max, .max), (60, 119, .max), (-5, 119, 3),
      (119, 60, 3),
    ] {
      try Recordings.run(
        """
        UPDATE segment SET first_frame = \(first), last_frame = \(last), row_count = \(rows)
        WHERE session = 1 AND first_frame = 60
        """, on: path)
      _ = try? SealedRecordings.frames(path)
      _ = try? RecordingReader(path: path).query("SELECT count(*) FROM plain_attribute").rest()
      try Recordings.run(
        """
        UPDATE segment SET first_frame = 60, last_frame = 119, row_count = 2000
        WHERE first_frame = \(first)
        """, on: path)
    }
  }

  @Test func `rows that stand in the table and in blocks are told`() throws {
    try Recordings.run(
      """
      INSERT INTO plain_attribute (session, frame, item, change) SELECT 1, frame, 0, 2 FROM frame
      WHERE frame BETWEEN 61 AND 118
      """, on: path)
    let error = #expect(throws: StoreError.self) { try SealedRecordings.frames(path) }
    #expect(error?.message.contains("both as rows and in blocks") == true)
  }
}
