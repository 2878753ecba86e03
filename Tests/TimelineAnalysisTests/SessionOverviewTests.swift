import MotionMeasures
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct SessionOverviewTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private func overview(_ reader: RecordingReader) throws -> SessionOverview {
    try SessionOverview(reader.session(selectedBy: "last"), in: reader)
  }

  @Test func `an even run has no gap and nothing doubtful`() throws {
    let found = try overview(
      made.session("even", outcome: .finished) { recorder in
        for step in 0...20 { recorder.frame(at: Int64(step) * 10) }
      })
    #expect(found.frameCount == 21)
    #expect(found.gaps == [])
    #expect(found.remarks == [])
    #expect(found.headline.hasPrefix("#1 'even' ("))
    #expect(found.headline.contains("1 s, 100 Hz, 21 frames of 0 elements, outcome finished"))
  }

  @Test func `a missing frame is a gap, half a frame of jitter is none`() throws {
    let found = try overview(
      made.session { recorder in
        for time in [0, 10, 25, 35, 55, 65, 95] as [Int64] { recorder.frame(at: time) }
      })
    #expect(found.gaps.map(\.start) == [at(35), at(65)])
    #expect(found.gaps.map(\.end) == [at(55), at(95)])
    #expect(found.remarks.count == 1)
    #expect(found.remarks[0].hasPrefix("2 gaps between frames, the first from 0.035 s"))
  }

  @Test func `another rate is no gap, and one frame that is missing at it is one`() throws {
    let found = try overview(
      made.session { recorder in
        for time in Array(0...20).map({ $0 * 10 }) + Array(11...30).map({ $0 * 20 }) + [640] {
          recorder.frame(at: Int64(time))
        }
      })
    #expect(found.gaps.map(\.start) == [at(600)])
  }

  @Test func `without a refresh rate no gap is told`() throws {
    let found = try overview(
      made.session(rate: nil) { recorder in
        for time in [0, 10, 500] as [Int64] { recorder.frame(at: time) }
      })
    #expect(found.gaps == [])
    #expect(!found.headline.contains("Hz"))
  }

  @Test func `a few releases are named, many are counted`() throws {
    func headline(_ count: Int64) throws -> String {
      try overview(
        made.session { recorder in
          for number in 0..<count {
            recorder.decision(
              number == 1 ? .cancel : .finish, at: number * 100, progress: 0.7,
              transition: Int(number))
          }
        }
      ).headline
    }
    #expect(
      try headline(4).hasSuffix(
        ", finish at 0 s, cancel at 0.1 s, finish at 0.2 s, finish at 0.3 s"))
    #expect(try headline(5).hasSuffix(" elements, 5 releases: 4 finish, 1 cancel"))
  }

  @Test func `an open end, refused numbers and errors are told`() throws {
    let found = try overview(
      made.session(outcome: .open) { recorder in
        recorder.values(of: "x", [(0, .nan), (1, .infinity), (2, 1)])
        recorder.record(TimelineEvent(time: at(3), kind: .error))
      })
    #expect(found.remarks.contains { $0.contains("undecided") })
    #expect(found.remarks.contains { $0.contains("or warning") })
    #expect(found.troubleCount >= 1)
  }

  @Test func `decisions stand in the headline in their order`() throws {
    let found = try overview(
      made.session { recorder in
        recorder.decision(.finish, at: 100, progress: 0.9)
        recorder.decision(.cancel, at: 700, progress: 0.1, transition: 1)
      })
    #expect(found.releases.all.count == 2)
    #expect(found.headline.hasSuffix("finish at 0.1 s, cancel at 0.7 s"))
  }

  @Test func `a recorder that was let go leaves a session of which nothing is missing`() throws {
    do {
      let recorder = try Recorder(
        path: made.folder.path("open.kymo"),
        session: SessionDescription(software: "tests 1", clock: "app"), policy: .wait)
      recorder.values(of: "x", [(0, 1), (600, 2)])
    }
    let reader = try RecordingReader(path: made.folder.path("open.kymo"))
    #expect(
      try overview(reader).remarks.contains {
        $0.contains("nothing that it had recorded is missing")
      })
  }
}
