import MotionMeasures
import TimelineModel
import TimelineSession

extension MotionSource {
  /// How a subject follows a source while that is down, or goes on when it is let go.
  ///
  /// A number passes or fails if its whole interval is on one side of its limit. Otherwise it is undecided.
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
        guard let drive = drive(sourceSubject, source, window, beyond: deadZone) else { continue }
        if case .handsOver(_, let gain, let share) = rule.demand {
          guard let release = window.stretch.release else { continue }
          found.append(
            handOver(
              track, drive, release, until: data.end(behind: release, by: window.end), gain: gain,
              share))
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

  /// A source's drive in a window. `nil` where it has no value in it, or does not leave its dead zone.
  private func drive(
    _ subject: MotionSubject, _ source: Track, _ window: MotionWindow, beyond zone: Double
  ) -> Drive? {
    let release = window.stretch.release ?? window.end
    guard window.anchor <= release else { return nil }
    // A finger may land before the transition starts.
    let behind = source.runs.partitioningIndex { $0.times[0] > release }
    guard case .finger(let axis, _) = subject, behind > 0,
      let contact = source.runs[behind - 1].contact
    else {
      return Drive(
        source.curve(from: window.stretch.start, to: release), inPoints: source.unit == "pt",
        beyond: zone, lift: release, from: window.anchor, in: data.readFrames)
    }
    let times = source.runs[behind - 1].times
    guard let last = times.last, last >= window.stretch.start else { return nil }
    guard
      let drive = Drive(
        contact, along: axis, turn: times[0], beyond: zone, release: window.stretch.release,
        from: window.anchor, in: data.readFrames), drive.hasLeft
    else { return nil }
    return drive
  }

  private func following(
    _ demand: MotionExpectation.Demand, _ track: Track, _ drive: Drive
  ) -> [Verdict] {
    guard case .follows(_, let gain, let tolerance, _, let limit, let within) = demand else {
      return []
    }
    let lagName = Measure.lag.rawValue
    let most = limit * 1000 + Double(halfFrame) / 1e6
    let fit: Follow
    do throws(TooShortToTell) {
      fit = try drive.follow(drive.shown(track), gain: gain)
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
    _ track: Track, _ drive: Drive, _ release: Instant, until end: Instant, gain: Double?,
    _ share: Double
  ) -> Verdict {
    let measure = "kept_percent"
    do throws(TooShortToTell) {
      let gain = gain.map { Estimated($0, low: $0, high: $0) }
      let shown = drive.shown(track)
      let follow =
        gain == nil ? try drive.follow(shown) : try? drive.follow(shown, gain: gain?.value)
      let over = try drive.handOver(shown, follow, gain: gain, until: end)
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
