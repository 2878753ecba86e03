import TestSupport
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A folder with recordings that a test makes by hand.
struct HandMade {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records one session; the closure gives what it holds.
  @discardableResult
  func session(
    _ name: String? = nil, into file: String = "run.kymo", uuid: String? = nil,
    rate: Double? = 100, outcome: SessionOutcome = .none,
    release: String? = nil, settle: String? = nil, viewport: Size2D? = nil, engine: String? = nil,
    clock: String = "app",
    _ fill: (Recorder) -> Void = { _ in }
  ) throws -> RecordingReader {
    var description = SessionDescription(software: "tests 1", clock: clock, name: name)
    description.uuid = uuid
    description.wallClockStartNanoseconds = 0
    description.refreshRate = rate
    description.viewport = viewport
    description.release = release
    description.settle = settle
    description.engineVersion = engine
    let recorder = try Recorder(path: folder.path(file), session: description, policy: .wait)
    fill(recorder)
    try recorder.finish(at: Instant(nanoseconds: 1_000_000_000), outcome: outcome)
    return try RecordingReader(path: folder.path(file))
  }
}

/// A track of values: milliseconds and value by turns.
typealias Track = [(Int64, Double)]

/// Values at even times: so many of them, so many milliseconds apart, each told by its number.
func track(
  _ count: Int, every step: Int64, from first: Int64 = 0, _ value: (Double) -> Double
) -> Track {
  var found: Track = []
  for index in 0..<count {
    let time: Int64 = first + Int64(index) * step
    found.append((time, value(Double(index))))
  }
  return found
}

func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

extension Recorder {
  /// Records values of a key, milliseconds and value by turns.
  @discardableResult
  func values(
    of name: String, role: KeyRole = .custom, unit: String = "pt",
    _ values: [(Int64, Double)], phase: MotionPhase = .driving
  ) -> KeyHandle {
    let key = keyHandle(for: name, role: role, unit: unit)
    for (time, value) in values { record(value, for: key, at: at(time), phase: phase) }
    return key
  }

  /// Records a decision of the rule, or of a script.
  func decision(
    _ outcome: ReleaseOutcome, at milliseconds: Int64, progress: Double, transition: Int = 0,
    threshold: Double = 0.5, by decidedBy: DecisionSource = "rule"
  ) {
    let rule: ReleaseOutcome = progress > threshold ? .finish : .cancel
    record(
      ReleaseDecision(
        transition: transition, time: at(milliseconds), outcome: outcome, decidedBy: decidedBy,
        rule: "progress", ruleOutcome: rule, threshold: threshold, progress: progress,
        progressVelocity: nil,
        marginProgress: outcome == rule
          ? abs(progress - threshold) : -abs(progress - threshold)))
  }

  /// Records a frame without elements.
  func frame(at milliseconds: Int64, _ progress: Double? = nil) {
    beginFrame(
      FrameState(
        time: at(milliseconds), phase: progress == nil ? .idle : .driving, progress: progress,
        contentOffset: .zero, contentSize: .zero))
    endFrame()
  }
}
