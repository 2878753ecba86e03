import JSONText

/// An object of the browser's protocol. It comes from another program, so that each field may be missing or of
/// another kind. Then it is nil.
package struct ProtocolObject: Sendable, Hashable {
  private let fields: [String: JSONValue]

  init(_ fields: [String: JSONValue] = [:]) { self.fields = fields }

  /// The object that a value is. `nil` for a value of another kind.
  init?(_ value: JSONValue?) {
    guard case .object(let fields)? = value else { return nil }
    self.fields = fields
  }

  subscript(name: String) -> JSONValue? { fields[name] }

  package func object(_ name: String) -> ProtocolObject? { ProtocolObject(fields[name]) }

  package func text(_ name: String) -> String? {
    guard case .string(let text)? = fields[name] else { return nil }
    return text
  }

  package func flag(_ name: String) -> Bool? {
    guard case .bool(let flag)? = fields[name] else { return nil }
    return flag
  }

  /// The number, whole or not.
  package func number(_ name: String) -> Double? {
    switch fields[name] {
    case .integer(let integer)?: Double(integer)
    case .number(let number)?: number
    default: nil
    }
  }

  package func integer(_ name: String) -> Int? {
    guard case .integer(let integer)? = fields[name] else { return nil }
    return Int(integer)
  }

  /// The texts of an array. Elements of another kind are left out.
  package func texts(_ name: String) -> [String] {
    values(name).compactMap { value in
      if case .string(let text) = value { text } else { nil }
    }
  }

  /// The objects of an array. Elements of another kind are left out.
  package func objects(_ name: String) -> [ProtocolObject] {
    values(name).compactMap { ProtocolObject($0) }
  }

  private func values(_ name: String) -> [JSONValue] {
    if case .array(let values)? = fields[name] { values } else { [] }
  }
}

/// Something that the browser says by itself.
package struct ProtocolEvent: Sendable {
  /// Its name: `Page.loadEventFired`.
  package let method: String
  package let parameters: ProtocolObject
  /// The session of the target that it is about. `nil` for the browser itself.
  package let session: String?
}
