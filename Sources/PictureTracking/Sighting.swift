/// A picture made smaller, for a search from coarse to fine.
struct PictureLevels {
  /// The number of the picture in the clip.
  let index: Int
  /// The first of the planes has pixels of `1 << level`.
  let level: Int
  /// Each has half the width and height of the one before.
  let planes: [Plane]

  /// The first plane is at most so wide. There are at most so many.
  private static let (mostWidth, mostPlanes) = (270, 5)

  init(_ picture: GreyPicture, index: Int) {
    self.index = index
    var level = 0
    while picture.width >> level > Self.mostWidth { level += 1 }
    self.level = level
    var planes = [Plane(picture, level: level).blurred(by: Patch.blur)]
    while planes.count < Self.mostPlanes, let last = planes.last,
      min(last.width, last.height) >= 16
    {
      planes.append(last.halved())
    }
    self.planes = planes
  }
}

/// Something that a picture shows, and another one shows elsewhere or not at all. Lengths are in pixels of the first planes.
struct Sighting {
  /// Its outline in the first picture.
  var box: PixelBox
  /// Where it went. `nil`: the other picture does not show it, or shows it otherwise.
  var shift: PixelShift?
  /// The correlation of both, at most 1. 0 without a shift.
  var likeness = 0.0

  /// The numbers below were chosen with 54 clips of known motion.
  ///
  /// What is less alike is something else, and it is so much more alike than what the other picture shows at its old position.
  private static let (leastLike, leastGain) = (0.75, 0.1)
  /// What is joined to a moving element without a way of its own is so much like it.
  private static let leastJoined = 0.85
  /// In the picture with which a search begins, a region is at most so wide and high.
  private static let mostSide = 72
  /// An element is at least so large in it, in pixels, and has at least this share of a region with its old and new position.
  private static let (leastPixels, leastShare) = (24, 0.2)
  /// Both positions of an element have this share of what changed.
  private static let leastCovered = 0.9
  /// What moves less stands, in pixels. An element has at least this side.
  private static let (stands, leastSide) = (2, 4)
  /// So many regions are looked at, the largest ones.
  private static let mostRegions = 24
  /// So many pixels are compared, and in a search so many.
  private static let (mostCompared, mostSearched) = (3000, 600)

  /// What a picture shows that another one shows elsewhere, or not at all.
  static func find(in one: PictureLevels, against two: PictureLevels) -> [Sighting] {
    let (plane, other) = (one.planes[0], two.planes[0])
    let regions = ChangedRegions(plane, other)
    let boxes = regions.boxes.prefix(mostRegions)
    var ways: [PixelShift] = []
    func note(_ shift: PixelShift?) {
      guard let shift, !ways.contains(where: { $0.isNear(shift) }) else { return }
      ways.append(shift)
    }
    for old in boxes {
      for new in boxes where old != new { note(way(from: old, to: new, plane, other)) }
      note(way(inside: old, one, two))
    }
    var left = Array(boxes)
    var found: [Sighting] = []
    // The way that most of what is left went, again and again.
    while true {
      var best: [Int: Sighting] = [:]
      var largest = 0
      for way in ways {
        var seen: [Int: Sighting] = [:]
        for (index, box) in left.enumerated() {
          seen[index] = sighting(of: box, going: way, regions, plane, other)
        }
        let area = seen.values.reduce(0) { $0 + $1.box.area }
        if area > largest { (best, largest) = (seen, area) }
      }
      if best.isEmpty { break }
      found += best.keys.sorted().compactMap { best[$0] }
      left = left.indices.filter { best[$0] == nil }.map { left[$0] }
    }
    // Without a way, it is in the picture in which the region has an outline.
    for box in left where plane.outlineStrength(of: box) > other.outlineStrength(of: box) {
      found.append(Sighting(box: box))
    }
    return joined(found, plane, other)
  }

  /// The way of an element that left one region for another of about its size.
  private static func way(
    from old: PixelBox, to new: PixelBox, _ one: Plane, _ two: Plane
  ) -> PixelShift? {
    guard abs(old.width - new.width) <= 4 + old.width / 16,
      abs(old.height - new.height) <= 4 + old.height / 16
    else { return nil }
    let middle = PixelShift(
      x: (new.left + new.right - old.left - old.right) / 2,
      y: (new.top + new.bottom - old.top - old.bottom) / 2)
    let best = best(old, near: middle, radius: 4, one, two)
    let still = correlation(old, PixelShift(), one, two)
    return best.value > max(leastLike, still + leastGain) ? best.shift : nil
  }

  /// The way of an element whose old and new positions make one region.
  private static func way(
    inside box: PixelBox, _ one: PictureLevels, _ two: PictureLevels
  ) -> PixelShift? {
    var level = 0
    while level + 1 < one.planes.count, max(box.width, box.height) >> level > mostSide {
      level += 1
    }
    let (from, to) = (one.planes[level], two.planes[level])
    let small = PixelBox(
      left: box.left >> level, top: box.top >> level,
      right: min(from.width, (box.right >> level) + 1),
      bottom: min(from.height, (box.bottom >> level) + 1))
    var shift: PixelShift?
    var highest = leastLike - 0.1
    for y in (1 - small.height)..<small.height {
      for x in (1 - small.width)..<small.width {
        let next = PixelShift(x: x, y: y)
        let part = small.without(next, from)
        guard part.area >= leastPixels, Double(part.area) > leastShare * Double(small.area) else {
          continue
        }
        let value = correlation(part, next, from, to, most: mostSearched)
        if value > highest { (shift, highest) = (next, value) }
      }
    }
    guard var found = shift else { return nil }
    for fine in stride(from: level - 1, through: 0, by: -1) {
      let double = PixelShift(x: 2 * found.x, y: 2 * found.y)
      let region = PixelBox(
        left: box.left >> fine, top: box.top >> fine, right: box.right >> fine,
        bottom: box.bottom >> fine)
      let part = region.without(double, one.planes[fine])
      found = best(part, near: double, radius: 2, one.planes[fine], two.planes[fine]).shift
    }
    return max(abs(found.x), abs(found.y)) >= stands ? found : nil
  }

  /// The element of a region, if it went a way.
  private static func sighting(
    of box: PixelBox, going way: PixelShift, _ regions: ChangedRegions, _ one: Plane, _ two: Plane
  ) -> Sighting? {
    let isApart = abs(way.x) >= box.width || abs(way.y) >= box.height
    let element = isApart ? box : box.without(way, one)
    guard element.width >= leastSide, element.height >= leastSide else { return nil }
    let next = best(element, near: way, radius: 2, one, two)
    if !isApart,
      regions.share(of: box, in: [element, element.moved(next.shift)]) < leastCovered
    {
      return nil
    }
    let still = correlation(element, PixelShift(), one, two)
    guard next.value > leastLike, next.value > still + min(leastGain, (1 - still) / 2) else {
      return nil
    }
    return Sighting(box: element, shift: next.shift, likeness: next.value)
  }

  /// Elements that went one way and are near are one, as is what else changed there and fits.
  private static func joined(_ seen: [Sighting], _ one: Plane, _ two: Plane) -> [Sighting] {
    let most = max(12, one.width / 12)
    var left = seen.sorted { $0.box.area < $1.box.area }
    var whole: [Sighting] = []
    while var next = left.popLast() {
      var isGrown = true
      while isGrown, let way = next.shift {
        isGrown = false
        for index in left.indices.reversed() where next.box.gap(left[index].box) <= most {
          let box = next.box.joined(left[index].box)
          let value = correlation(box, way, one, two)
          let isAlong = left[index].shift?.isNear(way) ?? false
          guard value > (isAlong ? leastLike : leastJoined) else { continue }
          next.box = box
          next.likeness = value
          left.remove(at: index)
          isGrown = true
        }
      }
      whole.append(next)
    }
    return whole
  }

  // MARK: Comparing

  private static func best(
    _ box: PixelBox, near shift: PixelShift, radius: Int, _ one: Plane, _ two: Plane
  ) -> (shift: PixelShift, value: Double) {
    var best = (shift: shift, value: -1.0)
    for y in (shift.y - radius)...(shift.y + radius) {
      for x in (shift.x - radius)...(shift.x + radius) {
        let next = PixelShift(x: x, y: y)
        let value = correlation(box, next, one, two)
        if value > best.value { best = (next, value) }
      }
    }
    return best
  }

  /// The correlation of a region with where it went, as far as that is in the picture. 0 if too little of it is, or if it is flat.
  private static func correlation(
    _ box: PixelBox, _ shift: PixelShift, _ one: Plane, _ two: Plane, most: Int = mostCompared
  ) -> Double {
    let inside = box.moved(shift).inside(two.width, two.height)
    guard inside.width > 1, inside.height > 1, 3 * inside.area > box.area else { return 0 }
    var step = 1
    while inside.area / (step * step) > most { step += 1 }
    var (count, a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    one.values.withUnsafeBufferPointer { from in
      two.values.withUnsafeBufferPointer { to in
        for y in stride(from: inside.top, to: inside.bottom, by: step) {
          let (row, old) = (y * two.width, (y - shift.y) * one.width - shift.x)
          for x in stride(from: inside.left, to: inside.right, by: step) {
            let (p, q) = (Double(from[old + x]), Double(to[row + x]))
            count += 1
            a += p
            b += q
            aa += p * p
            bb += q * q
            ab += p * q
          }
        }
      }
    }
    let (va, vb) = (aa - a * a / count, bb - b * b / count)
    guard va > count, vb > count else { return 0 }
    return (ab - a * b / count) / (va * vb).squareRoot()
  }
}

extension PixelBox {
  /// The box of an element whose old and new positions this box has. A side at the picture's edge says nothing about its size.
  fileprivate func without(_ shift: PixelShift, _ plane: Plane) -> PixelBox {
    var box = self
    if shift.x > 0, right < plane.width { box.right -= shift.x }
    if shift.x < 0, left > 0 { box.left -= shift.x }
    if shift.y > 0, bottom < plane.height { box.bottom -= shift.y }
    if shift.y < 0, top > 0 { box.top -= shift.y }
    return box
  }
}

extension Plane {
  /// The sum over a box's sides of the middle change across a side, in levels of grey. A text has few pixels along a side, so it adds
  /// nothing. Sides at the picture's edge add nothing either.
  fileprivate func outlineStrength(of box: PixelBox) -> Float {
    func side(_ range: Range<Int>, _ inner: (Int) -> Int, _ outer: (Int) -> Int) -> Float {
      var steps = range.map { abs(values[inner($0)] - values[outer($0)]) }
      return steps.sortedMiddle()
    }
    let (rows, columns) = (box.top..<box.bottom, box.left..<box.right)
    var sum: Float = 0
    if box.left >= 2 {
      sum += side(rows, { $0 * width + box.left + 1 }, { $0 * width + box.left - 2 })
    }
    if box.right + 1 < width {
      sum += side(rows, { $0 * width + box.right - 2 }, { $0 * width + box.right + 1 })
    }
    if box.top >= 2 {
      sum += side(columns, { (box.top + 1) * width + $0 }, { (box.top - 2) * width + $0 })
    }
    if box.bottom + 1 < height {
      sum += side(columns, { (box.bottom - 2) * width + $0 }, { (box.bottom + 1) * width + $0 })
    }
    return sum
  }
}
