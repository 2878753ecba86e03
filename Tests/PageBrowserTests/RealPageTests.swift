import JSONText
import PageBrowser
import TestSupport
import Testing
import TimelineModel

/// Pages in a whole browser, on its own clock.
@Suite(.enabled(if: WatchedPage.hasBrowser, "this machine has no browser"))
struct RealPageTests {
  @Test func `touches have exactly the times between them that were asked for`() throws {
    let drag = PageDrag(
      ElementPlace("#sheet"), way: Point2D(x: 0, y: -240), duration: 120, path: .throw)
    let visit = try WatchedPage.watch("sheet.html", [.drag(drag)], clock: .real)
    let touches = visit.rows(with: "touch")
    let times = touches.compactMap { $0["t_ns"]?.asNumber }
    let first = try #require(times.first)
    let last = try #require(times.last)
    #expect(abs(last - first - 124e6) <= 1)
    #expect(touches.last?["touch"]?["phase"] == .string("ended"))
    #expect(visit.clock == .real)
  }

  @Test func `the document that an action opens is recorded behind the first`() throws {
    let visit = try WatchedPage.watch(
      "sheet.html", [.click(ElementPlace("#next"))], clock: .real)
    #expect(visit.opened.count == 1)
    #expect(visit.opened[0].hasSuffix("next.html"))
    #expect(visit.words.hasPrefix("click #next; then opened \"file:///"))
    let frames = visit.rows(with: "frame")
    let times = frames.compactMap { $0["t_ns"]?.asNumber }
    #expect(times == times.sorted())
    #expect(times.count > 10)
    let names = frames.map { frame -> [String] in
      guard case .array(let items)? = frame["frame"]?["items"] else { return [] }
      return items.compactMap { $0["id"]?.asText }
    }.filter { !$0.isEmpty }
    #expect(names == [["sheet", "handle", "go", "next"], ["arrived"]])
  }

  @Test func `what held the page is told with its function and line`() throws {
    let visit = try WatchedPage.watch("trouble.html", [.click(ElementPlace("#busy"))], clock: .real)
    let tasks = visit.events("task").filter { $0["function"] == .string("onclick") }
    let task = try #require(tasks.first, "\(visit.events("task"))")
    #expect(try #require(task["duration_ms"]?.asNumber) > 78)
    #expect(task["url"]?.asText?.hasSuffix("trouble.html") == true)
    #expect(task["line"]?.asNumber == 14)
    let click = try #require(visit.events("action").first { $0["kind"] == .string("click") })
    let (start, end) = (
      click["t_ns"]?.asNumber ?? 0, visit.events("action").last?["t_ns"]?.asNumber
    )
    let time = try #require(task["t_ns"]?.asNumber)
    #expect(time > start, "it lies on the session's clock")
    #expect(time < end ?? 0, "it lies on the session's clock")
  }

  @Test func `without actions the load is recorded from the document's start`() throws {
    let visit = try WatchedPage.watch("next.html", [], clock: .real)
    #expect(visit.words == "opened the page")
    let places = visit.rows(with: "frame").flatMap { frame -> [Double] in
      guard case .array(let items)? = frame["frame"]?["items"] ?? frame["frame"]?["changed"]
      else { return [] }
      return items.compactMap { item in
        guard case .array(let numbers)? = item["frame"] else { return nil }
        return numbers.first?.asNumber
      }
    }
    #expect(places.contains { $0 > 20 }, "\(places)")
    #expect(places.last == 0, "\(places)")
  }
}
