import JSONText
import PageBrowser
import TestSupport
import Testing
import TimelineModel

/// Pages in the headless shell, on the steady clock.
@Suite(.enabled(if: WatchedPage.hasShell, "this machine has no headless shell"))
struct SteadyPageTests {
  private let drag = PageAction.drag(
    PageDrag(
      ElementPlace("#sheet"), way: Point2D(x: 0, y: -240), duration: 304, path: .drag))

  @Test func `a drag's touches come back as they were sent`() throws {
    let visit = try WatchedPage.watch("sheet.html", [drag])
    let touches = visit.rows(with: "touch")
    let action = try #require(visit.events("action").first { $0["kind"] == .string("drag") })
    let start = try #require(action["t_ns"]?.asNumber)
    let places = FingerPath.drag.places(duration: 304)
    #expect(touches.count == places.count + 1)
    for (touch, place) in zip(touches, places) {
      let time = try #require(touch["t_ns"]?.asNumber)
      #expect(abs(time - start - place.time * 1e6) <= 1)
      let y = try #require(touch["touch"]?["y"]?.asNumber)
      let first = try #require(action["y"]?.asNumber)
      #expect(abs(y - first + 240 * place.share) < 1e-9)
    }
    let lift = try #require(touches.last)
    #expect(lift["touch"]?["phase"] == .string("ended"))
    #expect(try #require(lift["t_ns"]?.asNumber) - start == 308e6)
    #expect(action["end_ns"] == lift["t_ns"])
    #expect(visit.words == "drag on #sheet by (0, -240) px in 304 ms")
  }

  @Test func `the same page and actions give the same lines`() throws {
    let texts = try (0..<2).map { _ in try WatchedPage.watch("sheet.html", [drag]).text }
    let lines = texts.map { $0.split(separator: "\n") }
    #expect(lines[0].count == lines[1].count)
    #expect(zip(lines[0], lines[1]).first { $0 != $1 } == nil)
  }
}
