/// A key that can be pressed.
package struct PageKey: Hashable, Sendable {
  /// Its name as pages know it (`KeyboardEvent.key`).
  package let name: String
  /// Its number on Windows, by which the browser knows what it does.
  let code: Int

  /// Names of more than one letter.
  private static let named: KeyValuePairs = [
    "Enter": 13, "Escape": 27, "Space": 32, "Tab": 9, "Backspace": 8, "Delete": 46,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35,
    "PageUp": 33, "PageDown": 34,
  ]
  package static let names = named.map(\.key)

  /// A key by its name, or a letter or digit.
  ///
  /// - Returns: nil for any other name.
  package init?(_ name: String) {
    if let (name, code) = Self.named.first(where: { $0.key.lowercased() == name.lowercased() }) {
      self.init(name: name, code: code)
    } else if name.utf8.count == 1, let byte = name.uppercased().utf8.first,
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
    {
      self.init(name: name, code: Int(byte))
    } else {
      return nil
    }
  }

  private init(name: String, code: Int) { (self.name, self.code) = (name, code) }

  /// The text that it types. `nil` if it types none.
  var text: String? {
    switch name {
    case "Enter": "\r"
    case "Space": " "
    default: name.utf8.count == 1 ? name : nil
    }
  }

  /// The values that a page reads.
  var key: String { name == "Space" ? " " : name }
}
