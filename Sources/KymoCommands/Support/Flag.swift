/// A flag without its type: all that help and the parser of arguments need.
struct FlagDeclaration: Sendable {
  /// Its name without the dashes.
  var name: String
  /// The name of its value in help. `nil` for a switch.
  var value: String?
  /// One sentence.
  var help: String
  /// Whether it may be given more than once.
  var repeats = false
  /// The words that the value can be. None if it can be anything.
  var choices = Choices()
  /// The value without the flag, as help shows it. `nil` if there is no such value.
  var standard: String?
  /// The heading under which help lists it.
  var section = FlagSection.own
  /// How many words the value has: `--swipe SELECTOR WAY` has two.
  var wordCount: Int { value?.split(separator: " ").count ?? 0 }
  /// Whether the flag has a meaning without its value: help shows such a value in brackets.
  var isValueOptional: Bool { value?.hasPrefix("[") == true }
  /// Its one letter or digit with a dash, for those that every Unix tool has: -o, -j, -0.
  var short: String? {
    switch name {
    case "out": "-o"
    case "jobs": "-j"
    case "null": "-0"
    default: nil
    }
  }
}

/// The headings of flags in help.
enum FlagSection: String, CaseIterable {
  case actions = "Actions"
  case page = "Page"
  case own = "Flags"
  case estimate = "Velocity estimate"
  case rule = "Release rule"
  case gestureFiles = "Gesture files"
  case privacy = "Privacy"
  case output = "Output"
  case manyFiles = "Many files"
  /// Those of every command that prints rows, in one line.
  case rows = "Rows"
}

/// A flag or a list of them.
protocol FlagSource {
  /// The flags in the order of help.
  var declarations: [FlagDeclaration] { get }
}

extension [FlagDeclaration]: FlagSource {
  var declarations: [FlagDeclaration] { self }

  /// The flags under a heading of help.
  func inSection(_ section: FlagSection) -> [FlagDeclaration] {
    map { flag in
      var flag = flag
      flag.section = section
      return flag
    }
  }
}

/// A flag with the type of its value. It is declared once. `described` gives it the words of a command.
struct Flag<Value>: FlagSource {
  /// The flag without its type.
  var declaration: FlagDeclaration
  /// Reads the value. It throws a ``Failure`` for a text that means none.
  let read: (_ text: String, _ name: String) throws -> Value

  /// The name without the dashes.
  var name: String { declaration.name }
  var declarations: [FlagDeclaration] { [declaration] }

  init(
    _ name: String, _ value: String?, _ help: String, repeats: Bool = false,
    read: @escaping (_ text: String, _ name: String) throws -> Value
  ) {
    declaration = FlagDeclaration(
      name: name, value: value, help: help, repeats: repeats)
    self.read = read
  }

  /// A flag of the same words with another type.
  init(
    _ declaration: FlagDeclaration, read: @escaping (_ text: String, _ name: String) throws -> Value
  ) {
    (self.declaration, self.read) = (declaration, read)
  }

  /// The flag with a condition on its value. The check throws for a value that is refused.
  func checked(
    by check: @escaping (_ value: Value, _ name: String) throws -> Void
  ) -> Flag {
    let read = read
    return Flag(declaration) { text, name in
      let value = try read(text, name)
      try check(value, name)
      return value
    }
  }

  /// The flag with the value that holds without it, for help.
  func standard(_ value: String) -> Flag {
    var flag = self
    flag.declaration.standard = value
    return flag
  }

  /// The flag with the words that its value can be.
  func offering(_ choices: Choices) -> Flag {
    var flag = self
    flag.declaration.choices = choices
    return flag
  }

  /// The flag with the words that completions offer for its value.
  func offering(_ names: [String]) -> Flag { offering(Choices(offered: names)) }

  /// The flag under a heading of help.
  func inSection(_ section: FlagSection) -> Flag {
    var flag = self
    flag.declaration.section = section
    return flag
  }

  /// The flag with the words of one command.
  func described(
    _ help: String, value: String? = nil, repeats: Bool = false
  ) -> Flag {
    var flag = self
    flag.declaration.help = help
    flag.declaration.value = value ?? declaration.value
    flag.declaration.repeats = repeats || declaration.repeats
    return flag
  }
}

extension Flag<Bool> {
  /// A flag without a value.
  static func toggle(_ name: String, _ help: String) -> Flag {
    Flag(name, nil, help) { _, _ in true }
  }
}

extension Flag<String> {
  /// A flag whose text is its value: a file, a name.
  static func text(
    _ name: String, _ value: String, _ help: String, repeats: Bool = false
  ) -> Flag {
    Flag(name, value, help, repeats: repeats) { text, _ in text }
  }
}

extension Flag<Double> {
  /// A finite number.
  static func number(_ name: String, _ value: String, _ help: String) -> Flag {
    Flag(name, value, help) { text, name in
      guard let number = Double(text), number.isFinite else {
        throw Failure.usage("--\(name) must be a number (got '\(text)')")
      }
      return number
    }
  }
}

extension Flag<Int> {
  /// A whole number within a range. One up to `Int.max` has a least number alone.
  static func wholeNumber(
    _ name: String, _ value: String, in range: ClosedRange<Int>, _ help: String
  ) -> Flag {
    Flag(name, value, help) { text, name in
      guard let number = Int(text), range.contains(number) else {
        let (least, most) = (range.lowerBound, range.upperBound)
        let bounds = most == .max ? "of \(least) or more" : "from \(least) to \(most)"
        throw Failure.usage("--\(name) must be a whole number \(bounds) (got '\(text)')")
      }
      return number
    }
  }
}

extension Flag<Int64> {
  /// A length of time or an instant, in nanoseconds: a bare number is seconds. Ns, us, ms and s are understood.
  static func time(
    _ name: String, _ value: String, _ help: String
  ) -> Flag {
    Flag(name, value, help) { text, name in
      guard let time = parseTime(text) else {
        throw Failure.usage(
          "--\(name) must be a time such as 0.25, 250ms or 1000ns (got '\(text)')")
      }
      return time
    }
  }

  /// A length of time above 0, in nanoseconds.
  static func length(_ name: String, _ value: String, _ help: String) -> Flag {
    time(name, value, help).checked { length, name in
      guard length > 0 else { throw Failure.usage("--\(name) must be a time above 0") }
    }
  }
}

extension Flag<Int64> {
  /// A number above 0 with a unit behind it.
  static func measure(
    _ name: String, _ value: String, _ help: String, units: [(suffix: String, factor: Double)],
    such example: String
  ) -> Flag {
    Flag(name, value, help) { text, name in
      for unit in units where text.hasSuffix(unit.suffix) {
        guard let number = Double(text.dropLast(unit.suffix.count)), number > 0,
          let measure = Int64(exactly: (number * unit.factor).rounded())
        else { break }
        return measure
      }
      throw Failure.usage("--\(name) must be a size or an age such as \(example) (got '\(text)')")
    }
  }
}

extension Flag<UInt64> {
  /// The seed of random numbers.
  static func seed(_ name: String, _ value: String, _ help: String) -> Flag {
    Flag(name, value, help) { text, name in
      guard let seed = UInt64(text) else {
        throw Failure.usage("--\(name) must be a whole number of 0 or more (got '\(text)')")
      }
      return seed
    }
  }
}

extension Flag where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the names of a type, or of some of them.
  static func choice(
    _ name: String, _ value: String, _ help: String, among choices: [Value] = Array(Value.allCases)
  ) -> Flag {
    Flag(name, value, help) { text, name in
      guard let choice = choices.first(where: { $0.rawValue == text }) else {
        throw Failure.unknown(text, of: name, among: choices.map(\.rawValue))
      }
      return choice
    }.offering(choices.map(\.rawValue))
  }
}

extension Failure {
  /// A value that is none of a flag's names.
  static func unknown(_ text: String, of flag: String, among names: [String]) -> Failure {
    .usage("--\(flag): unknown value '\(text)'. \(choices(near: text, among: names))")
  }
}
