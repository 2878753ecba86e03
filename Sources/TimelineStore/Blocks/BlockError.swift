/// Why the bytes of a block are no block of its segment.
package enum BlockError: Error, Hashable, Sendable {
  /// The bytes are not the ones that were written: their checksum differs.
  case checksum
  /// The bytes end before the block does.
  case truncated
  /// Bytes are left over after the block's last value.
  case surplus
  /// The format's version, or the sort of content, is unknown to this program.
  case unknownFormat
  /// A count in the block differs from that of its segment, or is beyond what a segment can hold.
  case wrongCount
  /// A value that no recorder writes: not finite, out of range, or out of order.
  case wrongValue
  /// The segment lacks the block.
  case missing

  /// What is wrong, as the end of a sentence about the block.
  package var found: String {
    switch self {
    case .checksum: "its checksum differs"
    case .truncated: "it ends too early"
    case .surplus: "it has bytes too many"
    case .unknownFormat: "its format is unknown"
    case .wrongCount: "its counts contradict its segment"
    case .wrongValue: "it holds what no recorder writes"
    case .missing: "it is missing"
    }
  }
}
