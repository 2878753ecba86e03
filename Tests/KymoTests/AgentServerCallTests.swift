import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel

/// `kymo mcp` while a call of watch runs.
@Suite(.enabled(if: BrowserOnMachine.hasShell, "this machine has no headless shell"))
struct AgentServerCallTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  /// A server that watches a page which never rests, in a browser that has made its profile.
  private struct WatchingServer {
    let process = Process()
    let folder: String
    let input = Pipe()
    let output = Pipe()

    /// - Parameter line: The call of watch.
    init(in folder: String, _ line: String) throws {
      self.folder = folder
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      process.executableURL = builtProgram("kymo")
      process.arguments = ["mcp"]
      process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
      (process.standardInput, process.standardOutput) = (input, output)
      process.standardError = FileHandle.nullDevice
      try process.run()
      try send(line)
      while try !names().contains(where: { $0.hasSuffix("/last-words") }), process.isRunning {
        usleep(1000)
      }
    }

    func send(_ line: String) throws {
      try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder)
    }

    /// The next message of the server; nil: it has ended.
    func message() throws -> JSONValue? {
      var line: [UInt8] = []
      while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
        guard byte != UInt8(ascii: "\n") else { return try parseJSON(line) }
        line.append(byte)
      }
      return nil
    }
  }

  /// A call of watch that lasts for a minute of the page.
  private func longCall(id: String) -> String {
    let page = FieldValue.text(fixture("pages/watch/sheet.html")).json
    return AgentServerTests.request(
      "tools/call",
      #"{"name": "watch", "arguments": {"url": \#(page), "actions": ["wait 60000", "press Enter"]}}"#,
      id: id)
  }

  @Test func `SIGTERM ends a call of watch, and takes the browser and its folder away`() throws {
    let server = try WatchingServer(in: place.path("temporary"), longCall(id: "1"))
    kill(server.process.processIdentifier, SIGTERM)
    let answer = try server.output.fileHandleForReading.readToEnd() ?? Data()
    server.process.waitUntilExit()
    #expect(server.process.terminationReason == .exit)
    #expect(server.process.terminationStatus == 130)
    #expect(try server.names() == [])
    #expect(String(decoding: answer, as: UTF8.self).contains("interrupted"))
  }

  @Test func `a call of watch is cancelled without an answer, and pings are answered meanwhile`()
    throws
  {
    let server = try WatchingServer(in: place.path("temporary"), longCall(id: #""long""#))
    func cancel(_ id: String) throws {
      try server.send(
        #"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": \#(id)}}"#
      )
    }
    try server.send(AgentServerTests.request("tools/list", id: "2"))
    try cancel("7")
    try server.send(AgentServerTests.request("ping", id: "3"))
    // The list waits for its turn, and another request's cancellation ends nothing.
    let pong = try #require(try server.message())
    #expect(pong["id"].integer == 3, "\(pong)")
    #expect(pong["result"] != .null, "\(pong)")
    #expect(try !server.names().isEmpty)
    try cancel(#""long""#)
    let list = try #require(try server.message())
    #expect(list["id"].integer == 2, "\(list)")
    #expect(list["result"]["tools"].array.count == 8, "\(list)")
    #expect(try server.names() == [])
    try server.input.fileHandleForWriting.close()
    #expect(try server.message() == nil)
    server.process.waitUntilExit()
    #expect(server.process.terminationReason == .exit)
    #expect(server.process.terminationStatus == 0)
  }
}
