import Foundation
import JSONText
import TestSupport
import Testing

/// The files that an agent may name.
@Suite struct AgentPathTests {
  private let place: Workplace
  private let inside: String

  init() throws {
    place = try Workplace()
    inside = place.path("inside")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
    for path in [place.path("outside.kymo"), inside + "/run.kymo"] {
      let run = try kymo(
        "record", "--from-ndjson", "-", "--into", path,
        input: #"{"kymograph": 1}"# + "\n" + #"{"t_ns": 0, "key": "a", "value": 1}"#)
      #expect(run.code == 0, "\(run.errors)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: inside + "/link.kymo", withDestinationPath: place.path("outside.kymo"))
    try FileManager.default.createSymbolicLink(
      atPath: inside + "/to-nothing.html", withDestinationPath: place.path("new.html"))
  }

  private func call(_ name: String, _ arguments: String, flags: [String] = []) throws -> (
    code: Int64?, text: String
  ) {
    let line = AgentServerTests.request(
      "tools/call", #"{"name": "\#(name)", "arguments": \#(arguments)}"#)
    let run = try kymo(["mcp"] + flags, input: Data(line.utf8), in: inside)
    let result = try parseJSON(Array(run.output.utf8))["result"]
    return (
      result["structuredContent"]["exit_code"].integer,
      result["content"].array.first?["text"].text ?? ""
    )
  }

  @Test func `a path below the folder of the start is read, and every other one is refused`() throws
  {
    let outside = place.path("outside.kymo")
    for path in ["run.kymo", "run.kymo#1", "./run.kymo", inside + "/run.kymo"] {
      #expect(try call("show", #"{"file": ["\#(path)"]}"#).code == 0, "\(path)")
    }
    let others = [
      outside, outside + "#1", "../outside.kymo", "../outside.kymo#1", "link.kymo", "link.kymo#1",
      "/etc/passwd", "../inside/../outside.kymo", "none/../../outside.kymo",
    ]
    for path in others {
      let refused = try call("show", #"{"file": ["run.kymo", "\#(path)"]}"#)
      #expect(refused.code == 2, "\(path): \(refused.text)")
      #expect(refused.text.contains("outside of the folder in which kymo mcp was started"))
      #expect(refused.text.contains("start kymo mcp with --any-path"))
    }
    #expect(try call("show", #"{"file": ["\#(outside)"]}"#, flags: ["--any-path"]).code == 0)
  }

  @Test func `no argument writes or reads outside, and a page of a file is below the folder, too`()
    throws
  {
    let calls = [
      ("report", #"{"a": "run.kymo", "out": "../page.html"}"#),
      ("report", #"{"a": "run.kymo", "out": "to-nothing.html"}"#),
      ("check", #"{"file": ["run.kymo"], "golden": "../outside.kymo"}"#),
      ("check", #"{"file": ["run.kymo"], "requirements": "/etc/hostname"}"#),
      ("watch", #"{"url": "run.html", "against": "../other.html"}"#),
      ("watch", #"{"url": "run.html", "into": "../out.kymo"}"#),
      ("watch", #"{"url": "http://localhost:1", "actions": ["gesture ../a.evemu"]}"#),
      ("watch", #"{"url": "file:///etc/passwd.html"}"#),
      ("watch", #"{"url": "http://localhost:1", "against": "file:///etc/a.html"}"#),
      ("watch", #"{"url": "file://\#(inside)/..%2f..%2fetc/a.html"}"#),
    ]
    for (name, arguments) in calls {
      let refused = try call(name, arguments)
      #expect(refused.code == 2, "\(arguments): \(refused.text)")
      #expect(refused.text.contains("outside of the folder"), "\(arguments): \(refused.text)")
    }
    for path in ["page.html", "new.html", "out.kymo"] {
      #expect(!FileManager.default.fileExists(atPath: place.path(path)))
    }
    let written = try call("report", #"{"a": "run.kymo", "out": "page.html"}"#)
    #expect(written.code == 0, "\(written.text)")
    #expect(FileManager.default.fileExists(atPath: inside + "/page.html"))
  }

  @Test func `a hundred actions are taken, and one more is refused in a sentence`() throws {
    for (count, isRefused) in [(100, false), (101, true)] {
      let actions = Array(repeating: #""wait 1""#, count: count).joined(separator: ", ")
      // Nothing is opened: the name of the output is refused later.
      let answer = try call(
        "watch", #"{"url": "http://localhost:1", "actions": [\#(actions)], "into": "-"}"#)
      #expect(answer.code == 2)
      #expect(
        answer.text.contains("more than 100 actions are given") == isRefused, "\(answer.text)")
    }
  }
}
