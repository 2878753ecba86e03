import Testing
import TimelineModel

@Suite struct InstantTests {
  @Test(
    arguments: [
      (0, 0), (1.0 / 60, 16_666_667), (0.1, 100_000_000), (-0.25, -250_000_000),
      (2.5e-9, 3), (-2.5e-9, -3), (1e9, 1_000_000_000_000_000_000),
    ] as [(Double, Int64)])
  func `seconds are rounded once to nanoseconds`(seconds: Double, nanoseconds: Int64) {
    #expect(Instant(seconds: seconds) == Instant(nanoseconds: nanoseconds))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e10, -1e10, 1e300])
  func `what does not fit is no instant`(seconds: Double) {
    #expect(Instant(seconds: seconds) == nil)
  }

  @Test func `distances and moves saturate instead of trapping`() {
    let first = Instant(nanoseconds: .min)
    let last = Instant(nanoseconds: .max)
    #expect(last.nanoseconds(since: first) == .max)
    #expect(first.nanoseconds(since: last) == .min)
    #expect(last.advanced(byNanoseconds: 1) == last)
    #expect(first.advanced(byNanoseconds: -1) == first)
    #expect(Instant.zero.nanoseconds(since: first) == .max)
    #expect(Instant.zero.advanced(byNanoseconds: -5) == Instant(nanoseconds: -5))
  }

  @Test func `equal distances are equal anywhere in time`() {
    let base = Instant(nanoseconds: 1_000_000_000_000_000_000)
    let later = base.advanced(byNanoseconds: 16_666_667)
    #expect(later.seconds(since: base) == Instant(nanoseconds: 16_666_667).seconds)
    #expect(base < later)
  }
}
