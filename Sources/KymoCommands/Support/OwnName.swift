import PublicSymbols

/// A public name of Kymograph's, for `kymo help NAME`.
struct OwnName {
  /// Types and the member, without the module: `CollectionView.release`.
  let path: String
  private let module: String
  private let products: [String]

  /// The most names and the most members that are printed.
  private static let (mostNames, mostMembers) = (12, 60)

  /// What `kymo help NAME` prints of Kymograph's own names. `nil` for another name.
  ///
  /// The case of letters and arguments do not count, and a member may have its type, or a variable, before it:
  /// `view.release.rule` is found as `release.rule` and as `rule`.
  static func help(for name: String) -> String? {
    let asked = parts(of: name)
    guard !asked.isEmpty else { return nil }
    let names = all
    var found: [OwnName] = []
    for count in stride(from: asked.count, through: 1, by: -1) {
      let wanted = asked.suffix(count)
      found += names.filter { name in
        name.parts.suffix(count).elementsEqual(wanted)
          && !found.contains { $0.path == name.path && $0.module == name.module }
      }
    }
    guard !found.isEmpty else { return nil }
    var text = found.prefix(mostNames).map { $0.text(among: names) }.joined()
    if found.count > mostNames { text += "and \(found.count - mostNames) more names\n" }
    return text
  }

  private var parts: [String] { Self.parts(of: path) }

  private func text(among names: [OwnName]) -> String {
    var text = path + "\n"
    func put(_ label: String, _ value: String) {
      for (number, line) in wrapped(value, width: 68).enumerated() {
        text += "  " + (number == 0 ? label : " ").padded(to: 10) + line + "\n"
      }
    }
    put("import", products.joined(separator: ", or ") + " (module \(module))")
    let members = names.filter { $0.module == module && $0.path.hasPrefix(path + ".") }
      .map { String($0.path.dropFirst(path.count + 1)) }
    if !members.isEmpty {
      let more = members.count > Self.mostMembers ? ", …" : ""
      put("members", members.prefix(Self.mostMembers).joined(separator: ", ") + more)
    }
    return text
  }

  /// The names between the dots in small letters, without arguments.
  private static func parts(of name: String) -> [String] {
    name.prefix { $0 != "(" }.split(separator: ".").map { $0.lowercased() }
  }

  /// All names, each once, in the order of the products.
  private static var all: [OwnName] {
    var places: [String: Int] = [:]
    var names: [(name: String, products: [String])] = []
    for (product, bytes) in PublicNames.lists {
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let name = String(decoding: line, as: UTF8.self)
        if let place = places[name] {
          names[place].products.append(product)
        } else {
          places[name] = names.count
          names.append((name, [product]))
        }
      }
    }
    return names.compactMap { name, products in
      guard let dot = name.firstIndex(of: ".") else { return nil }
      return OwnName(
        path: String(name[name.index(after: dot)...]), module: String(name[..<dot]),
        products: products)
    }
  }

  private init(path: String, module: String, products: [String]) {
    (self.path, self.module, self.products) = (path, module, products)
  }
}
