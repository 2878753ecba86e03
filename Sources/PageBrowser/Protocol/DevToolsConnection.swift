import JSONText
import KymographCLibrary
package import TimelineModel

/// The client's side of the DevTools protocol on two pipes: JSON texts, each ended by a zero byte
/// (https://chromedevtools.github.io/devtools-protocol/).
///
/// All of it happens on the caller's thread. Nothing is read unless somebody waits for something. Events are handed to
/// ``onEvent`` while it does. The other side may be slow, may end and may send anything: each wait has a limit.
/// SIGPIPE is ignored from the first connection on: a browser that ended is an error of write.
package final class DevToolsConnection {
  /// The longest message that is read, in bytes. A picture of a page, which nobody asks for, would be longer.
  private static let longestMessage = 64 << 20
  /// How long a wait goes on before it asks whether somebody wants an end, in milliseconds.
  private static let interruptSlice: Int64 = 50

  /// Is called for each event, within a wait. It must not wait itself.
  package var onEvent: (ProtocolEvent) -> Void = { _ in }
  private let reading: Int32
  private let writing: Int32
  private let isInterrupted: () -> Bool
  /// Says why the browser ended, if it says so.
  private let lastWords: () -> String?
  /// The part of a message that has come, and how much of it has no zero byte in it.
  private var (buffer, searched) = ([UInt8](), 0)
  private var unsent: [UInt8] = []
  private var newestID = 0
  /// The requests whose answers somebody will ask for.
  private var awaited: Set<Int> = []
  private var replies: [Int: Result<ProtocolObject, BrowserError>] = [:]

  /// Takes over both descriptors, and closes them at its end.
  ///
  /// - Parameters:
  ///   - reading: Where the browser's messages come from.
  ///   - writing: Where ours go.
  ///   - isInterrupted: Whether somebody has asked for an end.
  ///   - lastWords: The last output of a browser that ended.
  package init(
    reading: Int32, writing: Int32, isInterrupted: @escaping () -> Bool = { false },
    lastWords: @escaping () -> String? = { nil }
  ) {
    (self.reading, self.writing) = (reading, writing)
    (self.isInterrupted, self.lastWords) = (isInterrupted, lastWords)
    signal(SIGPIPE, SIG_IGN)
    for end in [reading, writing] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  deinit { for end in [reading, writing] { close(end) } }

  /// Sends a request. Its answer is ``reply(to:of:within:)``'s.
  ///
  /// - Parameters:
  ///   - parameters: Those of the method.
  ///   - session: The session of the target that it is for. `nil`: the browser.
  /// - Returns: The request's number.
  package func send(
    _ method: String, _ parameters: [EventField] = [], to session: String? = nil
  ) throws(BrowserError) -> Int {
    awaited.insert(newestID + 1)
    try send(unanswered: method, parameters, to: session)
    return newestID
  }

  /// Sends a request whose answer nobody asks for.
  package func send(
    unanswered method: String, _ parameters: [EventField] = [], to session: String? = nil
  ) throws(BrowserError) {
    newestID += 1
    var fields = [
      EventField("id", .integer(Int64(newestID))), EventField("method", .text(method)),
      EventField("params", .object(parameters)),
    ]
    if let session { fields.append(EventField("sessionId", .text(session))) }
    unsent += FieldValue.object(fields).json.utf8
    unsent.append(0)
    try flush()
  }

  /// Sends a request and waits for its answer.
  @discardableResult
  package func call(
    _ method: String, _ parameters: [EventField] = [], to session: String? = nil,
    within limit: Duration = .seconds(30)
  ) throws(BrowserError) -> ProtocolObject {
    try reply(
      to: try send(method, parameters, to: session), of: method, within: limit)
  }

  /// Waits for the answer to a request.
  ///
  /// - Throws: ``BrowserError``: the browser refused the request, ended, broke the protocol, or did not
  ///   answer within the limit.
  @discardableResult
  package func reply(
    to id: Int, of method: String, within limit: Duration = .seconds(30)
  ) throws(BrowserError) -> ProtocolObject {
    guard try wait(within: limit, until: { self.replies[id] != nil }) else {
      throw silence(on: id, of: method, after: limit)
    }
    guard let reply = replies.removeValue(forKey: id) else { throw .lacks("result", in: method) }
    return try reply.get()
  }

  /// The error of a request that was not answered within a limit. An answer that comes later is dropped.
  func silence(on id: Int, of method: String, after limit: Duration) -> BrowserError {
    awaited.remove(id)
    return BrowserError(
      .silence,
      "the browser did not answer to \(method) within \(limit.wholeSeconds) s. Try again, or use another one with --browser"
    )
  }

  /// Whether a request has been answered.
  package func hasReply(to id: Int) -> Bool { replies[id] != nil }

  /// Reads until something holds.
  ///
  /// - Returns: false if it does not hold within the limit.
  package func wait(
    within limit: Duration, until holds: () -> Bool
  ) throws(BrowserError) -> Bool {
    let end = ContinuousClock.now + limit
    while !holds() {
      let left = end - ContinuousClock.now
      guard left > .zero else { return false }
      try readSome(within: left)
    }
    return true
  }

  /// Reads for so long.
  package func read(for length: Duration) throws(BrowserError) {
    _ = try wait(within: length, until: { false })
  }

  /// Reads the bytes that are there, or waits until something comes, for at most so long.
  private func readSome(within limit: Duration) throws(BrowserError) {
    guard !isInterrupted() else { throw .interrupted }
    var ends = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
    if !unsent.isEmpty {
      ends.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0))
    }
    // Shorter than a millisecond is waited for as zero, so that a time that is aimed at is not missed by one.
    let wait = Int32(min(limit.wholeMilliseconds, Self.interruptSlice))
    guard poll(&ends, nfds_t(ends.count), wait) > 0 else { return }
    if ends.count > 1, ends[1].revents != 0 { try flush() }
    guard ends[0].revents != 0 else { return }
    let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
      let count = KymographCLibrary.read(reading, room.baseAddress, room.count)
      if count > 0 { buffer.append(contentsOf: room[..<count]) }
      return count
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { throw ended() }
    try takeMessages()
  }

  /// Hands on each message that is there whole.
  private func takeMessages() throws(BrowserError) {
    var start = 0
    while let end = buffer[max(start, searched)...].firstIndex(of: 0) {
      let message = Array(buffer[start..<end])
      start = end + 1
      searched = start
      try take(message)
    }
    buffer.removeSubrange(..<start)
    searched = buffer.count
    guard buffer.count <= Self.longestMessage else {
      throw BrowserError(
        .browser,
        "the browser sent a message above \(Self.longestMessage >> 20) MiB. Use another one with --browser"
      )
    }
  }

  private func take(_ bytes: [UInt8]) throws(BrowserError) {
    guard let value = try? parseJSON(bytes), let message = ProtocolObject(value) else {
      throw BrowserError(
        .browser,
        "the browser sent text that is not its protocol. Use another one with --browser")
    }
    if let id = message.integer("id") {
      guard awaited.remove(id) != nil else { return }
      if let error = message.object("error") {
        let why = error.text("message").map(ForeignText.quoted) ?? "without a reason"
        replies[id] = .failure(
          BrowserError(.refusal, "the browser refused a request: \(why)"))
      } else {
        replies[id] = .success(message.object("result") ?? ProtocolObject())
      }
    } else if let method = message.text("method") {
      onEvent(
        ProtocolEvent(
          method: method, parameters: message.object("params") ?? ProtocolObject(),
          session: message.text("sessionId")))
    }
  }

  /// Writes as much as the pipe takes.
  private func flush() throws(BrowserError) {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { throw ended() }
      unsent.removeFirst(count)
    }
  }

  private func ended() -> BrowserError {
    let why = lastWords().map { ". It said last: \(ForeignText.quoted($0))" }
    return BrowserError(
      .browser,
      "the browser ended by itself\(why ?? ". Try again, or use another one with --browser")"
    )
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }

  /// Whole seconds, rounded up.
  var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
