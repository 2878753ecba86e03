package import TimelineModel
import TimelineStore

/// A format in which a session can be written. The raw values are the names for `kymo export`.
public struct ExportFormat: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// All formats, in the order in which help names them.
  public static let allCases: [ExportFormat] = [csv, ndjson, chrome, lottie, waapi, svg]

  /// Comma-separated values (RFC 4180) of one table.
  public static let csv = ExportFormat(CSVExport.self)
  /// Everything, one JSON object a line. `kymo record --from-ndjson` reads it back.
  public static let ndjson = ExportFormat(NDJSONExport.self)
  /// Trace events as JSON, for the Perfetto UI and Chrome.
  public static let chrome = ExportFormat(ChromeTraceExport.self)
  /// A Lottie animation: the stage with its items as rectangles.
  public static let lottie = ExportFormat(LottieExport.self)
  /// Keyframes of the Web Animations API, for every item.
  public static let waapi = ExportFormat(WebAnimationsExport.self)
  /// A picture that moves: SVG with SMIL animations.
  public static let svg = ExportFormat(SVGExport.self)

  /// The type that writes it.
  let type: any SessionFormat.Type

  private init(_ type: any SessionFormat.Type) { self.type = type }

  /// The format of a name. `nil` for another name.
  public init?(rawValue: String) {
    guard let format = ExportFormat.allCases.first(where: { $0.rawValue == rawValue }) else {
      return nil
    }
    self = format
  }

  /// The name for `kymo export`.
  public var rawValue: String { type.name }

  /// Whether it shows the stage, and so keeps the items' keyframes in memory until the end. The others
  /// are written row by row.
  public var isStage: Bool { type is any StageFormat.Type }

  /// The ending of files of this format.
  package var fileEnding: String { type.fileEnding }

  /// Whether it has values of keys.
  package func hasKeys(in table: ExportTable) -> Bool { type.hasKeys(in: table) }

  /// Whether it has items.
  package func hasItems(in table: ExportTable) -> Bool { type.hasItems(in: table) }
}

/// A format of ``SessionExport``. A new one conforms to this, and is a constant and an entry of
/// ``ExportFormat/allCases``.
protocol SessionFormat: ExportWriter, SendableMetatype {
  /// The name for `kymo export`.
  static var name: String { get }
  /// The name in sentences.
  static var title: String { get }
  /// The ending of its files. ``name`` by default.
  static var fileEnding: String { get }
  /// Whether it has values of keys. True by default.
  static func hasKeys(in table: ExportTable) -> Bool
  /// Whether it has items. True by default.
  static func hasItems(in table: ExportTable) -> Bool
  /// How many rows are read for it. 0 if that is not known.
  static func rowCount(of counts: RecordCounts, in table: ExportTable) -> Int64
  /// Writes a session.
  static func write(_ work: ExportWork) throws -> ExportReport
}

extension SessionFormat {
  static var fileEnding: String { name }
  static func hasKeys(in table: ExportTable) -> Bool { true }
  static func hasItems(in table: ExportTable) -> Bool { true }
  static func rowCount(of counts: RecordCounts, in table: ExportTable) -> Int64 {
    counts.samples + counts.frames + counts.touches + counts.events
  }
}

/// A format that shows the stage by keyframes of its items.
protocol StageFormat: SessionFormat {
  /// The curves that the keyframes have.
  static var tracks: StageTracks { get }
  init(work: ExportWork, motion: StageMotion)
  func write()
}

extension StageFormat {
  static func hasKeys(in table: ExportTable) -> Bool { false }
  static func rowCount(of counts: RecordCounts, in table: ExportTable) -> Int64 { counts.frames }
  static func write(_ work: ExportWork) throws -> ExportReport {
    let motion = try StageMotion(tracks, of: work)
    Self(work: work, motion: motion).write()
    return ExportReport(keyframeCount: motion.keyframeCount, poseCount: motion.poseCount)
  }
}

/// A format for touches alone. A new one conforms to this and is an entry of ``touchFormats``.
package protocol TouchFormat: SendableMetatype {
  /// The name for `kymo export`.
  static var name: String { get }
  /// Whether its files say how large the touch screen is.
  static var hasPanel: Bool { get }
  /// Writes touches.
  ///
  /// - Parameters:
  ///   - touches: The touches.
  ///   - map: Converts their positions to those of the format.
  ///   - panel: How many units the touch screen has. `nil`: as many as the touches need.
  ///   - output: Takes the bytes piece by piece.
  /// - Returns: What the format cannot carry, one sentence a kind.
  /// - Throws: Whatever `output` throws.
  static func write(
    _ touches: [TouchSample], map: PositionMap, panel: Size2D?,
    to output: @escaping ([UInt8]) throws -> Void
  ) throws -> [String]
}

/// All formats for touches.
package let touchFormats: [any TouchFormat.Type] = [DevToolsTouches.self, EvemuTouches.self]
