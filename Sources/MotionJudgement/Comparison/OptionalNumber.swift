/// A number or none in eight bytes: of many numbers each byte counts. What is no number stands for none.
package struct OptionalNumber: Sendable, Hashable {
  private let bits: UInt64

  /// None.
  package static let none = OptionalNumber(nil)

  package init(_ number: Double?) {
    let number = number ?? .nan
    bits = (number.isNaN ? .nan : number).bitPattern
  }

  /// The number. `nil` for none.
  package var value: Double? {
    let number = Double(bitPattern: bits)
    return number.isNaN ? nil : number
  }
}
