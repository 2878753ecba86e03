import TimelineStore

extension FuzzTarget {
  /// The first byte chooses: one block, words that go through a block and back, or a whole segment.
  func takeBlocks(_ bytes: [UInt8]) {
    var input = FuzzBytes(bytes)
    switch input.byte() % 3 {
    case 0: takeOneBlock(&input)
    case 1: takeWords(&input)
    default: takeSegment(&input)
    }
  }

  /// A block against any lengths: it is refused, or gives as many words as the lengths say.
  private func takeOneBlock(_ input: inout FuzzBytes) {
    let isInteger = input.byte() % 2 == 0
    let series = input.lengths()
    let block = input.rest()
    let words = block.withUnsafeBytes {
      try? BlockCodec.decode($0, series: series, isInteger: isInteger)
    }
    guard let words else { return }
    precondition(words.count == Int(series.reduce(0, +)), "A block gave a wrong number of words.")
    expectExact(words, series: series, isInteger: isInteger)
  }

  /// Words come back bit for bit.
  private func takeWords(_ input: inout FuzzBytes) {
    let isInteger = input.byte() % 2 == 0
    let series = input.lengths()
    let words = (0..<Int(series.reduce(0, +))).map { _ in
      let word = input.word()
      return isInteger || Double(bitPattern: word).isFinite ? word : 0
    }
    expectExact(words, series: series, isInteger: isInteger)
  }

  private func expectExact(_ words: [UInt64], series: [Int32], isInteger: Bool) {
    let block = BlockCodec.encode(words, series: series, isInteger: isInteger)
    let again = block.withUnsafeBytes {
      try? BlockCodec.decode($0, series: series, isInteger: isInteger)
    }
    precondition(again == words, "A block is not exact.")
  }

  /// A segment's blocks, each behind its length in two bytes; what can be read packs to the same rows.
  private func takeSegment(_ input: inout FuzzBytes) {
    let frames = Int64(input.byte())
    let rows = Int64(input.byte()) << 8 | Int64(input.byte())
    let segment = SegmentRecord(
      firstFrame: 0, lastFrame: frames, rowCount: rows, precision: .exact)
    var blocks: [BlockProperty: [UInt8]] = [:]
    for property in BlockProperty.allCases where !input.isAtEnd {
      blocks[property] = input.take(Int(input.byte()) << 8 | Int(input.byte()))
    }
    guard let first = rowsOf(segment, blocks) else { return }
    var again: [BlockProperty: [UInt8]] = [:]
    for block in first.blocks() { again[block.property] = block.data }
    precondition(rowsOf(segment, again) == first, "A segment is not exact.")
  }

  private func rowsOf(
    _ segment: SegmentRecord, _ blocks: [BlockProperty: [UInt8]]
  ) -> SegmentRows? {
    try? SegmentRows(segment) { property throws(SegmentError) in blocks[property] }
  }
}
