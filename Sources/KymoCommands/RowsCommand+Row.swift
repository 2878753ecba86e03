import MotionJudgement
import MotionMeasures
import TimelineInterchange
import TimelineModel
import TimelineRendering
import TimelineStore

/// A row of `kymo rows`: a session with what was asked of it, or what could not be read.
struct WorkRow {
  /// The verb that prints the columns, for programs that keep rows in tables. No help names it.
  static let columnsVerb = "list-columns"

  private let listed: ListedName
  private let task: String
  private let exit: Int
  private let error: String?
  private let number: Int64?
  private let session: SessionRecord?
  private let sessionCount: Int?

  /// What was asked for. `nil`: it was not.
  var metrics: [SessionMetrics.Metric]?
  var releases: [VelocityRow]?
  var gestures: [Gesture]?
  var check: GoldenCheck.Run?
  var labels: [LabelledRelease]?
  var expect: Requirements?
  var samples: [Samples]?
  var export: Export?
  var notes: [String] = []

  /// Begins the row of a session.
  init(_ listed: ListedName, of session: SessionRecord, in sessionCount: Int, task: String) {
    (self.listed, self.task, exit, error) = (listed, task, 0, nil)
    (number, self.session, self.sessionCount) = (session.number, session, sessionCount)
  }

  /// The row of what came to nothing.
  init(_ listed: ListedName, failed failure: WorkFailure, task: String) {
    (self.listed, self.task, exit, error) = (listed, task, failure.exit, failure.why)
    (number, session, sessionCount) = (failure.step, nil, nil)
  }

  /// The row as a line of NDJSON.
  var json: String { DisplayText.escaped(json: FieldValue.object(row).json) }

  private var isGood: Bool { session != nil }
  private var isBad: Bool { session == nil }
}

extension WorkRow: ResultRow {
  static let fields: [ResultField<WorkRow>] =
    [ResultField("work", "The version of the row's format.") { _ in 1 }]
    + ListedName.fields.of(\.listed)
    + [
      ResultField("sessions", "The number of sessions in the file.", \.sessionCount).when(\.isGood),
      ResultField("session", "The session's number; null for a file.", \.number),
    ]
    + SessionRecord.fields.choosing("uuid", "name", "software", "device", "start", "clean")
    .of(\.session).when(\.isGood)
    + [
      ResultField("exit", "0, or the exit code of the error.", \.exit),
      ResultField("task", "The short name of the question.", \.task),
    ] + asked + [
      ResultField("notes", "The notes on standard error.", \.notes)
        .when(\.isGood),
      ResultField("error", "The error, in a sentence.", \.error).when(\.isBad),
    ]

  private static let asked: [ResultField<WorkRow>] = [
    ResultField(list: "metrics", "The numbers of the session.", SessionMetrics.Metric.fields) {
      $0.metrics ?? []
    }.when { $0.metrics != nil },
    ResultField(list: "releases", "The rows of kymo velocity.", VelocityRow.fields) {
      $0.releases ?? []
    }.when { $0.releases != nil },
    ResultField(list: "whatif", "The rows of kymo rule try.", Gesture.fields) {
      $0.gestures ?? []
    }.when { $0.gestures != nil },
    ResultField("check", "The verdicts of kymo check.", GoldenCheck.Run.fields, \.check)
      .when { $0.check != nil },
    ResultField(list: "labels", "The rows of kymo label.", LabelledRelease.fields) {
      $0.labels ?? []
    }.when { $0.labels != nil },
    ResultField("expect", "The requirements of kymo check.", Requirements.fields, \.expect)
      .when { $0.expect != nil },
    ResultField(list: "samples", "The samples of each key.", Samples.fields) {
      $0.samples ?? []
    }.when { $0.samples != nil },
    ResultField("export", "The exported file.", Export.fields, \.export)
      .when { $0.export != nil },
  ]

  /// The verdicts of requirements.
  struct Requirements: ResultRow {
    let verdicts: [Verdict]

    static let fields: [ResultField<Requirements>] = [
      ResultField("pass", "Whether the session satisfies all requirements.") { $0.failures == 0 },
      ResultField("failures", "The number of failures.", \.failures),
      ResultField(list: "verdicts", "The verdicts.", Verdict.fields, \.verdicts),
    ]

    var failures: Int { verdicts.count { $0.grade == .fail } }
  }

  /// A gesture decided again by some flags of `kymo rule try`.
  struct Gesture: ResultRow {
    let flags: String
    let gesture: WhatIf.Gesture

    static let fields: [ResultField<Gesture>] =
      [ResultField("flags", "The flags of kymo rule try.", \.flags)]
      + WhatIf.Gesture.decided.of(\.gesture)
  }

  /// The values of a key.
  struct Samples: ResultRow {
    let key: KeyRecord
    var times: [Instant] = []
    var values: [Double] = []

    static let fields: [ResultField<Samples>] = [
      ResultField("key", "The key's name.", \.key.name),
      ResultField("role", "The role: progress, animated or custom.", \.key.role),
      ResultField("unit", "The unit of the key's values.", \.key.unit),
      ResultField("t_ns", "The instants of the samples.", \.times),
      ResultField("value", "The values of the samples.", \.values),
    ]
  }

  /// A session as a file of another format.
  struct Export: ResultRow {
    let format: ExportFormat
    let path: String
    let bytes: Int
    let losses: [String]

    static let fields: [ResultField<Export>] = [
      ResultField("format", "The format of the export.", \.format),
      ResultField("file", "The path of the exported file.", \.path),
      ResultField("bytes", unit: "B", "The size of the exported file.", \.bytes),
      ResultField("losses", "Data that the format cannot have, in sentences.", \.losses),
    ]
  }
}
