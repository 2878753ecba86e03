import TimelineModel

/// What a worker says while it does a job, in this order; in its own process or to another one.
enum WorkEvent {
  /// What came of a step: a session of a file, or a whole job.
  case value(step: Int64, [UInt8])
  /// A sentence for the person.
  case message(String)
  /// A file, or a step of it, that comes to nothing; the work goes on.
  case failure(WorkFailure)
  /// What ends the command.
  case fatal(Failure)
  /// A step begins: one that does not end is this one's doing.
  case begin(step: Int64)
  /// The job is done.
  case done
}

/// Why a file, or a step of it, came to nothing.
struct WorkFailure {
  /// The step; nil: the file as a whole.
  var step: Int64?
  /// The file, as messages name it.
  var name: String
  /// The exit code that a process of its own would have ended with, in the numbers of a shell: 139 for one that
  /// crashed, 124 for one that took too long.
  var exit: Int32
  /// A sentence that names the file.
  var why: String
  /// The recording that could not be read, where it is another one's name; empty: the file itself.
  var path = ""

  /// A process that crashed, as a shell numbers a segmentation fault, whatever the signal was.
  static let crashed: Int32 = 139
  /// A process that took too long, as `timeout` numbers it.
  static let tookTooLong: Int32 = 124
}

extension WorkFailure: ResultRow {
  /// The column `errors` of an object, which lists them.
  static var errorsColumn: ResultColumn {
    ResultColumn("errors", .list(.object(fields.described())), "The files that were left out.")
  }

  static var fields: [ResultField<WorkFailure>] {
    [
      ResultField("file", "The recording.", \.name),
      ResultField("session", "The session's number; null of a file.", \.step),
      ResultField("exit", "The exit code that it would have.") { Int($0.exit) },
      ResultField("error", "Why it was left out, in a sentence.", \.why),
    ]
  }
}

extension WorkEvent {
  /// The event as it goes through a pipe: its length and its bytes.
  var frame: [UInt8] {
    var body = WireWriter()
    switch self {
    case .value(let step, let bytes):
      body.put(0, step)
      body.put(bytes)
    case .message(let text): body.put(1, text)
    case .failure(let failure):
      body.put(2, failure.step, failure.name, Int(failure.exit), failure.why, failure.path)
    case .fatal(let failure): body.put(3, Int(failure.code.rawValue), failure.message)
    case .begin(let step): body.put(4, step)
    case .done: body.put(5)
    }
    var frame = WireWriter()
    frame.put(body.bytes)
    return frame.bytes
  }

  /// Reads an event's bytes.
  init(_ bytes: [UInt8]) throws {
    var reader = WireReader(bytes)
    switch try reader.integer() {
    case 0: self = .value(step: try reader.integer(), try reader.data())
    case 1: self = .message(try reader.text())
    case 2:
      self = .failure(
        WorkFailure(
          step: try reader.optional { try $0.integer() }, name: try reader.text(),
          exit: Int32(truncatingIfNeeded: try reader.integer()), why: try reader.text(),
          path: try reader.text()))
    case 3:
      let code = ExitCode(rawValue: Int32(truncatingIfNeeded: try reader.integer()))
      self = .fatal(Failure(code ?? .unreadable, try reader.text()))
    case 4: self = .begin(step: try reader.integer())
    case 5: self = .done
    default: throw WireReader.isBroken
    }
  }
}

/// Frames out of a pipe, which come in pieces.
struct FrameBuffer {
  private var bytes: [UInt8] = []
  private var start = 0

  /// Adds what was read.
  mutating func append(_ piece: some Sequence<UInt8>) { bytes.append(contentsOf: piece) }

  /// The next frame's bytes; nil while it is not whole.
  mutating func next() -> [UInt8]? {
    let head = 8
    guard bytes.count - start >= head else { return nil }
    let count = bytes[start..<start + head].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count >= 0, bytes.count - start - head >= count else { return nil }
    let first = start + head
    start = first + count
    let frame = Array(bytes[first..<start])
    // What was taken is given back once it is the greater part.
    if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    return frame
  }
}
