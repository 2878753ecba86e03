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
