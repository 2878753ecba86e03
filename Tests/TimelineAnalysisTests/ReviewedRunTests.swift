import MotionJudgement
import RunStudies
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct ReviewedRunTests {
  /// Values of a key from a session that is held against another, or against itself.
  private func reviewed(
    _ fill: @escaping (Recorder) -> Void, golden: ((Recorder) -> Void)? = nil
  ) throws -> ReviewedRun {
    let made = try HandMade()
    let reader = try made.session("a", into: "run.kymo", fill)
    let other = try made.session("a", into: "golden.kymo", golden ?? fill)
    var check = GoldenCheck(Tolerances())
    let found = try check.compared(
      reader.sessionRecord(1), in: reader, golden: other.sessionRecord(1), in: other)
    return try check.reviewed(found.run, found.curves, in: reader)
  }

  @Test func `a curve has 64 values from its lowest to its highest, and gaps where it has none`()
    throws
  {
    let run = try reviewed(
      { $0.values(of: "x", [(0, 10), (63, 30)]) },
      golden: { $0.values(of: "x", [(0, 10), (126, 50)]) }
    )
    let thumbnail = try #require(run.figures.thumbnail)
    #expect(thumbnail.key == "x")
    #expect(thumbnail.low == 10)
    #expect(thumbnail.high == 50)
    #expect(thumbnail.seconds == 0.126)
    #expect(thumbnail.golden.count == 64)
    #expect(thumbnail.run.count == 64)
    #expect(thumbnail.golden.first == 0)
    #expect(thumbnail.golden.last == 254)
    #expect(thumbnail.golden == thumbnail.golden.sorted())
    // The run ends at half the time: 32 values lie before that.
    #expect(thumbnail.run.firstIndex(of: 255) == 32)
    #expect(thumbnail.run.suffix(32).allSatisfy { $0 == 255 })
    #expect(thumbnail.run[31] < 127)
    #expect(thumbnail.run[31] > 120)
  }

  @Test func `one value, equal values and the largest numbers have a curve, none has none`() throws
  {
    let one = try reviewed { $0.values(of: "x", [(5, 7)]) }
    #expect(one.figures.thumbnail?.run == Array(repeating: 127, count: 64))
    #expect(one.figures.thumbnail?.seconds == 0)
    let still = try reviewed { $0.values(of: "x", [(0, 3), (10, 3)]) }
    #expect(still.figures.thumbnail?.run == Array(repeating: 127, count: 64))
    let huge = Double.greatestFiniteMagnitude
    let wide = try reviewed { $0.values(of: "x", [(0, -huge), (10, huge)]) }
    #expect(wide.figures.thumbnail?.run.first == 0)
    #expect(wide.figures.thumbnail?.run.last == 254)
    let none = try reviewed { $0.decision(.finish, at: 10, progress: 0.75) }
    #expect(none.figures.thumbnail == nil)
    #expect(none.figures.release?.margin == 0.25)
  }

  @Test func `the key that is furthest off is drawn, or else the progress`() throws {
    func keys(_ a: Double, _ b: Double) -> (Recorder) -> Void {
      { recorder in
        recorder.values(of: "other", [(0, 0), (100, 1)])
        recorder.values(of: "progress", role: .progress, unit: "1", [(0, 0), (100, 1)])
        recorder.values(of: "a", [(0, 0), (50, a), (100, 1)])
        recorder.values(of: "b", [(0, 0), (50, b), (100, 1)])
      }
    }
    #expect(try reviewed(keys(0.5, 0.5)).figures.thumbnail?.key == "progress")
    let off = try reviewed(keys(0.6, 0.9), golden: keys(0.5, 0.5))
    #expect(off.figures.thumbnail?.key == "b")
    #expect(off.state == .failed)
    #expect(try #require(off.ratio) > 1)
    #expect(off.worst?.subject == "b")
  }

  @Test func `the release shown is the first that flipped, or else the nearest to flipping`() throws
  {
    func releases(_ progress: [Double]) -> (Recorder) -> Void {
      { recorder in
        for (place, value) in progress.enumerated() {
          recorder.decision(
            value > 0.5 ? .finish : .cancel, at: Int64(place) * 100 + 50, progress: value,
            transition: place)
        }
      }
    }
    let same = try reviewed(releases([0.9, 0.625, 0.25]))
    #expect(!same.figures.isFlipped)
    #expect(same.state == .passed)
    #expect(same.figures.release?.transition == 1)
    #expect(same.figures.release?.margin == 0.125)
    let flipped = try reviewed(releases([0.9, 0.625, 0.25]), golden: releases([0.9, 0.625, 0.75]))
    #expect(flipped.state == .flipped)
    #expect(flipped.figures.release?.transition == 2)
    #expect(flipped.figures.release?.outcome == .cancel)
    #expect(flipped.figures.release?.goldenOutcome == .finish)
    let fewer = try reviewed(releases([0.9]), golden: releases([0.9, 0.75]))
    #expect(fewer.state == .flipped)
    #expect(fewer.figures.release?.outcome == nil)
    #expect(fewer.figures.release?.transition == 1)
    #expect(try reviewed { $0.values(of: "x", [(0, 1), (9, 2)]) }.figures.release == nil)
  }

  @Test func `missing, flipped, failed by ratio, then the smallest margin, then hitches`() throws {
    let made = try HandMade()
    let reader = try made.session("a") { $0.values(of: "x", [(0, 1)]) }
    let session = try reader.sessionRecord(1)
    func run(
      _ verdicts: [Verdict], flipped: Bool = false, margin: Double? = nil, hitch: Double? = nil
    ) -> ReviewedRun {
      var figures = ReviewedRun.Figures()
      (figures.isFlipped, figures.hitchRatio) = (flipped, hitch)
      figures.release = ReviewedRun.Release(
        transition: 0, outcome: .finish, goldenOutcome: .finish, margin: margin, velocity: nil)
      var run = GoldenCheck.Run(
        path: "a", session: session, golden: session, comparison: nil, verdicts: verdicts)
      run.isJudged = true
      return ReviewedRun(run: run, figures: figures)
    }
    func beyond(_ value: Double?, _ limit: Double?, _ grade: Verdict.Grade = .fail) -> Verdict {
      Verdict(subject: "x", measure: "rms", value: value, limit: limit, grade: grade)
    }
    let check = GoldenCheck(Tolerances())
    let ordered = [
      try check.missing(session, in: reader), run([beyond(9, 1)], flipped: true),
      run([beyond(nil, nil)]), run([beyond(6, 2)]), run([beyond(1, 2, .warn), beyond(2, 1)]),
      run([beyond(4, 2, .warn)]), run([], margin: -0.01), run([], margin: 0.2, hitch: 5),
      run([], margin: 0.2, hitch: 1), run([], hitch: 3), run([]),
    ]
    #expect(
      ordered.map(\.state) == [
        .missing, .flipped, .failed, .failed, .failed, .warned, .passed, .passed, .passed, .passed,
        .passed,
      ])
    for (left, place) in zip(ordered, ordered.indices) {
      for other in ordered.indices {
        #expect(ReviewedRun.isWorse(left, ordered[other]) == (place < other), "\(place) \(other)")
      }
    }
  }
}
