/// A curve of a few numbers over time, thinned while it grows.
///
/// Points that a straight line between their neighbours gives back are left out, by the rule of Ramer, Douglas and
/// Peucker: of a stretch the point farthest from the straight line is kept, when it lies farther than the tolerance,
/// and both halves are looked at alike. The distance is that along each number's own axis at the point's own time,
/// the largest of all numbers. Long stretches are cut into pieces, whose ends are kept.
///
/// Cost: O(n log n) for usual curves and at most O(n) for each of the points of a piece. Memory for the kept
/// points and one piece.
struct CurveThinning {
  /// Numbers a point.
  let width: Int
  /// The largest distance that is let through. Negative: every change is kept.
  let tolerance: Double
  /// Times of the kept points, in nanoseconds, rising. Two may be equal where a value jumps.
  private(set) var times: [Int64] = []
  /// The kept points' numbers, `width` each.
  private(set) var values: [Double] = []
  /// Whether a kept point's numbers stand until the next point, in place of moving there.
  private(set) var isHeld: [Bool] = []
  private var pendingTimes: [Int64] = []
  private var pendingValues: [Double] = []

  /// Points of a piece: a few seconds of frames, so that pieces are few and their work stays small.
  private static let pieceLength = 512

  init(width: Int, tolerance: Double) {
    self.width = width
    self.tolerance = tolerance
  }

  /// How many points are kept.
  var count: Int { times.count }

  /// Whether nothing ever changes.
  var isConstant: Bool {
    count <= 1 || (0..<count).allSatisfy { value(at: $0) == value(at: 0) }
  }

  /// The numbers of a kept point.
  func value(at index: Int) -> ArraySlice<Double> {
    values[(index * width)..<((index + 1) * width)]
  }

  /// Adds a point later than all before.
  ///
  /// - Parameter isHeldBefore: Whether the numbers before stood until now and then jumped.
  mutating func add(_ time: Int64, _ numbers: [Double], isHeldBefore: Bool = false) {
    if isHeldBefore {
      flush()
      if let last = isHeld.indices.last { isHeld[last] = true }
      pendingTimes = []
      pendingValues = []
    }
    let count = pendingTimes.count
    if count >= 2, isPending(count - 1, numbers), isPending(count - 2, numbers) {
      // In the middle of a rest: its end moves on.
      pendingTimes[count - 1] = time
      return
    }
    pendingTimes.append(time)
    pendingValues.append(contentsOf: numbers)
    if pendingTimes.count > CurveThinning.pieceLength { flush() }
  }

  /// Takes in what is still looked at. The curve is whole then.
  mutating func finish() {
    flush()
    pendingTimes = []
    pendingValues = []
    if isConstant, count > 1 {
      times.removeSubrange(1...)
      values.removeSubrange(width...)
      isHeld.removeSubrange(1...)
    }
  }

  private func isPending(_ index: Int, _ numbers: [Double]) -> Bool {
    for position in 0..<width where pendingValues[index * width + position] != numbers[position] {
      return false
    }
    return true
  }

  /// Keeps what is needed of the piece. Its last point begins the next one.
  private mutating func flush() {
    guard let last = pendingTimes.indices.last else { return }
    var isKept = [Bool](repeating: false, count: last + 1)
    isKept[0] = true
    isKept[last] = true
    var stretches = [(0, last)]
    while let (start, end) = stretches.popLast() {
      guard let farthest = farthest(start, end) else { continue }
      isKept[farthest] = true
      stretches.append((start, farthest))
      stretches.append((farthest, end))
    }
    // The first point was kept as the last one of the piece before.
    let isContinued = times.last == pendingTimes[0] && isHeld.last == false
    for index in pendingTimes.indices where isKept[index] && !(isContinued && index == 0) {
      times.append(pendingTimes[index])
      values.append(contentsOf: pendingValues[(index * width)..<((index + 1) * width)])
      isHeld.append(false)
    }
    pendingTimes = [pendingTimes[last]]
    pendingValues = Array(pendingValues[(last * width)...])
  }

  /// The point of a stretch that lies farthest from its straight line, beyond the tolerance.
  private func farthest(_ start: Int, _ end: Int) -> Int? {
    guard end > start + 1 else { return nil }
    let span = Double(pendingTimes[end] - pendingTimes[start])
    var largest = max(tolerance, 0)
    var found: Int?
    for index in (start + 1)..<end {
      let share = Double(pendingTimes[index] - pendingTimes[start]) / span
      for position in 0..<width {
        let first = pendingValues[start * width + position]
        let last = pendingValues[end * width + position]
        let here = pendingValues[index * width + position]
        let distance = abs(here - (first + (last - first) * share))
        if distance > largest {
          largest = distance
          found = index
        } else if tolerance < 0, found == nil, here != first || here != last {
          found = index
        }
      }
    }
    return found
  }
}
