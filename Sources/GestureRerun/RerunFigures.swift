import MotionJudgement
import MotionMeasures
package import TimelineModel
package import TimelineStore

/// What one release came to, in the numbers by which runs are held against each other. Each is computed by the function
/// that tells it of any recording.
package struct RerunFigures: Sendable, Hashable {
  /// The release. `nil` where nothing was released.
  package var release: ReleaseRecord?
  /// What a person said that it meant. `nil`: nothing.
  package var meaning: GestureMeaning?
  /// How far the progress was from the other outcome, no unit. See `kymo velocity`.
  package var margin: Double?
  /// Seconds until the settle of the key is over, as `kymo velocity` has it.
  package var settleTimeSeconds: Double?
  /// Milliseconds from the release until the key stays within 2 % of the way from its last value.
  package var settle2Milliseconds: Double?
  /// How far the key went beyond its last value, in percent of the way.
  package var overshootPercent: Double?

  /// Tells the figures of each release of a session. Of one without a release a single row.
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

  /// Whether it was decided otherwise than it was meant. `nil`: that is not known.
  package var isWrong: Bool? { release.flatMap { meaning?.isContradicted(by: $0.outcome) } }
}

extension RerunFigures: ResultRow {
  package static let fields: [ResultField<RerunFigures>] = [
    ResultField("transition", "The transition's number, counted from 0.", \.release?.transition),
    ResultField("t_ns", "The instant of the release.", inTable: false, \.release?.time),
    ResultField("decision", "The outcome: finish or cancel.", \.release?.outcome),
    ResultField("label", "The label: finish, cancel or unsure.", \.meaning),
    ResultField("wrong", "Whether the decision differs from the label.", \.isWrong),
    ResultField("decided_by", "The source of the decision.", inTable: false, \.release?.decidedBy),
    ResultField("progress", "The progress at the release.", inTable: false, \.release?.progress),
    ResultField(metric(.margin), "Distance of the progress from the other outcome.", \.margin),
    ReleaseEstimate.settleTime.rowField.reading(\.settleTimeSeconds),
    ResultField(
      metric(.settle2), unit: "ms", "Time until the key stays within 2 % of its last value.",
      \.settle2Milliseconds),
    ResultField(metric(.overshoot), unit: "%", "Movement past the end.", \.overshootPercent),
  ]

  private static func metric(_ name: Measure) -> String { name.rawValue }
}

/// The figures of one release of a session that was run again, or of the recorded one.
package struct RerunRow: ResultRow {
  let figures: RerunFigures
  let run: String
  let path: String?
  let value: FieldValue
  /// The recording and its session. `nil` of one among the temporary files.
  let file: String?
  let session: SessionRecord?

  /// Makes a row.
  ///
  /// - Parameters:
  ///   - figures: The figures.
  ///   - run: "recorded" or "again".
  ///   - path: The path in the scenario that has several values.
  ///   - value: The value there, a number or text. Null: none.
  ///   - file: The recording that is kept. `nil`: none.
  ///   - session: The session.
  package init(
    _ figures: RerunFigures, run: String, path: String?, value: FieldValue, file: String?,
    session: SessionRecord
  ) {
    (self.figures, self.run, self.path, self.value) = (figures, run, path, value)
    (self.file, self.session) = (file, file == nil ? nil : session)
  }

  package static let fields: [ResultField<RerunRow>] =
    changed + RerunFigures.fields.of(\.figures) + written

  private static let changed: [ResultField<RerunRow>] = [
    ResultField("run", "The session: recorded, or run again.", \.run),
    ResultField("path", "The scenario's field that has several values.", inTable: false, \.path),
    ResultField("value", "The value of that field.", \.value),
  ]
  private static let written: [ResultField<RerunRow>] = [
    ResultField("file", "The recording that was kept.", \.file),
    ResultField("session", "The session's number in that file.", \.session?.number),
    ResultField("uuid", "The session's UUID.", inTable: false, \.session?.uuid),
  ]

  /// The columns of a table for people and of a page.
  package static func tableColumns(
    isSweep: Bool, hasLabels: Bool, isWritten: Bool
  ) -> [String] {
    fields.tableColumns().filter { name in
      switch name {
      case "value": isSweep
      case "label", "wrong": hasLabels
      case "file", "session": isWritten
      default: true
      }
    }
  }
}
