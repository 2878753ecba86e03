import JSONText
import KymographCLibrary
import TimelineInterchange
import TimelineModel
import TimelineRecorder
import TimelineStore

/// How many refused lines are named. Further ones are counted.
private let reportedLineLimit = 5

/// Records an app's own lines until the end of the input, live.
///
/// A line that cannot be understood is left out and counted. The rest is kept. An interrupt ends the
/// recording as the end of the input does.
///
/// - Parameters:
///   - name: The name of the lines in sentences.
///   - isReported: Whether the session that was made is printed.
///   - endsBySignal: Whether a signal ends the lines and not the program.
///   - uuid: The identity of the session. `nil`: one of its own.
func recordLines(
  _ linesPath: String, named name: String, into path: String, _ invocation: Invocation,
  isReported: Bool = true, endsBySignal: Bool = true, uuid: String? = nil
) throws -> ExitCode {
  let source = try LineSource(
    invocation.console, linesPath, named: name, endsBySignal: endsBySignal)
  guard let first = try source.next() else {
    throw Failure.unreadable("\(name) is empty. Its first line must be {\"kymograph\": 1, …}")
  }
  let header: NDJSONReader.Header
  do {
    header = try NDJSONReader.Header(
      JSONReader(try parseJSON(first.bytes, line: first.number)), software: programName)
  } catch {
    let why = error.path.hasPrefix("$") ? "\(error)" : error.message
    throw Failure.unreadable(
      "\(name):\(first.number): the first line must be {\"kymograph\": 1, …}. \(why)")
  }
  var session = header.session
  session.uuid = uuid ?? session.uuid
  let (recorder, sink, troubles) = try invocation.recorder(into: path, session)
  var lines = NDJSONReader(sink: sink)
  var order = LineOrder()
  var refused = RefusedLines(invocation.console, name)
  func attempt(_ number: Int, _ body: () throws(JSONError) -> Void) {
    do {
      try body()
    } catch {
      refused.add(number, error)
    }
  }
  func take(_ ready: [LineOrder.Line]) {
    for line in ready {
      attempt(line.number) { () throws(JSONError) in
        try lines.take(line.reader, bytes: line.bytes, number: line.number)
      }
    }
  }
  // What a silent app has said so far is in the file, for readers and for the case that it is killed.
  source.onIdle = {
    take(order.rest())
    recorder.sync()
    refused.report()
  }
  source.onHaste = {
    recorder.makeNextCommitDurable()
    refused.report()
  }
  while let line = try source.next() {
    attempt(line.number) { () throws(JSONError) in
      let reader = JSONReader(try parseJSON(line.bytes, line: line.number))
      let read = (line.number, reader, line.bytes)
      take(header.isExport ? [read] : order.add(read))
    }
  }
  take(order.rest())
  refused.report()
  if let first = order.firstLate {
    invocation.note(
      "\(name):\(first): \(order.lateCount == 1 ? "1 line is" : "\(order.lateCount) lines are") out of the order "
        + "of t_ns by more than \(LineOrder.window / 1_000_000) ms. Such lines are recorded as they come, and "
        + "velocities there may be wrong")
  }
  if refused.count > reportedLineLimit {
    invocation.note("\(name): \(refused.count - reportedLineLimit) more lines are left out")
  }
  // What was recorded before is recorded again, whatever it is.
  let warnings = header.isExport ? [] : lines.warnings.all()
  for warning in warnings { invocation.note("\(name)\(warning)") }
  lines.end(as: header.recorded)
  try troubles.finish { try recorder.finish(at: lines.end, outcome: lines.outcome) }
  if !lines.labels.isEmpty {
    let editor = try RecordingEditor(path: path)
    let redaction = try invocation.redaction()
    let session = try editor.number(of: recorder.uuid)
    try editor.label(lines.labels.map { (session, .set(redaction.redacted($0))) })
    try editor.settleIntoOneFile()
  }
  if isReported { try reportRecording(path, recorder, invocation) }
  return refused.count == 0 && order.lateCount == 0 && warnings.isEmpty ? troubles.code : .loss
}

/// Lines that could not be understood. One is known later than another that it precedes, since lines are sorted by time.
private struct RefusedLines {
  private(set) var count = 0
  private let console: Console
  private let name: String
  private var waiting: [(line: Int, note: String)] = []
  private var reported = 0

  init(_ console: Console, _ name: String) { (self.console, self.name) = (console, name) }

  mutating func add(_ line: Int, _ error: JSONError) {
    count += 1
    guard reported < reportedLineLimit else { return }
    let isValue = error.path.hasPrefix("$")
    let path = isValue && error.path != "$" ? "\(error.path): " : ""
    waiting.append(
      (
        line,
        "\(name):\(isValue ? "\(line)" : error.path): left out: \(path)\(error.message.asClause)"
      ))
    guard waiting.count > 2 * reportedLineLimit else { return }
    waiting.sort { $0.line < $1.line }
    waiting.removeLast(reportedLineLimit)
  }

  /// Notes those that wait, in their order.
  mutating func report() {
    waiting.sort { $0.line < $1.line }
    for refusal in waiting.prefix(reportedLineLimit - reported) {
      console.note(refusal.note)
      reported += 1
    }
    waiting = []
  }
}

/// Lines of a file or of standard input as they arrive.
private final class LineSource {
  /// A line without its end, and its number counted from 1.
  typealias Line = (number: Int, bytes: [UInt8])

  /// The longest line that is read, in bytes. A frame of 10,000 items is about 2 MB.
  private static let longestLine = 64 << 20

  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private var start = 0
  private var number = 0
  private var isOver = false
  /// Called when a pipe is silent and what has come is to be written to the disk. Never for a file, so that
  /// the same file always gives the same recording.
  var onIdle: () -> Void = {}
  /// Called in its place when more has come already, so that a busy pipe gives the same recording too.
  var onHaste: () -> Void = {}
  private let canBeIdle: Bool
  private let console: Console
  private var pace = SlowInput()

  init(_ console: Console, _ path: String, named name: String, endsBySignal: Bool) throws {
    (self.console, self.name) = (console, name)
    descriptor = path == "-" ? console.input : try openToRead(path)
    var facts = stat()
    canBeIdle = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    if endsBySignal, console.ownsProcess { ReadingInterrupt.handle() }
  }

  deinit {
    if descriptor != console.input { close(descriptor) }
  }

  /// The next line that is not blank. `nil` at the end of the input or after an interrupt.
  func next() throws -> Line? {
    while let line = try nextAny() {
      if line.bytes.contains(where: { $0 != 0x20 && $0 != 0x09 }) { return line }
    }
    return nil
  }

  private func nextAny() throws -> Line? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        var line = buffer[start..<end]
        if line.last == 0x0D { line.removeLast() }
        start = end + 1
        number += 1
        return (number, Array(line))
      }
      if isOver {
        guard start < buffer.count else { return nil }
        let line = Array(buffer[start...])
        start = buffer.count
        number += 1
        return (number, line)
      }
      buffer.removeSubrange(..<start)
      start = 0
      searched = buffer.count
      guard buffer.count < LineSource.longestLine else {
        throw Failure.unreadable("\(name):\(number + 1): the line is longer than 64 MiB")
      }
      try fill()
    }
  }

  private func fill() throws {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !isOver {
      if ReadingInterrupt.hasCome { break }
      if canBeIdle, let patience = pace.patience(at: MonotonicClock.nanoseconds) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&waiting, 1, patience)
        // An interrupt comes back with a negative number, and is looked at above.
        if ready < 0 { continue }
        if ready == 0 || patience == 0 {
          pace.isSafe()
          ready == 0 ? onIdle() : onHaste()
        }
        if ready == 0 { continue }
      }
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        buffer.append(contentsOf: chunk[..<count])
        if canBeIdle { pace.arrived(at: MonotonicClock.nanoseconds) }
        return
      }
      if count == 0 { break }
      if errno != EINTR {
        throw Failure.unreadable("\(name) cannot be read: \(String(cString: strerror(errno)))")
      }
    }
    isOver = true
  }
}
