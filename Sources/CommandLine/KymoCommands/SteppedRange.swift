/// The numbers that `FROM:TO:STEP` says: evenly spaced, both ends included where the steps hit them.
struct SteppedRange {
  /// The numbers in order; never empty.
  let values: [Double]

  /// A last step that misses the end by this share of a step hits it: 0.3 + 8 · 0.05 is not 0.7 in binary.
  private static let tolerance = 1e-9

  /// A number without what adding up steps left behind its twelfth digit: 0.3 and not 0.30000000000000004.
  private static func plain(_ value: Double) -> Double {
    let rounded = (value * 1e12).rounded() / 1e12
    return abs(value) < 1000 ? rounded : value
  }

  /// Whether a text is meant as a range: three parts, of which the first is a number.
  static func isMeant(by text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 3 && Double(parts[0]) != nil
  }

  /// Reads a range.
  ///
  /// - Parameters:
  ///   - text: The range.
  ///   - name: What is swept through, as messages name it.
  ///   - most: More numbers than this are refused.
  init(_ text: String, of name: String, most: Int) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 3, let from = parts[0], let to = parts[1], let step = parts[2],
      from.isFinite, to.isFinite, step.isFinite, step > 0, to >= from
    else {
      throw Failure.usage(
        "\(name) expects a number or FROM:TO:STEP, rising by a step above 0, as 0.3:0.7:0.05, not '\(text)'"
      )
    }
    let count = ((to - from) / step + SteppedRange.tolerance).rounded(.down)
    guard count < Double(most) else {
      throw Failure.usage("\(name) \(text) is more than \(most) steps; take a larger step")
    }
    values = (0...Int(count)).map { SteppedRange.plain(from + Double($0) * step) }
  }
}
