package import TimelineModel

/// A moment of a run that one may want to see: a start, a release, a settle, a note.
package struct PlayerMarker: Hashable, Sendable {
  /// What it is.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A gesture was recognised, or a transition started.
    case start
    /// The lift, or the step that asked for finish or cancel, with what was decided.
    case release
    /// The settle began.
    case settle
    /// A transition is over.
    case completion
    /// A note of the user's.
    case note
    /// An error or a warning.
    case trouble

    /// The character of the marker lane.
    package var sign: String {
      switch self {
      case .start: "▷"
      case .release: "▲"
      case .settle: "≈"
      case .completion: "□"
      case .note: "•"
      case .trouble: "!"
      }
    }
  }

  /// When it is, on the player's clock.
  package var time: Instant
  /// What it is.
  package var kind: Kind
  /// What is said of it.
  package var label: String
  /// Number of the run that it belongs to.
  package var run: Int

  /// Makes a marker.
  package init(time: Instant, kind: Kind, label: String, run: Int = 0) {
    self.time = time
    self.kind = kind
    self.label = label
    self.run = run
  }
}
