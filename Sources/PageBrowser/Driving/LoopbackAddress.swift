/// Addresses that no other machine answers: files, and hosts of the loopback interface.
package enum LoopbackAddress {
  /// The usual names of the loopback interface.
  package static let hosts = ["localhost", "127.0.0.1", "[::1]"]

  /// The host of an address that is on the loopback interface. `nil` for another address.
  package static func host(of address: String) -> String? {
    guard isOne(address) else { return nil }
    return host(in: address).map(withoutPort)
  }

  /// The host that a request of a page goes to if that is on another machine. `nil` for the loopback interface, and for
  /// an address without a host.
  static func otherHost(of address: String) -> String? {
    guard let host = host(in: address), !isLoopback(hostAndPort: host) else { return nil }
    return withoutPort(host)
  }

  /// Host and port of an address that is asked over the network.
  private static func host(in address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let rest = address[address.index(after: colon)...]
    guard ["http", "https", "ws", "wss"].contains(address[..<colon].lowercased()),
      rest.hasPrefix("//")
    else { return nil }
    let text = rest.dropFirst(2).prefix { !"/?#".contains($0) }.lowercased()
    return text.split(separator: "@").last.map(String.init)
  }

  private static func withoutPort(_ text: String) -> String {
    let port = text.reversed().prefix(while: \.isASCIIDigit).count
    return text.dropLast(port).hasSuffix(":") ? String(text.dropLast(port + 1)) : text
  }

  /// Whether an address is one. An ambiguous one is not: a name before the host, a backslash, a host
  /// that is written as another number.
  ///
  /// `localhost`, 127.0.0.0/8 and ::1 are the hosts that Chromium itself resolves to the loopback
  /// interface (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3).
  package static func isOne(_ address: String) -> Bool {
    guard let colon = address.firstIndex(of: ":") else { return false }
    let scheme = address[..<colon].lowercased()
    // Documents without a host, which a page can only make itself.
    if ["about", "blob", "data"].contains(scheme) { return true }
    let rest = address[address.index(after: colon)...]
    guard ["http", "https", "file"].contains(scheme), rest.hasPrefix("//") else { return false }
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }.lowercased()
    return scheme == "file" ? host.isEmpty : isLoopback(hostAndPort: host)
  }

  private static func isLoopback(hostAndPort text: String) -> Bool {
    let port = text.reversed().prefix(while: \.isASCIIDigit).count
    let ending = text.dropLast(port)
    let host = ending.hasSuffix(":") ? ending.dropLast() : port == 0 ? ending : text[...]
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        // A leading zero would make it an octal number.
        part.allSatisfy(\.isASCIIDigit) && UInt8(part).map { "\($0)" == part } == true
      }
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
