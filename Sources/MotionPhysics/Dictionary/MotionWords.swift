/// The words and numbers of a line that somebody pasted from code, whatever its language.
///
/// A value belongs to the name before it. Punctuation, quotes, order, letter case and `_` do not matter: `stiffness: 300`,
/// `spring.stiffness = 300.0f` and `stiffness 300` are the same.
package struct MotionWords: Sendable {
  /// A number and its unit as written.
  struct Number: Sendable {
    let value: Double
    /// Lower case: `ms`, `s`, `%`, or empty.
    let unit: String

    /// Seconds. Without a unit the number is multiplied.
    func seconds(of factor: Double) -> Double {
      switch unit {
      case "ms": value / 1000
      case "s": value
      default: value * factor
      }
    }
  }

  enum Token: Sendable {
    /// A dotted name in lower case without `_` and `-`: `spring.stiffnesslow`.
    case name(String)
    case number(Number)
    case mark(Character)
  }

  /// The line as it was given.
  package let text: String
  let tokens: [Token]
  /// Each name that is in the line, without the path before its last dot.
  let names: Set<String>
  /// The first value of each name.
  private(set) var values: [String: Number] = [:]
  /// The words that stand for a value of each name, such as `true`.
  private(set) var choices: [String: String] = [:]
  /// The numbers without a name, in order.
  private(set) var unnamed: [Number] = []

  /// Reads a line. It never fails: a line without names has none.
  ///
  /// - Complexity: linear in the letters.
  package init(_ text: String) {
    self.text = text
    tokens = MotionWords.tokens(of: text)
    var names: Set<String> = []
    for case .name(let name) in tokens {
      names.insert(name)
      for part in name.split(separator: ".") { names.insert(String(part)) }
    }
    self.names = names
    assign()
  }

  /// The value of the first of some names that has one.
  func value(_ keys: String...) -> Double? {
    for key in keys {
      if let number = values[key] { return number.value }
    }
    return nil
  }

  func has(_ keys: String...) -> Bool { keys.contains { values[$0] != nil } }

  /// The numbers after a name up to the bracket that closes its call, those with names too.
  func numbers(behind name: String) -> [Number] {
    guard
      let start = tokens.firstIndex(where: {
        if case .name(let word) = $0 { return MotionWords.last(word) == name } else { return false }
      })
    else { return [] }
    var (depth, found, isOpen) = (0, [Number](), false)
    for token in tokens[(start + 1)...] {
      switch token {
      case .number(let number): found.append(number)
      case .mark("("), .mark("["), .mark("{"): (depth, isOpen) = (depth + 1, true)
      case .mark(")"), .mark("]"), .mark("}"): depth -= 1
      default: continue
      }
      if isOpen, depth <= 0 { break }
    }
    return found
  }

  /// The numbers that follow the bracket of a call and its commas, without a name.
  func positional(in call: String) -> [Double] {
    let opening = tokens.indices.dropLast(2).first { index in
      guard case .name(let word) = tokens[index], MotionWords.last(word) == call else {
        return false
      }
      if case .mark("(") = tokens[index + 1] { return true }
      return false
    }
    guard let opening else { return [] }
    var found: [Double] = []
    var index = opening + 2
    while index < tokens.count, case .number(let number) = tokens[index] {
      found.append(number.value)
      guard index + 1 < tokens.count, case .mark(",") = tokens[index + 1] else { break }
      index += 2
    }
    return found
  }

  /// The last part of a dotted name.
  static func last(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }

  private mutating func assign() {
    var pending: String?
    for token in tokens {
      switch token {
      case .name(let full):
        let word = MotionWords.last(full)
        if word == "zero", let key = pending {
          keep(Number(value: 0, unit: ""), as: key)
          pending = nil
        } else if let constant = MotionWords.constants[word] {
          // The constants' names begin with what they are values of.
          let own = word.hasPrefix("stiffness") ? "stiffness" : "dampingratio"
          keep(Number(value: constant, unit: ""), as: pending ?? own)
          pending = nil
        } else {
          if let pending, choices[pending] == nil { choices[pending] = word }
          pending = word
        }
      case .number(let number):
        if let key = pending { keep(number, as: key) } else { unnamed.append(number) }
        pending = nil
      case .mark(let mark):
        // A bracket or a comma ends what a name can be for, unless a setter's. A colon, an equals sign and a quote do not.
        let isSetter = mark == "(" && pending?.hasPrefix("set") == true
        if !isSetter, !":='\"`".contains(mark) { pending = nil }
      }
    }
  }

  private mutating func keep(_ number: Number, as key: String) {
    let key = MotionWords.otherNames[key] ?? key
    if values[key] == nil { values[key] = number } else { unnamed.append(number) }
  }

  /// Names that mean the same in every system.
  private static let otherNames = [
    "dampening": "damping", "springduration": "duration", "withduration": "duration",
    "durationms": "milliseconds", "durationmillis": "milliseconds", "ratio": "dampingratio",
    "usingspringwithdamping": "dampingratio", "dampingfraction": "dampingratio",
    "setstiffness": "stiffness", "setdamping": "damping", "setdampingratio": "dampingratio",
    "setmass": "mass", "setinitialvelocity": "velocity", "initialspringvelocity": "velocity",
    "initialvelocity": "velocity",
  ]

  /// Jetpack Compose's `Spring` and Android's `SpringForce`, which have the same values.
  private static let constants: [String: Double] = [
    "stiffnesshigh": 10_000, "stiffnessmedium": 1500, "stiffnessmediumlow": 400,
    "stiffnesslow": 200, "stiffnessverylow": 50, "dampingratiohighbouncy": 0.2,
    "dampingratiomediumbouncy": 0.5, "dampingratiolowbouncy": 0.75, "dampingrationobouncy": 1,
  ]

  // MARK: Letters

  private static func tokens(of text: String) -> [Token] {
    let letters = Array(text)
    var (found, index) = ([Token](), 0)
    while index < letters.count {
      let letter = letters[index]
      if isNameStart(letter) || (letter == "." && isNameStart(letters, index + 1)) {
        let start = index
        index += 1
        while index < letters.count, continuesName(letters, index) { index += 1 }
        let name = String(letters[start..<index]).lowercased().filter { $0 != "_" && $0 != "-" }
        found.append(.name(name))
      } else if let end = numberEnd(letters, index) {
        var unit = ""
        var next = end
        while next < letters.count, letters[next].isLetter || letters[next] == "%" {
          unit.append(letters[next])
          next += 1
        }
        let digits = String(letters[index..<end]).filter { $0 != "_" }
        unit = unit.lowercased()
        let value = Double(digits.hasPrefix(".") ? "0" + digits : digits) ?? .nan
        found.append(
          .number(Number(value: value, unit: ["f", "d", "dp", "px"].contains(unit) ? "" : unit)))
        index = next
      } else {
        if !letter.isWhitespace { found.append(.mark(letter)) }
        index += 1
      }
    }
    return found
  }

  private static func isNameStart(_ letter: Character) -> Bool { letter.isLetter || letter == "_" }

  private static func isNameStart(_ letters: [Character], _ index: Int) -> Bool {
    index < letters.count && isNameStart(letters[index])
  }

  /// A dot and a dash belong to a name if a letter follows.
  private static func continuesName(_ letters: [Character], _ index: Int) -> Bool {
    let letter = letters[index]
    if letter.isLetter || letter.isNumber || letter == "_" { return true }
    return (letter == "." || letter == "-") && isNameStart(letters, index + 1)
  }

  /// Where a number that begins at an index ends. `nil` if none begins there.
  private static func numberEnd(_ letters: [Character], _ start: Int) -> Int? {
    var index = start
    func isDigit(_ at: Int) -> Bool {
      at < letters.count && letters[at].isASCII && letters[at].isNumber
    }
    if "+-".contains(letters[index]) { index += 1 }
    guard isDigit(index) || (index < letters.count && letters[index] == "." && isDigit(index + 1))
    else { return nil }
    while isDigit(index) || (index < letters.count && letters[index] == "_") { index += 1 }
    if index < letters.count, letters[index] == "." {
      index += 1
      while isDigit(index) { index += 1 }
    }
    if index < letters.count, letters[index] == "e" || letters[index] == "E" {
      var power = index + 1
      if power < letters.count, "+-".contains(letters[power]) { power += 1 }
      if isDigit(power) {
        while isDigit(power) { power += 1 }
        index = power
      }
    }
    return index
  }
}

/// A line of an animation system that cannot be read, or that says too little.
package struct MotionLineError: Error, Sendable, Hashable {
  /// What is missing or unclear, and what to do, as a sentence.
  package let message: String
}

extension StringProtocol {
  /// The text behind the first occurrence of another one, or nil without it.
  ///
  /// The standard library has this in its module of regular expressions alone, which would make the library for C a tenth
  /// larger.
  ///
  /// - Complexity: linear in the letters, times those of `part`.
  func rest(after part: String) -> SubSequence? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(part) { return rest.dropFirst(part.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
