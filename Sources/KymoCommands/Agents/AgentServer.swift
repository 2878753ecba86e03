import JSONText
import KymographCLibrary
import PageBrowser
import TimelineModel

/// The Model Context Protocol over standard input and output: a JSON-RPC 2.0 message on each line.
///
/// Source: https://modelcontextprotocol.io/specification, versions 2024-11-05 to 2025-11-25. It keeps no state: each
/// call is a command in this process, one after the other. While `watch` waits for a page, a `ping` is answered, and the call can
/// be cancelled. Other messages wait for their turn.
final class AgentServer {
  private let console: Console
  /// Flags that `watch` gets and no agent chooses.
  private let watchWords: [String]
  /// Where files may be. `nil`: anywhere.
  private let paths: FolderLimit?
  private var lines: LineInput
  /// Lines that came while a call ran.
  private var waiting: [LineInput.Line] = []
  /// The most of them. A client that sends more waits.
  private static let mostWaiting = 64
  /// The request that is being answered, and whether the client wants no answer any more.
  private var running: (id: FieldValue, isCancelled: Bool)?

  /// The versions of the protocol that it speaks, the newest first.
  static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The most bytes of a message.
  static let mostBytes = 8 << 20

  /// The errors of JSON-RPC.
  enum ErrorCode: Int {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
  }

  /// An error of the protocol, in one sentence.
  private struct ProtocolError: Error {
    var code: ErrorCode
    var message: String
  }

  /// - Parameters:
  ///   - allowsAnyAddress: Whether pages of other machines may be watched.
  ///   - paths: Where files may be. `nil`: anywhere.
  init(on console: Console, allowsAnyAddress: Bool, paths: FolderLimit?) {
    (self.console, self.paths) = (console, paths)
    watchWords =
      (allowsAnyAddress ? [] : ["--\(WatchFlags.loopbackOnly.name)"])
      + (paths.map { ["--\(WatchFlags.filesBelow.name)=\($0.folder.isEmpty ? "/" : $0.folder)"] }
        ?? [])
    lines = LineInput(console.input, limit: Self.mostBytes)
  }

  /// Answers until the input ends.
  ///
  /// - Throws: ``Failure``: standard input cannot be read, or a signal asked for the end.
  func run() throws {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    while let line = try waiting.isEmpty ? lines.next() : waiting.removeFirst() {
      if let answer = answer(to: line, input: nothing) { send(answer) }
      guard console.output.ending == nil else { return }
      if console.ownsProcess {
        if ReadingInterrupt.hasCome { throw Failure(.interrupted, "interrupted") }
        // A command may have changed them.
        ProcessSignals.restore()
      }
    }
  }

  private func send(_ answer: FieldValue) {
    console.output.write(data: answer.json + "\n")
    console.output.flush()
  }

  /// Looks at what has come while a call runs.
  ///
  /// - Returns: Whether the client has cancelled the call.
  private func isCancelled(input: Int32) -> Bool {
    while waiting.count < Self.mostWaiting, let line = try? lines.nextIfThere() {
      guard case .bytes(let bytes) = line, let message = try? Self.fields(of: bytes) else {
        waiting.append(line)
        continue
      }
      switch message["method"]?.value {
      case .string("ping"): if let answer = answer(to: line, input: input) { send(answer) }
      case .string("notifications/cancelled"):
        let parameters = try? message["params"]?.object()
        let id = parameters?["requestId"].flatMap { try? Self.identifier($0.value) }
        if id == running?.id { running?.isCancelled = true }
      default: waiting.append(line)
      }
    }
    return running?.isCancelled == true
  }

  // MARK: Messages

  /// The answer to a line. `nil` if none is due.
  private func answer(to line: LineInput.Line, input: Int32) -> FieldValue? {
    guard case .bytes(let bytes) = line else {
      return Self.failure(
        .init(
          code: .invalidRequest,
          message: "the line is longer than \(Self.mostBytes >> 20) MiB. Send shorter messages"),
        id: .null)
    }
    guard !bytes.allSatisfy(" \t\r".utf8.contains) else { return nil }
    var id = FieldValue.null
    do {
      let message = try Self.fields(of: bytes)
      // An answer to a request that was never made.
      if message["method"] == nil, message["result"] != nil || message["error"] != nil {
        return nil
      }
      guard message["jsonrpc"]?.value == .string("2.0"),
        case .string(let method)? = message["method"]?.value
      else {
        throw ProtocolError(
          code: .invalidRequest, message: "the message has no method or is not of JSON-RPC 2.0")
      }
      guard let given = message["id"] else { return nil }
      id = try Self.identifier(given.value)
      let isCall = method == "tools/call"
      if isCall { running = (id, false) }
      defer { if isCall { running = nil } }
      let result = try self.result(of: method, message["params"], input: input)
      // Who cancels a call waits for no answer.
      guard !isCall || running?.isCancelled != true else { return nil }
      return .object(named: ["jsonrpc": "2.0", "id": id, "result": result])
    } catch let error as ProtocolError {
      return Self.failure(error, id: id)
    } catch {
      return Self.failure(
        .init(code: .invalidParameters, message: explain(error).message), id: id)
    }
  }

  private static func fields(of bytes: [UInt8]) throws -> JSONFields {
    let message: JSONReader
    do {
      message = JSONReader(try parseJSON(bytes))
    } catch {
      throw ProtocolError(code: .parse, message: "the line is not JSON: \(error.message.asClause)")
    }
    guard case .object = message.value else {
      throw ProtocolError(
        code: .invalidRequest, message: "the line is not one message. Send one object on each line")
    }
    return try message.object()
  }

  private static func identifier(_ value: JSONValue) throws -> FieldValue {
    switch value {
    case .string(let text): .text(text)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    default:
      throw ProtocolError(
        code: .invalidRequest, message: "the id is not a text or a number")
    }
  }

  private static func failure(_ error: ProtocolError, id: FieldValue) -> FieldValue {
    .object(named: [
      "jsonrpc": "2.0", "id": id,
      "error": FieldValue.object(named: [
        "code": error.code.rawValue, "message": error.message,
      ]),
    ])
  }

  // MARK: Methods

  private func result(
    of method: String, _ parameters: JSONReader?, input: Int32
  ) throws -> FieldValue {
    switch method {
    case "initialize":
      var version = Self.versions[0]
      if case .string(let wanted)? = try parameters?.object()["protocolVersion"]?.value,
        Self.versions.contains(wanted)
      {
        version = wanted
      }
      return .object(named: [
        "protocolVersion": version,
        "capabilities": FieldValue.object(named: ["tools": FieldValue.object([])]),
        "serverInfo": FieldValue.object(named: ["name": "kymograph", "version": programVersion]),
        "instructions": AgentTool.instructions,
      ])
    case "ping": return .object([])
    case "tools/list":
      return .object(named: ["tools": FieldValue.list(AgentTool.all.map(\.definition))])
    case "tools/call":
      let fields = try (parameters ?? JSONReader(.object([:]), path: "$.params")).object()
      let name = try fields.required("name").string()
      let tools = AgentTool.all
      guard let tool = tools.first(where: { $0.name == name }) else {
        throw Failure.usage(
          "unknown tool '\(name)'. \(choices(near: name, among: tools.map(\.name)))")
      }
      let answer = tool.answer(
        to: fields["arguments"], adding: name == watchCommand().name ? watchWords : [],
        within: paths, on: console, input: input,
        isCancelled: { [unowned self] in isCancelled(input: input) })
      return answer.result
    default:
      throw ProtocolError(
        code: .unknownMethod, message: "unknown method '\(method.prefix(40))'")
    }
  }
}
