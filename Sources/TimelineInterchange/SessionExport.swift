import TimelineModel
import TimelineSession
public import TimelineStore

/// Writes one session of a recording in another format.
///
/// ```swift
/// let reader = try RecordingReader(path: "run.kymo")
/// let export = try SessionExport(try reader.sessionRecord(1), in: reader)
/// let report = try export.write(.lottie) { bytes in file.append(contentsOf: bytes) }
/// for loss in report.losses { print(loss.sentence) }
/// ```
///
/// The same rows give the same bytes. CSV, NDJSON and Chrome traces are written row by row: beside the names of
/// keys and items they need the memory of one frame. Lottie, Web Animations and SVG group by item what is
/// recorded by frame, so they keep the keyframes that are left after thinning, about 100 bytes each. Not
/// Sendable: it reads through the reader's connection.
public struct SessionExport {
  /// The session.
  public let session: SessionRecord
  /// What is written of it.
  public let options: ExportOptions
  let reader: RecordingReader
  /// All keys, in the order of their numbers, and after them the computed ones that are asked for.
  private(set) var keys: [KeyRecord]
  /// All items, in the order of their numbers.
  let items: [ItemRecord]
  /// The values of elements, of fingers and of the viewport that are asked for.
  private var computed: [Track] = []

  /// Looks at what the session has.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording that it is in.
  ///   - options: What of it is written. Everything by default.
  /// - Throws: `StoreError`: the file cannot be read.
  public init(
    _ session: SessionRecord, in reader: RecordingReader, options: ExportOptions = ExportOptions()
  ) throws(StoreError) {
    self.session = session
    self.options = options
    self.reader = reader
    keys = try reader.keys(in: session.number)
    items = try reader.items(in: session.number)
  }

  /// Writes the session.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - progress: Called now and then with how far the work is, from 0 to 1.
  ///   - output: Takes the bytes piece by piece, 64 KiB or a row at a time.
  /// - Returns: What the format could not carry.
  /// - Throws: `StoreError` when the file cannot be read, and whatever `output` throws.
  public func write(
    _ format: ExportFormat, progress: @escaping (Double) -> Void = { _ in },
    to output: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    // All that is written is from one state of the file.
    try reader.beginState()
    defer { reader.endState() }
    let text = ExportText(output)
    let losses = LossCounter(format)
    var export = self
    if format.hasKeys(in: options.table), let names = options.keys {
      export.computed = try FileSource(session, in: reader).computedTracks(names, besides: keys)
      export.keys += export.computed.map(\.record)
    }
    let work = ExportWork(
      export: export, text: text, losses: losses,
      steps: ExportSteps(
        total: session.counts.map { format.type.rowCount(of: $0, in: options.table) } ?? 0, progress
      ))
    var report = try format.type.write(work)
    try text.finish()
    report.losses = losses.losses
    return report
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension SessionExport: Sendable {}

extension SessionExport {
  /// The samples in the range that is asked for, with those of computed keys.
  func samples() throws -> RowCursor<SampleRecord> {
    try FileSource(session, in: reader).samples(and: computed, in: options.range)
  }

  /// Whether a key is written.
  func takes(_ key: KeyRecord) -> Bool { options.keys?.contains(key.name) ?? true }

  /// Whether an item is written.
  func takes(_ item: ItemRecord) -> Bool { options.items?.contains(item.identity.id) ?? true }

  /// The keys that are written, by their numbers.
  var writtenKeys: [KeyHandle: KeyRecord] {
    Dictionary(keys.filter(takes).map { ($0.handle, $0) }) { first, _ in first }
  }

  /// The items that are written, by their numbers.
  var writtenItems: [ItemHandle: ElementIdentity] {
    Dictionary(items.filter(takes).map { ($0.handle, $0.identity) }) { first, _ in first }
  }
}
