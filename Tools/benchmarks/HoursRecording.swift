import KymographCLibrary
import TimelineModel
import TimelineRecorder

/// One session of hours, as an app that never stops recording leaves it: sixteen keys at 120 Hz, sealed as they come, and
/// every ten seconds a finger that drives the progress for 0.8 s and lets it settle.
final class HoursRecording {
  var path: String { folder.recording }
  /// How long the session is, in seconds.
  let seconds: Int
  /// Whether its values are plain rows.
  let isPlain: Bool
  private let folder: TemporaryFolder

  /// Seconds from one gesture to the next.
  static let gestureSeconds = 10
  private static let framesOfGesture = gestureSeconds * SampleLoad.framesPerSecond
  /// In each gesture's ten seconds, the frames in which the finger is down, and those of the settle.
  private static let driven = SampleLoad.framesPerSecond..<SampleLoad.framesPerSecond * 9 / 5
  private static let settling = driven.upperBound..<driven.upperBound + SampleLoad.framesPerSecond

  /// The recording of so many seconds that somebody holds, or a new one: cases that take turns share it.
  static func shared(seconds: Int, isPlain: Bool = false) throws -> HoursRecording {
    if let kept, kept.seconds == seconds, kept.isPlain == isPlain { return kept }
    let new = try HoursRecording(seconds: seconds, isPlain: isPlain)
    kept = new
    return new
  }

  // The program has one thread that measures.
  private nonisolated(unsafe) static weak var kept: HoursRecording?

  private init(seconds: Int, isPlain: Bool) throws {
    (self.seconds, self.isPlain) = (seconds, isPlain)
    folder = try TemporaryFolder()
    // In a process of its own: the peak of a program counts for those that it starts.
    let hours = Double(seconds) / 3_600
    let code = try BuiltProgram(named: "kymograph-benchmarks")
      .run(["--hours", "\(hours)", folder.recording]).code
    guard code == 0 else { throw UsageError("the recording of \(hours) hours cannot be made.") }
    if isPlain {
      let code = try BuiltProgram.kymo.run(["file", "unpack", folder.recording]).code
      guard code == 0 else { throw UsageError("the recording cannot be unpacked.") }
    }
  }

  /// Records the session into a new file.
  static func write(seconds: Int, to path: String) throws {
    var settings = RecorderSettings.byHand
    settings.sealsFromStart = true
    var description = SessionDescription.ofBenchmarks
    description.refreshRate = Double(SampleLoad.framesPerSecond)
    let recorder = try Recorder(
      path: path, session: description, policy: .wait, settings: settings)
    let load = SampleLoad()
    let keys = (0..<SampleLoad.keys).map {
      recorder.keyHandle(
        for: $0 == 0 ? progressKeyName : "key \($0)", role: $0 == 0 ? .progress : .animated,
        unit: $0 == 0 ? "1" : "pt")
    }
    let framesOfCommit = SampleLoad.framesPerCommit(isSealing: true)
    let frames = seconds * SampleLoad.framesPerSecond
    for frame in 0..<frames {
      let time = Instant(nanoseconds: load.time(ofFrame: frame))
      let (gesture, step) = frame.quotientAndRemainder(dividingBy: framesOfGesture)
      let phase: MotionPhase =
        driven.contains(step) ? .driving : settling.contains(step) ? .settling : .idle
      let progress = progress(atStep: step, of: gesture)
      recorder.record(progress, for: keys[0], at: time, phase: phase)
      for key in 1..<SampleLoad.keys {
        recorder.record(load.value(of: key, inFrame: frame), for: keys[key], at: time, phase: phase)
      }
      if driven.contains(step) {
        drive(gesture, step, at: time, progress, into: recorder)
      } else if step == settling.upperBound {
        recorder.record(TimelineEvent(time: time, kind: .completion))
      }
      if (frame + 1).isMultiple(of: framesOfCommit) { recorder.writeBatch() }
    }
    try recorder.finish(
      at: Instant(nanoseconds: load.time(ofFrame: frames)), outcome: .finished)
  }

  /// The finger's report of a frame, and at its last one the lift and what is decided.
  private static func drive(
    _ gesture: Int, _ step: Int, at time: Instant, _ progress: Double, into recorder: Recorder
  ) {
    let isFirst = step == driven.lowerBound
    if isFirst {
      recorder.record(
        TimelineEvent(time: time, kind: .start, fields: ["from": "list", "to": "detail"]))
    }
    let place = Point2D(x: 100, y: 700 - 400 * progress)
    recorder.record(
      TouchSample(time: time, contact: gesture, phase: isFirst ? .began : .moved, position: place))
    guard step == driven.upperBound - 1 else { return }
    let lift = time.advanced(byNanoseconds: 4_000_000)
    recorder.record(
      TouchSample(time: lift, contact: gesture, phase: .ended, position: place))
    recorder.record(
      ReleaseDecision(
        transition: gesture, time: lift, outcome: progress < 0.5 ? .cancel : .finish,
        decidedBy: "rule", rule: "progress", ruleOutcome: progress < 0.5 ? .cancel : .finish,
        threshold: 0.5, progress: progress, progressVelocity: 1.5,
        marginProgress: progress - 0.5))
  }

  /// How far a gesture has come: no two go the same way, and some fall back.
  private static func progress(atStep step: Int, of gesture: Int) -> Double {
    let reach = 0.3 + 0.05 * Double(gesture * 7 % 13)
    let end = reach < 0.5 ? 0.0 : 1
    if step < driven.lowerBound { return 0 }
    if step < driven.upperBound {
      let share = Double(step - driven.lowerBound) / Double(driven.count - 1)
      // A finger's unevenness, of no two frames the same.
      return reach * share * share + Double(step * 104_729 % 1_009) / 1e6
    }
    let since = Double(step - driven.upperBound) / Double(SampleLoad.framesPerSecond)
    guard since < 1 else { return end }
    return end + (reach - end) * exp(-6 * since) * cos(5 * since)
  }
}
