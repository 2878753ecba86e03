/// `FROM:TO`, or `FROM:TO:STEP` for evenly spaced numbers; both ends are included if the steps hit them.
struct SteppedRange {
  let ends: ClosedRange<Double>
  /// The numbers in order; nil without a step: every number between the ends.
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
