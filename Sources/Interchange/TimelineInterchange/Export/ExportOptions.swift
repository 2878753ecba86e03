public import TimelineModel
import TimelineStore

/// What of a session is written, and how.
public struct ExportOptions: Hashable, Sendable {
  /// Only values of keys with these names; nil: all.
  public var keys: [String]?
  /// Only elements with these identifiers; nil: all. A Chrome trace draws curves of the named ones.
  public var items: [String]?
  /// Only what lies in this time, both ends included.
  public var range: ClosedRange<Instant> = RecordingReader.allTime
  /// The table that CSV writes.
  public var table = ExportTable.samples
  /// Whether CSV writes one column for each key in place of one row for each value.
  public var isWide = false
  /// Whether CSV puts an apostrophe before text that a spreadsheet would take for a formula.
  public var guardsFormulas = false
  /// How far off a moment between two keyframes of Lottie, Web Animations and SVG may be, in the unit of
  /// what moves: points, degrees, percent of opacity or scale. 0 keeps all that is not on a straight line.
  public var tolerance = ExportOptions.defaultTolerance

  /// A twentieth of a point: a sixth of a pixel of the densest displays there are (three to a point),
  /// which no eye sees.
  public static let defaultTolerance = 0.05

  /// Everything, as each format does it by default.
  public init() {}
}

/// What a session can be written as. The raw values are the names for `kymo export`.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// Comma-separated values (RFC 4180) of one table.
  case csv
  /// Everything, one JSON object a line; `kymo record --from-ndjson` reads it back.
  case ndjson
  /// Trace events as JSON, for the Perfetto UI and Chrome.
  case chrome
  /// A Lottie animation: the stage with its items as rectangles.
  case lottie
  /// Keyframes of the Web Animations API, for every item.
  case waapi
  /// A picture that moves: SVG with SMIL animations.
  case svg

  /// Whether it shows the stage, and so keeps the items' keyframes in memory until the end; the others
  /// are written row by row.
  public var isStage: Bool {
    switch self {
    case .csv, .ndjson, .chrome: false
    case .lottie, .waapi, .svg: true
    }
  }
}

/// The tables that ``ExportFormat/csv`` writes, one at a time; named after the recording's views.
public enum ExportTable: String, Hashable, Sendable, CaseIterable {
  /// Values of keys.
  case samples
  /// Frames of the display.
  case frames
  /// What became of elements in each frame, a row where something changed.
  case attributes
  /// Events.
  case events
  /// Reports of contacts.
  case touches
  /// Release decisions.
  case decisions
}
