import Testing
import TimelineModel
import TransitionEngine

/// The flow against a plain walk that does with loops what the layout does with formulas.
@Suite struct FlowLayoutWalkTests {
  struct ItemFrame: Equatable {
    var cross: Double
    var main: Double
  }

  /// Fills rows one item at a time, the last with copies of its last item, and spreads each.
  func walk(
    _ sizes: [Size2D], inner: Double, spacing: Double, line: Double, isUniform: Bool
  ) -> [ItemFrame] {
    func fits(_ length: Double) -> Bool { length <= inner + 1e-9 * max(1, inner) }
    var places: [ItemFrame] = []
    var main = 0.0
    var first = 0
    while first < sizes.count {
      var row = [sizes[first]]
      var next = first + 1
      func length(_ row: [Size2D]) -> Double {
        row.reduce(0) { $0 + $1.width } + spacing * Double(row.count - 1)
      }
      while next < sizes.count, fits(length(row + [sizes[next]])) {
        row.append(sizes[next])
        next += 1
      }
      let count = row.count
      let isLast = next == sizes.count
      if isLast {
        while row.count < 1000, fits(length(row + [row[row.count - 1]])) {
          row.append(row[row.count - 1])
        }
      }
      let free = inner - row.reduce(0) { $0 + $1.width }
      var cross = 0.0
      var gap = row.count > 1 ? max(spacing, free / Double(row.count - 1)) : 0
      if row.count == 1, fits(row[0].width) { cross = free / 2 }
      if isLast, !isUniform { gap = spacing }
      let extent = row.reduce(0) { max($0, $1.height) }
      for size in row.prefix(count) {
        places.append(ItemFrame(cross: cross, main: main + (extent - size.height) / 2))
        cross += size.width + gap
      }
      main += extent + line
      first = next
    }
    return places
  }

  @Test func `formulas and walk agree`() {
    // A small generator of whole numbers (Numerical Recipes' constants), so that sums are exact.
    var state: UInt32 = 7
    func random(_ range: ClosedRange<Int>) -> Double {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Double(range.lowerBound + Int(state >> 8) % range.count)
    }
    for round in 0..<600 {
      let isUniform = round % 2 == 0
      let (inner, spacing, line) = (random(1...400), random(0...20), random(0...20))
      let first = Size2D(width: random(1...130), height: random(1...60))
      var sizes = (0..<Int(random(1...25))).map { _ in
        isUniform ? first : Size2D(width: random(1...130), height: random(1...60))
      }
      if !isUniform { sizes.append(Size2D(width: sizes[0].width + 1, height: 9)) }
      let layout = grid("random", first) {
        $0.itemSizes = isUniform ? [] : [sizes]
        $0.minimumInteritemSpacing = spacing
        $0.minimumLineSpacing = line
      }
      _ = prepared(layout, width: inner, items: [sizes.count])
      let expected = walk(
        sizes, inner: inner, spacing: spacing, line: line, isUniform: isUniform)
      for (item, place) in expected.enumerated() {
        let frame = layout.frame(item)
        #expect(
          near(frame?.minX, place.cross, 1e-9),
          "round \(round), item \(item) of \(sizes) in \(inner)")
        #expect(
          near(frame?.minY, place.main, 1e-9),
          "round \(round), item \(item) of \(sizes) in \(inner)")
      }
    }
  }
}
