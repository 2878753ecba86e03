/// Why a page could not be watched: one sentence for the person, with what to do.
package struct BrowserError: Error, Hashable, Sendable {
  /// The cause, for a caller that goes on.
  package enum Kind: Hashable, Sendable {
    /// The browser: there is none, it does not start, ends, is silent or breaks its protocol.
    case browser
    /// The browser refused a request.
    case refusal
    /// The browser did not answer to a request in time.
    case silence
    /// The page: it does not load, crashes or hangs.
    case page
    /// An action: its element is not there.
    case action
    /// The steady clock cannot serve this page. The real one can.
    case steadyClock
    /// The steady clock lost frames, as by chance on a busy machine: another try may keep them.
    case lostFrames
    /// Somebody ended the program.
    case interrupted
  }

  /// The cause.
  package var kind: Kind
  /// A sentence that begins small and has no full stop.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }

  /// The end that a signal asks for.
  static let interrupted = BrowserError(.interrupted, "interrupted")

  /// An answer that lacks a field of the protocol.
  static func lacks(_ what: String, in method: String) -> BrowserError {
    BrowserError(
      .browser,
      "the browser's answer to \(method) has no \(what). Use another browser with --browser")
  }
}
