import TimelineModel

/// A curve of time that a line gives: a cubic Bézier curve, a named one, or `linear()`.
struct TimingCurve: Sendable {
  enum Shape: Sendable {
    case easing(Easing)
    case linear(LinearCurve)
  }

  let shape: Shape
  /// Above 0. 1 if the line has none.
  let seconds: Double
  let hasDuration: Bool

  /// Reads the curve of a line. `nil` for a line without one.
  ///
  /// - Throws: ``MotionLineError``, or ``EasingError`` for control points that make no curve.
  init?(reading words: MotionWords) throws {
    guard !words.has("stiffness", "damping", "tension", "friction") else { return nil }
    guard let shape = try TimingCurve.shape(words) else { return nil }
    self.shape = shape
    let found = TimingCurve.duration(words)
    if let found, !(found > 0 && found.isFinite) {
      throw MotionLineError(message: "The duration of a curve must be above 0, not \(found).")
    }
    (seconds, hasDuration) = (found ?? 1, found != nil)
  }

  /// The share of the distance at a share of the time.
  func value(at x: Double) -> Double {
    switch shape {
    case .easing(let easing): easing.value(at: x)
    case .linear(let curve): curve.value(at: x)
    }
  }

  /// The curve as straight lines, at most 0.1 % of the distance off.
  var linear: TimedLinear {
    switch shape {
    case .linear(let curve): return TimedLinear(curve: curve, seconds: seconds, error: 0)
    case .easing(let easing):
      let curve = LinearCurve(of: easing.value(at:), count: 1000, tolerance: 0.0008)
      let error = curve.largestError(of: easing.value(at:), count: 8000)
      return TimedLinear(curve: curve, seconds: seconds, error: error)
    }
  }

  private static func shape(_ words: MotionWords) throws -> Shape? {
    if words.text.lowercased().rest(after: "linear(") != nil, !words.has("duration") {
      return .linear(try LinearCurve(reading: words.text))
    }
    if words.names.contains("steps") {
      throw MotionLineError(
        message:
          "A staircase stands still between jumps, so no spring is near it. Give a curve without jumps."
      )
    }
    for name in bezierNames where words.names.contains(name) {
      let numbers = words.numbers(behind: name)
      guard numbers.count >= 4 else { continue }
      let points = numbers.prefix(4).map(\.value)
      return .easing(try Easing(bezier: points[0], points[1], points[2], points[3]))
    }
    if let name = words.choices["ease"] ?? words.choices["easing"], words.assigns("ease", "easing"),
      !named.contains(where: { $0.key == name }), name != "linear"
    {
      throw MotionLineError(
        message:
          "The curve '\(name)' is not known. Give its four numbers, as cubic-bezier has them."
      )
    }
    for (name, points) in named where words.names.contains(name) {
      return .easing(try Easing(bezier: points[0], points[1], points[2], points[3]))
    }
    if words.names.contains("linear") { return .easing(.linear) }
    return nil
  }

  /// The names in front of four numbers.
  private static let bezierNames = [
    "cubicbezier", "cubic", "timingcurve", "cubicbeziereasing", "bezier", "camediatimingfunction",
    "uicubictimingparameters", "controlpoints", "points", "ease", "easing",
  ]

  /// CSS Easing Functions, Core Animation and SwiftUI agree on the first four, Flutter on all but `ease`'s namesakes.
  /// The last three are Compose's (`EasingFunctions.kt`).
  private static let named: KeyValuePairs<String, [Double]> = [
    // React Native's `Easing.ease` is not that of CSS.
    "easing.ease": [0.42, 0, 1, 1],
    "easeinout": [0.42, 0, 0.58, 1], "easein": [0.42, 0, 1, 1], "easeout": [0, 0, 0.58, 1],
    "ease": [0.25, 0.1, 0.25, 1], "fastoutslowineasing": [0.4, 0, 0.2, 1],
    "linearoutslowineasing": [0, 0, 0.2, 1], "fastoutlinearineasing": [0.4, 0, 1, 1],
  ]

  /// The first number with a unit of time, a duration, or Hyprland's speed in tenths of a second.
  private static func duration(_ words: MotionWords) -> Double? {
    for case .number(let number) in words.tokens where number.unit == "ms" || number.unit == "s" {
      return number.seconds(of: 1)
    }
    if let seconds = words.seconds() {
      // Nobody waits for more than 10 s, so that a larger number is milliseconds.
      return words.values["duration"] != nil && seconds > 10 ? seconds / 1000 : seconds
    }
    return words.value("speed").map { $0 / 10 }
  }
}

extension MotionWords {
  /// Whether one of some names has a value after a colon or an equals sign.
  fileprivate func assigns(_ keys: String...) -> Bool {
    zip(tokens, tokens.dropFirst()).contains { token, next in
      guard case .name(let word) = token, keys.contains(MotionWords.last(word)) else {
        return false
      }
      if case .mark(":") = next { return true }
      if case .mark("=") = next { return true }
      return false
    }
  }
}
