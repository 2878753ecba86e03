import JSONText
import TimelineModel

/// `PATH=VALUE`, as `--set` takes it: a field of a scenario file, and one value, a list A,B,C or a range FROM:TO[:STEP].
struct Setting {
  /// The values in the form in which they were given.
  enum Values {
    case one(String)
    case list([String])
    case range(SteppedRange)
  }

  /// The dotted path, such as `release.threshold`.
  let path: String
  /// The text after the equals sign.
  let text: String
  let values: Values

  /// The words of the flag, for errors.
  var words: String { "--set \(path)=\(text)" }
  /// Whether there is one value.
  var isOne: Bool { if case .one = values { true } else { false } }
  /// The first name of the path.
  var root: Substring { path.prefix { $0 != "." } }

  /// The fields that are lengths of time: seconds in a scenario file. Here a unit may follow.
  private static let times: Set = [
    ReleaseField.window.path, ReleaseField.stopGap.path, "settle.duration", "settle.response",
  ]

  /// Reads the value of the flag.
  init(_ given: String) throws {
    let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw Failure.usage(
        "--set must be PATH=VALUE, such as release.threshold=0.4 (got '\(given)')")
    }
    let (path, text) = (parts[0], parts[1])
    guard !text.isEmpty else { throw Failure.usage("missing value: --set \(path)=VALUE") }
    (self.path, self.text) = (path, text)
    let isNumeric = ReleaseField(path: path)?.isNumeric == true || Setting.times.contains(path)
    let listed = Setting.parts(of: text)
    if listed.count > 1 {
      values = .list(listed)
    } else if text.contains(":"),
      isNumeric || Double(text.prefix { $0 != ":" }) != nil
    {
      values = .range(
        try SteppedRange(text, words: "--set \(path)=\(text)") { Setting.number($0, at: path) })
    } else {
      values = .one(text)
    }
  }

  /// A number as it is given at a path: of a length of time in nanoseconds.
  static func number(_ text: String, at path: String) -> Double? {
    times.contains(path) ? parseTime(text).map { Double($0) } : Double(text)
  }

  /// The parts between commas that are neither in brackets nor in quotes.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for letter in text {
      if letter == ",", depth == 0, !isQuoted {
        parts.append("")
        continue
      }
      if isQuoted {
        if letter == "\"", !isEscaped { isQuoted = false }
        isEscaped = letter == "\\" && !isEscaped
      } else if letter == "\"" {
        isQuoted = true
      } else if "([{".contains(letter) {
        depth += 1
      } else if ")]}".contains(letter) {
        depth -= 1
      }
      parts[parts.count - 1].append(letter)
    }
    return parts
  }

  /// The error about a range without a step, where only some values can be tried.
  var stepIsMissing: Failure {
    Failure.usage("\(words) needs a step. Use FROM:TO:STEP, such as 0.3:0.7:0.05")
  }

  /// The values one by one, each as text. `nil` for a range without a step.
  func texts() -> [String]? {
    switch values {
    case .one(let text): [text]
    case .list(let texts): texts
    case .range(let range):
      range.values?.map {
        Setting.times.contains(path) ? FieldValue.jsonNumber($0 / 1e9) : FieldValue.jsonNumber($0)
      }
    }
  }

  /// A value as a scenario file has it: JSON, a length of time in seconds, or else the word itself.
  func json(_ text: String) throws(JSONError) -> JSONValue {
    if let value = try? parseJSON(Array(text.utf8)) { return value }
    if Setting.times.contains(path), let time = parseTime(text) {
      return try parseJSON(Array(FieldValue.jsonNumber(Double(time) / 1e9).utf8))
    }
    if ["{", "[", "\""].contains(text.prefix(1)) { return try parseJSON(Array(text.utf8)) }
    return .string(text)
  }
}

extension Invocation {
  /// What `--set` gives, in order, each path once.
  func settings() throws -> [Setting] {
    let settings = try allValues(Flags.set)
    var seen: Set<String> = []
    for setting in settings where !seen.insert(setting.path).inserted {
      throw Failure.usage("--set \(setting.path) is given twice. Use one list: A,B,C")
    }
    return settings
  }
}

/// `FROM:TO`, or `FROM:TO:STEP` for evenly spaced numbers. Both ends are included if the steps hit them.
struct SteppedRange {
  let ends: ClosedRange<Double>
  /// The numbers in order. `nil` without a step: every number between the ends.
  let values: [Double]?

  /// A last step that misses the end by this share of a step hits it: 0.3 + 8 · 0.05 is not 0.7 in binary.
  private static let tolerance = 1e-9
  /// A range with more numbers has a mistyped step.
  private static let mostValues = 100_000

  /// A number without the residue of the additions after its twelfth digit: 0.3 and not 0.30000000000000004.
  private static func plain(_ value: Double) -> Double {
    abs(value) < 1000 ? (value * 1e12).rounded() / 1e12 : value
  }

  /// Reads a range.
  ///
  /// - Parameters:
  ///   - text: The range.
  ///   - words: The flag, the path and the range, for errors.
  ///   - read: Reads one number.
  init(_ text: String, words: String, read: (String) -> Double?) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
      read(String($0))
    }
    let numbers = parts.compactMap { $0 }.filter(\.isFinite)
    guard (2...3).contains(parts.count), numbers.count == parts.count else {
      throw Failure.usage(
        "\(words) must be a number, A,B,C or FROM:TO:STEP, such as 0.3:0.7:0.05")
    }
    guard numbers[0] <= numbers[1] else {
      throw Failure.usage("\(words) runs backwards. Name the smaller end first")
    }
    ends = numbers[0]...numbers[1]
    guard numbers.count == 3 else {
      values = nil
      return
    }
    let step = numbers[2]
    guard step > 0 else {
      throw Failure.usage("\(words) must have a step above 0, such as 0.3:0.7:0.05")
    }
    let count = ((ends.upperBound - ends.lowerBound) / step + SteppedRange.tolerance).rounded(.down)
    guard count < Double(SteppedRange.mostValues) else {
      throw Failure.usage(
        "\(words) has more than \(SteppedRange.mostValues) values. Use a larger step")
    }
    let end = ends.upperBound
    values = (0...Int(count)).map {
      SteppedRange.plain(min(end, numbers[0] + Double($0) * step))
    }
  }
}
