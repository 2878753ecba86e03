extension Easing {
  /// The names of all curves that have one, in the order of the documentation: `linear`, the families
  /// with In, Out and InOut, the names of CSS, the names of Core Animation.
  public static let names: [String] = named.map(\.name)

  /// The names of the families, which are read, but not offered.
  package static let unofferedNames: [String] = EasingFamily.allCases.flatMap { family in
    EasingDirection.allCases.map { Easing(family, $0).name }
  }

  /// The names that are offered: `linear`, and those of CSS and of Core Animation.
  package static let offeredNames: [String] = names.filter { !unofferedNames.contains($0) }

  /// The curve of a text: one of ``names``, `cubic-bezier(x1,y1,x2,y2)` or `steps(n,position)`. `nil` for
  /// any other text. ``init(reading:)`` says what is wrong with it.
  public init?(named name: String) {
    guard let easing = try? Easing(reading: name) else { return nil }
    self = easing
  }

  /// The curve of a text: one of ``names``, `cubic-bezier(x1,y1,x2,y2)` or `steps(n,position)`.
  ///
  /// Blanks around the numbers are allowed, and the position of steps may be left out (`jump-end`) or be
  /// CSS's `start` or `end`.
  ///
  /// - Throws: a name that is not known, a text that cannot be read, numbers that make no curve.
  public init(reading text: String) throws(EasingError) {
    if let easing = Easing.named.first(where: { $0.name == text }) {
      self = easing
    } else if let words = Easing.words(in: text, of: "cubic-bezier") {
      try self.init(bezierWords: words)
    } else if let words = Easing.words(in: text, of: "steps") {
      try self.init(stepsWords: words)
    } else {
      throw EasingError(
        code: .unknownName,
        message: "Unknown easing curve '\(text)'. Give a name such as ease-in-out, "
          + "cubic-bezier(x1,y1,x2,y2) or steps(n,position).")
    }
  }

  /// The curve as a CSS function (`ease` is `cubic-bezier(0.25,0.1,0.25,1)`). `nil` for linear and the
  /// families, which have none.
  package var functionText: String? { shape.functionText }

  /// Control points of the names of CSS (CSS Easing Functions 1 and 2, "Cubic Bézier easing functions")
  /// and of Core Animation (Apple's documentation of CAMediaTimingFunctionName), in the order x1, y1,
  /// x2, y2.
  private static let slowEnds = EasingBezier(0.25, 0.1, 0.25, 1)
  private static let slowStart = EasingBezier(0.42, 0, 1, 1)
  private static let slowEnd = EasingBezier(0, 0, 0.58, 1)
  private static let slowStartAndEnd = EasingBezier(0.42, 0, 0.58, 1)

  /// Every curve that has a name, in the order of ``names``.
  private static let named: [Easing] =
    [.linear]
    + EasingFamily.allCases.flatMap { family in
      EasingDirection.allCases.map { Easing(family, $0) }
    } + [
      Easing(name: "ease", shape: .bezier(slowEnds)),
      Easing(name: "ease-in", shape: .bezier(slowStart)),
      Easing(name: "ease-out", shape: .bezier(slowEnd)),
      Easing(name: "ease-in-out", shape: .bezier(slowStartAndEnd)),
      Easing(name: "step-start", shape: .steps(EasingSteps(count: 1, position: .jumpStart))),
      Easing(name: "step-end", shape: .steps(EasingSteps(count: 1, position: .jumpEnd))),
      Easing(name: "default", shape: .bezier(slowEnds)),
      Easing(name: "easeIn", shape: .bezier(slowStart)),
      Easing(name: "easeOut", shape: .bezier(slowEnd)),
      Easing(name: "easeInEaseOut", shape: .bezier(slowStartAndEnd)),
      Easing(name: "easeInOut", shape: .bezier(slowStartAndEnd)),
    ]

  private init(bezierWords words: [String]) throws(EasingError) {
    let numbers = words.compactMap { Double($0) }
    guard words.count == 4, numbers.count == 4 else {
      throw EasingError(
        code: .badText,
        message: "cubic-bezier(\(words.joined(separator: ","))) cannot be read. "
          + "Give four numbers: cubic-bezier(x1,y1,x2,y2).")
    }
    try self.init(bezier: numbers[0], numbers[1], numbers[2], numbers[3])
  }

  private init(stepsWords words: [String]) throws(EasingError) {
    let position = words.count == 1 ? .jumpEnd : EasingStepPosition(named: words[words.count - 1])
    guard words.count <= 2, let count = Int(words[0]), let position else {
      throw EasingError(
        code: .badText,
        message: "steps(\(words.joined(separator: ","))) cannot be read. Give a whole number, and "
          + "after a comma jump-start, jump-end, jump-none or jump-both.")
    }
    try self.init(steps: count, position)
  }

  /// The words between commas in the brackets of a function, without the blanks around them, at least
  /// one text. `nil` where the text is not a call of the function.
  private static func words(in text: String, of function: String) -> [String]? {
    guard text.hasPrefix(function + "("), text.hasSuffix(")") else { return nil }
    return text.dropFirst(function.count + 1).dropLast()
      .split(separator: ",", omittingEmptySubsequences: false)
      .map { word in
        var rest = word.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
      }
  }
}

extension Easing.Shape {
  /// The curve as a CSS function, in as few letters as tell it bit for bit.
  var functionText: String? {
    switch self {
    case .linear, .family: return nil
    case .bezier(let curve):
      let numbers = [curve.x1, curve.y1, curve.x2, curve.y2].map { number in
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
      }
      return "cubic-bezier(\(numbers.joined(separator: ",")))"
    case .steps(let stairs): return "steps(\(stairs.count),\(stairs.position.rawValue))"
    }
  }
}
