import JSONText
import TimelineModel

// More than 400 lines: one visit of a page, from its opening to its last line.

/// Opens a page, acts on it, and gathers the lines of a recording until all is at rest.
package final class PageWatch {
  package struct Request: Sendable {
    /// The page's address.
    package var address: String
    /// The actions, in order. Without anything the load of the page is recorded.
    package var actions: [PageAction]
    package var settings: PageSettings
    package var clock: ClockName
    /// How much later than usual in a frame the first action begins, 0 to 1 of a frame. On the steady clock alone.
    package var phase: Double
    /// How long to wait for rest after the last action, in milliseconds.
    package var restLimit: Double

    package init(
      address: String, actions: [PageAction], settings: PageSettings, clock: ClockName,
      phase: Double = 0, restLimit: Double = 5000
    ) {
      (self.address, self.actions, self.settings) = (address, actions, settings)
      (self.clock, self.phase, self.restLimit) = (clock, phase, restLimit)
    }
  }

  private let request: Request
  private let page: PageSession
  private let clock: any PageClock
  private var steadyClock: SteadyClock?
  /// The lines of this program: actions, and the tasks that took long.
  private var ownLines: [PageLine] = []
  /// Where fingers were sent, in the order of time.
  private var sent: [SentTouch] = []
  private var did: [String] = []
  private var hasRested = false
  private var description = ProtocolObject()
  private var hasStarted = false

  /// Nothing may have changed for so long before the first action, and for how long that is waited for, in milliseconds.
  private static let (calmBefore, calmBeforeLimit) = (300.0, 2500.0)
  /// Nothing may have changed for so long after the last action, in milliseconds.
  private static let calmAfter = 350.0
  /// More than a page rounds its clock, in milliseconds, so that a length which is met exactly is always met.
  private static let rounding = 1.0
  /// The time between two looks, in milliseconds.
  private static let look = 100.0
  /// How long an element is waited for, in milliseconds.
  private static let searchLimit = 2000.0
  /// How much before its time an action's element is looked for, in milliseconds.
  private static let searchLead = 20.0
  /// The most names of elements that move by themselves.
  private static let mostAmbient = 20

  /// Opens an empty page in a browser, which was started for the request's clock.
  package init(_ request: Request, in browser: Browser) throws(BrowserError) {
    self.request = request
    page = try PageSession(in: browser, request.settings, isSteady: request.clock == .steady)
    switch request.clock {
    case .steady:
      let steady = try SteadyClock(page, phase: request.phase)
      (clock, steadyClock) = (steady, steady)
    case .real: clock = RealClock(page)
    }
  }

  /// Does it all.
  ///
  /// - Throws: ``BrowserError``. The lines until then are ``visit``'s.
  package func run() throws(BrowserError) {
    defer { page.close() }
    let isLoadRecorded = request.actions.isEmpty && request.clock == .real
    if request.clock == .real {
      try page.call(
        "Tracing.start",
        EventField.list([
          "transferMode": "ReportEvents",
          "traceConfig": FieldValue.object(named: [
            "includedCategories": FieldValue.list([.text("devtools.timeline")])
          ]),
        ]))
    }
    if isLoadRecorded {
      try page.run(inEachDocument: begin(at: nil))
      hasStarted = true
    }
    try page.navigate(to: request.address)
    try clock.awaitLoad()
    page.isRecording = true
    try steadyClock?.hold()
    description = try page.evaluate("kymoPage.describe()")
    guard let origin = description.number("origin"), let now = description.number("now") else {
      throw .lacks("origin", in: "Runtime.evaluate")
    }
    let zero = isLoadRecorded ? origin : origin + now
    try clock.start(at: zero, pageTime: now)
    if !isLoadRecorded {
      let begin = begin(at: zero)
      try page.run(inEachDocument: begin)
      _ = try page.evaluate(begin)
      hasStarted = true
    }
    if let status = description.integer("status"), status >= 400 {
      page.tell("the server answered with \(status)")
    }
    let ambient =
      isLoadRecorded
      ? [] : try rest(for: Self.calmBefore, atMost: Self.calmBeforeLimit).moving
    ownLines.append(openingLine(ambient))
    try act()
    hasRested = try rest(
      for: Self.calmAfter, atMost: request.restLimit, fromNow: !request.actions.isEmpty
    ).isCalm
    ownLines.append(
      PageLine(
        time: clock.now, event: "action", EventField.list(["kind": "end", "rested": hasRested])))
    _ = try page.evaluate("kymoPage.end()")
    try endTrace()
    let lines = page.lines.compactMap(PageLine.init)
    try steadyClock?.expectWhole(lines)
  }

  /// That a page which knows nothing of phones is laid out for a wide window. `nil` if it is not.
  private var layoutNote: String? {
    let (wide, width) = (description.integer("layout") ?? 0, request.settings.width)
    guard request.settings.hasTouch, description.flag("hasViewport") == false, wide > width else {
      return nil
    }
    return "the page has no viewport meta, so it is laid out \(wide) px wide on \(width)"
  }

  private func begin(at zero: Double?) -> String {
    let items = FieldValue.text(request.settings.items).json
    let zero = zero.map { ", zero: \(FieldValue.jsonNumber($0))" } ?? ""
    return "globalThis.kymoPage?.begin({items: \(items)\(zero)})"
  }

  private func endTrace() throws(BrowserError) {
    guard request.clock == .real else { return }
    try page.call("Tracing.end")
    _ = try page.wait(within: PageSession.patience) { self.page.isTraced }
    ownLines += page.tasks.lines()
  }

  // MARK: Rest

  /// Waits until nothing has changed for so long, both in milliseconds.
  ///
  /// - Parameter isFromNow: Whether it is that long from now on, so that what an action has begun can be seen.
  /// - Returns: Whether it came to rest, and the names of elements that still move.
  private func rest(
    for length: Double, atMost limit: Double, fromNow isFromNow: Bool = false
  ) throws(BrowserError) -> (isCalm: Bool, moving: [String]) {
    let (start, end) = (clock.now, clock.now + limit)
    while true {
      let quiet = try page.evaluate("kymoPage.quiet()")
      let seen = isFromNow ? clock.now - start : length
      let isCalm =
        min(seen, quiet.number("quiet_ms") ?? 0) >= length - Self.rounding
        && (quiet.number("contacts") ?? 0) == 0
      if isCalm { return (true, []) }
      if clock.now >= end { return (false, quiet.texts("moving")) }
      try clock.pass(until: min(clock.now + Self.look, end))
    }
  }

  // MARK: Actions

  private func act() throws(BrowserError) {
    var time = clock.now
    var (hadFingers, hasTouched) = (false, false)
    for action in request.actions {
      if case .wait(let length) = action {
        did.append(action.words)
        ownLines.append(PageLine(time: time, event: "action", action.fields))
        time += length
        continue
      }
      // Without room for the whole press it ends later, as far into a frame.
      let missing = action.lead - (time - clock.now)
      if action.lead > 0, missing > 0 {
        time += (missing / SteadyClock.interval).rounded(.up) * SteadyClock.interval
      }
      try clock.pass(until: time - action.lead - Self.searchLead)
      let found = try action.place.map { place throws(BrowserError) in try locate(place) }
      let plan = InputPlan(
        action, at: found?.point, size: found?.size ?? .zero, hasTouch: request.settings.hasTouch)
      // A whole browser that got touches as such cancels later fingers that are made of a mouse.
      let mouse = hasTouched && clock.name == .real ? nil : plan.mouseFinger
      if plan.hasTouches {
        // Fingers that a mouse makes may follow each other.
        if hadFingers, mouse == nil || hasTouched { try page.forgetFingers() }
        hadFingers = true
        hasTouched = hasTouched || mouse == nil
      }
      try page.makeFingers(mouse != nil)
      if case .longPress = action { _ = try page.evaluate("kymoPage.dropClick()") }
      let start = try clock.perform(mouse ?? plan.inputs, from: time - action.lead)
      note(plan, from: start)
      var fields = action.fields
      fields += EventField.known([
        "item": found?.name, "x": found?.point.x, "y": found?.point.y, "cover": found?.cover,
      ])
      fields.append(
        EventField("end_ns", .integer(Int64(((start + plan.length) * 1e6).rounded()))))
      ownLines.append(PageLine(time: start + plan.landing, event: "action", fields))
      did.append(action.words + (found?.remark ?? ""))
      time = start + plan.length
    }
    if case .wait = request.actions.last { try clock.pass(until: time) }
  }

  /// Remembers where fingers were sent.
  private func note(_ plan: InputPlan, from start: Double) {
    var isDown = false
    var fingers: [Int: Point2D] = [:]
    for input in plan.inputs {
      let time = start + input.time
      switch input.event {
      case .touch(let phase, let contacts):
        let isEnd = phase == .ended || phase == .cancelled
        let numbers = contacts.isEmpty ? fingers.keys.sorted() : contacts.map(\.number)
        for contact in contacts { fingers[contact.number] = contact.place }
        for number in numbers {
          guard let place = fingers[number] else { continue }
          sent.append(SentTouch(time: time, phase: phase, place: place))
          if isEnd { fingers[number] = nil }
        }
      case .mouse(let kind, let place, let down):
        guard down || isDown else { continue }
        isDown = down
        let phase: TouchPhase =
          switch kind {
          case .pressed: .began
          case .moved: .moved
          case .released: .ended
          }
        sent.append(SentTouch(time: time, phase: phase, place: place))
      case .key, .wheel: break
      }
    }
  }

  /// A place at which an element can be touched.
  private struct Found {
    var point: Point2D
    /// Width and height of its visible part, in px.
    var size: Point2D
    var name: String?
    var cover: String?
    var isOutside: Bool

    /// A note for the person.
    var remark: String {
      if isOutside { return " (outside of the window!)" }
      return cover.map { " (covered by \($0)!)" } ?? ""
    }
  }

  private func locate(_ place: ElementPlace) throws(BrowserError) -> Found {
    let selector = FieldValue.text(place.selector).json
    let from = place.from.map { FieldValue($0).json } ?? "null"
    let end = clock.now + Self.searchLimit
    while true {
      let answer = try page.evaluate("kymoPage.locate(\(selector), \(from))")
      if let x = answer.number("x"), let y = answer.number("y") {
        return Found(
          point: Point2D(x: x, y: y),
          size: Point2D(x: answer.number("width") ?? 0, y: answer.number("height") ?? 0),
          name: answer.text("name").map(ForeignText.name),
          cover: answer.text("cover").map(ForeignText.name),
          isOutside: answer.flag("outside") ?? false)
      }
      let why = answer.text("why")
      guard why != "selector" else {
        throw BrowserError(
          .action, "\(place.selector) is not a CSS selector. Write #ID, .CLASS or [ATTRIBUTE]")
      }
      guard clock.now < end else {
        throw why == "hidden"
          ? BrowserError(
            .action,
            "\(place.selector) has no size, so it cannot be touched. Name a visible element")
          : Self.missing(place.selector, among: answer.texts("ids"))
      }
      try clock.pass(until: clock.now + Self.look)
    }
  }

  /// The most ids that an error names.
  private static let mostIDs = 12

  private static func missing(_ selector: String, among ids: [String]) -> BrowserError {
    let near = nearestFirst(to: selector.filter { $0 != "#" }, among: ids).prefix(mostIDs)
      .map { "#" + ForeignText.name($0) }
    let more = ids.count - near.count
    let known =
      near.isEmpty
      ? "the page has no ids"
      : "there are " + near.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    return BrowserError(.action, "\(selector): not found; \(known)")
  }

  private func openingLine(_ ambient: [String]) -> PageLine {
    let settings = request.settings
    return PageLine(
      time: 0, event: "action",
      EventField.known([
        "kind": "open", "target": request.address, "clock": clock.name.rawValue,
        "viewport": FieldValue.list([
          .integer(Int64(settings.width)), .integer(Int64(settings.height)),
        ]),
        "pointer": settings.hasTouch ? "touch" : "mouse", "dpr": settings.pixelRatio,
        "reducedMotion": settings.prefersReducedMotion, "dark": settings.isDark,
        "slowdown": settings.slowdown, "items": settings.items,
        "ambient": ambient.isEmpty
          ? FieldValue.null
          : .list(ambient.prefix(Self.mostAmbient).map { .text(ForeignText.name($0)) }),
      ]))
  }

  // MARK: Result

  /// The lines until now. `nil` if there are none.
  package var visit: PageVisit? {
    guard hasStarted else { return nil }
    var lines = page.lines.compactMap(PageLine.init)
    clock.settle(&lines)
    SentTouch.correct(&lines, by: sent)
    let declarations = page.lines.filter { $0.starts(with: Array("{\"declare\"".utf8)) }
    let headers = page.lines.filter { $0.starts(with: Array("{\"kymograph\"".utf8)) }
    lines += ownLines
    return PageVisit(
      header: header(of: headers.last),
      declarations: declarations.map { String(decoding: $0, as: UTF8.self) }, lines: lines,
      did: did, told: page.told,
      notes: [layoutNote].compactMap(\.self) + page.refusedHosts.sentences,
      opened: page.opened, clock: clock.name, hasRested: hasRested, isWhole: !page.isOverfull)
  }

  private func header(of recorder: [UInt8]?) -> FieldValue {
    let own = recorder.flatMap { FieldValue(json: $0) }
    let rate = clock.name == .steady ? FieldValue.number(SteadyClock.rate) : own?["refreshRate"]
    return .object(
      EventField.known([
        "kymograph": 1, "name": ForeignText.name(description.text("title") ?? "page"),
        "refreshRate": rate ?? .null,
        "viewport": FieldValue.list([
          .number(description.number("width") ?? Double(request.settings.width)),
          .number(description.number("height") ?? Double(request.settings.height)),
        ]),
        "clock": "performance.now",
        "device": description.text("agent").map { String($0.prefix(120)) },
        "software": "kymo watch",
      ]))
  }
}

/// A place that a finger was sent to. It is exact. A position that a page reads back is rounded.
struct SentTouch: Hashable, Sendable {
  /// Milliseconds since the session's start.
  var time: Double
  var phase: TouchPhase
  var place: Point2D

  /// How far a place that was read back may be from the sent one, in px: the browser keeps 32 bits.
  private static let nearPlace = 0.02
  /// How far the clocks of browser and program may differ unnoticed, in milliseconds: the page's rounding.
  private static let nearTime = 0.3
  /// How many places further a match is looked for: those that the browser put together.
  private static let lookahead = 64

  /// Gives the touches of a recording the time and place with which they were sent.
  ///
  /// A touch that was not sent stays as it is. Where the browser's clock differs from ours, the times of all are moved
  /// by the same length, so that they stay beside the frames.
  static func correct(_ lines: inout [PageLine], by sent: [SentTouch]) {
    let touches = lines.indices.filter { lines[$0]["touch"] != nil }
      .sorted { lines[$0].time < lines[$1].time }
    var matches: [(line: Int, sent: SentTouch)] = []
    var next = 0
    for index in touches {
      guard let touch = lines[index]["touch"], let x = touch["x"]?.asNumber,
        let y = touch["y"]?.asNumber, case .text(let word)? = touch["phase"],
        let phase = TouchPhase(rawValue: word)
      else { continue }
      let rest = sent.indices.dropFirst(next).prefix(lookahead)
      let match = rest.first { index in
        sent[index].phase == phase && abs(sent[index].place.x - x) < nearPlace
          && abs(sent[index].place.y - y) < nearPlace
      }
      guard let match else { continue }
      matches.append((index, sent[match]))
      next = match + 1
    }
    let shifts = matches.map { Double(lines[$0.line].time) / 1e6 - $0.sent.time }.sorted()
    guard !shifts.isEmpty else { return }
    let median = shifts[shifts.count / 2]
    let shift = abs(median) < nearTime ? 0 : median
    for (index, sent) in matches {
      lines[index].time = Int64(((sent.time + shift) * 1e6).rounded())
      guard case .object(let fields)? = lines[index]["touch"] else { continue }
      lines[index]["touch"] = .object(
        fields.map { field in
          switch field.name {
          case "x": EventField("x", .number(sent.place.x))
          case "y": EventField("y", .number(sent.place.y))
          default: field
          }
        })
    }
  }
}
