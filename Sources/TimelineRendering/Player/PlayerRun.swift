package import TimelineModel

/// A run as the player knows it without asking the recording: everything on the player's clock.
package struct PlayerRun: Hashable, Sendable {
  /// The decision at a release, in words, and how fast it was.
  package struct Release: Hashable, Sendable {
    /// The lift.
    package var time: Instant
    /// The decision. `nil`: not known.
    package var outcome: ReleaseOutcome?
    /// "finish, 0.339 past the threshold, progress 2.71/s (2.48 to 2.95)".
    package var words: String
    /// The progress that the rule compared with, or at which it would have said the other. `nil` without one.
    package var border: ReleaseBorder?

    package init(
      time: Instant, outcome: ReleaseOutcome? = nil, words: String, border: ReleaseBorder? = nil
    ) {
      self.time = time
      self.outcome = outcome
      self.words = words
      self.border = border
    }
  }

  /// A curve with its drawn part.
  package struct Line: Hashable, Sendable {
    package var curve: PlayerCurve
    /// Its drawn part.
    package var outline: [Sample]
    /// The smallest value drawn. 0 without any.
    package var lowest: Double
    /// The largest value drawn. 0 without any.
    package var highest: Double

    /// Prepares a curve for a range of time.
    package init(_ curve: PlayerCurve, in range: ClosedRange<Instant>) {
      self.curve = curve
      outline = curve.outline(in: range)
      lowest = outline.map(\.value).min() ?? 0
      highest = outline.map(\.value).max() ?? 0
    }
  }

  /// File and session, for the header.
  package var title: String
  /// The decision, for the header. Empty where nothing was.
  package var headline: String
  /// The curves, in the order of the keys.
  package var lines: [Line]
  package var releases: [Release]

  package init(title: String, headline: String, lines: [Line], releases: [Release]) {
    self.title = title
    self.headline = headline
    self.lines = lines
    self.releases = releases
  }

  /// The line of a key. `nil` where the run has none.
  package func line(named name: String) -> Line? { lines.first { $0.curve.name == name } }
}

/// The content of a run at an instant: its frame, as it was read from the recording.
package struct PlayerMoment: Hashable, Sendable {
  /// The number of the frame among all of them, from 1. 0 before the first.
  package var frame: Int
  package var frameCount: Int
  /// The session's phase. `nil` before the first frame.
  package var phase: MotionPhase?
  /// The viewport with the elements, in the viewport's coordinates. `nil` where neither is known.
  package var stage: StagePicture?
  /// Where contacts are down, in the viewport's coordinates.
  package var touches: [Point2D]

  package init(
    frame: Int, frameCount: Int, phase: MotionPhase? = nil, stage: StagePicture? = nil,
    touches: [Point2D] = []
  ) {
    self.frame = frame
    self.frameCount = frameCount
    self.phase = phase
    self.stage = stage
    self.touches = touches
  }
}
