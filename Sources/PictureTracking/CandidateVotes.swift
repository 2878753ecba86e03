/// A picture of a clip that is kept.
struct KeptPicture {
  var picture: GreyPicture
  /// Its number in the clip.
  var index: Int
  /// In seconds.
  var time: Double
}

/// What a picture has that changes in the clip, by comparing it with several others.
struct CandidateVotes {
  /// A thing that changes.
  struct Found {
    /// Its outline, in pixels of the picture.
    var box: PixelBox
    var time: Double
    var change: Candidate.Change
    /// Where it was seen last. `nil`: it was not seen to move.
    var lastBox: PixelBox?
    /// How much speaks for it.
    var score: Double

    /// Whether it is something in the last picture, or the position that it left.
    func isSame(as later: Found) -> Bool {
      guard let lastBox else { return box.likeness(later.box) > 0.3 }
      return lastBox.isMostly(later.box) || box.isMostly(later.box)
    }
  }

  private struct Vote {
    var box: PixelBox
    /// In pixels of the picture.
    var shift: PixelShift?
    var likeness: Double
    /// The number of the other picture.
    var index: Int
    /// Whether its sides are edges in the picture.
    var hasOutline: Bool
  }

  private let time: Double
  private var votes: [Vote] = []

  /// Outlines that have this in common are of one thing.
  private static let alike = 0.7
  /// A thing that is not seen elsewhere counts so much, and one with edges on all sides so many times.
  private static let (unseen, outlined) = (0.3, 3.0)
  /// The largest share of the picture.
  private static let mostShare = 0.85
  /// What does not move has at least this share of the largest thing's area.
  private static let leastShare = 0.05
  /// A thing comes back if it is at most this share of its way from where it was.
  private static let returned = 0.25

  /// - Parameters:
  ///   - kept: The picture.
  ///   - levels: The same picture, smaller.
  ///   - others: Others of the clip.
  init(of kept: KeptPicture, _ levels: PictureLevels, against others: [PictureLevels]) {
    time = kept.time
    let picture = kept.picture
    let unit = 1 << levels.level
    for other in others {
      for seen in Sighting.find(in: levels, against: other) {
        let rough = seen.box.scaled(by: unit).inside(picture.width, picture.height)
        guard Double(rough.area) < Self.mostShare * Double(picture.values.count) else { continue }
        let fitted = picture.fitted(rough)
        votes.append(
          Vote(
            box: fitted.box,
            shift: seen.shift.map { PixelShift(x: $0.x * unit, y: $0.y * unit) },
            likeness: seen.likeness, index: other.index,
            hasOutline: fitted.weakestSide >= GreyPicture.leastEdge))
      }
    }
  }

  /// The things, those first for which most speaks.
  ///
  /// - Parameter hasEnd: Whether the last picture is one of the others.
  func candidates(hasEnd: Bool) -> [Found] {
    let scores = votes.map { vote in
      let sum = votes.reduce(0) { sum, other in
        guard vote.box.likeness(other.box) > Self.alike else { return sum }
        return sum + (other.shift == nil ? Self.unseen : other.likeness)
      }
      return sum * Double(vote.box.area) * (vote.hasOutline ? Self.outlined : 1)
    }
    let order = votes.indices.sorted {
      scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1
    }
    var found: [Found] = []
    // Where a thing was and where it went there is no other thing.
    var taken: [PixelBox] = []
    var largest = 0
    for index in order {
      let box = votes[index].box
      if taken.contains(where: { $0.isMostly(box) }) { continue }
      taken.append(box)
      let like = votes.filter { $0.box.likeness(box) > Self.alike }
      let isLarge = Double(box.area) >= Self.leastShare * Double(largest)
      // What only one of many pictures says is chance.
      guard like.count > 1 || votes.count == 1, isLarge || like.contains(where: { $0.shift != nil })
      else { continue }
      largest = max(largest, box.area)
      let thing = thing(like, hasEnd: hasEnd, score: scores[index])
      if let last = thing.lastBox { taken.append(last) }
      found.append(thing)
    }
    return found
  }

  private func thing(_ votes: [Vote], hasEnd: Bool, score: Double) -> Found {
    let moving = votes.filter { $0.shift != nil }
    let outlined = votes.filter(\.hasOutline)
    let best = outlined.isEmpty ? (moving.isEmpty ? votes : moving) : outlined
    func middle(_ side: (PixelBox) -> Int) -> Int {
      let sides = best.map { side($0.box) }.sorted()
      return sides[sides.count / 2]
    }
    let box = PixelBox(
      left: middle(\.left), top: middle(\.top), right: middle(\.right), bottom: middle(\.bottom))
    let farthest = moving.compactMap(\.shift).max { $0.length < $1.length }
    let last = moving.max { $0.index < $1.index }?.shift
    guard hasEnd else {
      let change = farthest.map { Candidate.Change.arrives(x: -$0.x, y: -$0.y) }
      return Found(box: box, time: time, change: change ?? .appears, score: score)
    }
    guard let farthest, let last else {
      return Found(box: box, time: time, change: .changes, score: score)
    }
    if Double(last.length) > Self.returned * Double(farthest.length) {
      return Found(
        box: box, time: time, change: .moves(x: last.x, y: last.y), lastBox: box.moved(last),
        score: score)
    }
    return Found(
      box: box, time: time, change: .returns(x: farthest.x, y: farthest.y), lastBox: box,
      score: score)
  }
}

extension PixelBox {
  fileprivate func scaled(by factor: Int) -> PixelBox {
    PixelBox(
      left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor)
  }

  /// Whether one of them has more than half of the other one.
  fileprivate func isMostly(_ other: PixelBox) -> Bool {
    2 * common(other) > min(area, other.area)
  }
}

extension GreyPicture {
  /// A smaller change across a side is none, in levels of grey.
  fileprivate static let leastEdge = 3.0

  /// The outline of a thing, from a box that has its shadow too.
  ///
  /// Each side goes to the line with the largest change along most of it. A text beside the thing has no such line.
  ///
  /// - Returns: The outline, and the change across the weakest of its sides, in levels of grey.
  fileprivate func fitted(_ box: PixelBox) -> (box: PixelBox, weakestSide: Double) {
    let (inward, outward) = (max(6, width / 28), 3)
    var weakest = Double.infinity
    func change(_ at: Int, _ range: Range<Int>, isRow: Bool) -> Double {
      let changes = range.map { along in
        let (here, step) = isRow ? (at * width + along, width) : (along * width + at, 1)
        let behind = Int(values[here]) + Int(values[here + step])
        let before = Int(values[here - step]) + Int(values[here - 2 * step])
        return Double(abs(behind - before)) / 2
      }
      return changes.middle
    }
    func side(_ side: Int, inwards: Int, _ size: Int, _ range: Range<Int>, isRow: Bool) -> Int {
      let end = isRow ? height : width
      guard side > 0, side < end, !range.isEmpty else { return side }
      let places = (-outward...min(inward, size / 3)).map { side + inwards * $0 }
        .filter { $0 > 1 && $0 + 1 < end }
      let changes = places.map { change($0, range, isRow: isRow) }
      let most = changes.max() ?? 0
      weakest = min(weakest, most)
      guard most >= Self.leastEdge, let at = changes.firstIndex(of: most) else { return side }
      return places[at]
    }
    // Corners may be round.
    let (w, h) = (box.width / 5, box.height / 5)
    let (rows, columns) = ((box.top + h)..<(box.bottom - h), (box.left + w)..<(box.right - w))
    let fitted = PixelBox(
      left: side(box.left, inwards: 1, box.width, rows, isRow: false),
      top: side(box.top, inwards: 1, box.height, columns, isRow: true),
      right: side(box.right, inwards: -1, box.width, rows, isRow: false),
      bottom: side(box.bottom, inwards: -1, box.height, columns, isRow: true))
    return (fitted, weakest)
  }
}
