import JSONText
import TimelineModel
import WebRecorder

/// One page in a browser: a context of its own without cookies, a target, and the world of the recorder in it.
package final class PageSession {
  let connection: DevToolsConnection
  let settings: PageSettings
  private let context: String
  private let target: String
  private let session: String
  /// A second session of the target, for a mouse that fingers are made of. A session gives the answer to a mouse's event
  /// to its oldest unanswered request, and those of such a mouse are never answered.
  private let fingerSession: String

  /// The number of the recorder's world in the newest document. `nil` while there is none.
  private(set) var world: Int?
  /// How many documents have been loaded.
  private(set) var loadCount = 0
  /// Whether events of the page are passed on from now on.
  var isRecording = false
  /// The addresses that the page went to by itself.
  private(set) var opened: [String] = []
  /// Other events, each as a sentence of the person's.
  private(set) var told: [String] = []
  /// Whether a line was refused since there were too many.
  private(set) var isOverfull = false
  /// The lines that the recorder handed out.
  private(set) var lines: [[UInt8]] = []
  /// The trace of the page's main thread.
  var tasks = LongTasks()
  var isTraced = false
  private var hasCrashed = false
  /// The newest address of a document that was refused, and the place where it is not.
  private var refused: (address: String, place: String)?
  /// The hosts of other machines that the page asked.
  private(set) var refusedHosts = RefusedHosts()
  private var areFingersMade = false
  private var byteCount = 0
  private var firstLine: ContinuousClock.Instant?

  /// The name of the recorder's world and of what it hands lines to.
  private static let (worldName, binding) = ("kymo", "kymoLines")
  /// How much a page may hand out, in bytes a second: 300 items that all change in each frame are half of it.
  private static let mostBytesPerSecond = 8 << 20
  /// The most sentences that are kept.
  private static let mostTold = 6
  private static let machine = "on this machine"
  /// How long a page may be silent.
  static let patience = Duration.seconds(10)
  /// How long the browser may be silent about itself when a page is.
  private static let ownPatience = Duration.seconds(2)

  /// Opens an empty page.
  ///
  /// - Parameter isSteady: Whether frames are begun by hand.
  package init(
    in browser: Browser, _ settings: PageSettings, isSteady: Bool
  ) throws(BrowserError) {
    (connection, self.settings) = (browser.connection, settings)
    let made = try connection.call(
      "Target.createBrowserContext", EventField.list(["disposeOnDetach": true]))
    guard let context = made.text("browserContextId") else {
      throw .lacks("browserContextId", in: "Target.createBrowserContext")
    }
    self.context = context
    var wishes = EventField.list([
      "url": "about:blank", "browserContextId": context, "width": settings.width,
      "height": settings.height,
    ])
    if isSteady { wishes.append(EventField("enableBeginFrameControl", .flag(true))) }
    guard let target = try connection.call("Target.createTarget", wishes).text("targetId") else {
      throw .lacks("targetId", in: "Target.createTarget")
    }
    self.target = target
    session = try Self.attach(to: target, of: browser)
    fingerSession = try Self.attach(to: target, of: browser)
    connection.onEvent = { [weak self] in self?.take($0) }
    try prepare()
  }

  private static func attach(
    to target: String, of browser: Browser
  ) throws(BrowserError) -> String {
    let method = "Target.attachToTarget"
    let answer = try browser.connection.call(
      method, EventField.list(["targetId": target, "flatten": true]))
    guard let session = answer.text("sessionId") else { throw .lacks("sessionId", in: method) }
    return session
  }

  deinit { connection.onEvent = { _ in } }

  private func prepare() throws(BrowserError) {
    for domain in ["Page", "Runtime", "Inspector"] { try call("\(domain).enable") }
    try call(
      "Emulation.setDeviceMetricsOverride",
      EventField.list([
        "width": settings.width, "height": settings.height,
        "deviceScaleFactor": settings.pixelRatio, "mobile": settings.hasTouch,
      ]))
    if settings.hasTouch {
      try call(
        "Emulation.setTouchEmulationEnabled",
        EventField.list(["enabled": true, "maxTouchPoints": 5]))
    }
    try call("Emulation.setFocusEmulationEnabled", EventField.list(["enabled": true]))
    var features: [FieldValue] = []
    if settings.prefersReducedMotion {
      features.append(.object(named: ["name": "prefers-reduced-motion", "value": "reduce"]))
    }
    if settings.isDark {
      features.append(.object(named: ["name": "prefers-color-scheme", "value": "dark"]))
    }
    if !features.isEmpty {
      try call(
        "Emulation.setEmulatedMedia", EventField.list(["features": FieldValue.list(features)]))
    }
    if settings.slowdown != 1 {
      try call("Emulation.setCPUThrottlingRate", EventField.list(["rate": settings.slowdown]))
    }
    try call("Page.setInterceptFileChooserDialog", EventField.list(["enabled": true]))
    try connection.call(
      "Browser.setDownloadBehavior",
      EventField.list(["behavior": "deny", "browserContextId": context, "eventsEnabled": true]))
    try connection.call("Target.setDiscoverTargets", EventField.list(["discover": true]))
    var patterns: [FieldValue] = []
    if settings.isLoopbackOnly {
      // Each redirect stops here again, before its request is sent.
      patterns.append(
        .object(named: [
          "urlPattern": "*", "resourceType": "Document", "requestStage": "Request",
        ]))
      // The browser finds no other host. Here its requests are counted.
      try call("Network.enable")
    }
    if settings.files != nil {
      patterns.append(.object(named: ["urlPattern": "file:*", "requestStage": "Request"]))
    }
    if !patterns.isEmpty {
      try call("Fetch.enable", EventField.list(["patterns": FieldValue.list(patterns)]))
    }
    try call(
      "Runtime.addBinding",
      EventField.list(["name": Self.binding, "executionContextName": Self.worldName]))
    try run(inEachDocument: WebScript.driven)
  }

  /// Closes the page. The recorded lines stay.
  package func close() {
    _ = try? connection.call(
      "Target.closeTarget", EventField.list(["targetId": target]), within: .seconds(2))
    _ = try? connection.call(
      "Target.disposeBrowserContext", EventField.list(["browserContextId": context]),
      within: .seconds(2))
  }

  // MARK: Requests

  @discardableResult
  func call(
    _ method: String, _ parameters: [EventField] = [], within limit: Duration = patience
  ) throws(BrowserError) -> ProtocolObject {
    let id = try connection.send(method, parameters, to: session)
    // A page that has crashed answers nothing.
    guard try wait(within: limit, until: { self.connection.hasReply(to: id) }) else {
      // A browser that answers for itself is not at fault: a script holds the page's thread.
      let isPage = (try? connection.call("Browser.getVersion", within: Self.ownPatience)) != nil
      throw isPage && limit >= Self.patience
        ? Self.silence : connection.silence(on: id, of: method, after: limit)
    }
    return try connection.reply(to: id, of: method)
  }

  /// Has an input happen.
  ///
  /// - Parameter stamp: When it happens, in seconds since 1970.
  /// - Returns: The number of the request. `nil` if it is never answered: that is so of a mouse that a finger is made of.
  func send(_ input: PlannedInput, stamp: Double) throws(BrowserError) -> Int? {
    let parameters = input.parameters(stamp: stamp)
    guard areFingersMade else {
      return try connection.send(input.method, parameters, to: session)
    }
    try connection.send(unanswered: input.method, parameters, to: fingerSession)
    return nil
  }

  /// Reads until something holds, and ends with an error if the page has crashed.
  func wait(within limit: Duration, until holds: () -> Bool) throws(BrowserError) -> Bool {
    let isThere = try connection.wait(within: limit) { holds() || hasCrashed }
    try expectLife()
    return isThere
  }

  private func expectLife() throws(BrowserError) {
    guard !hasCrashed else {
      throw BrowserError(
        .page, "the page crashed. Try it with --clock real, or keep the recording with --into")
    }
  }

  /// Has each document that comes run a script in the recorder's world before its own.
  func run(inEachDocument script: String) throws(BrowserError) {
    try call(
      "Page.addScriptToEvaluateOnNewDocument",
      EventField.list(["source": script, "worldName": Self.worldName]))
  }

  /// Has the browser make a finger of the mouse, or not.
  func makeFingers(_ areMade: Bool) throws(BrowserError) {
    guard areMade != areFingersMade else { return }
    try call(
      "Emulation.setEmitTouchEventsForMouse",
      EventField.list(["enabled": areMade, "configuration": "mobile"]))
    areFingersMade = areMade
  }

  /// Has the browser forget the fingers that were: it takes one that lands behind a throw for one that stops it.
  func forgetFingers() throws(BrowserError) {
    try makeFingers(true)
    try makeFingers(false)
  }

  func navigate(to address: String) throws(BrowserError) {
    world = nil
    let answer = try call(
      "Page.navigate", EventField.list(["url": address]), within: .seconds(30))
    if let why = answer.text("errorText"), !why.isEmpty {
      if let refused {
        let remedy =
          refused.place == Self.machine ? "Remove --loopback-only, or use" : "Name"
        throw BrowserError(
          .page,
          "\(ForeignText.quoted(address)) leads to \(ForeignText.quoted(refused.address)), which is not "
            + "\(refused.place). \(remedy) another page")
      }
      throw BrowserError(
        .page,
        "\(ForeignText.quoted(address)) does not load: \(ForeignText.quoted(why)). Check the address"
      )
    }
  }

  /// Asks the recorder's world of the newest document.
  ///
  /// - Parameter expression: JavaScript of ours, in which texts from elsewhere stand as JSON.
  func evaluate(
    _ expression: String, within limit: Duration = patience
  ) throws(BrowserError) -> ProtocolObject {
    for isLast in [false, true] {
      guard try wait(within: limit, until: { self.world != nil }), let world else { break }
      do throws(BrowserError) {
        let answer = try call(
          "Runtime.evaluate",
          EventField.list([
            "expression": expression, "contextId": world, "returnByValue": true,
          ]), within: limit)
        if let trouble = answer.object("exceptionDetails") {
          let why = trouble.object("exception")?.text("description") ?? trouble.text("text") ?? ""
          throw BrowserError(
            .page,
            "the recorder failed in the page: \(ForeignText.quoted(why)). Try another browser")
        }
        return answer.object("result")?.object("value") ?? ProtocolObject()
      } catch {
        guard !isLast, error.kind == .refusal else {
          throw error.kind == .silence && limit == Self.patience ? Self.silence : error
        }
        // The document was exchanged meanwhile: the next one is asked.
        if self.world == world { self.world = nil }
      }
    }
    throw Self.silence
  }

  static var silence: BrowserError {
    BrowserError(
      .page,
      "the page has not answered for \(patience.wholeSeconds) s: a script of the page does not end. Look for an "
        + "endless loop in it"
    )
  }

  // MARK: Events

  private func take(_ event: ProtocolEvent) {
    let fields = event.parameters
    if event.session == nil { return takeFromBrowser(event.method, fields) }
    guard event.session == session else { return }
    switch event.method {
    case "Runtime.executionContextCreated":
      guard let made = fields.object("context"), made.text("name") == Self.worldName,
        made.object("auxData")?.text("frameId") == target
      else { return }
      world = made.integer("id")
    case "Runtime.executionContextDestroyed":
      if fields.integer("executionContextId") == world { world = nil }
    case "Runtime.executionContextsCleared": world = nil
    case "Runtime.bindingCalled":
      if fields.text("name") == Self.binding { take(lines: fields.text("payload") ?? "") }
    case "Runtime.exceptionThrown":
      let details = fields.object("exceptionDetails")
      let why = details?.object("exception")?.text("description") ?? details?.text("text")
      tell(
        "a script failed: \(ForeignText.quoted(why?.split(separator: "\n").first.map(String.init) ?? ""))"
      )
    case "Page.loadEventFired": loadCount += 1
    case "Page.frameNavigated":
      guard isRecording, let frame = fields.object("frame"), frame.text("parentId") == nil else {
        return
      }
      opened.append(frame.text("url") ?? "")
    case "Page.javascriptDialogOpening":
      tell(
        "accepted a dialog: \(ForeignText.quoted(fields.text("message") ?? ""))")
      // Nobody waits for the answer, as in a handler nobody can.
      try? connection.send(
        unanswered: "Page.handleJavaScriptDialog", EventField.list(["accept": true]), to: session)
    case "Page.fileChooserOpened": tell("refused a file chooser")
    case "Fetch.requestPaused": admit(fields)
    case "Network.requestWillBeSent":
      refusedHosts.count(requestTo: fields.object("request")?.text("url") ?? "")
    case "Page.windowOpen" where settings.isLoopbackOnly:
      refusedHosts.count(requestTo: fields.text("url") ?? "")
    case "Network.webSocketCreated": refusedHosts.count(requestTo: fields.text("url") ?? "")
    case "Inspector.targetCrashed": hasCrashed = true
    case "Tracing.dataCollected": tasks.take(fields.objects("value"))
    case "Tracing.tracingComplete": isTraced = true
    case "Emulation.virtualTimeBudgetExpired": expiredBudgets += 1
    default: break
    }
  }

  /// How many stretches of virtual time are over.
  private(set) var expiredBudgets = 0

  private func takeFromBrowser(_ method: String, _ fields: ProtocolObject) {
    switch method {
    case "Target.targetCreated":
      guard let made = fields.object("targetInfo"), made.text("openerId") == target,
        let other = made.text("targetId")
      else { return }
      tell("refused a new window: \(ForeignText.quoted(made.text("url") ?? ""))")
      try? connection.send(
        unanswered: "Target.closeTarget", EventField.list(["targetId": other]), to: nil)
    case "Browser.downloadWillBegin":
      tell("refused a download: \(ForeignText.quoted(fields.text("suggestedFilename") ?? ""))")
    default: break
    }
  }

  /// Lets a document or a file be loaded, unless it is on another machine or outside of the folder.
  private func admit(_ request: ProtocolObject) {
    guard let id = request.text("requestId") else { return }
    let address = request.object("request")?.text("url") ?? ""
    let isOutside = settings.files.map { !$0.contains(address: address) } ?? false
    let isFile = address.lowercased().hasPrefix("file:")
    // Frames of other machines are not found, and are counted with the other requests.
    let isOther =
      settings.isLoopbackOnly && request.text("frameId") == target
      && !LoopbackAddress.isOne(address)
    let isAdmitted = !isOther && !(isFile && isOutside)
    if !isAdmitted {
      let why = isOther ? Self.machine : "below the folder of --files-below"
      if request.text("frameId") == target, request.text("resourceType") == "Document" {
        refused = (address, why)
      }
      tell("refused to open \(ForeignText.quoted(address)), which is not \(why)", isOfLoad: true)
    }
    // An aborted request leaves the document that is there.
    try? connection.send(
      unanswered: isAdmitted ? "Fetch.continueRequest" : "Fetch.failRequest",
      EventField.list(["requestId": id])
        + (isAdmitted ? [] : EventField.list(["errorReason": "Aborted"])), to: session)
  }

  /// Keeps a sentence, if it is new.
  ///
  /// - Parameter isOfLoad: Whether it is kept before the page is recorded, too.
  func tell(_ sentence: String, isOfLoad: Bool = false) {
    if isRecording || isOfLoad, told.count < Self.mostTold, !told.contains(sentence) {
      told.append(sentence)
    }
  }

  private func take(lines text: String) {
    let now = ContinuousClock.now
    firstLine = firstLine ?? now
    let seconds = (now - (firstLine ?? now)).wholeMilliseconds / 1000 + 1
    byteCount += text.utf8.count
    guard byteCount <= Int(seconds) * Self.mostBytesPerSecond else {
      isOverfull = true
      return
    }
    lines += text.utf8.split(separator: UInt8(ascii: "\n")).map(Array.init)
  }
}
