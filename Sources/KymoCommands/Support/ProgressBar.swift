/// How far a command is, on standard error: only where that is a terminal, and only once the work has taken
/// half a second.
///
/// ```swift
/// let bar = ProgressBar(console, label: "reading")
/// defer { bar.finish() }
/// for (index, file) in files.enumerated() {
///   bar.update(Double(index) / Double(files.count))
///   …
/// }
/// ```
final class ProgressBar {
  private let console: Console
  private let label: String
  private let isShown: Bool
  private let start: ContinuousClock.Instant
  private var latest: ContinuousClock.Instant?
  private var percent = -1

  /// What is done in less time is done before anybody wonders.
  private static let patience = Duration.milliseconds(500)
  /// No more pictures than an eye can tell apart.
  private static let rest = Duration.milliseconds(50)
  /// Letters of the bar itself. With a label it fits a line of 80.
  private static let width = 30

  /// Makes a bar.
  ///
  /// - Parameters:
  ///   - console: Draws the bar if its standard error is a terminal.
  ///   - label: What is being done, in a word or two.
  init(_ console: Console, label: String) {
    (self.console, self.label) = (console, label)
    isShown = console.showsProgress
    start = console.now()
  }

  /// Draws how far the work is, at most some times a second.
  ///
  /// - Parameter fraction: 0 at the beginning, 1 at the end. What lies outside counts as these.
  func update(_ fraction: Double) {
    guard isShown else { return }
    let now = console.now()
    guard now - start >= Self.patience, latest.map({ now - $0 >= Self.rest }) ?? true else {
      return
    }
    let part = fraction.isFinite ? max(0, min(1, fraction)) : 0
    guard Int(part * 100) != percent else { return }
    percent = Int(part * 100)
    latest = now
    console.busyIndicator?.end()
    console.put(ProgressBar.line(label: label, fraction: part))
  }

  /// Takes the bar away.
  func finish() {
    guard latest != nil else { return }
    latest = nil
    console.put("\r\u{1b}[K")
  }

  /// The line that is drawn: back to its beginning, label, bar and percentage.
  static func line(label: String, fraction: Double) -> String {
    let full = Int(fraction * Double(width))
    let bar =
      String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    return "\r\(label) \(bar) \(Int(fraction * 100)) %\u{1b}[K"
  }
}
