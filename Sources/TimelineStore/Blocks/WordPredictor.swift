/// Predicts each word of a series by the polynomial through the words before it.
///
/// A polynomial of order k through k + 1 evenly spaced values is continued by the sum of the last value
/// and its k backward differences (Newton's backward formula). Order 0 is the value before, order 1
/// the straight line. Each order takes about ω·h off what is left of a spring of frequency ω in steps
/// of h, three bits at 120 Hz, until the rounding of doubles, doubled by each order, outweighs it.
struct WordPredictor<Lattice: WordLattice>: ~Copyable {
  /// The highest order that a block can have: beyond it the rounding outweighs what is gained.
  static var highestOrder: Int { 6 }

  private let order: Int
  /// The last value and its backward differences.
  private let differences: UnsafeMutablePointer<Lattice.Value>
  /// The highest difference that is known of this series. -1 before its first word.
  private var depth = -1
  /// The first word of the series before.
  private var first: UInt64 = 0
  private var last: UInt64 = 0
  private var before: UInt64 = 0

  init(order: Int) {
    self.order = order
    differences = .allocate(capacity: Self.highestOrder + 1)
    differences.initialize(repeating: Lattice.value(0), count: Self.highestOrder + 1)
  }

  deinit { differences.deallocate() }

  /// Begins another series. Its first word is predicted by the first of the series before.
  @inline(__always)
  mutating func begin() { depth = -1 }

  /// What the next word is expected to be.
  @inline(__always)
  var predicted: UInt64 {
    if depth < 0 { return first }
    // What rests goes on resting, and a sum would turn -0.0 into 0.0.
    if depth == 0 || last == before { return last }
    var sum = differences[0]
    for order in 1...depth { sum = Lattice.sum(sum, differences[order]) }
    return Lattice.word(of: sum, last: last)
  }

  /// Takes the word that really came.
  @inline(__always)
  mutating func take(_ word: UInt64) {
    if depth < 0 { first = word }
    before = last
    last = word
    let top = min(depth + 1, order)
    var value = Lattice.value(word)
    var order = 0
    while order <= top {
      let old = differences[order]
      differences[order] = value
      value = Lattice.difference(value, old)
      order += 1
    }
    depth = top
  }
}

// MARK: - Whole blocks

extension WordPredictor {
  /// Puts in place of each word what the prediction leaves of it.
  ///
  /// - Parameter series: How many words each series has, together all of them.
  static func encode(
    _ words: UnsafeMutableBufferPointer<UInt64>, series: [Int32], order: Int
  ) {
    replace(words, series: series, order: order) { word, predicted in
      (Lattice.residual(word, from: predicted), word)
    }
  }

  /// Puts the words back in place of what the prediction left of them.
  static func decode(
    _ words: UnsafeMutableBufferPointer<UInt64>, series: [Int32], order: Int
  ) {
    guard order > 0 else {
      return replaceHeld(words, series: series) { left, predicted in
        let word = Lattice.word(left, from: predicted)
        return (word, word)
      }
    }
    var predictor = WordPredictor(order: order)
    var at = 0
    for count in series {
      predictor.begin()
      let end = at + Int(count)
      // Until all differences of the order are known.
      while at < end, predictor.depth < order {
        words[at] = Lattice.word(words[at], from: predictor.predicted)
        predictor.take(words[at])
        at += 1
      }
      predictor.decode(words, at..<end)
      at = end
    }
  }

  /// Decodes words of a series of which all differences of the order are known: a loop of its own for each order, which
  /// keeps them in registers.
  private mutating func decode(_ words: UnsafeMutableBufferPointer<UInt64>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    switch order {
    case 1: decode(words, range, order: 1)
    case 2: decode(words, range, order: 2)
    case 3: decode(words, range, order: 3)
    case 4: decode(words, range, order: 4)
    case 5: decode(words, range, order: 5)
    default: decode(words, range, order: 6)
    }
  }

  /// - Parameter order: The predictor's own, as a number that the compiler knows.
  @inline(__always)
  private mutating func decode(
    _ words: UnsafeMutableBufferPointer<UInt64>, _ range: Range<Int>, order: Int
  ) {
    var (d0, d1, d2, d3) = (differences[0], differences[1], differences[2], differences[3])
    var (d4, d5, d6) = (differences[4], differences[5], differences[6])
    var (last, before) = (last, before)
    for index in range {
      var predicted = last
      if last != before {
        var sum = Lattice.sum(d0, d1)
        if order > 1 { sum = Lattice.sum(sum, d2) }
        if order > 2 { sum = Lattice.sum(sum, d3) }
        if order > 3 { sum = Lattice.sum(sum, d4) }
        if order > 4 { sum = Lattice.sum(sum, d5) }
        if order > 5 { sum = Lattice.sum(sum, d6) }
        predicted = Lattice.word(of: sum, last: last)
      }
      let word = Lattice.word(words[index], from: predicted)
      words[index] = word
      (before, last) = (last, word)
      let value = Lattice.value(word)
      let first = Lattice.difference(value, d0)
      d0 = value
      let second = Lattice.difference(first, d1)
      d1 = first
      if order > 1 {
        let third = Lattice.difference(second, d2)
        d2 = second
        if order > 2 {
          let fourth = Lattice.difference(third, d3)
          d3 = third
          if order > 3 {
            let fifth = Lattice.difference(fourth, d4)
            d4 = fourth
            if order > 4 {
              let sixth = Lattice.difference(fifth, d5)
              d5 = fifth
              if order > 5 { d6 = sixth }
            }
          }
        }
      }
    }
    (self.last, self.before) = (last, before)
    // The differences are not needed any more: another series begins without any.
  }

  /// Puts something in place of each word.
  ///
  /// - Parameter turn: What comes into the place of a word that has this prediction, and the word that is meant.
  @inline(__always)
  private static func replace(
    _ words: UnsafeMutableBufferPointer<UInt64>, series: [Int32], order: Int,
    _ turn: (_ found: UInt64, _ predicted: UInt64) -> (put: UInt64, word: UInt64)
  ) {
    guard order > 0 else { return replaceHeld(words, series: series, turn) }
    var predictor = WordPredictor(order: order)
    var at = 0
    for count in series {
      predictor.begin()
      for _ in 0..<count {
        let turned = turn(words[at], predictor.predicted)
        words[at] = turned.put
        predictor.take(turned.word)
        at += 1
      }
    }
  }

  /// The same for the order 0, which most properties of most segments have.
  @inline(__always)
  private static func replaceHeld(
    _ words: UnsafeMutableBufferPointer<UInt64>, series: [Int32],
    _ turn: (_ found: UInt64, _ predicted: UInt64) -> (put: UInt64, word: UInt64)
  ) {
    var first: UInt64 = 0
    var at = 0
    for count in series where count > 0 {
      var last = first
      for position in at..<at + Int(count) {
        let turned = turn(words[position], last)
        words[position] = turned.put
        last = turned.word
        if position == at { first = last }
      }
      at += Int(count)
    }
  }

  /// The order that leaves least, judged by some of the series.
  static func bestOrder(
    _ words: UnsafeBufferPointer<UInt64>, series: [Int32], looking sampleCount: Int
  ) -> Int {
    var sizes = InlineSizes()
    var predictor = WordPredictor(order: highestOrder)
    // Every so many series, so that all parts of a block are looked at.
    let stride = max(1, words.count / max(sampleCount, 1))
    var at = 0
    for (index, count) in series.enumerated() {
      guard index.isMultiple(of: stride) else {
        at += Int(count)
        continue
      }
      predictor.begin()
      for _ in 0..<count {
        let word = words[at]
        predictor.measure(word, into: &sizes)
        predictor.take(word)
        at += 1
      }
    }
    return sizes.leastIndex
  }

  /// Adds what each order would leave of a word, in bytes.
  @inline(__always)
  private func measure(_ word: UInt64, into sizes: inout InlineSizes) {
    // Where all orders predict the same there is nothing to choose.
    guard depth > 0, last != before else { return }
    var sum = differences[0]
    var size = 0
    for order in 0...Self.highestOrder {
      if order <= depth {
        if order > 0 { sum = Lattice.sum(sum, differences[order]) }
        let predicted = Lattice.word(of: sum, last: last)
        size = WordTokens.bytes(Lattice.residual(word, from: predicted))
      }
      sizes.add(size, at: order)
    }
  }
}

/// Bytes for each order, without an allocation.
struct InlineSizes {
  private var sizes = (0, 0, 0, 0, 0, 0, 0)

  @inline(__always)
  mutating func add(_ size: Int, at order: Int) {
    withUnsafeMutableBytes(of: &sizes) {
      $0.assumingMemoryBound(to: Int.self)[order] += size
    }
  }

  /// The first order with the smallest number.
  var leastIndex: Int {
    withUnsafeBytes(of: sizes) { bytes in
      let sizes = bytes.assumingMemoryBound(to: Int.self)
      var least = 0
      for order in sizes.indices where sizes[order] < sizes[least] { least = order }
      return least
    }
  }
}
