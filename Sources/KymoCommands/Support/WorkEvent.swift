import TimelineModel

/// What a worker says while it does a job, in this order. In its own process or to another one.
enum WorkEvent {
  /// What came of a step: a session of a file, or a whole job.
  case value(step: Int64, any WireValue)
  /// A sentence for the person.
  case message(String)
  /// A file, or a step of it, that comes to nothing. The work goes on.
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
  /// The step. `nil`: the file as a whole.
  var step: Int64?
  /// The file, as messages name it.
  var name: String
  /// The exit code that a process of its own would have ended with, in the numbers of a shell: 139 for one that
  /// crashed, 124 for one that took too long.
  var exit: Int
  /// A sentence that names the file.
  var why: String
  /// The recording that could not be read, where it is another one's name. Empty: the file itself.
  var path = ""

  /// A process that crashed, as a shell numbers a segmentation fault, whatever the signal was.
  static let crashed = 139
  /// A process that took too long, as `timeout` numbers it.
  static let tookTooLong = 124
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
      ResultField("exit", "The exit code that it would have.", \.exit),
      ResultField("error", "Why it was left out, in a sentence.", \.why),
    ]
  }
}

extension WorkEvent {
  /// The event as it goes through a pipe: its length and its bytes.
  var frame: [UInt8] {
    var body: [UInt8] = []
    func put(_ kind: UInt8, _ values: any WireValue...) {
      kind.put(to: &body)
      for value in values { value.put(to: &body) }
    }
    switch self {
    case .value(let step, let value): put(0, step, value)
    case .message(let text): put(1, text)
    case .failure(let failure): put(2, failure)
    case .fatal(let failure): put(3, Int(failure.code.rawValue), failure.message)
    case .begin(let step): put(4, step)
    case .done: put(5)
    }
    return framed(body)
  }

  /// Reads an event's bytes.
  init(_ bytes: [UInt8]) throws {
    var bytes = WireBytes(bytes)
    switch try UInt8(from: &bytes) {
    case 0: self = .value(step: try Int64(from: &bytes), WireBytes(from: &bytes))
    case 1: self = .message(try String(from: &bytes))
    case 2: self = .failure(try WorkFailure(from: &bytes))
    case 3:
      let code = ExitCode(rawValue: Int32(truncatingIfNeeded: try Int(from: &bytes)))
      self = .fatal(Failure(code ?? .unreadable, try String(from: &bytes)))
    case 4: self = .begin(step: try Int64(from: &bytes))
    case 5: self = .done
    default: throw WireBytes.isBroken
    }
  }
}

/// A message as it goes through a pipe: its length and its bytes.
func framed(_ body: [UInt8]) -> [UInt8] {
  var frame: [UInt8] = []
  body.count.put(to: &frame)
  return frame + body
}

/// Frames out of a pipe, which come in pieces.
struct FrameBuffer {
  private var bytes: [UInt8] = []
  private var start = 0

  /// Adds what was read.
  mutating func append(_ piece: some Sequence<UInt8>) { bytes.append(contentsOf: piece) }

  /// The next frame's bytes. `nil` while it is not whole.
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
