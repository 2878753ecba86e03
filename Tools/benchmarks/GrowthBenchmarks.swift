import MotionJudgement
import MotionMeasures
import RunStudies
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Questions about many gestures, many keys and many sealed rows, each at two sizes: where the unit of the larger
/// one is dearer, the cost grows faster than what is asked about.
let growthBenchmarks: [Benchmark] =
  atTwoSizes("velocity-gestures", [250, 500], "gesture", "velocities at the releases of %") {
    size in
    let runs = try GestureRuns(gestures: size)
    return { _ = try VelocityReport(of: runs.sessions[0], in: runs.reader) }
  }
  + atTwoSizes("velocity-keys", [500, 1000], "key", "velocities of % at a release") { size in
    let runs = try GestureRuns(gestures: 1, keys: size)
    return { _ = try VelocityReport(of: runs.sessions[0], in: runs.reader) }
  }
  + atTwoSizes(
    "compare-gestures", [250, 500], "gesture", "`kymo compare` of two sessions of % with touches"
  ) { size in
    let runs = try GestureRuns(gestures: size)
    return { _ = try runs.compare(RunComparison.Options()) }
  }
  + atTwoSizes(
    "check-gestures", [250, 500], "gesture", "`kymo check` of the same by four limits"
  ) { size in
    let runs = try GestureRuns(gestures: size)
    let tolerances = try Tolerances(json: Array(rules.utf8))
    return {
      var check = GoldenCheck(tolerances)
      try check.add(
        runs.sessions[1], in: runs.reader, golden: runs.sessions[0], in: runs.reader)
      precondition(!check.aggregated.isEmpty, "No limit judged all sessions.")
    }
  }
  + atTwoSizes(
    "bench-gestures", [250, 500], "gesture", "`kymo compare` of two sessions of %, one a side"
  ) { size in
    let runs = try GestureRuns(gestures: size)
    return {
      let sides = try runs.sessions.map { try GroupRun($0, in: runs.reader) }
      let comparison = try GroupComparison([sides[0]], [sides[1]])
      precondition(comparison.rows.count > size, "A release is missing.")
    }
  }
  + atTwoSizes("compare-keys", [250, 500], "key", "`kymo compare` of two sessions of %") { size in
    let runs = try GestureRuns(gestures: 1, keys: size)
    return { _ = try runs.compare(RunComparison.Options()) }
  }
  + atTwoSizes("replay-keys", [500, 1000], "key", "the values of % at a moment") { size in
    let runs = try GestureRuns(gestures: 1, keys: size)
    let keys = try runs.reader.keys(in: 1).map(\.handle)
    return {
      let found = try runs.reader.newestSamples(
        of: keys, in: 1, from: Instant(nanoseconds: .min)...GestureRuns.middle)
      precondition(found.count == size, "A key is missing.")
    }
  }
  + atTwoSizes(
    "expand", [240, 480], "frame", "`kymo file unpack` of % of 200 packed items, brought in before"
  ) { size in
    let folder = try writeRecording(AttributeLoad(seconds: 4), frames: size, isSealed: true)
    let reader = try RecordingReader(path: folder.path + "/run.kymo")
    return {
      defer { withExtendedLifetime(folder) {} }
      let copy = try TemporaryFolder()
      let editor = try RecordingEditor(path: copy.path + "/copy.kymo", isMade: true)
      let session = try editor.copySession(1, from: reader)
      let report = try editor.expand(session: session)
      precondition(report.rows > size, "Nothing was packed.")
    }
  }

private let rules = """
  {"version": 1, "rules": [{"metric": "decision", "must": "match"},
  {"metric": "release_velocity_per_s", "fail": 1e9}, {"metric": "settle_2_ms", "fail": 1e9},
  {"metric": "lag_ms", "fail": 1e9, "aggregate": "median"}]}
  """

/// A case for each size, whose unit is one of what there are so many of.
private func atTwoSizes(
  _ name: String, _ sizes: [Int], _ unit: String, _ summary: String,
  _ prepare: @escaping @Sendable (Int) throws -> () throws -> Void
) -> [Benchmark] {
  sizes.map { size in
    let (words, rest) = (summary.split(separator: "%"), "\(size) \(unit)s")
    return Benchmark(
      name: "\(name)-\(size)", group: name, unit: unit,
      summary: words.joined(separator: rest) + (summary.hasSuffix("%") ? rest : "")
    ) {
      let ask = try prepare(size)
      return Benchmark.Work { units in
        let times = (units + size - 1) / size
        do {
          for _ in 0..<times { try ask() }
        } catch {
          fatalError("\(name) cannot be asked: \(error)")
        }
        return times * size
      }
    }
  }
}

/// Two sessions of gestures, the second a frame later than the first: a contact drives the progress and other keys,
/// lifts, and what was decided settles.
final class GestureRuns {
  let reader: RecordingReader
  let sessions: [SessionRecord]
  let folder: TemporaryFolder
  private static let (driven, settled) = (12, 12)
  private static let framesOfOne = 26
  private static let frame: Int64 = 8_333_333
  /// An instant in the midst of the first gesture, between two frames.
  static let middle = Instant(nanoseconds: 6 * frame + frame / 2)

  init(gestures: Int, keys: Int = 3) throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/runs.kymo"
    try GestureRuns.write(gestures: gestures, keys: keys, to: path)
    reader = try RecordingReader(path: path)
    sessions = try reader.sessionRecords()
  }

  /// Records both sessions into a new file.
  static func write(gestures: Int, keys: Int = 3, to path: String) throws {
    for late in 0..<2 as Range<Int64> {
      var description = SessionDescription(software: "kymograph-benchmarks", clock: "virtual")
      description.refreshRate = 120
      let recorder = try Recorder(path: path, session: description, policy: .wait)
      let handles = (0..<keys).map {
        recorder.keyHandle(
          for: $0 == 0 ? "progress" : "key \($0)", role: $0 == 0 ? .progress : .custom, unit: "pt")
      }
      for gesture in 0..<gestures {
        let first = (Int64(gesture * framesOfOne) + late) * frame
        record(gesture, from: first, into: recorder, handles)
      }
      let frames = Int64(gestures * framesOfOne)
      try recorder.finish(at: Instant(nanoseconds: frames * frame), outcome: .finished)
    }
  }

  func compare(_ options: RunComparison.Options) throws -> RunComparison {
    try RunComparison.compare(
      sessions[0], in: reader, with: sessions[1], in: reader, options: options)
  }

  private static func record(
    _ gesture: Int, from first: Int64, into recorder: Recorder, _ keys: [KeyHandle]
  ) {
    for step in 0..<driven + settled {
      let time = Instant(nanoseconds: first + Int64(step) * frame)
      let way = Double(min(step, driven - 1) * min(step, driven - 1)) / 200
      let isDriven = step < driven
      let value = isDriven ? way : 1 - (1 - way) / Double(step - driven + 2)
      if isDriven {
        recorder.record(
          TouchSample(
            time: time, contact: gesture, phase: step == 0 ? .began : .moved,
            position: Point2D(x: 100, y: 300 * way)))
      }
      for (number, key) in keys.enumerated() {
        recorder.record(
          value * Double(number + 1), for: key, at: time, phase: isDriven ? .driving : .settling)
      }
      guard step == driven - 1 else { continue }
      let lift = time.advanced(byNanoseconds: frame / 2)
      recorder.record(
        TouchSample(
          time: lift, contact: gesture, phase: .ended, position: Point2D(x: 100, y: 300 * way)))
      recorder.record(
        ReleaseDecision(
          transition: gesture, time: lift, outcome: .finish, decidedBy: "rule", rule: "progress",
          ruleOutcome: .finish, threshold: 0.5, progress: way, progressVelocity: 1,
          marginProgress: way - 0.5))
    }
  }
}
