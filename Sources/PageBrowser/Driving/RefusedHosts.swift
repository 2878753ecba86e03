import TimelineModel

/// The hosts of other machines that a page asked and a browser does not find, each with the number of requests.
struct RefusedHosts {
  private var hosts: [(name: String, count: Int)] = []

  /// The most hosts that are named.
  private static let most = 20

  /// Counts a request, if its host is on another machine.
  mutating func count(requestTo address: String) {
    guard let name = LoopbackAddress.otherHost(of: address) else { return }
    if let index = hosts.firstIndex(where: { $0.name == name }) {
      hosts[index].count += 1
    } else if hosts.count < Self.most {
      hosts.append((name, 1))
    }
  }

  /// A sentence for each host, in the order of the first request to each.
  var sentences: [String] {
    hosts.map { name, count in
      "refused \(count) \(count == 1 ? "request" : "requests") to \(ForeignText.quoted(name)), which is not on "
        + "this machine. kymo mcp --any-address allows it, and so does kymo watch without --loopback-only"
    }
  }
}
