/// The table `block`: one property of every element in a segment.
struct BlockTable: RecordingTable {
  static let name = "block"
  static let columns = ["session", "first_frame", "property", "checksum", "data"]
  static let ofSegment = selectText + " WHERE session = ?1 AND first_frame = ?2"
  static var texts: [String] { [insertText, ofSegment] }
}
