public import TimelineModel
import TimelineStore

/// What of a session is written, and how.
public struct ExportOptions: Hashable, Sendable {
  /// Only values of these names. `nil`: all recorded keys. A name is a key's, an element's number's
  /// (`item.card.center.y`), a finger's (`finger.y`) or one of the viewport's.
  public var keys: [String]?
  /// Only elements with these identifiers. `nil`: all. A Chrome trace draws curves of the named ones.
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

/// The tables that ``ExportFormat/csv`` writes, one at a time. Named after the recording's views.
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
