import Foundation
import JSONText
import PageBrowser
import TestSupport
import TimelineModel

/// A fixture page that is watched in a browser of this machine.
enum WatchedPage {
  private static var search: BrowserSearch {
    BrowserSearch { ProcessInfo.processInfo.environment[$0] }
  }

  /// The browser for a clock; nil if this machine has none.
  static func browser(for clock: ClockName) -> String? {
    try? search.path(named: nil, for: clock == .steady ? .steady : .real)
  }
  static let hasShell = browser(for: .steady) != nil
  static let hasBrowser = browser(for: .real) != nil

  /// Acts on a page, and gives what was recorded; again if frames are lost, as the program does.
  static func watch(
    _ page: String, _ actions: [PageAction], clock: ClockName = .steady, hasTouch: Bool = true,
    items: String = "[id]", phase: Double = 0, isLoopbackOnly: Bool = false,
    files: FolderLimit? = nil
  ) throws -> PageVisit {
    func visit() throws -> PageVisit {
      try watchOnce(
        page, actions, clock: clock, hasTouch: hasTouch, items: items, phase: phase,
        isLoopbackOnly: isLoopbackOnly, files: files)
    }
    for _ in 1..<4 {
      do { return try visit() } catch let error as BrowserError where error.kind == .lostFrames {}
    }
    return try visit()
  }

  private static func watchOnce(
    _ page: String, _ actions: [PageAction], clock: ClockName, hasTouch: Bool, items: String,
    phase: Double, isLoopbackOnly: Bool, files: FolderLimit?
  ) throws -> PageVisit {
    let folder = try TemporaryFolder()
    let environment = ProcessInfo.processInfo.environment
    let browser = try Browser(
      Browser.Settings(
        path: browser(for: clock) ?? "", profile: folder.url.path,
        environment: environment.map { "\($0.key)=\($0.value)" }, isSteady: clock == .steady,
        hosts: isLoopbackOnly ? LoopbackAddress.hosts : nil))
    defer { browser.end() }
    let address =
      page.contains(":")
      ? page : URL(fileURLWithPath: fixture("pages/watch/\(page)")).absoluteString
    var settings = PageSettings(hasTouch: hasTouch, items: items)
    settings.isLoopbackOnly = isLoopbackOnly
    settings.files = files
    let watch = try PageWatch(
      PageWatch.Request(
        address: address, actions: actions, settings: settings, clock: clock, phase: phase),
      in: browser)
    try watch.run()
    guard let visit = watch.visit else { throw BrowserError(.page, "nothing was recorded") }
    return visit
  }

  /// Why watching fails.
  static func failure(
    _ page: String, _ actions: [PageAction], clock: ClockName = .steady
  ) -> BrowserError? {
    do {
      _ = try watch(page, actions, clock: clock)
      return nil
    } catch {
      return error as? BrowserError
    }
  }
}

extension PageVisit {
  /// The lines behind the header.
  var rows: [JSONValue] {
    text.split(separator: "\n").dropFirst().compactMap { try? parseJSON(Array($0.utf8)) }
  }

  /// The lines that have a field.
  func rows(with field: String) -> [JSONValue] { rows.filter { $0[field] != nil } }

  /// The events of a kind.
  func events(_ kind: String) -> [JSONValue] { rows.filter { $0["event"] == .string(kind) } }
}

extension JSONValue {
  subscript(_ name: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields[name]
  }

  var asNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  var asText: String? { if case .string(let text) = self { text } else { nil } }
}
