/// The time in which a page lives while it is watched. All times are milliseconds since the session's start.
protocol PageClock: AnyObject {
  /// Its name in a recording.
  var name: ClockName { get }
  /// The time.
  var now: Double { get }
  /// Waits until a document is loaded.
  func awaitLoad() throws(BrowserError)
  /// Starts the session's time.
  ///
  /// - Parameters:
  ///   - origin: The session's start by the page's clock, in milliseconds since 1970.
  ///   - pageTime: The same as `performance.now()` tells it.
  func start(at origin: Double, pageTime: Double) throws(BrowserError)
  /// Lets time pass.
  func pass(until time: Double) throws(BrowserError)
  /// Has an action happen, each event at its time.
  ///
  /// - Returns: When its first event happened.
  func perform(_ inputs: [PlannedInput], from time: Double) throws(BrowserError) -> Double
  /// Brings the times of the recorder's lines onto this clock.
  func settle(_ lines: inout [PageLine])
}

package enum ClockName: String, CaseIterable, Sendable {
  /// Frames and time are given by hand: a busy machine changes nothing.
  case steady
  /// The browser's own time.
  case real
}
