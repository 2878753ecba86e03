import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRecorder
import TimelineStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Velocities at a release, asked of a recording that holds one session or a thousand. Each session is about
/// a megabyte: twenty keys at 120 Hz for fifteen seconds, driven all the time and released once, so that
/// all of it has to be read.
let largeFileBenchmarks: [Benchmark] = [
  Benchmark(
    name: "velocity-file-1", group: "velocity-file", unit: "question", isOnRequest: true,
    summary: "opens a recording of one session of a megabyte and estimates 20 keys at its release"
  ) { try questions(toSessions: 1) },
  Benchmark(
    name: "velocity-file-1000", group: "velocity-file", unit: "question", isOnRequest: true,
    summary: "the same of a gigabyte: a thousand such sessions, of which the last is asked about"
  ) { try questions(toSessions: 1000) },
]

private let keyCount = 20
private let sampleCount = 1800

private func questions(toSessions count: Int) throws -> Benchmark.Work {
  let folder = try TemporaryFolder()
  let path = folder.path + "/large.kymo"
  for number in 0..<count { try record(session: number, into: path) }
  return Benchmark.Work { units in
    for _ in 0..<units {
      do {
        let reader = try RecordingReader(path: path)
        let report = try VelocityReport(of: reader.session(selectedBy: "last"), in: reader)
        guard report.releases.first?.motions.count == keyCount else {
          fatalError("The report has not every key.")
        }
      } catch {
        fatalError("The recording cannot be asked: \(error)")
      }
    }
    withExtendedLifetime(folder) {}
    return units
  }
}

private func record(session number: Int, into path: String) throws {
  var session = SessionDescription(
    software: "kymo-bench", clock: "virtual", name: "session \(number)")
  session.engineVersion = "1"
  let recorder = try Recorder(path: path, session: session, policy: .wait)
  let keys = (0..<keyCount).map {
    recorder.keyHandle(
      for: $0 == 0 ? progressKeyName : "key \($0)", role: $0 == 0 ? .progress : .animated, unit: "1"
    )
  }
  var last = Instant.zero
  for sample in 0..<sampleCount {
    last = Instant(nanoseconds: Int64(sample) * 8_333_333)
    for (place, key) in keys.enumerated() {
      // Not a straight line, so that no number is cheaper than another.
      let value = Double(sample * sample % 997) / 997 + Double(place)
      recorder.record(value, for: key, at: last, phase: .driving)
    }
  }
  recorder.record(
    ReleaseDecision(
      transition: 0, time: last, outcome: .finish, decidedBy: "rule", rule: "progress",
      ruleOutcome: .finish, threshold: 0.5, progress: 1, progressVelocity: nil, marginProgress: 0.5)
  )
  try recorder.finish(at: last, outcome: .finished)
}
