/// Addresses that no other machine answers: files, and hosts of the loopback interface.
package enum LoopbackAddress {
  /// Whether an address is one. What could be read in two ways is not: a name before the host, a backslash, a host
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
