import MotionMeasures
import TimelineModel
import TimelineSession

extension MotionSource {
  /// How a subject follows a source while that is down, or goes on when it is let go.
  ///
  /// A number passes or fails if its whole interval is on one side of its limit; otherwise it is undecided.
  func followings(_ rule: MotionExpectation) throws -> [Verdict] {
    let sourceSubject: MotionSubject
    let deadZone: Double
    switch rule.demand {
    case .follows(let source, _, _, let zone, _, _): (sourceSubject, deadZone) = (source, zone)
    case .handsOver(let source, _, _): (sourceSubject, deadZone) = (source, 0)
    default: return []
    }
    guard let source = try tracks(of: sourceSubject).first else { return [] }
    let found = try findings(of: rule.subjects) { track in
      var found: [Verdict] = []
      for window in windows(from: rule.from) {
        // A tap moves nothing.
        guard
          let drive = MotionDrive(
            source, window, finger: axis(of: sourceSubject), data.readFrames, beyond: deadZone)
        else { continue }
        if case .handsOver(_, let gain, let share) = rule.demand {
          guard let release = window.stretch.release else { continue }
          found.append(handOver(track, drive, release, until: window.end, gain: gain, share))
        } else {
          found += following(rule.demand, track, drive)
        }
      }
      return found
    }
    if found.isEmpty, rule.demand.kind == .handsOver, stretches.allSatisfy({ $0.release == nil }) {
      return [
        Verdict(rule.subjects[0].text, "velocity", unknown: "there is no release in this session")
      ]
    }
    return found
  }

  private func axis(of subject: MotionSubject) -> FingerAxis? {
    if case .finger(let axis, _) = subject { axis } else { nil }
  }

  private func following(
    _ demand: MotionExpectation.Demand, _ track: Track, _ drive: MotionDrive
  ) -> [Verdict] {
    guard case .follows(_, let gain, let tolerance, _, let limit, let within) = demand else {
      return []
    }
    let lagName = Measure.lag.rawValue
    let most = limit * 1000 + Double(halfFrame) / 1e6
    let fit: MotionDrive.Following
    do throws(TooShortToTell) {
      fit = try drive.follow(by: track, gain: gain)
    } catch {
      // What stays where it is follows by nothing.
      guard error == .noMotion else {
        return [Verdict(track.name, lagName, undecided: error.rawValue, limit: most)]
      }
      return [
        Verdict(
          track.name, "gain", Estimated(0, low: 0, high: 0),
          within: (gain - tolerance)...(gain + tolerance), at: drive.onset)
      ]
    }
    let rms = named("rms", of: track)
    // What two points of the source come to.
    let left = within == nil ? 2 * abs(gain) : length(within, of: track, points: 2, share: 0)
    return [
      Verdict(
        track.name, lagName, fit.lag.scaled(by: 1000), within: -Double.infinity...most,
        at: drive.onset),
      Verdict(
        track.name, "gain", fit.gain, within: (gain - tolerance)...(gain + tolerance),
        at: drive.onset),
      left.map { Verdict(track.name, rms, fit.rms, within: -Double.infinity...$0, at: fit.worst) }
        ?? Verdict(track.name, rms, unknown: otherUnit(track, "within")),
    ]
  }

  private func handOver(
    _ track: Track, _ drive: MotionDrive, _ release: Instant, until end: Instant,
    gain: Double?,
    _ share: Double
  ) -> Verdict {
    let measure = "kept_percent"
    do throws(TooShortToTell) {
      let gain = gain.map { Estimated($0, low: $0, high: $0) }
      let over = try drive.handOver(to: track, release, until: end, gain: gain)
      return Verdict(
        track.name, measure, over.kept.scaled(by: 100),
        within: (100 * (1 - share))...(100 * (1 + share)), at: release,
        note: "it goes on at \(NumberText.short(over.speed.value, digits: 6)) \(track.unit)/s")
    } catch {
      return Verdict(
        track.name, measure, undecided: error.rawValue, limit: 100 * (1 - share), at: release)
    }
  }
}
