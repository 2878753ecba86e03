import MotionMeasures
import MotionPhysics
import RunStudies
import TimelineModel

extension WireWriter {
  /// The labelled gestures of a session.
  mutating func put(_ labelled: LabelledGestures) {
    let counts = labelled.counts
    put(
      counts.releases, counts.unsure, counts.unlabelled, counts.withoutProgress,
      counts.withoutRelease, counts.strays)
    put(labelled.gestures) { writer, gesture in
      let numbers = gesture.numbers
      writer.put(
        gesture.file, gesture.session, gesture.uuid, gesture.transition, gesture.time.nanoseconds,
        numbers.isMeantToFinish, numbers.progress)
      let progressByRule = ReleaseRule.Kind.allCases.map { numbers.progressByRule[$0] }
      writer.put(progressByRule) { $0.put($1) }
      writer.put(numbers.velocities) { $0.put($1) }
      writer.put(
        FieldValue.object(numbers.own.fields).json, numbers.finishesNow, numbers.group)
    }
  }
}

extension WireReader {
  /// The labelled gestures of a session, as ``WireWriter/put(_:)-(LabelledGestures)`` wrote them.
  mutating func labelledGestures() throws -> LabelledGestures {
    var labelled = LabelledGestures()
    for path: WritableKeyPath<LabelledGestures.Counts, Int> in [
      \.releases, \.unsure, \.unlabelled, \.withoutProgress, \.withoutRelease, \.strays,
    ] { labelled.counts[keyPath: path] = try count() }
    labelled.gestures = try list { reader in
      let (file, session, uuid) = (try reader.text(), try reader.integer(), try reader.text())
      let (transition, time) = (try reader.count(), try reader.integer())
      let (isMeantToFinish, progress) = (try reader.flag(), try reader.number())
      let found = try reader.list { try $0.optional { try $0.number() } }
      var progressByRule: [ReleaseRule.Kind: Double] = [:]
      for (kind, index) in zip(ReleaseRule.Kind.allCases, found) { progressByRule[kind] = index }
      let velocities = try reader.list { try $0.optional { try $0.number() } }
      let own = ReleaseParameters(recorded: try reader.text())
      return LabelledGestures.Gesture(
        file: file, session: session, uuid: uuid, transition: transition,
        time: Instant(nanoseconds: time),
        numbers: TuningGesture(
          isMeantToFinish: isMeantToFinish, progress: progress, progressByRule: progressByRule,
          velocities: velocities, own: own, finishesNow: try reader.flag(),
          group: try reader.optional { try $0.text() }))
    }
    return labelled
  }
}
