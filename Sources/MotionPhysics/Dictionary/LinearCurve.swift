import TimelineModel

/// A curve of straight lines: `linear()` of CSS Easing Functions 2.
package struct LinearCurve: Sendable, Hashable {
  struct Point: Sendable, Hashable {
    /// The share of the time.
    let x: Double
    /// The share of the distance.
    let y: Double
  }

  /// At least two, by time.
  let points: [Point]

  /// How many points the text has.
  package var count: Int { points.count }

  init(_ points: [Point]) { self.points = points }

  /// Reads the function from a text that has one, by "Parsing linear()" of the specification: places that are left out lie
  /// evenly between their neighbours, and a place before another one is moved to it.
  ///
  /// - Throws: ``MotionLineError`` for a text that is none, or has fewer than two points.
  init(reading text: String) throws(MotionLineError) {
    let body = text.lowercased().rest(after: "linear(")?.prefix { $0 != ")" }
    var places: [Double?] = []
    var heights: [Double] = []
    for item in (body ?? "").split(separator: ",") {
      var (height, stops) = (Double?.none, [Double]())
      for word in item.split(whereSeparator: \.isWhitespace) {
        if word.hasSuffix("%"), let stop = Double(word.dropLast()) {
          stops.append(stop / 100)
        } else if height == nil, let number = Double(word) {
          height = number
        } else {
          throw MotionLineError(
            message:
              "'\(item)' is not a point of a curve. Give a number and at most two percentages."
          )
        }
      }
      guard let height, stops.count <= 2 else {
        throw MotionLineError(
          message: "'\(item)' is not a point of a curve. Give a number and at most two percentages."
        )
      }
      heights.append(height)
      places.append(stops.first)
      if stops.count == 2 {
        heights.append(height)
        places.append(stops[1])
      }
    }
    guard heights.count >= 2 else {
      throw MotionLineError(
        message: "A curve of straight lines needs at least two points. Add one.")
    }
    places[0] = places[0] ?? 0
    places[places.count - 1] = places[places.count - 1] ?? 1
    var largest = -Double.infinity
    for index in places.indices {
      if let place = places[index] {
        largest = max(largest, place)
        places[index] = largest
      }
    }
    var points: [Point] = []
    var (start, end) = (0, 0)
    for index in places.indices {
      if places[index] != nil {
        start = index
      } else if end < index {
        end = places[index...].firstIndex { $0 != nil } ?? index
      }
      let (low, high) = (places[start] ?? 0, places[index] ?? places[end] ?? 1)
      let share = start < index ? Double(index - start) / Double(end - start) : 0
      points.append(
        Point(x: places[index] ?? (low + (high - low) * share), y: heights[index]))
    }
    self.points = points
  }

  /// The height at a share of the time. It holds its ends outside.
  func value(at x: Double) -> Double {
    guard let first = points.first, let last = points.last else { return x }
    if x < first.x { return first.y }
    // At a jump the later point counts.
    guard let next = points.firstIndex(where: { $0.x > x }) else { return last.y }
    let (a, b) = (points[next - 1], points[next])
    return a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))
  }

  /// The CSS function. Heights have five decimals and places three.
  package var text: String {
    let stops = points.enumerated().map { index, point -> String in
      let height = NumberText.decimals(point.y, most: 5)
      if index == 0 && point.x == 0 || index == points.count - 1 && point.x == 1 { return height }
      return "\(height) \(NumberText.decimals(point.x * 100, most: 3))%"
    }
    return "linear(\(stops.joined(separator: ", ")))"
  }

  /// The fewest of evenly spaced points that keep a curve, rounded as ``text`` rounds them.
  ///
  /// - Parameters:
  ///   - count: Into how many parts the time is cut.
  ///   - tolerance: By how much it may miss a place before rounding.
  init(of curve: (Double) -> Double, count: Int, tolerance: Double) {
    var heights = (0...count).map { curve(Double($0) / Double(count)) }
    heights[count] = 1
    points = fewestPoints(of: heights, within: tolerance).map { index in
      Point(
        x: (Double(index) / Double(count) * 1e5).rounded() / 1e5,
        y: (heights[index] * 1e5).rounded() / 1e5)
    }
  }

  /// The largest distance to a curve, looked at evenly.
  func largestError(of curve: (Double) -> Double, count: Int) -> Double {
    var (largest, next) = (0.0, 1)
    for step in 0...count {
      let x = Double(step) / Double(count)
      while next < points.count - 1, points[next].x < x { next += 1 }
      let (a, b) = (points[next - 1], points[next])
      let y = b.x > a.x ? a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)) : b.y
      largest = max(largest, abs(y - curve(x)))
    }
    return largest
  }
}

/// A motion as `linear()` with its duration.
struct TimedLinear: Sendable {
  let curve: LinearCurve
  let seconds: Double
  /// The largest distance from the motion, as a share of the distance.
  let error: Double

  /// What can be pasted.
  var text: String { "\(NumberText.decimals(seconds * 1000, most: 3))ms \(curve.text)" }
}

extension SpringMotion {
  /// The spring as `linear()`, at most 0.1 % of the distance off. `nil` at the target, and for a spring that swings more than 40
  /// times until it rests.
  ///
  /// It ends when 0.05 % of the distance is left for good. Each swing is looked at 200 times.
  func linear() -> TimedLinear? {
    guard distance != 0, let time = path.lastEntry(below: abs(distance) * 0.0005), time > 0 else {
      return nil
    }
    // Whole microseconds, as the text has them.
    let seconds = (time * 1e6).rounded(.up) / 1e6
    var count = 1000
    if case .under(_, let swing) = path.curve {
      let swings = swing * seconds / (2 * .pi)
      guard swings <= 40 else { return nil }
      count = max(count, Int((200 * swings).rounded(.up)))
    }
    let path = path
    func share(_ x: Double) -> Double { 1 + path.offset(atSeconds: x * seconds) / distance }
    // A start that is fast beside the rest needs finer places.
    for parts in [count, 4 * count] {
      let curve = LinearCurve(of: share, count: parts, tolerance: 0.0004)
      // After the end 0.05 % may be left.
      let error = max(0.0005, curve.largestError(of: share, count: 4 * parts))
      if error <= 0.001 { return TimedLinear(curve: curve, seconds: seconds, error: error) }
    }
    return nil
  }
}
