import MotionPhysics
public import TimelineModel
import TimelineSession
public import TimelineStore

extension SessionReleases {
  /// How fast the contacts that were down were at each of these releases, by the session's own estimator. Those of
  /// which it tells no velocity are left out.
  ///
  /// - Parameters:
  ///   - session: The session that the releases are of.
  ///   - reader: Its recording.
  /// - Returns: A list for each release, in units of the touch recording a second.
  /// - Throws: `StoreError` when the file cannot be read.
  package func contactVelocities(
    of session: SessionRecord, in reader: RecordingReader
  ) throws -> [[Point2D]] {
    let source = try VelocitySource(FileSource(session, in: reader), asking: VelocityQuestion())
    return all.map { release in
      var found: [(contact: Int, velocity: Point2D)] = []
      for motion in source.contactMotions(at: release.time) {
        guard case .pointer(let contact, let axis) = motion.subject,
          let velocity = motion.estimate.velocityPerSecond
        else { continue }
        if found.last?.contact != contact { found.append((contact, .zero)) }
        if axis == "x" {
          found[found.count - 1].velocity.x = velocity
        } else {
          found[found.count - 1].velocity.y = velocity
        }
      }
      return found.map(\.velocity)
    }
  }

  /// What is known of the keys at these releases: the estimates that were stored, and of releases that have
  /// none those of the session's own estimator, as `VelocityReport` tells them.
  ///
  /// - Parameters:
  ///   - session: The session that the releases are of.
  ///   - reader: Its recording.
  /// - Returns: The stored ones as recorded, then the others in the order of the releases.
  /// - Throws: `StoreError` when the file cannot be read.
  public func estimates(
    of session: SessionRecord, in reader: RecordingReader
  ) throws -> [ReleaseEstimate] {
    try estimates(of: session, in: reader, VelocityQuestion()) { _ in true }
  }

  /// Value, velocity and interval of ``estimates(of:in:)``, without the target and the number of samples: only the samples
  /// that decide the velocity are read.
  ///
  /// - Parameters:
  ///   - session: The session that the releases are of.
  ///   - reader: Its recording.
  ///   - isAsked: Whether a release is asked about that has no stored estimate.
  /// - Throws: `StoreError` when the file cannot be read.
  package func briefEstimates(
    of session: SessionRecord, in reader: RecordingReader,
    where isAsked: (ReleaseRecord) -> Bool = { _ in true }
  ) throws -> [ReleaseEstimate] {
    var question = VelocityQuestion()
    question.isBrief = true
    question.contacts = []
    return try estimates(of: session, in: reader, question, where: isAsked)
  }

  private func estimates(
    of session: SessionRecord, in reader: RecordingReader, _ question: VelocityQuestion,
    where isAsked: (ReleaseRecord) -> Bool
  ) throws -> [ReleaseEstimate] {
    let stored = try reader.estimates(in: session.number)
    let (times, transitions) = (Set(stored.map(\.time)), Set(stored.map(\.transition)))
    let bare = all.filter {
      !times.contains($0.time) && !transitions.contains($0.transition) && isAsked($0)
    }
    guard !bare.isEmpty else { return stored }
    let source = try VelocitySource(FileSource(session, in: reader), asking: question)
    return try bare.reduce(into: stored) { estimates, release in
      for motion in try source.release(release).motions {
        guard case .key(let key) = motion.subject else { continue }
        estimates.append(
          ReleaseEstimate(
            transition: release.transition, time: release.time, key: key.handle,
            value: key.role == .progress ? release.progress ?? motion.value : motion.value,
            estimate: motion.estimate, target: motion.target, remaining: motion.remaining,
            relativeVelocity: motion.relativeVelocity,
            settleTimeSeconds: motion.settleTimeSeconds))
      }
    }
  }
}
