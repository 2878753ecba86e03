import MotionPhysics
import TimelineAnalysis
import TimelineModel
import TimelineSession
import TimelineStore

extension SessionRecord: WireValue {
  /// A session as rows and sentences of many files name it; not its scenario, its layouts and its counts.
  func put(to writer: inout WireWriter) {
    writer.put(
      number, uuid, description.name, description.software, description.device,
      description.refreshRate, schemaVersion, end?.nanoseconds)
  }
}

extension ReleaseRule: WireValue {
  func put(to writer: inout WireWriter) {
    writer.put(
      kind.rawValue, threshold, velocityThreshold, decelerationRate, distance, minimumVelocity,
      maximumVelocity, crossVelocity, outputLength)
  }
}

extension WireWriter {
  /// A gesture that was decided again.
  mutating func put(_ gesture: WhatIf.Gesture) {
    let (released, decision) = (gesture.decision, gesture.again)
    put(gesture.file, gesture.session)
    put(
      released.transition, released.time.nanoseconds, released.outcome.rawValue,
      released.decidedBy.description, released.derived?.rawValue, released.wasTakenAway)
    put(
      decision.estimator?.rawValue ?? "", decision.rule, decision.progress, decision.velocity,
      decision.standardError)
    put(decision.direction?.rawValue)
    put(gesture.meaning?.rawValue)
  }

  /// The numbers of a session.
  mutating func put(_ metrics: SessionMetrics) {
    put(metrics.blocks) { writer, block in
      writer.put(block.key, block.role?.rawValue, block.firstTransition)
      writer.put(block.columns) { $0.put($1.name.rawValue, $1.unit) }
      writer.put(block.values) { $0.put($1.value ?? .nan) }
    }
  }

  /// What was judged of a run; not the comparison.
  mutating func put(_ run: GoldenCheck.Run) {
    put(run.path, run.session, run.golden, run.isJudged)
    put(run.verdicts) { writer, verdict in
      let finding = verdict.finding
      writer.put(
        finding.subject, finding.measure, finding.value, finding.interval?.lowerBound,
        finding.interval?.upperBound, finding.instant?.nanoseconds, finding.step, finding.note)
      writer.put(
        verdict.limit, verdict.margin, verdict.rule?.index, verdict.requirement?.index,
        verdict.grade.rawValue, verdict.isUndecided, verdict.isSkipped)
      writer.put(verdict.difference, verdict.offset, verdict.isOfGolden)
    }
  }

  /// What a review shows of a run beside what was judged.
  mutating func put(_ figures: ReviewedRun.Figures) {
    put(figures.isFlipped)
    put(figures.release) { writer, release in
      writer.put(
        release.transition, release.outcome?.rawValue, release.goldenOutcome?.rawValue,
        release.margin, release.velocity)
    }
    put(figures.hitchRatio)
    put(figures.thumbnail) { writer, thumbnail in
      writer.put(thumbnail.key, thumbnail.low, thumbnail.high, thumbnail.seconds)
      writer.put(thumbnail.golden)
      writer.put(thumbnail.run)
    }
  }

  /// What a comparison tells of scatter.
  mutating func put(_ differences: Calibration.Differences) {
    put(differences.isEmpty)
    put(differences.keys) { writer, key in
      writer.put(key.name, key.range)
      writer.put(key.measured) { $0.put($1) }
    }
    put(differences.missingItems) { $0.put($1) }
    put(differences.measured) { $0.put($1) }
  }

  private mutating func put(_ found: Calibration.Differences.Measured) {
    put(found.subject, found.measure, found.value)
  }
}

extension WireReader {
  /// A session, as it was written.
  mutating func session() throws -> SessionRecord {
    let (number, uuid) = (try integer(), try text())
    var description = SessionDescription(name: try optional { try $0.text() })
    description.uuid = uuid
    description.software = try text()
    description.device = try optional { try $0.text() }
    description.refreshRate = try optional { try $0.number() }
    return SessionRecord(
      number: number, uuid: uuid, description: description, schemaVersion: try integer(),
      end: try optional { Instant(nanoseconds: try $0.integer()) })
  }

  /// A gesture; what its rule says is asked of the rule again.
  mutating func gesture() throws -> WhatIf.Gesture {
    let (file, session) = (try text(), try session())
    let (transition, time) = (try count(), Instant(nanoseconds: try integer()))
    let outcome = try name(ReleaseOutcome.self)
    let (decidedBy, derived) = (try text(), try optional { try $0.text() })
    var released = ReleaseRecord(
      transition: transition, time: time, outcome: outcome, wasTakenAway: try flag())
    released.decidedBy = DecisionSource(decidedBy)
    released.derived = derived.flatMap(ReleaseRecord.Derivation.init(rawValue:))
    let estimator = try name(Estimator.self)
    let rule = try rule()
    let progress = try number()
    released.progress = progress
    var gesture = WhatIf.Gesture(
      file: file, session: session, decision: released,
      again: rule.decide(
        progress: progress, velocity: try optional { try $0.number() },
        standardError: try optional { try $0.number() }, estimator: estimator))
    gesture.again.direction = try optional { try $0.name(SwipeDirection.self) }
    gesture.meaning = try optional { try $0.name(GestureMeaning.self) }
    return gesture
  }

  private mutating func rule() throws -> ReleaseRule {
    var rule = ReleaseRule(kind: try name(ReleaseRule.Kind.self))
    rule.threshold = try number()
    rule.velocityThreshold = try optional { try $0.number() }
    rule.decelerationRate = try optional { try $0.number() }
    rule.distance = try optional { try $0.number() }
    rule.minimumVelocity = try number()
    rule.maximumVelocity = try optional { try $0.number() }
    rule.crossVelocity = try number()
    rule.outputLength = try optional { try $0.number() }
    return rule
  }

  /// The numbers of a session.
  mutating func metrics() throws -> SessionMetrics {
    SessionMetrics(
      blocks: try list { reader in
        SessionMetrics.Block(
          key: try reader.optional { try $0.text() },
          role: try reader.optional { try $0.name(KeyRole.self) },
          firstTransition: try reader.count(),
          columns: try reader.list { reader in
            SessionMetrics.Block.Column(
              name: try reader.name(Measure.self), unit: try reader.text())
          },
          values: try reader.list { OptionalNumber(try $0.number()) })
      })
  }

  /// What was judged of a run by these tolerances and requirements.
  mutating func run(
    _ tolerances: Tolerances, _ requirements: [MotionExpectation]
  ) throws -> GoldenCheck.Run {
    GoldenCheck.Run(
      path: try text(), session: try session(), golden: try optional { try $0.session() },
      comparison: nil, isJudged: try flag(),
      verdicts: try list { try $0.verdict(tolerances, requirements) })
  }

  private mutating func finding() throws -> Finding {
    var finding = Finding(subject: try text(), measure: try text())
    finding.value = try optional { try $0.number() }
    let (low, high) = (try optional { try $0.number() }, try optional { try $0.number() })
    if let low, let high {
      guard low <= high else { throw Self.isBroken }
      finding.interval = low...high
    }
    finding.instant = try optional { Instant(nanoseconds: try $0.integer()) }
    finding.step = try optional { try $0.number() }
    finding.note = try optional { try $0.text() }
    return finding
  }

  private mutating func verdict(
    _ tolerances: Tolerances, _ requirements: [MotionExpectation]
  ) throws -> Verdict {
    let finding = try finding()
    let (limit, margin) = (try optional { try $0.number() }, try optional { try $0.number() })
    let (rule, required) = (try optional { try $0.count() }, try optional { try $0.count() })
    guard rule.map(tolerances.rules.indices.contains) ?? true,
      required.map(requirements.indices.contains) ?? true
    else { throw Self.isBroken }
    let source: Verdict.Source =
      if let required {
        .requirement(Verdict.Requirement(requirements[required], at: required))
      } else if let rule {
        .tolerance(tolerances.reference(rule))
      } else {
        .usual
      }
    var verdict = Verdict(
      finding, limit: limit, margin: margin, source: source, grade: try name(Verdict.Grade.self),
      isUndecided: try flag(), isSkipped: try flag())
    verdict.difference = try optional { try $0.text() }
    verdict.offset = try optional { try $0.text() }
    verdict.isOfGolden = try flag()
    return verdict
  }

  /// What a review shows of a run beside what was judged.
  mutating func figures() throws -> ReviewedRun.Figures {
    func outcome(_ reader: inout WireReader) throws -> ReleaseOutcome? {
      try reader.optional { try $0.name(ReleaseOutcome.self) }
    }
    var figures = ReviewedRun.Figures()
    figures.isFlipped = try flag()
    figures.release = try optional { reader in
      ReviewedRun.Release(
        transition: try reader.count(), outcome: try outcome(&reader),
        goldenOutcome: try outcome(&reader), margin: try reader.optional { try $0.number() },
        velocity: try reader.optional { try $0.number() })
    }
    figures.hitchRatio = try optional { try $0.number() }
    figures.thumbnail = try optional { reader in
      CurveThumbnail(
        key: try reader.text(), low: try reader.number(), high: try reader.number(),
        seconds: try reader.number(), golden: try reader.data(), run: try reader.data())
    }
    return figures
  }

  /// What a comparison tells of scatter.
  mutating func differences() throws -> Calibration.Differences {
    func measured(_ reader: inout WireReader) throws -> [Calibration.Differences.Measured] {
      try reader.list { reader in
        Calibration.Differences.Measured(
          subject: try reader.text(), measure: try reader.text(),
          value: try reader.optional { try $0.number() })
      }
    }
    return Calibration.Differences(
      isEmpty: try flag(),
      keys: try list { reader in
        (try reader.text(), try reader.optional { try $0.number() }, try measured(&reader))
      },
      missingItems: try list { try $0.text() }, measured: try measured(&self))
  }
}
