import MotionPhysics
import Testing
import TimelineModel

@Suite struct EstimatorRankingTests {
  @Test func `slow motion under noise wants a long memory`() throws {
    let ranking = EstimatorRanking(noisySine, lift: noisySine[599].time)
    #expect(!ranking.isFallback)
    #expect(ranking.chosen == ranking.entries[0])
    #expect(ranking.chosen.window.horizonNanoseconds >= 100_000_000)
    let twoPoint = try #require(ranking.entries.firstIndex { $0.estimator == .twoPoint })
    #expect(twoPoint > ranking.entries.count / 2)
  }

  @Test func `a finger that speeds up wants a short memory`() throws {
    let ranking = EstimatorRanking(quickening, lift: quickening[15].time)
    #expect(!ranking.isFallback)
    let position = { (estimator: Estimator) in
      ranking.entries.firstIndex { $0.estimator == estimator } ?? ranking.entries.count
    }
    #expect(position(.twoPoint) < position(.mean))
    #expect(position(.lsq2) < position(.lsq1))
    #expect(["mean", "lsq1", "legacy"].allSatisfy { !ranking.chosen.name.hasPrefix("\($0) 1") })
  }

  @Test func `parabolas tell a parabola exactly, and come before every line`() throws {
    let way = recording(count: 200, every: 8) { 40 * $0 * $0 }
    let entries = EstimatorRanking(way, lift: way[199].time).entries
    let firstLine = try #require(entries.firstIndex { $0.estimator == .lsq1 })
    for estimator in [Estimator.lsq2, .lsq3, .wlsq2Recent] {
      let position = try #require(entries.firstIndex { $0.estimator == estimator })
      #expect(try #require(entries[position].medianError) < 1e-9)
      #expect(position < firstLine)
    }
    #expect(try #require(entries[firstLine].medianError) > 1e-3)
  }

  @Test func `every estimator is ranked once in the window that was asked for`() {
    let ranking = EstimatorRanking(slowDrag, lift: slowDrag[200].time)
    #expect(Set(ranking.entries.map(\.name)).count == ranking.entries.count)
    for estimator in Estimator.ofSamples {
      // The value of lsq-span is that of lsq3.
      let isRanked = ranking.entries.contains { $0.estimator == estimator }
      #expect(isRanked == (estimator != .lsqSpan), "\(estimator)")
    }
    for (better, worse) in zip(ranking.entries, ranking.entries.dropFirst()).dropFirst(10) {
      #expect(better.score <= worse.score)
    }
  }

  @Test func `the window that was asked for is not ranked twice`() {
    var window = EstimationWindow.android
    window.horizonNanoseconds = 30_000_000
    let ranking = EstimatorRanking(slowDrag, lift: slowDrag[200].time, window: window)
    #expect(ranking.entries.filter { $0.name == "lsq1 30 ms" }.count == 1)
    #expect(ranking.entries.filter { $0.name == "lsq2 30 ms" }.count == 1)
    #expect(!ranking.entries.contains { $0.name == "lsq1 100 ms" })
    #expect(ranking.entries.contains { $0.name == "legacy 60 ms" })
  }

  @Test func `too few places are said`() {
    for count in 0...6 {
      let ranking = EstimatorRanking(
        Array(quickening.prefix(count)), lift: instant(milliseconds: 200))
      #expect(ranking.isFallback)
      #expect(ranking.chosen.heldOutCount < 5)
      #expect(ranking.note.hasPrefix("Only \(ranking.chosen.heldOutCount) held-out sample"))
      #expect(ranking.note.hasSuffix("."))
    }
    let ranking = EstimatorRanking(quickening, lift: quickening[15].time)
    #expect(ranking.note.hasPrefix("Chose \(ranking.chosen.name) by 13 held-out samples: median"))
  }

  @Test func `samples after the lift are evidence`() {
    let lift = quickening[7].time
    let live = EstimatorRanking(Array(quickening.prefix(8)), lift: lift)
    let afterwards = EstimatorRanking(quickening, lift: lift)
    #expect(live.chosen.heldOutCount == 5)
    // The newest place before the lift is not evidence about itself, and the last has no future.
    #expect(afterwards.chosen.heldOutCount == 12)
  }

  @Test func `the places are bounded, so that a long recording answers quickly`() {
    let long = recording(count: 100_000, every: 8, noise: 0.3) { 500 * $0 }
    let ranking = EstimatorRanking(long, lift: long[50_000].time)
    #expect(ranking.entries.allSatisfy { $0.heldOutCount == 400 })
  }

  @Test func `resampled places are no evidence`() {
    let marks = slowDrag.indices.map { $0 % 2 == 1 }
    let ranking = EstimatorRanking(slowDrag, resampled: marks, lift: slowDrag[399].time)
    let measured = stride(from: 0, to: 400, by: 2).map { slowDrag[$0] }
    let plain = EstimatorRanking(measured, lift: slowDrag[399].time)
    #expect(ranking.entries.map(\.medianError) == plain.entries.map(\.medianError))
  }

  @Test func `the same samples give the same ranking`() {
    let first = EstimatorRanking(noisySine, lift: noisySine[300].time)
    #expect(first == EstimatorRanking(noisySine, lift: noisySine[300].time))
    #expect(first != EstimatorRanking(noisySine, lift: noisySine[301].time))
  }
}
