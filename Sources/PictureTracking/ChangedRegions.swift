/// The regions in which two pictures of a clip differ.
struct ChangedRegions {
  /// What changed, in whole pixels.
  let boxes: [PixelBox]
  private let isChanged: [Bool]
  private let width: Int

  /// A difference of less is a codec's, in levels of grey.
  static let least: Float = 6
  /// Regions that are so many pixels apart are one.
  private static let gap = 2
  /// A region has at least this width and height, in pixels, and this many changed cells.
  private static let (leastSide, leastCells) = (4, 12)

  /// - Precondition: Both have the same size.
  init(_ one: Plane, _ two: Plane) {
    let (across, down) = (one.width, one.height)
    var isChanged = [Bool](repeating: false, count: across * down)
    for at in isChanged.indices {
      isChanged[at] = abs(one.values[at] - two.values[at]) > Self.least
    }
    var found: [PixelBox] = []
    var isTaken = [Bool](repeating: false, count: isChanged.count)
    for first in isChanged.indices where isChanged[first] && !isTaken[first] {
      var stack = [first]
      var (box, cells) = (PixelBox?.none, 0)
      isTaken[first] = true
      while let at = stack.popLast() {
        let (row, column) = at.quotientAndRemainder(dividingBy: across)
        let own = PixelBox(left: column, top: row, right: column + 1, bottom: row + 1)
        box = box?.joined(own) ?? own
        cells += 1
        for y in max(0, row - Self.gap)...min(down - 1, row + Self.gap) {
          for x in max(0, column - Self.gap)...min(across - 1, column + Self.gap) {
            let next = y * across + x
            guard isChanged[next], !isTaken[next] else { continue }
            isTaken[next] = true
            stack.append(next)
          }
        }
      }
      guard let box, cells >= Self.leastCells, box.width >= Self.leastSide,
        box.height >= Self.leastSide
      else { continue }
      found.append(box)
    }
    boxes = Self.merged(found)
    self.isChanged = isChanged
    width = across
  }

  /// How many changed pixels of a box are in one of the others, as a share.
  func share(of box: PixelBox, in parts: [PixelBox]) -> Double {
    var (all, covered) = (0, 0)
    for y in box.top..<box.bottom {
      for x in box.left..<box.right where isChanged[y * width + x] {
        all += 1
        if parts.contains(where: { $0.left <= x && x < $0.right && $0.top <= y && y < $0.bottom }) {
          covered += 1
        }
      }
    }
    return Double(covered) / Double(max(1, all))
  }

  /// Boxes of which one lies in another are one.
  private static func merged(_ boxes: [PixelBox]) -> [PixelBox] {
    var kept: [PixelBox] = []
    for box in boxes.sorted(by: { $0.area > $1.area })
    where !kept.contains(where: { $0.common(box) * 10 >= 9 * box.area }) {
      kept.append(box)
    }
    return kept
  }
}

extension PixelBox {
  var area: Int { max(0, width) * max(0, height) }

  /// The box of both.
  func joined(_ other: PixelBox) -> PixelBox {
    PixelBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// The area of what both have.
  func common(_ other: PixelBox) -> Int {
    let w = min(right, other.right) - max(left, other.left)
    let h = min(bottom, other.bottom) - max(top, other.top)
    return w > 0 && h > 0 ? w * h : 0
  }

  /// The area of what both have, as a share of the area of what one of them has.
  func likeness(_ other: PixelBox) -> Double {
    let both = common(other)
    return Double(both) / Double(max(1, area + other.area - both))
  }

  func moved(_ shift: PixelShift) -> PixelBox {
    PixelBox(
      left: left + shift.x, top: top + shift.y, right: right + shift.x, bottom: bottom + shift.y)
  }

  /// The part of it that is in a picture.
  func inside(_ width: Int, _ height: Int) -> PixelBox {
    PixelBox(
      left: min(max(0, left), width), top: min(max(0, top), height),
      right: min(max(0, right), width), bottom: min(max(0, bottom), height))
  }

  /// The larger of the distances between them along the axes. 0: they touch.
  func gap(_ other: PixelBox) -> Int {
    max(
      0, max(left, other.left) - min(right, other.right),
      max(top, other.top) - min(bottom, other.bottom))
  }
}

/// How far something went from one picture to another, in pixels.
struct PixelShift: Hashable {
  var x = 0
  var y = 0

  /// The longer of both.
  var length: Int { max(abs(x), abs(y)) }

  func isNear(_ other: PixelShift) -> Bool { abs(x - other.x) <= 2 && abs(y - other.y) <= 2 }
}
