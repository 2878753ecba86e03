import Foundation
import PageBrowser
import TestSupport
import Testing

/// What comes of a browser that does not do what it should; each is one clear error.
@Suite struct BrowserTests {
  let fake: FakeBrowser

  init() throws { fake = try FakeBrowser() }

  private func message(of body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return (error as? BrowserError)?.message ?? "\(error)"
    }
  }

  @Test func `a program that is not there is named`() {
    let settings = Browser.Settings(
      path: fake.folder.path("nothing"), profile: fake.folder.url.path, environment: [],
      isSteady: false)
    let message = message { _ = try Browser(settings) }
    #expect(message.contains("nothing cannot be started: No such file"))
    #expect(message.contains("--browser"))
  }

  @Test func `one that ends at once says its last words`() {
    let message = message { _ = try fake.start("echo 'missing library' >&2; exit 1") }
    #expect(message == "the browser ended by itself. It said last: \"missing library\"")
  }

  @Test func `one that ends later is found at the next request`() throws {
    let browser = try fake.start(FakeBrowser.greeting + "; exit 0")
    let message = message { try browser.connection.call("Page.enable") }
    #expect(message.hasPrefix("the browser ended by itself. Try again"))
  }

  @Test func `garbage is not taken for an answer`() {
    for text in ["hello", "[1]", "{\"id\":1", ""] {
      let message = message { _ = try fake.start("say '\(text)'; \(FakeBrowser.waiting)") }
      #expect(message.hasPrefix("the browser sent text that is not its protocol"), "\(text)")
    }
  }

  @Test func `a refusal gives the browser's reason, in quotation marks`() {
    let refusal = #"say '{"id":1,"error":{"message":"no \"such\" method"}}'"#
    let message = message { _ = try fake.start("\(refusal); \(FakeBrowser.waiting)") }
    #expect(message == "the browser refused a request: \"no 'such' method\"")
  }

  @Test func `an answer that comes too late is not taken for the next one`() throws {
    let browser = try fake.start(
      """
      \(FakeBrowser.greeting)
      hear; hear; say '{"id":2,"result":{"number":2}}'; say '{"id":3,"result":{"number":3}}'
      \(FakeBrowser.waiting)
      """)
    let late = message { try browser.connection.call("Page.enable", within: .zero) }
    #expect(late.hasPrefix("the browser did not answer to Page.enable within 0 s"))
    #expect(try browser.connection.call("Page.enable").integer("number") == 3)
  }

  @Test func `answers out of order go to their requests, and events to who listens`() throws {
    let browser = try fake.start(
      """
      \(FakeBrowser.greeting)
      hear; hear; say '{"id":3,"result":{"number":3}}'
      say '{"method":"Page.loadEventFired","params":{"timestamp":1.5},"sessionId":"S"}'
      say '{"id":2,"result":{"number":2}}'
      \(FakeBrowser.waiting)
      """)
    var heard: [ProtocolEvent] = []
    browser.connection.onEvent = { heard.append($0) }
    let ids = [
      try browser.connection.send("Page.enable"), try browser.connection.send("Runtime.enable"),
    ]
    let numbers = try ids.map { try browser.connection.reply(to: $0, of: "enable") }
    #expect(numbers.map { $0.integer("number") } == [2, 3])
    #expect(heard.map(\.method) == ["Page.loadEventFired"])
    #expect(heard[0].session == "S")
    #expect(heard[0].parameters.number("timestamp") == 1.5)
  }

  @Test func `a flood of events does not hold up the limit of a wait`() throws {
    let browser = try fake.start(
      FakeBrowser.greeting + #"; yes '{"method":"X"}' | tr '\n' '\000' >&4"#)
    let message = message {
      try browser.connection.call("Page.enable", within: .milliseconds(50))
    }
    #expect(message.hasPrefix("the browser did not answer to Page.enable"))
  }

  @Test func `a message without an end is given up`() throws {
    let browser = try fake.start(FakeBrowser.greeting + "; yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >&4")
    let message = message { try browser.connection.call("Page.enable") }
    #expect(message.hasPrefix("the browser sent a message above 64 MiB"))
  }

  @Test func `whoever asks for an end ends a wait`() throws {
    var isInterrupted = false
    let browser = try fake.start(
      FakeBrowser.greeting + "; " + FakeBrowser.waiting, isInterrupted: { isInterrupted })
    isInterrupted = true
    #expect(throws: BrowserError(.interrupted, "interrupted")) {
      try browser.connection.call("Page.enable")
    }
  }

  @Test func `one that does not end by itself is ended with all that it started`() throws {
    let browser = try fake.start(
      """
      sleep 1000 & echo $$ $! >"$FOLDER/numbers"
      \(FakeBrowser.greeting)
      trap '' TERM INT HUP
      while :; do sleep 1000; done
      """)
    let numbers = try String(contentsOfFile: fake.folder.path("numbers"), encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    #expect(numbers.count == 2)
    #expect(getpgid(numbers[1]) == numbers[0], "it leads a group of its own")
    browser.end(within: .zero)
    #expect(kill(numbers[0], 0) != 0)
    // What it started had its end of the pipe, too.
    let message = message { try browser.connection.read(for: .seconds(30)) }
    #expect(message.hasPrefix("the browser ended by itself"))
  }
}
