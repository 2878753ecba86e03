import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@testable import MotionJudgement
@testable import MotionMeasures

@Suite struct AlignmentTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  @Test func `alignments are read as they are written`() throws {
    for name in ["none", "start", "release", "xcorr", "progress", "manual=12.5", "manual=-3"] {
      #expect(try #require(RunComparison.Alignment(rawValue: name)).rawValue == name)
    }
    for name in ["", "Start", "manual", "manual=", "manual=x", "manual=nan", "manual=1e300"] {
      #expect(RunComparison.Alignment(rawValue: name) == nil)
    }
  }

  @Test func `a map goes straight between its knots and evenly beyond them`() throws {
    let map = try #require(
      TimeMap(
        [(10, 100), (20, 110), (20, 150), (40, 170)].map {
          TimeMap.Knot(ofB: at($0.0), ofA: at($0.1))
        }))
    #expect(map.instantOfA(at(0)) == at(90))
    #expect(map.instantOfA(at(15)) == at(105))
    // Where A waits and B does not, the later place counts.
    #expect(map.instantOfA(at(20)) == at(150))
    #expect(map.instantOfA(at(30)) == at(160))
    #expect(map.instantOfA(at(50)) == at(180))
    #expect(!map.isShift)
    #expect(map.offsets == 90_000_000...130_000_000)
    // A clock that would run backwards is not followed.
    let back = try #require(
      TimeMap(
        [(10, 100), (20, 50), (30, 120)].map {
          TimeMap.Knot(ofB: at($0.0), ofA: at($0.1))
        }))
    #expect(back.knots.count == 2)
    #expect(TimeMap([]) == nil)
  }

  /// A run whose progress goes through the values at these times, driven, and settles in 200 ms.
  private func run(
    _ file: String, _ points: [(Int64, Double)], key: Bool = true
  ) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      let last = points[points.count - 1]
      if key {
        recorder.values(of: "progress", role: .progress, unit: "1", points)
        recorder.values(
          of: "progress", role: .progress, [(last.0 + 100, 0.9), (last.0 + 200, 1)],
          phase: .settling)
      }
      // A key that follows the progress.
      recorder.values(of: "x", points.map { ($0.0, 100 * $0.1) })
      recorder.decision(.finish, at: last.0, progress: last.1)
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, _ alignment: RunComparison.Alignment,
    limit: Double = defaultLagLimitSeconds
  ) throws -> RunComparison {
    var options = RunComparison.Options()
    options.alignment = alignment
    options.lagLimitSeconds = limit
    return try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      options: options)
  }

  @Test func `equal progress falls together however fast the finger was`() throws {
    let a = try run("a.kymo", track(51, every: 10) { $0 / 50 })
    // Twice as slow, with a rest of 300 ms and a step back on the way.
    var slow: Track = track(26, every: 20) { $0 / 50 }
    slow += [(600, 0.4), (800, 0.5)]
    slow += track(25, every: 20, from: 820) { ($0 + 26) / 50 }
    let b = try run("b.kymo", slow)
    let started = try compare(a, b, .start)
    #expect(!started.isSame)
    let aligned = try compare(a, b, .progress)
    let x = try #require(aligned.keys.first { $0.name == "x" }?.comparison)
    #expect((x.residualShareOfRange ?? 1) < 0.03)
    #expect((x.aligned?.rootMeanSquare ?? 99) < 3)
    #expect(!aligned.timeMap.isShift)
    // The first and the last driven instant lie on each other.
    #expect(aligned.timeMap.instantOfA(.zero) == .zero)
    #expect(aligned.timeMap.instantOfA(at(1300)) == at(500))
    // The settle keeps its own pace.
    #expect(aligned.timeMap.instantOfA(at(1400)) == at(600))
  }

  @Test func `progress that moves downwards is aligned as well`() throws {
    let a = try run("a.kymo", track(11, every: 10) { 1 - $0 / 10 })
    let b = try run("b.kymo", track(11, every: 30) { 1 - $0 / 10 })
    let aligned = try compare(a, b, .progress)
    let x = try #require(aligned.keys.first { $0.name == "x" }?.comparison?.aligned)
    #expect(x.maximum < 1e-6)
  }

  @Test func `where progress cannot align, it is said why`() throws {
    let a = try run("a.kymo", [(0, 0), (100, 0.4)])
    let others: [(RecordingReader, String)] = [
      (try run("b.kymo", [(0, 0), (100, 1)], key: false), "no key of the progress"),
      (try run("c.kymo", [(0, 0.5), (100, 0.5)]), "no driven progress that moves"),
      (try run("d.kymo", [(0, 0.6), (100, 0.9)]), "no driven progress in common"),
    ]
    for (b, words) in others {
      let error = #expect(throws: QueryError.self) { try compare(a, b, .progress) }
      #expect(error?.message.contains(words) == true)
    }
  }

  @Test func `one shift is found for all keys`() throws {
    func late(_ delay: Int64) -> (Recorder) -> Void {
      { recorder in
        recorder.values(of: "one", track(101, every: 10, from: delay) { smooth($0 / 100) })
        recorder.values(
          of: "two", track(101, every: 10, from: delay) { 300 * smooth($0 / 60 - 0.2) })
        recorder.values(of: "rest", [(0, 1), (900, 1)])
      }
    }
    let a = try made.session(into: "a.kymo", late(0))
    let b = try made.session(into: "b.kymo", late(37))
    let found = try compare(a, b, .xcorr)
    #expect(abs(found.timeMap.offsetNanoseconds + 37_000_000) < 100_000)
    #expect(found.isSame)
    let moved = try compare(a, b, .manual(nanoseconds: -37_000_000))
    #expect(moved.isSame)
    #expect(moved.timeMap.offsetNanoseconds == -37_000_000)
    #expect(moved.keys.allSatisfy { abs($0.comparison?.lagSeconds ?? 1) < 1e-4 })
  }

  @Test
  func
    `the lag of a long delay is found to a tenth of a millisecond, another spring is not a delay`()
    throws
  {
    // Long enough that the search looks at some instants only.
    func swings(_ late: Double, damping: Double) -> Curve {
      var samples: [Sample] = []
      for step in 0..<12_000 {
        let time = Double(step) / 120
        let since = (time - late).truncatingRemainder(dividingBy: 4)
        let value = since < 0 ? 0 : 1 - ringing(since, damping: damping)
        samples.append(Sample(time: Instant(nanoseconds: Int64(time * 1e9)), value: value))
      }
      return Curve(samples)
    }
    let a = swings(0, damping: 4)
    let delayed = CurveComparison(a, a.shifted(byNanoseconds: 23_456_000))
    #expect(abs(delayed.lagSeconds - 0.023456) < 1e-4)
    #expect((delayed.residual ?? 1) < 1e-4)
    let other = CurveComparison(a, swings(0.02, damping: 6))
    #expect((other.residualShareOfRange ?? 0) > 0.01)
    #expect((other.residual ?? 1) < (other.aligned?.rootMeanSquare ?? 0))
  }
}

/// From 0 to 1 with rests at both ends.
private func smooth(_ share: Double) -> Double {
  let x = max(0, min(1, share))
  return x * x * (3 - 2 * x)
}

/// What is left of a spring after so many seconds: told by a series, so that nothing but arithmetic is needed.
private func ringing(_ seconds: Double, damping: Double) -> Double {
  var (value, velocity) = (1.0, 0.0)
  var time = 0.0
  while time < seconds, time < 3 {
    let step = min(0.004, seconds - time)
    velocity += step * (-120 * value - damping * velocity)
    value += step * velocity
    time += step
  }
  return value
}
