import TimelineModel
import TimelineSession
package import TimelineStore

/// Holds a session against requirements.
///
/// ```swift
/// let verdicts = try ExpectationJudge(expectations.rules).verdicts(of: session, in: reader)
/// ```
package struct ExpectationJudge: Sendable {
  /// What is required.
  package let rules: [MotionExpectation]
  /// With at least this many sealed samples, one key after the other is read.
  package var apartCount = SessionData.mostHeldValues

  /// Takes requirements.
  package init(_ rules: [MotionExpectation]) { self.rules = rules }

  /// What is found of a session, requirement by requirement.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: as of reading what the requirements name, and of the search for a lag.
  package func verdicts(
    of session: SessionRecord, in reader: RecordingReader
  ) throws -> [Verdict] {
    try reader.beginState()
    defer { reader.endState() }
    let source = try MotionSource(
      FileSource(session, in: reader), for: rules, apartFrom: apartCount)
    return try rules.enumerated().flatMap { number, rule in
      try source.verdicts(of: rule, at: number)
    }
  }
}

extension MotionSource {
  /// What is found of a requirement: at least one number, or why there is none.
  ///
  /// - Parameter index: The requirement's number in its file, from 0.
  /// - Throws: `StoreError` when the file cannot be read.
  func verdicts(of rule: MotionExpectation, at index: Int) throws -> [Verdict] {
    let requirement = Verdict.Requirement(rule, at: index)
    return try found(rule).map { $0.of(requirement) }
  }

  private func found(_ rule: MotionExpectation) throws -> [Verdict] {
    let measure = rule.demand.kind.rawValue
    let name = rule.subjects.map(\.text).joined(separator: ", ")
    func missing(_ subject: String, _ why: String) -> [Verdict] {
      rule.isOptional
        ? [Verdict(skipping: subject, measure, because: why)]
        : [Verdict(subject, measure, unknown: why)]
    }
    var asked = rule.subjects
    switch rule.demand {
    case .follows(let source, _, _, _, _, _), .handsOver(let source, _, _): asked.append(source)
    default: break
    }
    for subject in asked {
      guard try isThere(subject, of: rule) else {
        return missing(subject.text, absence(of: subject))
      }
    }
    if let from = rule.from, windows(from: from).isEmpty {
      return missing(name, absence(of: from))
    }
    var found: [Verdict]
    switch rule.demand {
    case .follows, .handsOver: found = try followings(rule)
    case .continuous(let excess): found = try jumps(rule, excess)
    case .monotone(let isRising, let slack): found = try returns(rule, isRising, slack)
    case .overshoot(let percent, let target): found = try overshoots(rule, percent, target)
    case .settlesBy(let seconds, let percent, let target):
      found = try settlings(rule, seconds, percent, target)
    case .staysIn(let rect, let slack): found = try stays(rule, rect, slack)
    case .before(let moment, let least):
      guard !windows(from: moment).isEmpty else { return missing(name, absence(of: moment)) }
      found = order(rule, moment, least)
    case .stagger(let step, let tolerance, let moved):
      found = try staggers(rule, step, tolerance, moved)
    case .appearsBy(let seconds, let alpha): found = try appearances(rule, seconds, alpha)
    case .apart(let gap): found = try gaps(rule, gap)
    case .hitch(let longest, let ratio): found = hitches(rule, longest, ratio)
    }
    found = found.worstOfEach
    return found.isEmpty
      ? missing(name, "it has no value in the time that counts") : found
  }

  private func isThere(_ subject: MotionSubject, of rule: MotionExpectation) throws -> Bool {
    switch subject {
    case .event(let name): return !times(of: name).isEmpty
    case .frames: return data.frames.times.count > 1
    case .item(let id, _) where rule.demand.kind == .appearsBy:
      return try !tracks(of: .item(id, .alpha)).isEmpty
    default: return try hasTrack(of: subject)
    }
  }

  private func absence(of subject: MotionSubject) -> String {
    switch subject {
    case .key: "there is no key of this name that has a value"
    case .item: "there is no element of this name that is ever shown"
    case .finger: "no contact was recorded"
    case .event: "there is no event of this name"
    case .frames: "there are no two frames"
    }
  }

  private func absence(of moment: MotionMoment) -> String {
    switch moment {
    case .start, .release: "there is no \(moment.text) in this session"
    case .event: "there is no \(moment.text)"
    case .seconds: "the session does not reach \(moment.text)"
    }
  }

  /// A length of a requirement in a track's own unit. `nil`: the requirement tells it in points, and the track is in
  /// another unit.
  ///
  /// - Parameters:
  ///   - points: What counts where nothing is said.
  ///   - share: What counts then of a track in another unit, as a share of its range.
  func length(
    _ extent: MotionExpectation.Extent?, of track: Track, points: Double, share: Double
  ) -> Double? {
    let isInPoints = track.unit == "pt"
    switch extent {
    case nil: return isInPoints ? points : share * track.extent
    case .own(let length): return length
    case .points(let length): return isInPoints ? length : nil
    case .share(let part): return part * track.extent
    }
  }

  /// A measure's name in a track's unit: `excess_pt`, and without a unit of what is in another one.
  func named(_ measure: String, of track: Track) -> String {
    track.unit == "pt" ? "\(measure)_pt" : measure
  }

  /// Why a length in points says nothing of a track.
  func otherUnit(_ track: Track, _ field: String) -> String {
    "its unit is \(track.unit.isEmpty ? "unknown" : track.unit), so \(field)_pt does not apply to it. Give "
      + "\(field)_share"
  }
}
