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

  @Test func `a mouse comes to a place before its button goes down there`() throws {
    let visit = try WatchedPage.watch("sheet.html", [drag], hasTouch: false)
    let touches = visit.rows(with: "touch")
    let action = try #require(visit.events("action").first { $0["kind"] == .string("drag") })
    #expect(touches.count == FingerPath.drag.places(duration: 304).count + 1)
    #expect(touches.first?["t_ns"] == action["t_ns"])
  }

  @Test func `a click acts, and is one line of the recording`() throws {
    let visit = try WatchedPage.watch(
      "sheet.html", [.wait(100), .click(ElementPlace("#go", from: Point2D(x: 3, y: 4)))])
    let action = try #require(visit.events("action").first { $0["kind"] == .string("click") })
    #expect(action["target"] == .string("#go"))
    #expect(action["item"] == .string("go"))
    #expect(action["x"]?.asNumber == 23)
    #expect(action["y"]?.asNumber == 24)
    #expect(visit.rows(with: "key").count > 5, "the page's animation is recorded")
    #expect(visit.events("action").last?["rested"] == .bool(true))
    #expect(visit.words == "wait 100 ms; click #go")
  }

  @Test func `a second action finds what the first has moved`() throws {
    let visit = try WatchedPage.watch("sheet.html", [drag, drag])
    let places = visit.events("action").filter { $0["kind"] == .string("drag") }
      .compactMap { $0["y"]?.asNumber }
    #expect(places.count == 2)
    // The sheet ends below the window, so that the middle of what is visible goes half the way.
    #expect(places[0] == 672)
    #expect(places[1] == 552)
  }

  @Test func `a selector without an element names the ids that are like it`() throws {
    let error = WatchedPage.failure("sheet.html", [.click(ElementPlace("#sheep"))])
    #expect(error?.kind == .action)
    #expect(error?.message == "#sheep: not found; there are #sheet, #next, #go, #handle")
  }

  @Test func `what cannot be touched is said with what to do`() throws {
    let cases = [
      ("sheet.html", "#[", "#[ is not a CSS selector. Write #ID, .CLASS or [ATTRIBUTE]"),
      ("sheet.html", "style", "style has no size, so it cannot be touched. Name a visible element"),
    ]
    for (page, selector, message) in cases {
      #expect(WatchedPage.failure(page, [.click(ElementPlace(selector))])?.message == message)
    }
  }

  @Test func `a page that does not load gives the network's own reason`() throws {
    let error = WatchedPage.failure("nothing.html", [])
    #expect(error?.kind == .page)
    #expect(error?.message.contains("does not load: \"net::ERR_FILE_NOT_FOUND\"") == true)
  }

  @Test func `an element under another one is told`() throws {
    let visit = try WatchedPage.watch("trouble.html", [.click(ElementPlace("#under"))])
    #expect(visit.words == "click #under (covered by #cover!)")
  }

  @Test func `dialogs, new windows and failing scripts are told in quotation marks`() throws {
    let visit = try WatchedPage.watch(
      "trouble.html",
      ["#dialog", "#window", "#error"].map { .click(ElementPlace($0)) })
    #expect(
      visit.told.first == "accepted a dialog: \"really <b>?\"")
    #expect(visit.told.contains { $0.hasPrefix("refused a new window: ") }, "\(visit.told)")
    #expect(
      visit.told.last == "a script failed: \"ReferenceError: nothing is not defined\"",
      "\(visit.told)")
    #expect(visit.text.contains(#""name":"Trouble _b_ _quoted_""#))
  }

  @Test func `a page that waits in a loop on its clock is left to the real one`() throws {
    let error = WatchedPage.failure("trouble.html", [.click(ElementPlace("#loop"))])
    #expect(error?.kind == .steadyClock, "\(error?.message ?? "")")
  }

  @Test func `a page that an action leaves is left to the real clock`() throws {
    let error = WatchedPage.failure("sheet.html", [.click(ElementPlace("#next"))])
    #expect(error?.kind == .steadyClock, "\(error?.message ?? "")")
  }

  @Test func `a recorded gesture of two fingers is done at its place, enlarged`() throws {
    let touches = [
      (0, 0, TouchPhase.began, 100.0), (10, 1, .began, 200), (20, 0, .moved, 110),
      (30, 1, .moved, 190), (40, 1, .ended, 190), (50, 0, .ended, 110),
    ].map { time, contact, phase, x in
      TouchSample(
        time: Instant(nanoseconds: Int64(time) * 1_000_000), contact: contact, phase: phase,
        position: Point2D(x: x, y: 50))
    }
    let visit = try WatchedPage.watch(
      "sheet.html",
      [
        .gesture(
          PageGesture(
            name: "pinch", touches: touches, place: ElementPlace("#sheet"), scale: 0.5))
      ])
    let rows = visit.rows(with: "touch").compactMap { $0["touch"] }
    #expect(Set(rows.compactMap { $0["contact"]?.asNumber }) == [0, 1])
    #expect(
      Set(rows.compactMap { $0["x"]?.asNumber })
        == [195, 200, 240, 245].reduce(into: []) { $0.insert($1) })
  }

  @Test func `a page that computes with its clock gives the same lines again`() throws {
    let texts = try (0..<3).map { _ in
      try WatchedPage.watch("clock.html", [.click(ElementPlace("#go"))]).text
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0] == texts[2])
    #expect(texts[0].contains("\"animation:"))
  }

  @Test func `a page that the browser scrolls is left to the real clock`() throws {
    let swipe = PageDrag(
      ElementPlace("#list"), way: Point2D(x: 0, y: -240), duration: 120, path: .throw)
    let error = WatchedPage.failure("clock.html", [.drag(swipe)])
    #expect(error?.message == "the browser scrolls by itself. Watch it with --clock real")
  }

  @Test func `another phase of a frame moves the first action alone`() throws {
    let visits = try [0, 0.5].map { try WatchedPage.watch("sheet.html", [drag], phase: $0) }
    let starts = visits.compactMap { visit in
      visit.rows(with: "touch").first?["t_ns"]?.asNumber
    }
    #expect(starts[1] - starts[0] == 8_350_000)
  }
}
