public import TimelineModel
package import TimelineStore

/// A transition as it was released and as a person meant it.
public struct LabelledRelease: ResultRow, Encodable, Sendable {
  /// The transition's number in its session.
  public package(set) var transition: Int
  /// Its release. `nil`: it was never released.
  package var release: ReleaseRecord?
  /// What a person said of it. `nil`: nothing.
  package var label: ReleaseLabel?

  /// The outcome. `nil`: it was never released.
  public var outcome: ReleaseOutcome? { release?.outcome }
  /// The label: finish, cancel or unsure. `nil`: nobody said what was meant.
  public var meaning: String? { label?.meaning.rawValue }
  /// The note next to the label.
  public var note: String? { label?.note }
  /// Whether the release was decided otherwise than meant. `nil` if that is not known.
  public var isWrong: Bool? {
    release.flatMap { label?.meaning.isContradicted(by: $0.outcome) }
  }

  /// The releases of a session with their labels, then the labels of transitions that were never released.
  package static func all(
    of session: SessionRecord, in reader: RecordingReader, _ labels: RecordingLabels
  ) throws -> [LabelledRelease] {
    let releases = try reader.releases(in: session.number).all
    let released = Set(releases.map(\.transition))
    return releases.map {
      LabelledRelease(
        transition: $0.transition, release: $0, label: labels[session.number, $0.transition])
    }
      + labels.labels(in: session.number).filter { !released.contains($0.transition) }.map {
        LabelledRelease(transition: $0.transition, label: $0)
      }
  }

  /// Encodes the columns that `kymo list labels` prints after those of the session.
  public func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }

  package static var fields: [ResultField<LabelledRelease>] {
    [transitionField, timeField, outcomeField.named("decision"), labelField, wrongField, noteField]
      + [
        ResultField("at", "The time in UTC at which the label was given.", inTable: false) {
          ($0.label?.wallClockNanoseconds).map(UTCText.text)
        }
      ]
  }

  /// The fields of a release in a session's overview.
  static var overviewFields: [ResultField<LabelledRelease>] {
    [
      transitionField, timeField, outcomeField,
      ResultField("progress", unit: "1", "The progress at the release.", \.release?.progress),
      ResultField("decided_by", "Who decided, such as rule or app.", \.release?.decidedBy),
      ResultField("derived", "The source of a derived release, such as lift.", \.release?.derived),
      labelField, noteField,
    ]
  }

  private static var transitionField: ResultField<LabelledRelease> {
    ResultField("transition", "The transition's number, counted from 0.", \.transition)
  }
  private static var timeField: ResultField<LabelledRelease> {
    ResultField("t_ns", "The instant of the release.", \.release?.time)
  }
  private static var outcomeField: ResultField<LabelledRelease> {
    ResultField("outcome", "The outcome: finish or cancel.", \.release?.outcome)
  }
  private static var labelField: ResultField<LabelledRelease> {
    ResultField("label", "The label: finish, cancel or unsure.", \.label?.meaning)
  }
  private static var wrongField: ResultField<LabelledRelease> {
    ResultField("wrong", "Whether the decision differs from the label.", \.isWrong)
  }
  private static var noteField: ResultField<LabelledRelease> {
    ResultField("note", "The note next to the label.", \.label?.note)
  }
}
