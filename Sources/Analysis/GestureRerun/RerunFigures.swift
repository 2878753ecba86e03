package import TimelineModel
import TimelineQuery
package import TimelineStore

/// What one release came to, in the numbers by which runs are held against each other; each is computed by the function
/// that tells it of any recording.
package struct RerunFigures: Sendable, Hashable {
  /// The release; nil where nothing was released.
  package var release: ReleaseRecord?
  /// What a person said that it meant; nil: nothing.
  package var meaning: GestureMeaning?
  /// How far the progress was from the other outcome, no unit; see `kymo velocity`.
  package var margin: Double?
  /// Seconds until the settle of the key is over, as `kymo velocity` has it.
  package var settleTimeSeconds: Double?
  /// Milliseconds from the release until the key stays within 2 % of the way from its last value.
  package var settle2Milliseconds: Double?
  /// How far the key went beyond its last value, in percent of the way.
  package var overshootPercent: Double?

  /// Tells the figures of each release of a session; of one without a release a single row.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - labels: What was said of its releases.
  ///   - key: The name of the key that settling and overshoot are of.
  /// - Throws: `StoreError` when the file cannot be read.
  package static func all(
    of session: SessionRecord, in reader: RecordingReader, labels: [ReleaseLabel], key: String
  ) throws -> [RerunFigures] {
    let metrics = try SessionMetrics(session, in: reader)
    let releases = try reader.releases(in: session.number)
    let handle = try reader.keys(in: session.number).first { $0.name == key }?.handle
    let estimates = try releases.estimates(of: session, in: reader).filter { $0.key == handle }
    func figures(_ index: Int, _ release: ReleaseRecord?) throws -> RerunFigures {
      let estimate = estimates.first {
        $0.transition == release?.transition && $0.time == release?.time
      }
      return RerunFigures(
        release: release,
        meaning: labels.first { $0.transition == release?.transition }?.meaning,
        margin: metrics.value(.margin, transition: index),
        settleTimeSeconds: try reader.settleSeconds(
          of: handle, after: release, in: session, estimate?.settleTimeSeconds),
        settle2Milliseconds: metrics.value(.settle2, key: key, transition: index),
        overshootPercent: metrics.value(.overshoot, key: key, transition: index))
    }
    guard !releases.all.isEmpty else { return [try figures(0, nil)] }
    return try releases.all.enumerated().map { try figures($0.offset, $0.element) }
  }

  /// Whether it was decided otherwise than it was meant; nil: that is not known.
  package var isWrong: Bool? { release.flatMap { meaning?.isContradicted(by: $0.outcome) } }

  /// The figures as fields of a row.
  package var fields: [EventField] {
    [
      EventField("transition", FieldValue(release?.transition)),
      EventField("t_ns", FieldValue(release?.time)),
      EventField("decision", FieldValue(release?.outcome.rawValue)),
      EventField("label", FieldValue(meaning?.rawValue)),
      EventField("wrong", isWrong.map(FieldValue.flag) ?? .null),
      EventField("decidedBy", FieldValue(release?.decidedBy)),
      EventField("progress", FieldValue(release?.progress)),
      EventField("margin", FieldValue(margin)),
      EventField("settleTime_s", FieldValue(settleTimeSeconds)),
      EventField("settle_2_ms", FieldValue(settle2Milliseconds)),
      EventField("overshoot_percent", FieldValue(overshootPercent)),
    ]
  }
}
