/// Names that are read, but of which help, errors and completions offer only some.
///
/// Nobody asks for the others. They are read for the recordings and scenarios that have them.
package protocol OfferedNames: CaseIterable, RawRepresentable where RawValue == String {
  /// The names that are read, but not offered.
  static var unoffered: [Self] { get }
}

extension OfferedNames {
  /// The names that are offered, in their order.
  package static var offered: [Self] {
    allCases.filter { name in !unoffered.contains { $0.rawValue == name.rawValue } }
  }

  /// The texts of the names that are offered.
  package static var offeredNames: [String] { offered.map(\.rawValue) }
}
