import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineStore

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

private func questions(toSessions count: Int) throws -> Benchmark.Work {
  let recording = try LargeRecording.shared(sessions: count)
  return Benchmark.Work { units in
    for _ in 0..<units {
      do {
        let reader = try RecordingReader(path: recording.path)
        let report = try VelocityReport(of: reader.session(selectedBy: "last"), in: reader)
        guard report.releases.first?.motions.count == LargeRecording.keyCount else {
          fatalError("The report has not every key.")
        }
      } catch {
        fatalError("The recording cannot be asked: \(error)")
      }
    }
    return units
  }
}
