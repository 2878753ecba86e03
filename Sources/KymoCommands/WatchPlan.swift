import MotionJudgement
import PageBrowser
import TimelineModel
import TimelineStore
import WebRecorder

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `kymo watch` was asked to do.
struct WatchPlan {
  /// The page's address.
  var address: String
  var actions: [PageAction]
  var settings: PageSettings
  var clock: WatchClock
  var isHeaded: Bool
  /// The browser that was named.
  var browser: String?
  /// How long rest is waited for, in milliseconds.
  var restLimit: Double
  /// At how many phases of a frame it is done.
  var times: Int
  /// The recording that is kept. `nil`: none is.
  var path: String?
  /// With what the motion is compared. `nil`: with nothing.
  var other: Other?

  /// The faults that are excused.
  var allowances: [FaultAllowance] = []

  /// Something that the motion is compared with.
  enum Other {
    /// A page on which the same is done, by its address, and the words that name it.
    case page(String, name: String)
    /// A session of a recording.
    case recording(SessionArgument, name: String)

    /// The words that name it.
    var name: String {
      switch self {
      case .page(_, let name), .recording(_, let name): name
      }
    }

    /// The address of a page.
    var address: String? { if case .page(let address, _) = self { address } else { nil } }
  }

  /// The page for build servers: a file by its path from the folder of the call, and any other by its address.
  var source: String {
    guard let url = URL(string: address), url.isFileURL else { return address }
    let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).path + "/"
    return url.path.hasPrefix(folder) ? String(url.path.dropFirst(folder.count)) : address
  }

  /// Reads the flags, and what an earlier recording did.
  init(_ invocation: Invocation) throws {
    var earlier: EarlierWatch?
    if let name = invocation.text(WatchFlags.again) {
      earlier = try EarlierWatch(SessionArgument(invocation.console, name), name)
    }
    switch (invocation.positionals.first, earlier) {
    case (let page?, _): address = try Self.address(page)
    case (nil, let earlier?): address = earlier.address
    case (nil, nil): throw Failure.usage("missing URL. Usage: kymo watch URL|FILE.html [ACTIONS]")
    }
    let given = try ActionReading.actions(invocation)
    guard given.isEmpty || earlier == nil else {
      throw Failure.usage("--again repeats the recorded actions. Remove the other actions")
    }
    actions = earlier?.actions ?? given
    settings = earlier?.settings ?? PageSettings(items: WebScript.standardItems)
    if let size = try invocation.value(WatchFlags.viewport) {
      (settings.width, settings.height) = (size.width, size.height)
    }
    let (hasTouch, hasMouse) = (
      invocation.has(WatchFlags.touch), invocation.has(WatchFlags.mouse)
    )
    guard !hasTouch || !hasMouse else {
      throw Failure.usage("--touch and --mouse cannot be combined. Remove one of them")
    }
    let needsTouch = actions.contains(where: \.needsTouch)
    guard !needsTouch || !hasMouse else {
      throw Failure.usage(
        "--tap, --long-press and --pinch are fingers. Remove --mouse, or use --click, --hold and --wheel"
      )
    }
    if hasTouch || hasMouse {
      settings.hasTouch = hasTouch
    } else if earlier == nil {
      settings.hasTouch = needsTouch || settings.width < Self.narrow
    }
    settings.pixelRatio = try invocation.value(WatchFlags.dpr) ?? settings.pixelRatio
    settings.slowdown = try invocation.value(WatchFlags.cpu) ?? settings.slowdown
    settings.items = try invocation.value(WatchFlags.items) ?? settings.items
    if invocation.has(WatchFlags.reducedMotion) { settings.prefersReducedMotion = true }
    if invocation.has(WatchFlags.dark) { settings.isDark = true }
    settings.isLoopbackOnly = invocation.has(WatchFlags.loopbackOnly)
    let files = invocation.text(WatchFlags.filesBelow).map(FolderLimit.init)
    settings.files = files
    isHeaded = invocation.has(WatchFlags.headed)
    browser = invocation.text(WatchFlags.browser)
    restLimit = Double(try invocation.value(WatchFlags.restLimit) ?? 5_000_000_000) / 1e6
    times = try invocation.value(WatchFlags.times) ?? 1
    path = invocation.text(Flags.into)
    clock = try invocation.value(WatchFlags.clock) ?? .auto
    // The steady clock has no processor to slow down, no window, and no load.
    let needsReal = isHeaded ? "--headed" : settings.slowdown != 1 ? "--cpu" : nil
    if let needsReal, clock == .steady {
      throw Failure.usage("\(needsReal) needs the real clock. Remove --clock steady")
    }
    if needsReal != nil || actions.isEmpty && clock == .auto { clock = .real }
    allowances = try Self.allowances(invocation)
    if let name = invocation.text(WatchFlags.against) {
      other =
        Self.isPage(name)
        ? .page(try Self.address(name), name: name)
        : .recording(try SessionArgument(invocation.console, name), name: name)
    }
    for page in [address, other?.address].compactMap(\.self) {
      guard let files, page.lowercased().hasPrefix("file:") else { continue }
      guard files.contains(address: page) else {
        throw Failure.usage(
          "\(ForeignText.quoted(page)) is outside of \(files.folder). Name a page below it")
      }
    }
    for page in [address, other?.address].compactMap(\.self)
    where settings.isLoopbackOnly && !LoopbackAddress.isOne(page) {
      throw Failure.usage(
        "\(ForeignText.quoted(page)) is not on this machine. Remove --loopback-only, or use localhost"
      )
    }
    guard path != "", path != "-" else {
      throw Failure.usage("--into must be the name of a file (got '\(path ?? "")')")
    }
    guard
      path.map({ URL(fileURLWithPath: $0).standardizedFileURL.absoluteString != address }) ?? true
    else { throw Failure.usage("--into is the page itself. Name another file") }
  }

  /// How the names of pages end. The first two alone are not taken for anything else.
  private static let endings = [".html", ".htm", ".xhtml", ".svg"]
  /// Windows below this width are taken for those of a phone, in px.
  private static let narrow = 700

  /// The faults that are excused: each as given, and `@FILE` for the lines of a file. `#` begins a line that says nothing.
  private static func allowances(_ invocation: Invocation) throws -> [FaultAllowance] {
    var words: [String] = []
    for text in invocation.texts(WatchFlags.allow) {
      guard text.hasPrefix("@") else {
        words.append(text)
        continue
      }
      let bytes = try invocation.console.readInput(
        String(text.dropFirst()), atMost: .description)
      words += String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map(String.init).filter { line in
          line.contains { !$0.isWhitespace } && !line.hasPrefix("#")
        }
    }
    return try words.map { text in
      if let allowance = FaultAllowance(text) { return allowance }
      let name = text.split(separator: ":").first.map(String.init) ?? text
      throw Failure.usage(
        "--allow \(ForeignText.quoted(text)): no fault has that name. "
          + choices(near: name, among: MotionFault.all.map(\.name), listedBy: "kymo help faults"))
    }
  }

  /// The address of a page: what has a scheme that browsers open pages by is one, and all else is a file.
  static func address(_ word: String) throws -> String {
    if isAddress(word) { return word }
    guard !word.contains("://") else {
      throw Failure.usage(
        "\(word) is not a page. Begin an address with http://, https:// or file://")
    }
    guard endings.contains(where: { word.lowercased().hasSuffix($0) }) else {
      throw Failure.usage("'\(word)' is not a page. Name a file that ends in .html, or an address")
    }
    guard try isRegularFile(word) else { throw Failure.unreadable("\(word) is not a file") }
    return URL(fileURLWithPath: word).standardizedFileURL.absoluteString
  }

  /// Whether a word is an address.
  static func isAddress(_ word: String) -> Bool {
    ["http://", "https://", "file://"].contains { word.lowercased().hasPrefix($0) }
  }

  /// Whether a word alone means `kymo watch`.
  static func isPage(_ word: String) -> Bool {
    isAddress(word) || endings.prefix(2).contains { word.lowercased().hasSuffix($0) }
  }
}

/// What a recording says that `kymo watch` did.
struct EarlierWatch {
  let address: String
  let settings: PageSettings
  let actions: [PageAction]

  /// - Parameter name: The recording, as the person named it.
  init(_ source: SessionArgument, _ name: String) throws {
    let number = source.session.number
    let touches = try source.reader.touches(in: number).rest()
    let events = try source.reader.events(in: number).rest().filter {
      $0.kind.rawValue == "action"
    }
    var opening: (address: String, settings: PageSettings)?
    var actions: [PageAction] = []
    for event in events {
      guard let fields = FieldValue(json: event.fieldsJSON.utf8) else { continue }
      if let settings = PageSettings(recorded: fields), case .text(let address)? = fields["target"],
        WatchPlan.isAddress(address)
      {
        opening = opening ?? (address, settings)
      } else if let action = PageAction(
        recorded: fields,
        touches: {
          guard case .integer(let end)? = fields["end_ns"] else { return [] }
          return touches.filter { $0.time >= event.time && $0.time.nanoseconds <= end }
        })
      {
        actions.append(action)
      }
    }
    guard let opening else {
      throw Failure.usage(
        "\(name) has no recorded actions on a page. Name a recording of kymo watch")
    }
    (address, settings, self.actions) = (opening.address, opening.settings, actions)
  }
}
