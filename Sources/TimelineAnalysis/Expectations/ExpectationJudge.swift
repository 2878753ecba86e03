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
  ) throws -> [ExpectationVerdict] {
    try reader.beginState()
    defer { reader.endState() }
    let source = try MotionSource(
      FileSource(session, in: reader), for: rules, apartFrom: apartCount)
    return try rules.enumerated().flatMap { number, rule in
      try source.findings(of: rule).map { ExpectationVerdict(number, rule, $0) }
    }
  }
}

extension ExpectationVerdict {
  /// What was found of a requirement.
  init(_ number: Int, _ rule: MotionExpectation, _ finding: Finding) {
    self.init(
      rule: number, kind: rule.demand.kind.rawValue, isLeast: rule.demand.kind.isLeast, id: rule.id,
      subject: finding.subject,
      measure: finding.measure, passes: finding.passes, isSkipped: finding.isSkipped,
      instant: finding.instant, number: finding.number, limit: finding.limit,
      margin: finding.margin, note: finding.note)
    (step, interval, isUndecided) = (finding.step, finding.interval, finding.isUndecided)
  }
}

/// One number of a requirement.
struct Finding {
  var subject: String
  var measure: String
  var number: Double?
  var instant: Instant?
  var limit: Double?
  /// How far the number is from its limit; nil without a number.
  var margin: Double?
  var note: String?
  var isSkipped = false
  /// Where the number is in 90 of 100 cases; nil: it is exact, or there is none.
  var interval: ClosedRange<Double>?
  /// Whether it is too short to tell on which side of its limit the number is.
  var isUndecided = false
  /// Of a jump, how far it goes.
  var step: Double?

  /// What is rounded must not be taken for more than a limit; a share of it, no unit.
  private static let slack = 1e-9

  /// Whether the number is within its limit, or may be.
  var passes: Bool {
    if isSkipped || isUndecided { return true }
    guard let margin, !margin.isNaN else { return false }
    return margin >= -Finding.slack * max(1, abs(limit ?? 0))
  }

  /// A number that may be at most so large.
  ///
  /// - Parameter tolerance: By how much more it may be, in its unit.
  init(
    _ subject: String, _ measure: String, _ number: Double, atMost limit: Double,
    tolerance: Double = 0, at instant: Instant? = nil, note: String? = nil
  ) {
    (self.subject, self.measure, self.instant, self.note) = (subject, measure, instant, note)
    (self.number, self.limit) = (number.isFinite ? number : nil, limit + tolerance)
    margin = number.isFinite ? limit + tolerance - number : nil
    if self.number == nil { self.note = "it is too large to tell" }
  }

  /// A number that has to be at least so large.
  init(
    _ subject: String, _ measure: String, _ number: Double, atLeast limit: Double,
    tolerance: Double = 0, at instant: Instant? = nil, note: String? = nil
  ) {
    self.init(
      subject, measure, -number, atMost: -limit, tolerance: tolerance, at: instant, note: note)
    (self.number, self.limit) = (self.number.map { -$0 }, limit - tolerance)
  }

  /// What is not known, and why; that fails.
  init(_ subject: String, _ measure: String, unknown note: String, limit: Double? = nil) {
    (self.subject, self.measure, self.note, self.limit) = (subject, measure, note, limit)
  }

  /// A number with an interval, which has to be within limits; they decide nothing if one of them is inside of it.
  init(
    _ subject: String, _ measure: String, _ estimate: Estimated,
    within limits: ClosedRange<Double>, at instant: Instant? = nil, note: String? = nil
  ) {
    (self.subject, self.measure, self.instant, self.note) = (subject, measure, instant, note)
    guard estimate.value.isFinite, estimate.low <= estimate.high else {
      (isUndecided, self.note) = (true, TooShortToTell.outOfRange.rawValue)
      return
    }
    let (below, above) = (
      estimate.value - limits.lowerBound, limits.upperBound - estimate.value
    )
    (number, margin) = (estimate.value, min(below, above))
    (limit, interval) = (
      below < above ? limits.lowerBound : limits.upperBound, estimate.low...estimate.high
    )
    isUndecided = estimate.side(of: limits) == .undecided
  }

  /// What cannot be told of so short a recording, and why.
  init(
    _ subject: String, _ measure: String, undecided note: String, limit: Double,
    at instant: Instant? = nil
  ) {
    (self.subject, self.measure, self.note, self.limit) = (subject, measure, note, limit)
    (self.instant, isUndecided) = (instant, true)
  }

  /// What need not be there.
  init(skipping subject: String, _ measure: String, because note: String) {
    (self.subject, self.measure, self.note) = (subject, measure, note)
    isSkipped = true
  }
}

extension [Finding] {
  /// Of each subject's numbers, found in several stretches, the one that fails, is undecided or passes, in this order, and
  /// of these the one that is nearest to its limit or furthest beyond it; in the order in which they came.
  var worstOfEach: [Finding] {
    var indices: [[String]: Int] = [:]
    var worst: [Finding] = []
    for finding in self {
      let name = [finding.subject, finding.measure]
      guard let index = indices[name] else {
        indices[name] = worst.count
        worst.append(finding)
        continue
      }
      if finding.severity < worst[index].severity { worst[index] = finding }
    }
    return worst
  }
}

extension Finding {
  /// By what the worst is chosen: the less, the worse.
  fileprivate var severity: (Int, Double) {
    (passes ? isUndecided ? 1 : 2 : 0, margin ?? -.infinity)
  }
}

extension MotionSource {
  /// What is found of a requirement: at least one number, or why there is none.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  func findings(of rule: MotionExpectation) throws -> [Finding] {
    let measure = rule.demand.kind.rawValue
    let name = rule.subjects.map(\.text).joined(separator: ", ")
    func missing(_ subject: String, _ why: String) -> [Finding] {
      rule.isOptional
        ? [Finding(skipping: subject, measure, because: why)]
        : [Finding(subject, measure, unknown: why)]
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
    var found: [Finding]
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

  /// A length of a requirement in a track's own unit; nil: the requirement tells it in points, and the track is in
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
