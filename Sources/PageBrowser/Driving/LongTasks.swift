import JSONText
import TimelineModel
import WebRecorder

/// The tasks that held the page's main thread for long, out of a trace of the browser's (category devtools.timeline;
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
package struct LongTasks: Sendable {
  /// Shorter tasks cannot make a frame late, in µs.
  static let shortest = 6000.0
  /// The most tasks that are kept.
  private static let most = 200

  /// A stretch of time on the main thread, in µs of the trace's clock.
  private struct Task {
    var start: Double
    var length: Double
    /// The time that the processor gave it.
    var processor: Double
    var thread: [Int?]
    var name: String
    var data: ProtocolObject?

    var end: Double { start + length }
    /// Whether it is the recorder's own work.
    var isRecorder: Bool { data?.text("url")?.hasSuffix(WebScript.drivenName) == true }
  }
  private var tasks: [Task] = []
  /// An instant on both clocks, of the trace in µs and of the session in ms, and the thread of the page.
  private var mark: (trace: Double, session: Double, thread: [Int?])?

  /// The word that an instant on both clocks begins with (`console.timeStamp`, of watch.js).
  private static let markWord = "kymo "

  /// Takes a part of a trace.
  mutating func take(_ events: [ProtocolObject]) {
    for event in events {
      guard let name = event.text("name"), let start = event.number("ts") else { continue }
      let thread = [event.integer("pid"), event.integer("tid")]
      let data = event.object("args")?.object("data")
      if name == "TimeStamp", mark == nil, let message = data?.text("message"),
        message.hasPrefix(Self.markWord),
        let session = Double(message.dropFirst(Self.markWord.count))
      {
        mark = (start, session, thread)
      }
      guard event.text("ph") == "X", let length = event.number("dur"), length > Self.shortest,
        tasks.count < Self.most
      else { continue }
      tasks.append(
        Task(
          start: start, length: length, processor: event.number("tdur") ?? 0, thread: thread,
          name: name, data: data))
    }
  }

  /// The page's tasks as events of the recording, in the order of time. None without an instant on both clocks.
  func lines() -> [PageLine] {
    guard let mark else { return [] }
    let own = tasks.filter { $0.thread == mark.thread }
    let recorders = own.filter(\.isRecorder)
    return own.compactMap { task -> Task? in
      guard !task.isRecorder else { return nil }
      var page = task
      let inside = recorders.filter { task.start <= $0.start && $0.end <= task.end }
      page.processor -= inside.map(\.processor).max() ?? 0
      // A task that did little but record is not the page's.
      return inside.isEmpty || page.processor > Self.shortest ? page : nil
    }.map { task in
      PageLine(
        time: mark.session + (task.start - mark.trace) / 1000, event: "task",
        EventField.known([
          "name": ForeignText.name(task.name),
          "function": task.data?.text("functionName").map(ForeignText.name),
          "url": task.data?.text("url").map { String($0.prefix(200)) },
          "line": task.data?.integer("lineNumber"), "duration_ms": task.length / 1000,
          "cpu_ms": task.processor / 1000,
        ]))
    }
  }
}
