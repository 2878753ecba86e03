package import MotionMeasures
package import MotionPhysics
package import TimelineModel
import TimelineSession
package import TimelineStore

/// The labelled gestures of recordings, with what a search for a rule asks of them.
package struct LabelledGestures: Sendable {
  /// What gestures have in common that stay in one fold.
  package enum Grouping: String, CaseIterable, Sendable {
    /// The recording.
    case file
    case session
    /// The session's name.
    case name
    /// The device that recorded it.
    case device
  }

  /// A labelled gesture, and where it is.
  package struct Gesture: Hashable, Sendable {
    /// The file, as it was named.
    package var file: String
    /// The session's number in it.
    package var session: Int64
    /// The session's uuid.
    package var uuid: String
    /// Number of the transition in its session.
    package var transition: Int
    /// The instant of the release.
    package var time: Instant
    package var numbers: TuningGesture

    package init(
      file: String, session: Int64, uuid: String, transition: Int, time: Instant,
      numbers: TuningGesture
    ) {
      (self.file, self.session, self.uuid) = (file, session, uuid)
      (self.transition, self.time, self.numbers) = (transition, time, numbers)
    }
  }

  /// What is there beside the gestures that are searched.
  package struct Counts: Hashable, Sendable {
    /// Releases that a rule or an app decided.
    package var releases = 0
    /// Of these, gestures that are labelled unsure.
    package var unsure = 0
    /// Gestures without a label.
    package var unlabelled = 0
    /// Labelled ones without a recorded progress.
    package var withoutProgress = 0
    /// Labels of transitions that have no such release: cancelled contacts, transitions that ran by the time, or
    /// that are not there.
    package var withoutRelease = 0
    /// Labels beside a recording whose session it does not have.
    package var strays = 0

    /// Nothing.
    package init() {}

    /// The sum of both.
    package static func += (left: inout Counts, right: Counts) {
      left.releases += right.releases
      left.unsure += right.unsure
      left.unlabelled += right.unlabelled
      left.withoutProgress += right.withoutProgress
      left.withoutRelease += right.withoutRelease
      left.strays += right.strays
    }
  }

  /// The gestures that are labelled finish or cancel, in the order of the recordings.
  package var gestures: [Gesture] = []
  /// The rest.
  package var counts = Counts()

  /// No gesture yet.
  package init() {}

  /// Adds a session's gestures.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: The recording.
  ///   - file: The file, as messages name it.
  ///   - labels: What was said of its transitions.
  ///   - measures: How velocities are estimated, the session's own way first.
  ///   - grouping: What stays in one fold. `nil`: nothing.
  ///   - course: The direction in which a swipe's progress counts. If it names none, the recorded progress is asked.
  ///   - distance: The points of a progress of 1 in that direction. `nil`: the session's own.
  /// - Throws: `StoreError` when the file cannot be read. Nothing has been added then.
  /// - Complexity: linear in the session's samples, and for each labelled gesture in the measures.
  package mutating func add(
    _ session: SessionRecord, in reader: RecordingReader, file: String, labels: RecordingLabels,
    measures: [TuningSpace.VelocityMeasure], grouping: Grouping? = nil,
    course: SwipeCourse = .fingers, distance: Double? = nil
  ) throws {
    var question = VelocityQuestion()
    (question.course, question.rule.distance) = (course, course == .fingers ? nil : distance)
    let source = try VelocitySource(FileSource(session, in: reader), asking: question)
    let asksTouches = course != .fingers
    if !asksTouches { try source.requireProgress() }
    let judged = source.data.releases.filter(\.isJudged)
    var (found, counts) = ([Gesture](), Counts())
    counts.releases = judged.count
    let known = Set(judged.map(\.transition))
    counts.withoutRelease = labels.labels(in: session.number).count {
      !known.contains($0.transition)
    }
    for released in judged {
      guard let label = labels[session.number, released.transition] else {
        counts.unlabelled += 1
        continue
      }
      guard let meant = label.meaning.outcome else {
        counts.unsure += 1
        continue
      }
      let tracks = try source.tracks(of: released, forEveryRule: true).samples
      let own = source.decisions(
        of: released, tracks, source.progressAnswers(tracks, of: released, at: released.time),
        else: source.ownRule)
      guard let decision = own.first else {
        counts.withoutProgress += 1
        continue
      }
      let velocities = measures.map { measure -> Double? in
        guard measure != TuningSpace.VelocityMeasure() else { return decision.velocity }
        var measured = measure.question
        (measured.course, measured.rule) = (course, question.rule)
        let asked = source.asking(measured)
        if asksTouches {
          return asked.swipeVelocity(by: decision.rule, at: released.time)
        }
        let answers = asked.progressAnswers(tracks, of: released, at: released.time)
        return answers.isEmpty ? decision.velocity : answers[0].estimate.velocity
      }
      var parameters = source.parameters.release
      parameters.rule = decision.rule
      // The progress stays what it is, whatever distance another rule would bring.
      if asksTouches { parameters.rule.distance = decision.rule.points }
      // What an app decided by itself is what is in use, whatever the defaults would say.
      let isRuled = released.recorded.flatMap(ReleaseRule.init(of:)) != nil
      let now = isRuled ? decision.outcome : released.outcome
      found.append(
        Gesture(
          file: file, session: session.number, uuid: session.uuid,
          transition: released.transition, time: released.time,
          numbers: TuningGesture(
            isMeantToFinish: meant == .finish,
            progress: asksTouches
              ? decision.progress : source.plainProgress(of: released, tracks) ?? decision.progress,
            progressByRule: asksTouches
              ? source.swipeProgressByRule(decision.rule, at: released.time)
              : source.progressByRule(of: released, tracks, by: decision.rule),
            velocities: velocities, own: parameters, finishesNow: now == .finish,
            group: grouping.flatMap { LabelledGestures.group(session, file, by: $0) })))
    }
    gestures += found
    self.counts += counts
  }

  /// Keeps each gesture of a session that was added twice once. It would be learned from while it is left out.
  ///
  /// - Returns: how many gestures were removed.
  package mutating func removeRepeated() -> Int {
    var seen: Set<String> = []
    let count = gestures.count
    gestures = gestures.filter { seen.insert("\($0.transition) \($0.uuid)").inserted }
    return count - gestures.count
  }

  private static func group(
    _ session: SessionRecord, _ file: String, by grouping: Grouping
  ) -> String? {
    switch grouping {
    case .file: file
    case .session: session.uuid
    case .name: session.description.name
    case .device: session.description.device
    }
  }
}

extension TuningSetting {
  /// What a session that was judged in its own way is to be judged by.
  package func release(
    from own: ReleaseParameters, measures: [TuningSpace.VelocityMeasure]
  ) -> ReleaseParameters {
    var release = own
    let question = measures[measure].question
    release.estimator = question.answering(own: own.estimator)[0]
    release.window = question.window(for: release.estimator, own: own)
    release.rule = change.applied(to: own.rule)
    return release
  }
}
