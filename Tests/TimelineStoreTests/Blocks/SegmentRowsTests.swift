import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

@Suite struct SegmentRowsTests {
  private func decode(
    _ record: SegmentRecord, _ blocks: [Block]
  ) throws(SegmentError) -> SegmentRows {
    try SegmentRows(record) { property in blocks.first { $0.property == property }?.data }
  }

  /// Every bit of a row.
  private func text(_ frame: Int64, _ change: AttributeChange) -> String {
    switch change {
    case .gone(let item): return "\(frame) \(item.rawValue) gone"
    case .changed(let element): return "\(frame) changed \(bits(element))"
    case .same(let element): return "\(frame) same \(bits(element))"
    }
  }

  private func bits(_ element: ElementRecord) -> String {
    let pose = element.pose
    let numbers =
      [pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha]
      + pose.transform.components
    return "\(element.item.rawValue) \(element.indexPath) \(pose.zIndex) \(pose.isHidden) "
      + numbers.map { String($0.bitPattern, radix: 16) }.joined(separator: " ")
  }

  @Test(arguments: 0..<40)
  func `rows come back in the order of the table, bit for bit`(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    let shape = RandomSegments.Shape(
      items: seed % 5 == 0 ? 1 : 9, frames: 1 + seed % 60, spatialEvery: seed % 3 * 4,
      firstFrame: Int64(seed) * 1_000_000_000)
    let changes = RandomSegments.changes(&generator, shape)
    let rows = RandomSegments.segment(
      changes, frames: shape.firstFrame...shape.firstFrame + Int64(shape.frames) - 1)
    let back = try decode(RandomSegments.record(of: rows), rows.blocks())
    #expect(back == rows)
    let ordered = back.inFrameOrder()
    let texts = (0..<back.rowCount).map { text(ordered.frame(at: $0), ordered.change(at: $0)) }
    #expect(texts == changes.map { text($0.frame, $0.change) })
    #expect(rows.blocks() == back.blocks())
  }

  @Test func `a segment without any row or with ten thousand elements comes back`() throws {
    let empty = RandomSegments.segment([], frames: 5...70)
    #expect(try decode(RandomSegments.record(of: empty), empty.blocks()) == empty)
    let (many, record) = RandomSegments.make(
      1, RandomSegments.Shape(items: 10_000, frames: 2, spatialEvery: 100))
    #expect(many.items.count > 5_000)
    #expect(try decode(record, many.blocks()) == many)
  }

  @Test func `properties that no row has take no block`() {
    let (rows, _) = RandomSegments.make(
      3, RandomSegments.Shape(items: 3, frames: 20, spatialEvery: 0))
    let names = rows.blocks().map(\.property)
    #expect(names == [.rows] + BlockProperty.ofPoses + BlockProperty.ofFlat)
  }

  @Test func `any byte of any block that is wrong gives an error or rows of the same number`() {
    let (rows, record) = RandomSegments.make(2, RandomSegments.Shape(items: 3, frames: 12))
    let blocks = rows.blocks()
    for (place, block) in blocks.enumerated() {
      for index in block.data.indices {
        for value: UInt8 in [0, 1, 0x3f, 0x7f, 0xff, block.data[index] ^ 4] {
          var wrong = blocks
          wrong[place].data[index] = value
          guard let back = try? decode(record, wrong) else { continue }
          #expect(back.rowCount == rows.rowCount)
          // Walks all of it: no place may lie outside.
          let ordered = back.inFrameOrder()
          for row in 0..<back.rowCount { _ = ordered.change(at: row) }
        }
      }
      var short = blocks
      short[place].data.removeLast()
      #expect(throws: SegmentError.self) { try decode(record, short) }
      short.remove(at: place)
      #expect(throws: SegmentError(property: block.property, reason: .missing)) {
        try decode(record, short)
      }
    }
  }

  @Test func `a segment that says what none can be is refused before room is made`() {
    let (rows, record) = RandomSegments.make(4)
    var wrong: [SegmentRecord] = []
    for (first, last, count) in [
      (0, Int64.max, 1), (.min, .max, 1), (5, 4, 1), (-1, 3, 1), (0, 39, .max), (0, 39, -1),
      (0, 39, record.rowCount - 1), (0, 39, record.rowCount + 1), (0, 38, record.rowCount),
    ] as [(Int64, Int64, Int64)] {
      wrong.append(
        SegmentRecord(firstFrame: first, lastFrame: last, rowCount: count, precision: .exact))
    }
    for record in wrong {
      #expect(throws: SegmentError(property: .rows, reason: .wrongCount)) {
        try decode(record, rows.blocks())
      }
    }
  }

  @Test func `the checksum covers the place of a block as well as its bytes`() {
    let data: [UInt8] = [1, 2, 3]
    func sum(_ property: BlockProperty, _ first: Int64, _ last: Int64, _ rows: Int64) -> Int64 {
      let record = SegmentRecord(
        firstFrame: first, lastFrame: last, rowCount: rows, precision: .exact)
      return data.withUnsafeBytes { BlockChecksum.of($0, property: property, in: record) }
    }
    let sums = [
      sum(.width, 0, 9, 5), sum(.height, 0, 9, 5), sum(.width, 1, 9, 5), sum(.width, 0, 8, 5),
      sum(.width, 0, 9, 6),
    ]
    #expect(Set(sums).count == 5)
    #expect(sums.allSatisfy { (0...Int64(UInt32.max)).contains($0) })
  }
}
