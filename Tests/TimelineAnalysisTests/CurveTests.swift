import MotionMeasures
import Testing
import TimelineModel
import TimelineSession

/// A curve of samples at whole milliseconds.
func curve(_ pairs: [(Int64, Double)]) -> Curve {
  Curve(pairs.map { Sample(time: Instant(nanoseconds: $0.0 * 1_000_000), value: $0.1) })
}

@Suite struct CurveTests {
  private func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `of several values at one time the newest counts, backward time is left out`() {
    let messy = curve([(0, 1), (10, 2), (10, 3), (5, 99), (20, 4), (20, .nan), (19, 7)])
    #expect(messy.times == [at(0), at(10), at(20)])
    #expect(messy.values == [1, 3, 4])
    #expect(messy.leftOutCount == 3)
    #expect(messy.valueRange == 1...4)
    #expect(messy.durationSeconds == 0.02)
  }

  @Test func `no sample and one sample are curves too`() {
    let empty = Curve([])
    #expect(empty.valueRange == nil)
    #expect(empty.durationSeconds == 0)
    #expect(empty.count == 0)
    #expect(empty.value(at: .zero) == nil)
    #expect(empty.heldValue(at: .zero) == nil)
    let one = curve([(5, 7)])
    #expect(one.value(at: at(5)) == 7)
    #expect(one.value(at: at(4)) == nil)
    #expect(one.value(at: at(6)) == nil)
    #expect(one.heldValue(at: at(6)) == 7)
    #expect(one.valueRange == 7...7)
  }

  @Test func `between samples the value lies on their line, at a sample it is exact`() {
    let line = curve([(0, 0.1), (10, 0.3), (30, 0.7)])
    #expect(line.value(at: at(0)) == 0.1)
    #expect(line.value(at: at(10)) == 0.3)
    #expect(line.value(at: at(30)) == 0.7)
    #expect(abs((line.value(at: at(15)) ?? 0) - 0.4) < 1e-15)
    #expect(line.value(at: at(-1)) == nil)
    #expect(line.value(at: at(31)) == nil)
    #expect(line.heldValue(at: at(29)) == 0.3)
    #expect(line.heldValue(at: at(1000)) == 0.7)
    #expect(line.heldValue(at: at(-1)) == nil)
  }

  @Test func `a shifted curve keeps its values, and nothing overflows`() {
    #expect(
      curve([(0, 1), (10, 2)]).shifted(byNanoseconds: -5_000_000) == curve([(-5, 1), (5, 2)]))
    let late = Curve([
      Sample(time: .zero, value: 1), Sample(time: Instant(nanoseconds: .max), value: 2),
    ])
    let shifted = late.shifted(byNanoseconds: 1)
    #expect(shifted.values == [1])
    #expect(shifted.leftOutCount == 1)
    let wide = Curve([
      Sample(time: Instant(nanoseconds: .min), value: 1),
      Sample(time: Instant(nanoseconds: .max), value: 2),
    ])
    #expect(wide.value(at: .zero)?.isFinite == true)
  }
}
