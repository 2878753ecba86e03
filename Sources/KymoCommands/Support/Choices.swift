import MotionPhysics

/// The names that a value can be.
struct Choices {
  /// The names that help, errors and completions offer.
  var offered: [String] = []
  /// The names that are read as well, and that only `kymo help COMMAND --all` lists.
  var others: [String] = []

  /// The curves that have a name.
  static var curves: Choices {
    Choices(offered: Easing.offeredNames, others: Easing.unofferedNames)
  }
}

extension Choices {
  /// The names of a type.
  init<Name: OfferedNames>(of type: Name.Type) {
    self.init(offered: type.offered.map(\.rawValue), others: type.unoffered.map(\.rawValue))
  }
}

extension Flag where Value: OfferedNames {
  /// One of the names of a type, of which some are read without being offered.
  static func name(_ name: String, _ help: String) -> Flag {
    let choices = Choices(of: Value.self)
    return Flag(name, "NAME", help) { text, name in
      guard let value = Value(rawValue: text) else {
        throw Failure.unknown(text, of: name, among: choices.offered)
      }
      return value
    }.offering(choices)
  }
}
