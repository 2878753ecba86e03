/// A line that the decoder wrote beside the pictures: `[Parsed_showinfo_0 @ 0x…] [info] n:   1 pts:   1648 …`.
struct DecoderLine {
  /// What wrote it, such as `Parsed_showinfo_0`. Empty: the program itself.
  private(set) var source = ""
  /// Whether it reports an error.
  private(set) var isError = false
  /// The rest.
  private(set) var text: String

  init(_ bytes: some Collection<UInt8>) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      let label = rest[..<end].dropFirst()
      if let at = label.firstRange(of: " @ ") {
        source = String(label[..<at.lowerBound])
      } else if Self.levels.contains(String(label)) {
        isError = Self.errors.contains(String(label))
      } else {
        break
      }
      rest = rest[rest.index(after: end)...]
      if rest.first == " " { rest.removeFirst() }
    }
    text = String(rest)
  }

  private static let errors: Set = ["panic", "fatal", "error"]
  private static let levels = errors.union(["warning", "info", "verbose", "debug", "trace"])

  /// Whether the filter that lists pictures wrote it.
  private var isOfShowinfo: Bool { source.hasPrefix("Parsed_showinfo") }

  /// The pairs `name:value`, in which blanks may stand before the value.
  private var values: [Substring: Substring] {
    var found: [Substring: Substring] = [:]
    var name: Substring?
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if let open = name {
        found[open] = found[open] ?? word
        name = nil
      } else if word.last == ":" {
        name = word.dropLast()
      } else if let colon = word.firstIndex(of: ":") {
        let key = word[..<colon]
        found[key] = found[key] ?? word[word.index(after: colon)...]
      }
    }
    return found
  }

  /// The picture that it announces. `nil`: none.
  var picture: AnnouncedPicture? {
    guard isOfShowinfo else { return nil }
    let values = values
    guard let number = values["n"].flatMap({ Int($0) }), let pts = values["pts"] else { return nil }
    let sides = (values["s"] ?? "").split(separator: "x").map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
    return AnnouncedPicture(number: number, ticks: Int64(pts), width: width, height: height)
  }

  /// The unit of the pictures' times. `nil`: it says nothing of that.
  var timeBase: TimeBase? {
    guard isOfShowinfo, text.hasPrefix("config in"), let text = values["time_base"] else {
      return nil
    }
    let parts = text.prefix { $0 != "," }.split(separator: "/").map { Int64($0) }
    guard parts.count == 2, let ticks = parts[0], let second = parts[1] else { return nil }
    return TimeBase(numerator: ticks, denominator: second)
  }
}

/// A picture of which the size and the time are known before it comes.
struct AnnouncedPicture: Hashable {
  /// Its number, from 0.
  var number: Int
  /// Its time in ticks. `nil`: the clip gives it none.
  var ticks: Int64?
  var width: Int
  var height: Int
}

/// The unit of a clip's times: a fraction of a second.
package struct TimeBase: Hashable, Sendable, CustomStringConvertible {
  package let numerator: Int64
  package let denominator: Int64

  /// - Returns: nil if one of them is not above 0 and below 2^31.
  package init?(numerator: Int64, denominator: Int64) {
    let range: ClosedRange<Int64> = 1...Int64(Int32.max)
    guard range.contains(numerator), range.contains(denominator) else { return nil }
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  /// `1/90000`.
  package var description: String { "\(numerator)/\(denominator)" }

  /// A number of ticks in nanoseconds, rounded once. `nil`: it is longer than centuries.
  package func nanoseconds(_ ticks: Int64) -> Int64? {
    let product = ticks.multipliedReportingOverflow(by: numerator)
    guard !product.overflow else { return nil }
    let (seconds, rest) = product.partialValue.quotientAndRemainder(dividingBy: denominator)
    let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !whole.overflow else { return nil }
    // The rest is below 2^31, and so is the denominator.
    let scaled = rest * 1_000_000_000
    let half = (scaled < 0 ? -1 : 1) * (denominator / 2)
    let part = whole.partialValue.addingReportingOverflow((scaled + half) / denominator)
    return part.overflow ? nil : part.partialValue
  }
}
