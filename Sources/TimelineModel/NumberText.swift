/// Numbers as people read them. Files and JSON have all digits, see ``FieldValue/jsonNumber(_:)``.
///
/// Each function rounds a number of decimals half away from zero, as people do, except ``cell(_:leastPlaces:)``.
package enum NumberText {
  /// Whole numbers below this are printed with all their digits: those that a Double holds exactly.
  private static let largestWhole = 9_007_199_254_740_992.0

  /// Smaller numbers are printed with a power of ten, or as 0.
  private static let smallest = 1e-4

  /// What stands for a number that is not finite.
  private static let none = "\u{2013}"

  /// A number with so many digits behind the point, zeros among them: `3.10`.
  package static func fixed(_ number: Double, _ places: Int) -> String {
    let scaled = (number * power(places)).rounded()
    guard number.isFinite else { return none }
    guard abs(scaled) < 1e15 else { return "\(number)" }
    let digits = String(Int64(abs(scaled)))
    let filled = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = scaled < 0 ? "-" : ""
    guard places > 0 else { return sign + filled }
    return sign + filled.dropLast(places) + "." + filled.suffix(places)
  }

  /// A number without digits behind the point: `3`.
  package static func whole(_ number: Double) -> String { fixed(number, 0) }

  /// A number in so many significant digits, zeros among them, at most nine behind the point: `3.100`. A whole number
  /// keeps all of its digits.
  package static func significant(_ number: Double, digits: Int = 4) -> String {
    guard number.isFinite else { return none }
    guard abs(number) >= smallest else { return "0" }
    var (size, places) = (abs(number), digits - 1)
    while size >= 10, places > 0 { (size, places) = (size / 10, places - 1) }
    while size < 1, places < 9 { (size, places) = (size * 10, places + 1) }
    return fixed(number, places)
  }

  /// A number in at most so many significant digits, without zeros at the end: `3.1`. A whole number keeps all of its
  /// digits.
  package static func short(_ number: Double, digits: Int = 4) -> String {
    guard number.isFinite else { return none }
    guard abs(number) >= smallest || number == 0 else { return scaled(number, digits: digits) }
    return FieldValue.jsonNumber(rounded(number, digits: digits) + 0)
  }

  /// A number with at most so many digits behind the point, without zeros at the end: `3.1`.
  package static func decimals(_ number: Double, most places: Int) -> String {
    guard number.isFinite else { return none }
    let scale = power(places)
    let rounded = (number * scale).rounded() / scale
    return FieldValue.jsonNumber((rounded.isFinite ? rounded : number) + 0)
  }

  /// A limit with at most three digits behind the point, unless it is 0 or 1 with them: a limit of 0 or 1 leaves no
  /// number on its side.
  ///
  /// - Parameter rule: How a limit of more digits is rounded, so that a reader's number is on the side that is meant.
  package static func limit(_ number: Double, rounded rule: FloatingPointRoundingRule) -> String {
    let nearest = (number * 1000).rounded() / 1000
    let rounded = nearest == number ? nearest : (number * 1000).rounded(rule) / 1000
    return FieldValue.jsonNumber(rounded == rounded.rounded() ? number : rounded)
  }

  /// The number of at most so many significant digits that is nearest to a number. A whole number as it is.
  package static func rounded(_ number: Double, digits: Int) -> Double {
    guard number != 0, number.isFinite else { return number }
    let least = power(digits - 1)
    var scale = 1.0
    while abs(number) * scale < least, scale < 1e20 { scale *= 10 }
    return (number * scale).rounded() / scale
  }

  /// A very large or very small number in so many significant digits.
  private static func scaled(_ number: Double, digits: Int) -> String {
    var (rest, zeros) = (number, 0)
    while abs(rest) >= power(digits) { (rest, zeros) = (rest / 10, zeros + 1) }
    while abs(rest) < power(digits - 1) { (rest, zeros) = (rest * 10, zeros - 1) }
    // A product with such a power of ten is not the number that is meant. Its decimal text is.
    return FieldValue.jsonNumber(Double("\(Int64(rest.rounded()))e\(zeros)") ?? number)
  }

  /// A number as a cell of a table has it: four significant digits and at least one behind the point, without zeros at
  /// the end.
  ///
  /// The digits are those that `printf` gives: the exact number is rounded, half to even.
  ///
  /// - Parameter leastPlaces: The digits behind the point that a number keeps however large it is.
  package static func cell(_ number: Double, leastPlaces: Int = 1) -> String {
    guard number.isFinite else { return none }
    if number == number.rounded(), abs(number) < largestWhole { return String(Int64(number)) }
    var (size, digits) = (abs(number), 4)
    guard size >= smallest, size < largestWhole else { return scaled(number, digits: digits) }
    while size >= 10 { (size, digits) = (size / 10, digits - 1) }
    while size < 1 { (size, digits) = (size * 10, digits + 1) }
    return FieldValue.jsonNumber(roundedExactly(number, places: max(leastPlaces, digits - 1)))
  }

  private static func roundedExactly(_ number: Double, places: Int) -> Double {
    let scale = power(places)
    let below = (number * scale).rounded(.down)
    // The exact rest: a product that was rounded may look like a tie.
    let rest = (-below - 0.5).addingProduct(number, scale)
    let isUp = rest == 0 ? below.truncatingRemainder(dividingBy: 2) != 0 : rest > 0
    return (isUp ? below + 1 : below) / scale + 0
  }

  /// Ten to a power from 0 on. Exact up to 22.
  private static func power(_ places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<max(0, places) { scale *= 10 }
    return scale
  }
}
