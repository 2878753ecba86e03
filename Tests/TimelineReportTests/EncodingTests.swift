import TestSupport
import Testing
import TimelineModel

@testable import TimelineReport

@Suite struct EncodingTests {
  private func roundTrip(_ columns: [[Int64]]) -> [[Int64]] {
    var writer = BitWriter()
    for column in columns { writer.append(column: column) }
    var reader = BitReader(writer.finished())
    return columns.map { reader.column($0.count) }
  }

  @Test func `columns of every kind come back as they were`() {
    let limit = BitWriter.largestMagnitude
    let columns: [[Int64]] = [
      [], [0], [-1], [7, 7, 7], [1, 2, 3, 4, 5], [0, 1, 4, 9, 16, 25, 36], [5, -5, 5, -5],
      [limit, -limit, limit, -limit, limit], [-limit, -limit], [0, 0, 0, 0, 1 << 40, 0, 0],
      Array(0..<2000), (0..<500).map { Int64($0 * $0 * $0) },
    ]
    #expect(roundTrip(columns) == columns)
  }

  @Test func `random columns come back as they were`() {
    var dice = SplitMix(seed: 20_261_121)
    var columns: [[Int64]] = []
    for round in 0..<200 {
      let spread = Int64(1) << Int64(round % 50)
      columns.append(
        (0..<(round % 37)).map { _ in Int64.random(in: -spread...spread, using: &dice) })
    }
    #expect(roundTrip(columns) == columns)
  }

  @Test func `a smooth motion takes few bits`() {
    // A hundred frames of a parabola through 400 points in steps of 1/1024 point.
    let column = (0..<120).map { frame in
      Int64((400 * 1024 * Double(frame * frame) / 14_400).rounded())
    }
    var writer = BitWriter()
    writer.append(column: column)
    #expect(writer.finished().count < 120 * 5 / 8)
  }

  @Test func `numbers that cannot be held are brought within the limits`() {
    #expect(PageScale.steps(.nan, 1024) == 0)
    #expect(PageScale.steps(.infinity, 1024) == BitWriter.largestMagnitude)
    #expect(PageScale.steps(-1e300, 1024) == -BitWriter.largestMagnitude)
    #expect(PageScale.steps(0.5, 1024) == 512)
    #expect(PageScale.whole(.min) == -BitWriter.largestMagnitude)
    #expect(ValueScale(low: -1e308, high: 1e308).steps(1e308) == 1_048_576)
    #expect(ValueScale(low: 3, high: 3).steps(3) == 0)
  }

  @Test func `times of centuries are held in coarser ticks`() {
    #expect(PageClock(reaching: 0).tick == 1)
    #expect(PageClock(reaching: 86_400 * 1_000_000_000).tick == 1)
    let clock = PageClock(reaching: .max)
    #expect(clock.ticks(Instant(nanoseconds: .min)) >= -BitWriter.largestMagnitude)
    #expect(clock.tick == 1_000_000)
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func `base64 is that of RFC 4648`(plain: String, packed: String) {
    var bytes: [UInt8] = []
    appendBase64(Array(plain.utf8), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == packed)
  }
}
