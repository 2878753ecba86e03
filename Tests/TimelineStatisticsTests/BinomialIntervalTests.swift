import Testing

@testable import TimelineStatistics

@Suite struct BinomialIntervalTests {
  /// From SciPy 1.14, `binomtest(k, n).proportion_ci(level, "exact")`.
  static let known: [(k: Int, n: Int, level: Double, low: Double, high: Double)] = [
    (0, 10, 0.9, 0.0, 0.25886555089334723),
    (1, 10, 0.9, 0.005116196892304593, 0.394163302436974),
    (5, 10, 0.95, 0.1870860284474045, 0.8129139715525955),
    (10, 10, 0.9, 0.7411344491066528, 1.0),
    (3, 40, 0.9, 0.020753601475370347, 0.18258685001590116),
    (1, 100, 0.9, 0.000512801416269692, 0.04655981145304511),
    (17, 120, 0.9, 0.0923207117317586, 0.20489013449544854),
    (56, 1000, 0.9, 0.04452688492059652, 0.06946767615388345),
    (999, 1000, 0.99, 0.9925937130616469, 0.9999949874707392),
    (0, 1, 0.9, 0.0, 0.95),
    (12345, 100000, 0.9, 0.12174203698125317, 0.12517411629872222),
  ]

  @Test("the interval of a share is Clopper and Pearson's", arguments: known)
  func published(k: Int, n: Int, level: Double, low: Double, high: Double) throws {
    let interval = try #require(BinomialInterval(successes: k, trials: n, level: level))
    #expect(abs(interval.low - low) <= 1e-9 * max(low, 1e-3))
    #expect(abs(interval.high - high) <= 1e-9)
  }

  @Test("the interval covers the share at least as often as it says, whatever the share is")
  func coverage() throws {
    for n in [1, 7, 20, 60] {
      let intervals = try (0...n).map {
        try #require(BinomialInterval(successes: $0, trials: n, level: 0.9))
      }
      for share in stride(from: 0.01, through: 0.99, by: 0.07) {
        var covered = 0.0
        for (k, interval) in intervals.enumerated()
        where interval.low <= share && share <= interval.high {
          covered +=
            binomialTail(n, atMost: k, share: share) - binomialTail(n, atMost: k - 1, share: share)
        }
        #expect(covered >= 0.9 - 1e-12)
      }
    }
  }

  @Test("the tail with one half is the tail that the sign test has")
  func half() {
    for n in [1, 5, 40, 999, 5000] {
      for k in stride(from: 0, through: n, by: max(1, n / 17)) {
        let known = binomialHalfTail(n, atMost: k)
        #expect(abs(binomialTail(n, atMost: k, share: 0.5) - known) <= 1e-10 * max(known, 1e-10))
      }
    }
  }

  @Test("numbers that make no interval give none")
  func impossible() {
    for (k, n, level) in [
      (0, 0, 0.9), (-1, 5, 0.9), (6, 5, 0.9), (1, 5, 0), (1, 5, 1), (1, 5, .nan),
    ] {
      #expect(BinomialInterval(successes: k, trials: n, level: level) == nil)
    }
  }

  @Test("the pairs that a claim takes are Connor's number")
  func pairs() {
    // ψ = 0.2, δ = 0.1: (1.6449 · √0.2 + 0.8416 · √0.19)² / 0.01 = 121.5.
    #expect(pairsNeeded(gained: 6, lost: 2, of: 40) == 122)
    #expect(pairsNeeded(gained: 15, lost: 5, of: 100) == 122)
    #expect(pairsNeeded(gained: 5, lost: 5, of: 100) == nil)
    #expect(pairsNeeded(gained: 2, lost: 5, of: 100) == nil)
    #expect(pairsNeeded(gained: 0, lost: 0, of: 0) == nil)
    #expect(pairsNeeded(gained: 40, lost: 0, of: 40) == 3)
  }
}
