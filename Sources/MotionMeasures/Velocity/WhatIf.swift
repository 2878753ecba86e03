public import MotionPhysics
public import TimelineModel
import TimelineSession
public import TimelineStore

/// Recorded gestures decided again by another rule, estimator or window.
public struct WhatIf: Hashable, Sendable {
  /// One release that was decided by a rule or a script, and what would be decided now.
  public struct Gesture: Hashable, Sendable, Encodable {
    /// The file, as it was named.
    package var file: String
    /// The session.
    public package(set) var session: SessionRecord
    /// The release as it was recorded or derived.
    package var decision: ReleaseRecord
    /// What is decided now, and by how much.
    public package(set) var again: ReleaseRule.Decision

    /// What a person said that it meant. `nil`: nothing was said.
    package var meaning: GestureMeaning?
    /// Whether nobody decided before. The outcome of ``decision`` is then that of ``again``.
    package var isUndecided = false
    /// How the file was read, if it is a text and not a recording.
    package var readAs: String?

    /// Makes a gesture of what was decided and of what is decided now.
    package init(
      file: String, session: SessionRecord, decision: ReleaseRecord,
      again: ReleaseRule.Decision
    ) {
      (self.file, self.session) = (file, session)
      (self.decision, self.again) = (decision, again)
    }

    /// Makes a gesture that nobody decided before, such as a swipe of a gesture file.
    package init(
      undecided file: String, session: SessionRecord, number: Int, at lift: Instant,
      _ decision: ReleaseRule.Decision
    ) {
      self.init(
        file: file, session: session,
        decision: ReleaseRecord(
          transition: number, time: lift, outcome: decision.outcome, wasTakenAway: false),
        again: decision)
      isUndecided = true
    }

    /// The outcome as it was recorded or derived.
    public var outcome: ReleaseOutcome { decision.outcome }

    /// Whether the outcome is another one now.
    public var flips: Bool { again.outcome != decision.outcome }

    /// Whether what is decided now is not what was meant. `nil` where nobody said that.
    public var isWrong: Bool? {
      meaning?.isContradicted(by: again.outcome)
    }

    /// Whether what was decided then is not what was meant. `nil` where nobody said that.
    package var wasWrong: Bool? { meaning?.isContradicted(by: decision.outcome) }

    /// Encodes the columns of the row that `kymo rule try` prints.
    public func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }
  }

  /// All gestures decided with one value of the parameter that is swept through.
  public struct Step: Hashable, Sendable, Encodable {
    /// The parameter's value.
    public package(set) var value: Double
    /// How many gestures finish.
    public package(set) var finishes: Int
    /// How many cancel.
    public package(set) var cancels: Int
    /// How many flip against what was recorded.
    public package(set) var flips: Int
    /// How many finish that were meant to cancel.
    public package(set) var wrongFinishes = 0
    /// How many cancel that were meant to finish.
    public package(set) var wrongCancels = 0

    /// Encodes the columns of the row that `kymo rule try` prints of the value.
    public func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }
  }

  /// Every gesture, in the order of the recordings.
  public package(set) var gestures: [Gesture] = []

  /// Why transitions that were finished have no release, a sentence each.
  public var warnings: [String] = []
  /// How many derived releases cannot be decided again, as no progress was recorded.
  public var withoutProgress = 0

  /// No gesture yet.
  public init() {}

  /// Decides a session's gestures again, those whose release is derived by the session's own rule. What ran
  /// by the time, and what the system took away, was not decided by anybody and is left out.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording.
  ///   - file: The file, as messages name it.
  ///   - question: Who tells the velocity, and by what rule.
  /// - Throws: `StoreError` when the file cannot be read. ``QueryError`` where the name of the progress differs in
  ///   capitals. Nothing has been added then.
  /// - Complexity: linear in the session's samples.
  public mutating func add(
    _ session: SessionRecord, in reader: RecordingReader, file: String,
    asking question: VelocityQuestion
  ) throws {
    let source = try VelocitySource(FileSource(session, in: reader), asking: question)
    let asksTouches = question.course != .fingers
    if !asksTouches { try source.requireProgress() }
    let judged = source.data.releases.filter(\.isJudged)
    warnings += source.warnings.map { "\(file) \(session.label), \($0)" }
    if !asksTouches { withoutProgress += judged.count { $0.progress == nil } }
    for case let decision? in judged.map(\.recorded)
    where question.rule.kind == nil && ReleaseRule(of: decision) == nil {
      warnings.append(
        "\(file) \(session.label), transition \(decision.transition): \(decision.outcome.rawValue), "
          + decision.asRecorded)
    }
    gestures += try judged.flatMap { released in
      let tracks = try source.tracks(of: released).samples
      let answers = source.progressAnswers(tracks, of: released, at: released.time)
      let decisions = source.decisions(of: released, tracks, answers)
      if asksTouches, decisions.isEmpty {
        warnings.append(
          "\(file) \(session.label), transition \(released.transition): left out, because "
            + VelocitySource.withoutSwipe)
      }
      return decisions.map {
        var again = $0
        // A number of the app's own has no estimator that the recording knows.
        if !source.parameters.namesEstimator, let own = released.recorded?.progressVelocity,
          own == again.velocity
        {
          again.estimator = nil
        }
        return Gesture(file: file, session: session, decision: released, again: again)
      }
    }
  }

  /// Gives the gestures of a recording its labels, also those in the sheet next to it.
  ///
  /// Rows have `wrong` and the counts of wrong decisions only of gestures with a label.
  ///
  /// - Throws: `StoreError` when the file cannot be read, or an error about the sheet.
  /// - Complexity: linear in the gestures and in the recording's labels.
  public mutating func addLabels(of reader: RecordingReader) throws {
    label(by: try RecordingLabels(of: reader), of: Set(try reader.sessionRecords().map(\.uuid)))
  }

  /// Gives the gestures what a person said of them.
  ///
  /// - Parameters:
  ///   - labels: Those of a recording.
  ///   - sessions: The uuids of its sessions. `nil`: every gesture is from it.
  package mutating func label(by labels: RecordingLabels, of sessions: Set<String>? = nil) {
    for index in gestures.indices
    where sessions?.contains(gestures[index].session.uuid) ?? true {
      gestures[index].meaning =
        labels[gestures[index].session.number, gestures[index].decision.transition]?.meaning
    }
  }

  /// The gestures that flip against what was recorded.
  package var flips: [Gesture] { gestures.filter(\.flips) }

  /// The gestures that are nearest to the other outcome, nearest first: by the velocity's distance in
  /// standard errors where it can be told, after them by the progress's distance.
  package func nearest(_ count: Int) -> [Gesture] {
    let ordered = gestures.enumerated().sorted { left, right in
      let a = WhatIf.nearness(left.element)
      let b = WhatIf.nearness(right.element)
      return a == b ? left.offset < right.offset : a < b
    }
    return ordered.prefix(max(0, count)).map(\.element)
  }

  /// Decides every gesture once for each value of a parameter, with the velocities as they are.
  ///
  /// - Parameters:
  ///   - parameter: The number of the rule, such as `\.threshold`.
  ///   - values: The values, in the unit of that number.
  /// - Complexity: O(n) for each value and n gestures.
  public func sweep(
    _ parameter: WritableKeyPath<RuleChange, Double?>, through values: [Double]
  ) -> [Step] {
    values.map { value in
      var step = Step(value: value, finishes: 0, cancels: 0, flips: 0)
      var change = RuleChange()
      change[keyPath: parameter] = value
      for gesture in gestures {
        let outcome = change.applied(to: gesture.again.rule).outcome(
          progress: gesture.again.progress, velocity: gesture.again.velocity)
        if outcome == .finish { step.finishes += 1 } else { step.cancels += 1 }
        if outcome != gesture.decision.outcome { step.flips += 1 }
        if gesture.meaning?.isContradicted(by: outcome) == true {
          if outcome == .finish { step.wrongFinishes += 1 } else { step.wrongCancels += 1 }
        }
      }
      return step
    }
  }

  /// What gestures are ordered by: first those whose distance is known in standard errors, then those
  /// that only the progress can flip, then those that nothing flips.
  private static func nearness(_ gesture: Gesture) -> (Int, Double) {
    if let sigma = gesture.again.marginSigma { return (0, abs(sigma)) }
    if let progress = gesture.again.marginProgress { return (1, abs(progress)) }
    return (2, 0)
  }
}

extension WhatIf {
  /// The rows of a sweep. The column `parameter` has the path, such as "release.threshold".
  package func sweepRows(
    _ parameter: WritableKeyPath<RuleChange, Double?>, path: String, through values: [Double]
  ) -> [[EventField]] {
    sweep(parameter, through: values).map {
      EventField.list(["kind": "sweep", "parameter": path]) + $0.row
    }
  }
}

extension WhatIf.Gesture: ResultRow {
  package static let fields: [ResultField<WhatIf.Gesture>] = whose + decided

  private static let whose: [ResultField<WhatIf.Gesture>] = [
    ResultField("kind", "The kind of row: gesture, sweep or error.") { _ in "gesture" },
    ResultField("file", "The path of the recording.", \.file),
    ResultField("session", "The session's number in the file.", \.session.number),
    ResultField("name", "The session's name.", \.session.description.name),
  ]

  /// The fields without those that name the session.
  package static let decided: [ResultField<WhatIf.Gesture>] =
    judged + ReleaseRule.Decision.fields.of(\.again) + meant

  private static let judged: [ResultField<WhatIf.Gesture>] = [
    ResultField("transition", "The transition's number, counted from 0.", \.decision.transition),
    ResultField("t_ns", "The instant of the release.", \.decision.time),
    ResultField(
      "estimator", "The estimator of the velocity; none if the app measured it by itself.",
      \.again.estimator),
    ResultField("rule", "The release rule that decides again.", \.again.rule.kind),
    ResultField("recorded_decision", "The outcome in the recording.") {
      $0.isUndecided ? nil : $0.decision.outcome
    },
    ResultField("derived", "The source of a derived release, such as lift.", \.decision.derived),
    ResultField("decided_by", "Who decided, such as rule or app.") {
      $0.isUndecided ? nil : $0.decision.decidedBy
    },
    ResultField("decision", "The outcome with the rule.", \.again.outcome),
    ResultField("flips", "Whether the outcome flips; for a sweep, the number of flips.") {
      $0.isUndecided ? nil : $0.flips
    },
    ResultField("progress", "The progress that the rule compares.", \.again.progress),
    ResultField("velocity", "The velocity that the rule compares.", \.again.velocity),
    ResultField(
      "direction", "The direction of the swipe, with --towards.", \.again.direction),
  ]
  private static let meant: [ResultField<WhatIf.Gesture>] = [
    ResultField("label", "The label: finish, cancel or unsure.", \.meaning),
    ResultField("wrong", "Whether the rule's outcome differs from the label.", \.isWrong),
    ResultField("recorded_wrong", "Whether the recorded outcome was wrong.") {
      $0.isUndecided ? nil : $0.wasWrong
    },
  ]

  /// The columns of a table for people.
  package static func tableColumns(withDerived: Bool, withLabels: Bool) -> [String] {
    ["file", "session", "transition", "estimator", "rule", "recorded_decision"]
      + (withDerived ? ["derived"] : []) + ["decision"] + (withLabels ? ["label", "wrong"] : [])
      + ["progress", "velocity", "margin_progress", "margin_velocity", "margin_sigma"]
  }
}

extension WhatIf.Step: ResultRow {
  package static let fields: [ResultField<WhatIf.Step>] = [
    ResultField("value", "The value of the parameter in a sweep.", \.value),
    ResultField("finishes", "The number of gestures that finish.", \.finishes),
    ResultField("cancels", "The number of gestures that cancel.", \.cancels),
    ResultField("flips", "The number of gestures whose outcome flips.", \.flips),
    ResultField("wrong_finishes", "The number of finishes with the label cancel.", \.wrongFinishes),
    ResultField("wrong_cancels", "The number of cancels with the label finish.", \.wrongCancels),
  ]
}
