import KymographCLibrary
import TimelineModel

/// The browser's own time. Events are sent when they happen, and carry their exact time.
final class RealClock: PageClock {
  let name = ClockName.real
  private let page: PageSession
  /// The session's start, in milliseconds since 1970.
  private var origin = 0.0

  /// How much before its time an action is handed on, in milliseconds: a request's way to the browser.
  private static let lead = 10.0
  /// How long a document may take to load.
  private static let loadLimit = Duration.seconds(15)

  private let reports: PointerReports

  init(_ page: PageSession) { (self.page, reports) = (page, PointerReports(page)) }

  var now: Double { Self.milliseconds - origin }

  private static var milliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  func awaitLoad() throws(BrowserError) {
    let count = page.loadCount
    // A page that still loads something after this time is watched as it is.
    _ = try page.wait(within: Self.loadLimit) { self.page.loadCount > count }
  }

  func start(at origin: Double, pageTime: Double) throws(BrowserError) { self.origin = origin }

  func pass(until time: Double) throws(BrowserError) {
    let left = time - now
    if left > 0 { _ = try page.wait(within: .microseconds(Int64(left * 1000)), until: { false }) }
  }

  func perform(
    _ inputs: [PlannedInput], from time: Double
  ) throws(BrowserError) -> Double {
    let start = max(time, now + Self.lead)
    var requests: [(id: Int, method: String)] = []
    for input in inputs {
      let due = start + input.time
      try pass(until: due)
      reports.count(input)
      if let id = try page.send(input, stamp: (origin + due) / 1000) {
        requests.append((id, input.method))
      }
    }
    for (id, method) in requests {
      guard
        try page.wait(
          within: PageSession.patience, until: { self.page.connection.hasReply(to: id) })
      else { throw PageSession.silence }
      try page.connection.reply(to: id, of: method)
    }
    // A finger that is made of a mouse has no answer.
    if requests.isEmpty {
      _ = try reports.areTaken { expression throws(BrowserError) in try page.evaluate(expression) }
    }
    return start
  }

  func settle(_ lines: inout [PageLine]) {}
}
