import TestSupport
import Testing
import TimelineSession

@Suite struct SpanIndexTests {
  @Test(
    "What contains a value is found as by looking at every span", arguments: [0, 1, 2, 3, 10, 100])
  func sameAsLookingAtAll(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    for _ in 0..<20 {
      let spans = (0..<count).map { _ in
        let lower = Int.random(in: -20...20, using: &random)
        // Some end before they begin, some never.
        let length = Int.random(in: -2...8, using: &random)
        return (lower: lower, upper: length == 8 ? Int.max : lower + length)
      }
      let index = SpanIndex(spans)
      for value in -25...30 {
        let expected = spans.indices.filter {
          spans[$0].lower <= value && spans[$0].upper >= value
        }
        #expect(index.indices(containing: value) == expected)
      }
    }
  }

  @Test("Asking for twice as many spans, one after the other, takes hardly more each")
  func growsWithTheLogarithm() {
    func comparisons(_ count: Int, endless: Int) -> Int {
      let tally = Tally()
      var spans = (0..<count).map {
        (lower: Counted($0 * 10, tally), upper: Counted($0 * 10 + 5, tally))
      }
      for place in 0..<endless { spans[place * 7].upper = Counted(.max, tally) }
      let index = SpanIndex(spans)
      tally.count = 0
      for place in 0..<count { _ = index.indices(containing: Counted(place * 10 + 3, tally)) }
      return tally.count / count
    }
    for endless in [0, 1, 5] {
      #expect(comparisons(8000, endless: endless) <= comparisons(4000, endless: endless) + 12)
      #expect(comparisons(8000, endless: endless) < 150)
    }
  }
}

private final class Tally {
  var count = 0
}

/// A number that counts how often it is compared.
private struct Counted: Comparable, @unchecked Sendable {
  let value: Int
  let tally: Tally

  init(_ value: Int, _ tally: Tally) { (self.value, self.tally) = (value, tally) }

  static func < (a: Counted, b: Counted) -> Bool {
    a.tally.count += 1
    return a.value < b.value
  }

  static func == (a: Counted, b: Counted) -> Bool { a.value == b.value }
}
