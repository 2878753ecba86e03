import MotionJudgement
import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@Suite struct SessionMetricsTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private func metrics(of reader: RecordingReader) throws -> SessionMetrics {
    try SessionMetrics(reader.session(selectedBy: "last"), in: reader)
  }

  @Test func `a drag and its settle are told in numbers`() throws {
    let reader = try made.session { recorder in
      recorder.record(TimelineEvent(time: at(0), kind: .start))
      recorder.values(
        of: "progress", role: .progress, unit: "1", (0...10).map { ($0 * 10, Double($0) / 20) })
      recorder.decision(.finish, at: 100, progress: 0.5, threshold: 0.4)
      recorder.values(
        of: "progress", role: .progress, [(200, 1.1), (300, 1)], phase: .settling)
    }
    let found = try metrics(of: reader)
    #expect(found.value(.duration) == 300)
    #expect(found.value(.frames) == 13)
    #expect(found.value(.decision) == 1)
    #expect(abs((found.value(.margin) ?? 0) - 0.1) < 1e-12)
    #expect(abs((found.value(.overshoot, key: "progress") ?? 0) - 10) < 1e-9)
    #expect(found.value(.finalValue, key: "progress") == 1)
    #expect(abs((found.value(.settle2, key: "progress") ?? 0) - 190) < 1e-6)
    #expect(abs((found.value(.peakVelocity, key: "progress") ?? 0) - 6) < 1e-9)
    #expect(abs((found.value(.releaseVelocity, key: "progress") ?? 0) - 5) < 1e-9)
    #expect(found.metrics.first { $0.name == .releaseVelocity }?.unit == "1/s")
  }

  private func withoutValues(_ metrics: SessionMetrics) -> [SessionMetrics.Metric] {
    metrics.metrics.map { metric in
      var metric = metric
      metric.value = nil
      return metric
    }
  }

  @Test func `sessions with the same keys have the same list`() throws {
    let full = try made.session(into: "a.kymo") { recorder in
      recorder.values(of: "x", [(0, 1), (10, 2)])
      recorder.values(of: "y", [(0, 1)])
    }
    let empty = try made.session(into: "b.kymo") { recorder in
      recorder.values(of: "x", [])
      recorder.values(of: "y", [])
    }
    let first = try withoutValues(metrics(of: full))
    #expect(try first == withoutValues(metrics(of: empty)))
    #expect(Set(first).count == first.count)
    #expect(try metrics(of: empty).metrics.compactMap(\.value) == [0])
  }

  @Test func `two releases are two motions`() throws {
    let reader = try made.session { recorder in
      for (number, begin) in [Int64(0), 1000].enumerated() {
        recorder.values(
          of: "progress", role: .progress, unit: "1", [(begin + 10, 0), (begin + 100, 0.6)])
        recorder.decision(
          number == 0 ? .finish : .cancel, at: begin + 100, progress: 0.6, transition: number)
        recorder.values(
          of: "progress", role: .progress, [(begin + 200, number == 0 ? 1 : 0)], phase: .settling)
      }
    }
    let found = try metrics(of: reader)
    #expect(found.value(.decision) == 1)
    #expect(found.value(.decision, transition: 1) == 0)
    #expect(found.value(.finalValue, key: "progress") == 1)
    #expect(found.value(.finalValue, key: "progress", transition: 1) == 0)
    #expect(found.value(.rise, key: "progress") != nil)
    #expect(found.value(.rise, key: "progress", transition: 1) == nil)
    #expect(found.value(.settle2, key: "progress", transition: 1).map { $0 > 90 } == true)
  }

  @Test func `frames are the clock where there are frames`() throws {
    let reader = try made.session { recorder in
      for time in [Int64(0), 10, 20, 40] { recorder.frame(at: time, 0.5) }
      recorder.values(of: "x", [(0, 1), (90, 2)])
    }
    let found = try metrics(of: reader)
    #expect(found.value(.frames) == 4)
    #expect(found.value(.hitchRatio) == 250)
  }

  @Test func `a key that takes few whole numbers steps`() throws {
    let reader = try made.session { recorder in
      recorder.values(of: "page", unit: "1", [(0, 0), (10, 1), (20, 2)])
      recorder.values(of: "points", unit: "pt", [(0, 0), (10, 1)])
      recorder.values(of: "half", unit: "1", [(0, 0.5), (10, 1)])
      recorder.values(of: "many", unit: "1", (0...20).map { ($0, Double($0)) })
      recorder.values(of: "progress", role: .progress, unit: "1", [(0, 0), (10, 1)])
      recorder.values(of: "never", unit: "1", [])
    }
    let data = try SessionData(
      FileSource(reader.session(selectedBy: "last"), in: reader), reading: .allKeys())
    let keys = data.tracks.all
    #expect(keys.map(\.isStep) == [true, false, false, false, false, false])
    #expect(keys.map(\.phases.count) == keys.map(\.curve.count))
    // Told once, of what was read: metrics ask at every release of every key, and must not look through all values.
    var page = keys[0]
    page.curve = Curve([Sample(time: at(0), value: 0.5)])
    #expect(page.isStep)
  }
}
