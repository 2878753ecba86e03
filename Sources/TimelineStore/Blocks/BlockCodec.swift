/// Turns a property of a segment's rows into bytes and back, bit for bit.
///
/// A block begins with its format's version and a byte that says how its words were made small: the
/// sort of words in the low half, the order of the prediction in the high half. Then come the number of
/// words and the words' residuals as ``WordTokens``. The words stand element after element, frames in
/// order, only where a row has the property. Which rows there are is told by the segment's block `rows`.
///
/// Every sort of words is exact. Numbers that all are multiples of 1/1024, or all fit 32-bit floats,
/// take less room, so a session's precision is a rounding of its numbers before they come here.
package enum BlockCodec {
  /// The version of the format that is written. No other can be read.
  package static let formatVersion: UInt8 = 1

  /// How many words the choice of an order looks at: enough that the choice is stable, few enough that
  /// it costs less than the encoding.
  private static let sampleCount = 2_048

  /// What the words of a block are.
  enum Words: UInt8 {
    /// Bits of doubles.
    case double = 0
    /// Bits of 32-bit floats, whose values are the doubles'.
    case single = 1
    /// Doubles that are whole multiples of 1/1024, as how many.
    case fixed = 2
    /// 64-bit integers.
    case integer = 3
    /// Which rows there are. See `SegmentRows`.
    case rows = 4
  }

  /// Steps of a ``Words/fixed`` number in 1: a power of two, so that scaling is exact.
  static let fixedScale = 1024.0
  /// Fixed numbers are below this, so that doubles and integers mean the same.
  static let fixedLimit = 4_503_599_627_370_496.0  // 2^52

  /// Encodes the words of a property.
  ///
  /// - Parameters:
  ///   - words: Bits of finite doubles, or integers.
  ///   - series: How many of the words belong to each element, in order.
  ///   - isInteger: Whether the words are integers.
  package static func encode(
    _ words: [UInt64], series: [Int32], isInteger: Bool
  ) -> [UInt8] {
    let count = words.count
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { copy in
      _ = copy.initialize(fromContentsOf: words)
      let sort = isInteger ? Words.integer : narrow(copy)
      let order: Int
      switch sort {
      case .double: order = residuals(DoubleLattice.self, copy, series)
      case .single: order = residuals(SingleLattice.self, copy, series)
      case .fixed, .integer, .rows: order = residuals(IntegerLattice.self, copy, series)
      }
      return [UInt8](unsafeUninitializedCapacity: WordTokens.capacity(count) + 12) {
        bytes, written in
        guard let start = bytes.baseAddress else { return }
        start[0] = formatVersion
        start[1] = sort.rawValue | UInt8(order) << 4
        var at = 2
        var rest = UInt64(count)
        while rest >= 0x80 {
          start[at] = UInt8(truncatingIfNeeded: rest) | 0x80
          rest >>= 7
          at += 1
        }
        start[at] = UInt8(rest)
        at += 1
        written =
          at + WordTokens.write(UnsafeBufferPointer(copy), to: UnsafeMutableRawPointer(start + at))
      }
    }
  }

  private static func residuals<Lattice: WordLattice>(
    _ lattice: Lattice.Type, _ words: UnsafeMutableBufferPointer<UInt64>, _ series: [Int32]
  ) -> Int {
    let order = WordPredictor<Lattice>.bestOrder(
      UnsafeBufferPointer(words), series: series, looking: sampleCount)
    WordPredictor<Lattice>.encode(words, series: series, order: order)
    return order
  }

  /// Turns doubles into the narrowest words that hold all of them exactly.
  private static func narrow(_ words: UnsafeMutableBufferPointer<UInt64>) -> Words {
    if words.allSatisfy({ fixed($0) != nil }) {
      for index in words.indices { words[index] = fixed(words[index]) ?? 0 }
      return .fixed
    }
    if words.allSatisfy({ single($0) != nil }) {
      for index in words.indices { words[index] = single(words[index]) ?? 0 }
      return .single
    }
    return .double
  }

  @inline(__always)
  private static func fixed(_ word: UInt64) -> UInt64? {
    let scaled = Double(bitPattern: word) * fixedScale
    guard scaled.magnitude < fixedLimit else { return nil }
    let whole = Int64(scaled)
    guard (Double(whole) / fixedScale).bitPattern == word else { return nil }
    return UInt64(bitPattern: whole)
  }

  @inline(__always)
  private static func single(_ word: UInt64) -> UInt64? {
    let float = Float(Double(bitPattern: word))
    guard Double(float).bitPattern == word else { return nil }
    return UInt64(float.bitPattern)
  }
}

// MARK: - Decoding

extension BlockCodec {
  /// Decodes the words of a property. Takes any bytes.
  ///
  /// Needs eight bytes a word and nothing else that grows.
  ///
  /// - Parameters:
  ///   - bytes: The block.
  ///   - series: How many words belong to each element, as the segment's block `rows` says. None
  ///     negative.
  ///   - isInteger: Whether the words are integers. Otherwise they are bits of finite doubles.
  /// - Throws: ``BlockError``: the bytes are no block of so many words.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, series: [Int32], isInteger: Bool
  ) throws(BlockError) -> [UInt64] {
    var input = ByteInput(bytes)
    guard try input.byte() == formatVersion else { throw .unknownFormat }
    let head = try input.byte()
    let order = Int(head >> 4)
    guard let sort = Words(rawValue: head & 15), sort != .rows, (sort == .integer) == isInteger,
      order <= WordPredictor<IntegerLattice>.highestOrder
    else { throw .unknownFormat }
    var count = 0
    for length in series {
      guard length >= 0 else { throw .wrongCount }
      count += Int(length)
    }
    guard try input.number() == UInt64(count) else { throw .wrongCount }
    var failure: BlockError?
    let words = [UInt64](unsafeUninitializedCapacity: count) { room, written in
      let words = UnsafeMutableBufferPointer(rebasing: room[..<count])
      do throws(BlockError) {
        try WordTokens.read(&input, into: words)
        try restore(words, sort: sort, series: series, order: order)
        written = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return words
  }

  private static func restore(
    _ words: UnsafeMutableBufferPointer<UInt64>, sort: Words, series: [Int32], order: Int
  ) throws(BlockError) {
    switch sort {
    case .double:
      WordPredictor<DoubleLattice>.decode(words, series: series, order: order)
      for word in words where !Double(bitPattern: word).isFinite { throw .wrongValue }
    case .single:
      WordPredictor<SingleLattice>.decode(words, series: series, order: order)
      for index in words.indices {
        guard let bits = UInt32(exactly: words[index]), Float(bitPattern: bits).isFinite else {
          throw .wrongValue
        }
        words[index] = Double(Float(bitPattern: bits)).bitPattern
      }
    case .fixed:
      WordPredictor<IntegerLattice>.decode(words, series: series, order: order)
      for index in words.indices {
        words[index] = (Double(Int64(bitPattern: words[index])) / fixedScale).bitPattern
      }
    case .integer, .rows:
      WordPredictor<IntegerLattice>.decode(words, series: series, order: order)
    }
  }
}

/// Why the bytes of a block are no block of its segment.
package enum BlockError: Error, Hashable, Sendable {
  /// The bytes are not the ones that were written: their checksum differs.
  case checksum
  /// The bytes end before the block does.
  case truncated
  /// Bytes are left over after the block's last value.
  case surplus
  /// The format's version, or the sort of content, is unknown to this program.
  case unknownFormat
  /// A count in the block differs from that of its segment, or is beyond what a segment can hold.
  case wrongCount
  /// A value that no recorder writes: not finite, out of range, or out of order.
  case wrongValue
  /// The segment lacks the block.
  case missing

  /// What is wrong, as the end of a sentence about the block.
  package var found: String {
    switch self {
    case .checksum: "its checksum differs"
    case .truncated: "it ends too early"
    case .surplus: "it has bytes too many"
    case .unknownFormat: "its format is unknown"
    case .wrongCount: "its counts contradict its segment"
    case .wrongValue: "it contains values that no recorder writes"
    case .missing: "it is missing"
    }
  }
}
