/// How large and how old a recording may become before its oldest content is taken out.
public struct RecordingLimit: Hashable, Sendable {
  /// Bytes that the recording may take, its log and crash journal not counted; nil: any number. At
  /// least ``smallestSizeBytes``, which a smaller number is taken as.
  public var sizeBytes: Int64?
  /// Nanoseconds of the wall clock after which an ended session is taken out; nil: never.
  public var ageNanoseconds: Int64?

  /// The smallest limit of size, in bytes: 4 MiB, some seconds of 200 elements that all move.
  public static let smallestSizeBytes: Int64 = 4 << 20

  /// Makes a limit; what is not given is not limited.
  public init(sizeBytes: Int64? = nil, ageNanoseconds: Int64? = nil) {
    self.sizeBytes = sizeBytes.map { max($0, Self.smallestSizeBytes) }
    self.ageNanoseconds = ageNanoseconds
  }

  /// Content in bytes beyond which something is taken out: a sixteenth of the size is left for what the
  /// tables take beside their rows, and what is about to come, half of the size at most.
  ///
  /// - Parameter room: Bytes that are about to come.
  func startBytes(room: Int64) -> Int64? { sizeBytes.map { $0 - $0 / 16 - min(room, $0 / 2) } }

  /// Rows of elements after which a key frame is due: only what is before one can be taken out. A
  /// sixteenth of the size, at 64 bytes a row.
  package var keyFrameRows: Int { sizeBytes.map { Int(clamping: $0 / 16 / 64) } ?? .max }
}
