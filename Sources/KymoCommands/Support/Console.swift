import KymographCLibrary
import TimelineInterchange
import TimelineRendering
import TimelineStore

/// Everything outside of a command: streams, terminal, environment, clock, interrupts and children.
///
/// A command gets it with its ``Invocation``. The program makes one for its own streams. A test makes one for files,
/// so that commands run side by side in one process.
package final class Console: @unchecked Sendable {
  /// The descriptor of standard input.
  let input: Int32
  /// The descriptor of standard error.
  let errors: Int32
  /// The answers, and nothing else.
  let output: StandardOutput
  /// The value of an environment variable. `nil` if it is not set.
  let variable: (String) -> String?
  /// The time, for progress and waiting.
  let now: @Sendable () -> ContinuousClock.Instant
  /// Whether the process is the command's own: it may handle signals, start children and take over the terminal.
  package let ownsProcess: Bool
  /// The name by which the program was called.
  let program: String
  /// The command that runs, for the beginning of notes. `nil` before it is known.
  var command: String?
  /// Takes each note in place of standard error, when one process works for another.
  var noteHandler: ((String) -> Void)?
  /// The notes that are given once, as long as this process or its server runs.
  var notesGiven = GivenNotes()
  /// Takes the progress of a job, 0 to 1, when this process does it.
  var workProgress: ((Double) -> Void)?
  /// Whether whoever asked for the command has taken that back. Asked while a command waits.
  var isCancelled: () -> Bool = { false }
  /// Shows a terminal that a silent command works. `nil` if nobody looks.
  var busyIndicator: BusyIndicator?

  /// Whether a part of an input could not be read. The command then ends with ``ExitCode/loss`` in place of 0.
  var hasReadLosses = false

  /// What came through pipes, by their names. A pipe can be read once, and a command may ask again.
  var pipes: [String: [UInt8]] = [:]

  /// The recordings of which one state is kept.
  private var kept: [KeptRecording] = []

  /// Makes a console.
  ///
  /// - Parameters:
  ///   - input: The descriptor of standard input.
  ///   - output: The descriptor of standard output.
  ///   - errors: The descriptor of standard error.
  ///   - program: The name by which the program was called.
  ///   - ownsProcess: Whether a command may handle signals, start children and take over the terminal.
  ///   - variable: The value of an environment variable.
  ///   - now: The time.
  ///   - takingAnswers: Takes the answers in place of standard output.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO,
    program: String = "kymo", ownsProcess: Bool,
    variable: @escaping (String) -> String? = { getenv($0).map { String(cString: $0) } },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    takingAnswers: (([UInt8]) -> Void)? = nil
  ) {
    (self.input, self.errors) = (input, errors)
    (self.program, self.ownsProcess) = (program, ownsProcess)
    (self.variable, self.now) = (variable, now)
    self.output = StandardOutput(takingAnswers == nil ? output : -1, taking: takingAnswers)
    self.output.console = self
  }

  /// Has a recording answer all questions from one state, until the command ends or waits for anything.
  func keepState(of reader: RecordingReader) throws {
    try reader.keepState()
    kept.removeAll { $0.reader == nil }
    kept.append(KeptRecording(reader: reader))
  }

  /// The reader that keeps the state of a recording. `nil`: none does.
  func keptReader(of path: String) -> RecordingReader? {
    kept.lazy.compactMap(\.reader).first { $0.path == path }
  }

  /// Lets recordings go on to newer states: before the command waits for a person, a page or new rows, and before it
  /// writes to one of them.
  func letGoOfStates() {
    for recording in kept { recording.reader?.letGoOfState() }
    kept = []
  }

  /// Whether a recording's state is kept, for which others may wait.
  fileprivate var keepsState: Bool { kept.contains { $0.reader != nil } }

  /// Begins to show that a command works, if somebody looks at standard error.
  package func beginBusyIndicator(_ words: [String]) {
    busyIndicator = BusyIndicator.begin(words, self)
  }

  /// Writes one line to standard error, made harmless. A closed stream is no error.
  func note(_ message: String) {
    if let noteHandler { return noteHandler(message) }
    write(note: "kymo\(command.map { " \($0)" } ?? ""): " + DisplayText.harmless(message) + "\n")
  }

  /// Writes one line to standard error, unless that was done.
  func note(once message: String) {
    if notesGiven.insert(message) { note(message) }
  }

  /// Writes a text of several lines, such as help, to standard error.
  func note(lines text: String) {
    if let noteHandler { return noteHandler(text) }
    write(note: DisplayText.harmlessLines(text))
  }

  private func write(note text: String) {
    output.flush()
    busyIndicator?.pause()
    put(output.isReadByRunner ? WorkflowCommand.disarmed(text) : text)
  }

  /// Writes to standard error as it is: a text that a terminal shows in place.
  func put(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = putBytes(errors, $0) }
  }

  /// Runs a closure without notes.
  func withoutNotes<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = noteHandler
    noteHandler = { _ in }
    defer { noteHandler = before }
    return try body()
  }

  /// Whether a person looks at standard error.
  var showsProgress: Bool { isatty(errors) == 1 }

  /// Whether a person sits at both ends.
  var isTerminal: Bool { isatty(input) == 1 && output.isTerminal }

  /// Columns of the terminal that shows the answers. `nil` if they go elsewhere, and lines have any length.
  var width: Int? {
    var size = winsize()
    guard output.isTerminal, ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Whether colours may be sent: https://no-color.org asks for none if NO_COLOR is not empty.
  var allowsColor: Bool { (variable("NO_COLOR") ?? "").isEmpty }

  /// Whether the terminal cannot move its cursor.
  var isDumb: Bool { variable("TERM") == "dumb" }
}

/// A recording of which one state is kept, as long as somebody reads it.
private struct KeptRecording {
  weak var reader: RecordingReader?
}

/// Writes bytes to a descriptor. The count of those that were taken, or a negative number.
func putBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Writes all bytes to a descriptor.
///
/// - Returns: false if it takes no more. The reason is in `errno`.
func put(_ bytes: [UInt8], into descriptor: Int32) -> Bool {
  var start = 0
  while start < bytes.count {
    let count = bytes[start...].withUnsafeBytes { putBytes(descriptor, $0) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    start += count
  }
  return true
}

/// Standard output, buffered.
///
/// With ``Console/note(_:)`` it is the one door to a terminal: no name in a file, of a file or of an argument can do
/// more there than be read. Data for programs goes out as it is, unless a terminal is at the other end. A closed pipe
/// (`kymo list keys f | head -1`) ends the program quietly, as Unix tools do. A command in the process of others goes on to
/// its end without output.
final class StandardOutput {
  let descriptor: Int32
  /// Whether a terminal is at the other end.
  let isTerminal: Bool
  /// Whether a build's runner reads the output. No name may give it an instruction.
  var isReadByRunner = false
  fileprivate(set) weak var console: Console?
  /// How a command ends whose answers nobody takes any more. `nil` while they are taken.
  private(set) var ending: ExitCode?
  private var buffer: [UInt8] = []
  /// What the other end has not taken yet.
  private var patient: PatientBytes
  /// Takes the bytes in place of the descriptor.
  private let take: (([UInt8]) -> Void)?
  /// Bytes that are kept before they are handed on.
  private static let capacity = 1 << 16

  init(_ descriptor: Int32, taking take: (([UInt8]) -> Void)? = nil) {
    (self.descriptor, self.take) = (descriptor, take)
    patient = PatientBytes(descriptor)
    isTerminal = isatty(descriptor) == 1
  }

  /// Appends text for people, made harmless.
  func write(_ text: String) {
    let text = DisplayText.harmlessLines(text)
    append((isReadByRunner ? WorkflowCommand.disarmed(text) : text).utf8)
  }

  /// Appends an instruction for a build's runner.
  func write(command text: String) { append(DisplayText.harmlessLines(text).utf8) }

  /// Appends data for programs.
  func write(data text: String) { isTerminal ? write(text) : append(text.utf8) }

  /// Appends data for programs.
  func write(data bytes: [UInt8]) {
    isTerminal ? write(String(decoding: bytes, as: UTF8.self)) : append(bytes)
  }

  private func append(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= StandardOutput.capacity { flush() }
  }

  /// Hands everything on. While the state of a recording is kept, what would have to wait is kept too.
  func flush() {
    if isTerminal, !buffer.isEmpty { console?.busyIndicator?.pause() }
    defer { buffer.removeAll(keepingCapacity: true) }
    guard ending == nil else { return }
    if let take { return take(buffer) }
    if patient.write(buffer), console?.keepsState == true || patient.finish() { return }
    if errno == EPIPE { return end(with: .yes) }
    let reason = String(cString: strerror(errno))
    console?.put("kymo: standard output cannot be written: \(reason)\n")
    end(with: .unreadable)
  }

  private func end(with code: ExitCode) {
    if console?.ownsProcess != false {
      UnfinishedFiles.remove()
      exit(code.rawValue)
    }
    ending = code
  }
}

/// Notes that were given, which several consoles share.
final class GivenNotes {
  private var given: Set<String> = []

  /// - Returns: Whether the note is new.
  func insert(_ note: String) -> Bool { given.insert(note).inserted }
}
