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
