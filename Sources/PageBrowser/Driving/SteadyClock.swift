import KymographCLibrary
import TimelineModel

/// Frames and time given by hand, by the headless shell's begin-frame control and the virtual time of pages: the same
/// page and the same actions give the same frames, however busy the machine is.
final class SteadyClock: PageClock {
  let name = ClockName.steady
  private(set) var now = 0.0
  private let page: PageSession
  /// Session time 0 on the browser's clock, in milliseconds, and that clock's start in milliseconds since 1970.
  private var (base, epoch) = (0.0, 0.0)
  /// The number that is added to the instant of a frame for the browser, in milliseconds.
  private var frameBase = 0.0
  /// How far into a frame an action begins, in milliseconds.
  private let phase: Double
  /// The instants of the frames that were begun, and of the events that were sent.
  private var (frames, sent) = ([Double](), [Double]())

  /// The callbacks of frames behind which fingers landed or lifted, in nanoseconds.
  private var landings: Set<Int64> = []

  /// The moves that are due in the next frame, each with its own time.
  private var moves: [(input: PlannedInput, time: Double)] = []
  /// The requests of an action whose answers are to come.
  private var requests: [(id: Int, method: String)] = []
  private let reports: PointerReports

  /// How long a page may take for a frame, or for a stretch of its time.
  private static let patience = Duration.seconds(4)
  /// From one frame to the next, in milliseconds: whole steps of the browser's clock, so that none is rounded.
  static let interval = 16.7
  /// Frames a second.
  static let rate = (100_000 / interval).rounded() / 100
  /// A page's callbacks run some milliseconds after the instant that a frame is named by, as in any browser.
  private static let delay = 3.0
  /// How far into a frame the first action begins, unless it is repeated at others.
  private static let firstPhase = 5.0
  /// How far a page rounds its clock, and a bit more, in milliseconds.
  private static let rounding = 0.25
  /// The step to which values are rounded. A Double near 1 has 2e-16.
  private static let grain = 0x1p-40
  /// The browser cuts times to whole microseconds. So much more is sent that none is lost, in milliseconds.
  private static let cut = 0.0004

  /// - Parameter phase: How much later than usual in a frame an action begins, 0 to 1 of a frame.
  init(_ page: PageSession, phase: Double) throws(BrowserError) {
    (self.page, reports) = (page, PointerReports(page))
    self.phase = Self.firstPhase + phase * Self.interval
    try page.call("HeadlessExperimental.enable")
  }

  private static func unfit(_ why: String) -> BrowserError {
    BrowserError(.steadyClock, "\(why). Watch it with --clock real")
  }

  private static var isStuck: BrowserError { unfit("the page waits in a loop on its clock") }

  private static var isScrolled: BrowserError { unfit("the browser scrolls by itself") }

  func awaitLoad() throws(BrowserError) {
    let count = page.loadCount
    let end = ContinuousClock.now + .seconds(15)
    // The page lives in real time until its start, but its frames are begun here.
    while page.loadCount == count, ContinuousClock.now < end {
      try beginFrame([])
      _ = try page.wait(within: .milliseconds(10)) { self.page.loadCount > count }
    }
    for _ in 0..<3 {
      try beginFrame([])
      try page.connection.read(for: .milliseconds(5))
    }
  }

  private func beginFrame(_ parameters: [EventField]) throws(BrowserError) {
    try call("HeadlessExperimental.beginFrame", parameters)
  }

  /// Calls what a loop in the page may keep from an answer.
  private func call(_ method: String, _ parameters: [EventField]) throws(BrowserError) {
    do throws(BrowserError) {
      try page.call(method, parameters, within: Self.patience)
    } catch {
      throw error.kind == .silence ? Self.isStuck : error
    }
  }

  /// Holds the page's time. It must be called right before the page is asked for its clock.
  func hold() throws(BrowserError) {
    let answer = try page.call(
      "Emulation.setVirtualTimePolicy", EventField.list(["policy": "pause"]))
    guard let ticks = answer.number("virtualTimeTicksBase") else {
      throw .lacks("virtualTimeTicksBase", in: "Emulation.setVirtualTimePolicy")
    }
    base = ticks
    epoch = Self.epoch
    try align()
  }

  /// When the monotonic clock began, in milliseconds since 1970: the reading of both clocks that took the shortest time,
  /// since a busy machine stops the program between the two.
  private static var epoch: Double {
    var best = (span: Int.max, epoch: 0.0)
    for _ in 0..<32 {
      var (before, real, after) = (timespec(), timespec(), timespec())
      clock_gettime(CLOCK_MONOTONIC, &before)
      clock_gettime(CLOCK_REALTIME, &real)
      clock_gettime(CLOCK_MONOTONIC, &after)
      let span = (after.tv_sec - before.tv_sec) * 1_000_000_000 + after.tv_nsec - before.tv_nsec
      guard span < best.span else { continue }
      let nanoseconds = real.tv_nsec - before.tv_nsec - span / 2
      best = (span, Double(real.tv_sec - before.tv_sec) * 1000 + Double(nanoseconds) / 1e6)
    }
    return best.epoch
  }

  /// Moves the session's start onto a step of the browser's clock, right behind a whole millisecond of the page's `Date`.
  /// A page that takes the time from `Date` then reads the same milliseconds at these. Inside of a millisecond the browser
  /// rounds it up or down by chance.
  private func align() throws(BrowserError) {
    let microseconds = (base * 1000).rounded()
    let step = FingerPath.step * 1000
    var start = (microseconds / step).rounded(.up) * step
    let date = epoch * 1000 + start
    let rest = date - (date / 1000).rounded(.down) * 1000
    // Half a step later, so that no rounding of either clock turns a millisecond.
    start += ((1000 - rest) / step + 0.5).rounded(.up) * step
    guard start > microseconds else { return }
    try advance(to: (start - microseconds) / 1000)
    (base, now) = (start / 1000, 0)
  }

  func start(at origin: Double, pageTime: Double) throws(BrowserError) {
    // A page's time of now is the difference of two rounded instants, that of a frame a rounded difference: a frame is
    // begun so that both agree.
    try page.call("Performance.enable")
    let metrics = try page.call("Performance.getMetrics").objects("metrics")
    let navigation = metrics.first { $0.text("name") == "NavigationStart" }?.number("value")
    frameBase = navigation.map { ($0 * 1e6).rounded() / 1000 + pageTime } ?? base
    // Another browser may count from elsewhere.
    if abs(frameBase - base) > Self.rounding { frameBase = base }
  }

  /// The instant of the first frame whose callbacks have not run.
  private var nextFrame: Double {
    (((now - Self.delay) / Self.interval + 1e-6).rounded(.down) + 1) * Self.interval
  }

  private func advance(to time: Double) throws(BrowserError) {
    guard time - now >= 0.001 else { return }
    let count = page.expiredBudgets
    try call(
      "Emulation.setVirtualTimePolicy",
      EventField.list([
        "policy": "advance", "budget": time - now + Self.cut,
        "maxVirtualTimeTaskStarvationCount": 100_000,
      ]))
    guard try page.wait(within: Self.patience, until: { self.page.expiredBudgets > count }) else {
      throw Self.isStuck
    }
    now = time
  }

  /// Asks the page, which a loop in it may keep from an answer.
  private func ask(_ expression: String) throws(BrowserError) -> ProtocolObject {
    do throws(BrowserError) {
      return try page.evaluate(expression, within: Self.patience)
    } catch {
      throw error.kind == .silence ? Self.isStuck : error
    }
  }

  private func awaitReports() throws(BrowserError) {
    let isTaken = try reports.areTaken { expression throws(BrowserError) in try ask(expression) }
    if isTaken { throw Self.isScrolled }
  }

  /// Sends the moves since the frame before. Browsers keep them for the callbacks of the next frame. One that gets frames
  /// by hand hands some on earlier, by chance.
  private func sendMoves() throws(BrowserError) {
    let due = moves
    moves = []
    for (input, time) in due { try send(input, at: time) }
  }

  private func send(_ input: PlannedInput, at time: Double) throws(BrowserError) {
    let stamp = (epoch + base + time) / 1000
    if let id = try page.send(input, stamp: stamp) { requests.append((id, input.method)) }
    sent.append(time)
    reports.count(input)
    if !input.waitsForFrame { try awaitReports() }
  }

  private func frame() throws(BrowserError) {
    let time = nextFrame
    try advance(to: time + Self.delay)
    try sendMoves()
    try beginFrame(
      EventField.list([
        "frameTimeTicks": frameBase + time + Self.cut, "interval": Self.interval,
      ]))
    frames.append(time)
    guard page.opened.isEmpty else { throw Self.unfit("an action opens another page") }
  }

  func pass(until time: Double) throws(BrowserError) {
    while nextFrame + Self.delay <= time { try frame() }
    try advance(to: time)
  }

  func perform(
    _ inputs: [PlannedInput], from time: Double
  ) throws(BrowserError) -> Double {
    var start = max(time, now) + (sent.isEmpty ? phase : 0)
    requests = []
    let count = inputs.prefix { !$0.waitsForFrame }.count
    if count == 0 {
      // The browser hands it on behind a frame, so it happens there.
      try pass(until: start)
      start = nextFrame + Self.delay
    }
    for input in inputs[..<count] {
      let due = start + input.time
      guard input.isMove else {
        try pass(until: due)
        try sendMoves()
        try send(input, at: due)
        continue
      }
      while nextFrame + Self.delay <= due { try frame() }
      moves.append((input, due))
    }
    try performWaiting(inputs[count...], from: start)
    if !inputs.isEmpty { try frame() }
    for (id, method) in requests {
      for _ in 0..<8 where !page.connection.hasReply(to: id) { try frame() }
      guard try page.wait(within: .seconds(3), until: { self.page.connection.hasReply(to: id) })
      else { throw Self.isStuck }
      try page.connection.reply(to: id, of: method)
    }
    if count < inputs.count, try ask("kymoPage.reports()").flag("isTaken") == true {
      throw Self.isScrolled
    }
    return start
  }

  /// Has events happen that the browser keeps until a frame is over. A move is sent a frame earlier, so that the frame that
  /// is due shows it. A finger that lands or lifts is handed on at once, so it is sent in time, and comes up to a frame late.
  private func performWaiting(
    _ inputs: ArraySlice<PlannedInput>, from start: Double
  ) throws(BrowserError) {
    var left = inputs
    while let next = left.first {
      let end = nextFrame + Self.delay + 1e-6
      guard start + next.time <= end + (next.isMove ? Self.interval : 0) else {
        try frame()
        continue
      }
      while let input = left.first,
        start + input.time <= end + (input.isMove ? Self.interval : 0)
      {
        try send(input, at: start + input.time)
        if !input.isMove { landings.insert(Int64(((nextFrame + Self.delay) * 1e6).rounded())) }
        left = left.dropFirst()
      }
      // The page's thread knows of them before the frame begins.
      _ = try ask("0")
      try frame()
      try awaitReports()
    }
  }

  /// Says that the page's lines lack a frame that was begun, or what it showed.
  func expectWhole(_ lines: [PageLine]) throws(BrowserError) {
    let count = lines.count { $0["frame"].map { $0["unread"] != .flag(true) } ?? false }
    guard count >= frames.count else {
      throw BrowserError(
        .lostFrames,
        "frames were lost: \(count) of \(frames.count) were recorded. Watch it with --clock real")
    }
  }

  /// A page rounds its clock. Its times of frames, callbacks and events are put on their exact instants.
  func settle(_ lines: inout [PageLine]) {
    let callbacks = frames.map { $0 + Self.delay }
    let all = (frames + callbacks + sent).sorted()
    let offsets = lines.filter { $0["frame"] != nil }.compactMap { line in
      let time = Double(line.time) / 1e6
      return Self.nearest(to: time, in: frames).map { time - $0 }
    }.filter { abs($0) < Self.rounding }.sorted()
    let offset = offsets.upperMiddle ?? 0
    func exact(_ time: Int64, in instants: [Double]) -> Int64 {
      let own = Double(time) / 1e6 - offset
      guard let instant = Self.nearest(to: own, in: instants), abs(instant - own) < Self.rounding
      else { return time }
      return Int64((instant * 1e6).rounded())
    }
    func exact(_ value: FieldValue, named name: String) -> FieldValue {
      switch value {
      case .integer(let time) where name.hasSuffix("_ns"):
        .integer(exact(time, in: name == "began_ns" ? callbacks : all))
      case .number(let number) where name == "value":
        // The last bits of an animation's progress depend on how long the browser has been running.
        .number((number / Self.grain).rounded() * Self.grain)
      case .object(let fields):
        .object(fields.map { EventField($0.name, exact($0.value, named: $0.name)) })
      default: value
      }
    }
    for index in lines.indices {
      let isFrame = lines[index]["frame"] != nil
      lines[index].time = exact(lines[index].time, in: isFrame ? frames : all)
      lines[index].fields = lines[index].fields.map {
        EventField($0.name, exact($0.value, named: $0.name))
      }
      if let touch = lines[index]["touch"], touch["phase"] != .text("moved") {
        lines[index]["touch"] = behindFrame(touch)
      }
    }
  }

  /// A finger that landed or lifted behind a frame: no time passes between the two, and yet the frame does not show it.
  private func behindFrame(_ touch: FieldValue) -> FieldValue {
    guard case .object(let fields) = touch else { return touch }
    return .object(
      fields.map { field in
        guard ["heard_ns", "touchHeard_ns"].contains(field.name),
          case .integer(let time) = field.value, landings.contains(time)
        else { return field }
        return EventField(field.name, .integer(time + Int64(FingerPath.step * 1e6)))
      })
  }

  /// The nearest of instants that are in order.
  private static func nearest(to time: Double, in instants: [Double]) -> Double? {
    let next = instants.partitioningIndex { $0 >= time }
    let near = [next - 1, next].filter(instants.indices.contains).map { instants[$0] }
    return near.min { abs($0 - time) < abs($1 - time) }
  }
}
