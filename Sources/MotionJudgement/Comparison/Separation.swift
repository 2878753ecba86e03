/// How far two values are apart at an instant: one signed number, or one for each of two axes. Between two instants each
/// number is a straight line.
struct Separation: Sendable, Hashable {
  /// Signed, in the values' unit.
  var x: Double
  /// Signed, in the values' unit. 0 if there is one number.
  var y = 0.0
  /// Whether the larger axis counts alone, as of width and height. Else both count, as of a place.
  var isOfLargerAxis = false

  /// The distance, never negative.
  var magnitude: Double {
    if y == 0 { return abs(x) }
    return isOfLargerAxis ? max(abs(x), abs(y)) : LayoutWalk.length(x, y)
  }

  /// The numbers at a share of the way to others.
  func mixed(with other: Separation, _ share: Double) -> Separation {
    Separation(
      x: (1 - share) * x + share * other.x, y: (1 - share) * y + share * other.y,
      isOfLargerAxis: isOfLargerAxis)
  }

  /// The mean of the squared distance on the way to another separation.
  func meanSquare(to other: Separation) -> Double {
    guard isOfLargerAxis, y != 0 || other.y != 0 else {
      return Separation.meanSquare(x, other.x) + Separation.meanSquare(y, other.y)
    }
    // The axes may take turns at being the larger one.
    let turns = [
      Separation.zero(x - y, other.x - other.y), Separation.zero(x + y, other.x + other.y),
    ].sorted()
    var (sum, from) = (0.0, (share: 0.0, place: self))
    for share in turns where share > from.share {
      let place = share < 1 ? mixed(with: other, share) : other
      sum += (share - from.share) * from.place.meanSquareOfLarger(to: place)
      from = (share, place)
    }
    return from.share < 1 ? sum + (1 - from.share) * from.place.meanSquareOfLarger(to: other) : sum
  }

  /// For which share of the way to another separation the distance is above a limit, from 0 to 1.
  func share(above limit: Double, to other: Separation) -> Double {
    // The distance is largest at an end.
    guard max(magnitude, other.magnitude) > limit else { return 0 }
    if isOfLargerAxis || y == 0 && other.y == 0 {
      let across = Separation.within(limit, x, other.x)
      let down = Separation.within(limit, y, other.y)
      return 1 - max(0, min(across.end, down.end) - max(across.start, down.start))
    }
    let unit = max(abs(x), abs(y), abs(other.x), abs(other.y))
    let (x, y, limit) = (x / unit, y / unit, limit / unit)
    let (stepX, stepY) = (other.x / unit - x, other.y / unit - y)
    let square = stepX * stepX + stepY * stepY
    let half = stepX * x + stepY * y
    let root = (half * half - square * (x * x + y * y - limit * limit)).squareRoot()
    guard square > 0, root > 0 else { return 1 }
    let start = max(0, (-half - root) / square)
    let end = min(1, (root - half) / square)
    return 1 - max(0, end - start)
  }

  /// The mean of the square of the axis that is the larger one on the whole way.
  private func meanSquareOfLarger(to other: Separation) -> Double {
    abs(x) + abs(other.x) >= abs(y) + abs(other.y)
      ? Separation.meanSquare(x, other.x) : Separation.meanSquare(y, other.y)
  }

  /// At which share of the way from one number to another is 0. 1 if none is between them.
  private static func zero(_ here: Double, _ there: Double) -> Double {
    (here < 0) != (there < 0) ? here / (here - there) : 1
  }

  /// The mean of the square of a number that goes straight from one to another.
  private static func meanSquare(_ here: Double, _ there: Double) -> Double {
    (here * here + here * there + there * there) / 3
  }

  /// From which share of the way from one number to another, and until which, it is within a limit on both sides of 0.
  private static func within(_ limit: Double, _ here: Double, _ there: Double) -> (
    start: Double, end: Double
  ) {
    guard here != there else { return abs(here) <= limit ? (0, 1) : (0, 0) }
    let shares = [-limit, limit].map { ($0 - here) / (there - here) }
    return (max(0, shares.min() ?? 0), min(1, shares.max() ?? 0))
  }
}
