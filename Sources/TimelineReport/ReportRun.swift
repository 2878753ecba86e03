package import TimelineModel
public import TimelineStore

/// One recorded session, packed for a report: everything that the report shows of it, and nothing else.
///
/// ```swift
/// let reader = try RecordingReader(path: "pinch.kymo")
/// let run = try ReportRun(session: try reader.sessionRecord(1), in: reader)
/// try ReportPage(run).write(to: "pinch.html")
/// ```
///
/// Packing rounds: positions and sizes to 1/1024 point, a key's values to a millionth of its range. A
/// session that would take more than its share of bytes is thinned, and the report says how much.
public struct ReportRun: Sendable {
  /// The recording's name without its folder.
  package let file: String
  /// The session as the recording has it.
  public let session: SessionRecord
  /// How many frames of the display it has. All of them are in the report, with their times.
  package let frameCount: Int
  /// Of every so many frames one keeps its poses. 1: all do.
  package let stride: Int
  /// The farthest that a side of an upright element is off in a frame whose poses are not kept, in
  /// points, besides the rounding. 0 where all are kept.
  package let largestError: Double
  /// What of the session is not in the report as it was recorded, a sentence each. Empty for a session
  /// that fits.
  package let thinning: [String]
  /// The first transition's start. `nil` where there is none.
  package let firstStart: Instant?

  /// What the report knows beside the packed numbers.
  let header: FieldValue
  /// The packed numbers in base64.
  let packed: [UInt8]

  /// How many bytes a session may take in a report unless told otherwise: with the report's own 200
  /// thousand it stays under 10 MB, which browsers open at once and mail takes.
  public static let defaultByteLimit = 9_700_000

  /// Packs a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording that it is in.
  ///   - byteLimit: How many bytes it may take in the report. What cannot be left out (names, the times of
  ///     frames) may exceed a small limit, and the report then says by how much.
  ///   - progress: Called with the share that is done, 0 to 1, now and then.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the session's rows, once more for each time that it has to be thinned;
  ///   memory for a second of frames and for what is packed.
  public init(
    session: SessionRecord, in reader: RecordingReader,
    byteLimit: Int = ReportRun.defaultByteLimit, progress: (Double) -> Void = { _ in }
  ) throws {
    try reader.beginState()
    defer { reader.endState() }
    self.session = session
    var packing = try RunPacking(session, in: reader)
    try packing.packSamples(byteLimit: byteLimit)
    try packing.packTouches(byteLimit: byteLimit)
    packing.packStory(byteLimit: byteLimit)
    try packing.packStates()
    packing.packEvents(byteLimit: byteLimit)
    packing.packReleases(byteLimit: byteLimit)
    try packing.packPoses(byteLimit: byteLimit, progress: progress)
    packing.measureExcess(over: byteLimit)
    frameCount = packing.frameCount
    stride = packing.poses.stride
    largestError = packing.poses.largestError
    thinning = packing.thinning
    firstStart = try reader.transitions(in: session.number).lazy.compactMap(\.start).first
    file = packing.file
    header = packing.header
    packed = packing.text.bytes
  }
}
