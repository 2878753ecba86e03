import MotionJudgement
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Files of two seconds each compared with a golden one as `kymo check` does it.
let checkedFilesBenchmarks = [20, 40].map { count in
  Benchmark(
    name: "check-files-\(count)", group: "check-files", unit: "file",
    summary: "`kymo check` of \(count) files of two seconds, 20 keys and 8 items, by six limits"
  ) {
    let files = try CheckedFiles(count)
    let tolerances = try Tolerances(json: Array(rules.utf8))
    return Benchmark.Work { units in
      let times = (units + count - 1) / count
      do {
        for _ in 0..<times { try files.check(tolerances) }
      } catch {
        fatalError("The files cannot be checked: \(error)")
      }
      return times * count
    }
  }
}

private let rules = """
  {"version": 1, "rules": [{"metric": "decision", "must": "match"},
  {"metric": "structure", "must": "match"}, {"metric": "lag_ms", "fail": 1e9},
  {"metric": "residual_percent", "fail": 1e9}, {"metric": "hitch_ms_per_s", "fail": 1e9},
  {"metric": "jank_percent", "fail": 100}]}
  """

/// Recordings of an app, each a little unlike the others: two gestures of a quarter of a second, a contact in each,
/// that settle for three quarters, at 120 Hz.
final class CheckedFiles {
  private let folder: TemporaryFolder
  /// The golden recording, then the files.
  let paths: [String]
  private static let (keys, items) = (20, 8)
  private static let (gestures, frames, driven) = (2, 120, 30)
  private static let frame: Int64 = 8_333_333

  init(_ count: Int) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    paths = (0...count).map { "\(folder.path)/run\($0).kymo" }
    for (number, path) in paths.enumerated() { try Self.record(number, into: path) }
  }

  /// Holds every file against the first.
  func check(_ tolerances: Tolerances) throws {
    let golden = try RecordingReader(path: paths[0])
    let session = try golden.sessionRecord(1)
    var check = GoldenCheck(tolerances)
    for path in paths.dropFirst() {
      let reader = try RecordingReader(path: path)
      try check.add(try reader.sessionRecord(1), in: reader, golden: session, in: golden)
    }
    precondition(check.runs.count == paths.count - 1, "A file is missing.")
  }

  private static func record(_ number: Int, into path: String) throws {
    var description = SessionDescription(software: "kymograph-benchmarks", clock: "virtual")
    description.refreshRate = 120
    let recorder = try Recorder(path: path, session: description, policy: .wait)
    let handles = (0..<keys).map {
      recorder.keyHandle(
        for: $0 == 0 ? "progress" : "key \($0)", role: $0 == 0 ? .progress : .custom, unit: "pt")
    }
    let elements = (0..<items).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "cell \($0)"))
    }
    for gesture in 0..<gestures {
      for step in 0..<frames {
        let time = Instant(nanoseconds: Int64(gesture * frames + step) * frame)
        let phase: MotionPhase = step < driven ? .driving : .settling
        // Of no two files the same, by less than a thousandth of the distance.
        let shake = Double((number * 7_919 + step * 104_729) % 1_009) / 2e6
        let way = Self.way(step) + shake
        if step < driven {
          touch(gesture, step == 0 ? .began : .moved, at: time, way, into: recorder)
        }
        for (index, key) in handles.enumerated() {
          recorder.record(way * Double(1 + 50 * index), for: key, at: time, phase: phase)
        }
        recorder.beginFrame(
          FrameState(
            time: time, phase: phase, progress: way, contentOffset: .zero,
            contentSize: Size2D(width: 320, height: 2_000)))
        for (index, item) in elements.enumerated() {
          let y = 50 + Double(index) * (100 + 30 * way)
          recorder.record(
            Pose(
              center: Point2D(x: 160, y: y), size: Size2D(width: 300, height: 90), alpha: 1,
              zIndex: index), of: item, at: ItemIndexPath(section: 0, item: index))
        }
        recorder.endFrame()
        guard step == driven - 1 else { continue }
        let lift = time.advanced(byNanoseconds: frame / 2)
        touch(gesture, .ended, at: lift, way, into: recorder)
        recorder.record(
          ReleaseDecision(
            transition: gesture, time: lift, outcome: .finish, decidedBy: "rule", rule: "progress",
            ruleOutcome: .finish, threshold: 0.5, progress: way, progressVelocity: 1,
            marginProgress: way - 0.5))
      }
    }
    try recorder.finish(
      at: Instant(nanoseconds: Int64(gestures * frames) * frame), outcome: .finished)
  }

  /// How far the progress is: speeding up under the finger, slowing down after it.
  private static func way(_ step: Int) -> Double {
    let share = Double(step) / Double(driven)
    return step < driven ? 0.7 * share * share : 1 - 2.4 / Double(step - driven + 8)
  }

  private static func touch(
    _ contact: Int, _ phase: TouchPhase, at time: Instant, _ way: Double, into recorder: Recorder
  ) {
    recorder.record(
      TouchSample(
        time: time, contact: contact, phase: phase, position: Point2D(x: 100, y: 700 - 400 * way)))
  }
}
