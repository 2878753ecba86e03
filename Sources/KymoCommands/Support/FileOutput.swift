import KymographCLibrary
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineStore

/// Bytes that a command makes, into a file or to standard output.
///
/// A file is written beside its place first and then takes its name, so nothing half done is ever found there. It
/// follows the umask, and nobody may read it who may not read what it is made of.
final class FileOutput {
  /// The console of the command.
  let console: Console
  /// The name that was given. `nil`: standard output.
  private let path: String?
  private let part: String
  private let replaces: Bool
  private(set) var byteCount = 0
  private var descriptor: Int32 = -1
  private var isKept = false
  /// What a pipe or a device has not taken yet. `nil`: a file is written.
  private var patient: PatientBytes?
  /// Where the part stands among those that an interrupt takes away.
  private var interruptSlot: Int?

  /// Begins the file that `--FLAG` names. A file that is there already is replaced with `--force` alone, unless it
  /// bears the mark of what kymo makes.
  ///
  /// - Parameters:
  ///   - invocation: What was asked for. Without the flag, and with "-", the bytes go to standard output.
  ///   - flag: The flag.
  ///   - inputs: Files that are read meanwhile. None of them may be the output.
  /// - Throws: ``Failure``: a file is in the way, or none can be made there.
  convenience init(_ invocation: Invocation, flag: Flag<String>, beside inputs: [String]) throws {
    try self.init(invocation, path: invocation.text(flag), flag: flag, beside: inputs)
  }

  /// Begins a file whose name no flag gives as it is, by the same rules.
  convenience init(_ invocation: Invocation, path: String) throws {
    try self.init(invocation, path: path, flag: Flags.out, beside: [])
  }

  /// Begins one of many files, by the same rules.
  convenience init(
    _ console: Console, path: String, replacing: Bool, beside inputs: [String]
  ) throws {
    try self.init(console, replacing: replacing, path: path, flag: Flags.into, beside: inputs)
  }

  private convenience init(
    _ invocation: Invocation, path: String?, flag: Flag<String>, beside inputs: [String]
  ) throws {
    try self.init(
      invocation.console, replacing: invocation.has(Flags.force), path: path, flag: flag,
      beside: inputs
    )
  }

  private init(
    _ console: Console, replacing: Bool, path: String?, flag: Flag<String>, beside inputs: [String]
  ) throws {
    self.console = console
    replaces = replacing || path.map(hasOurMark) ?? false
    guard let path, path != "-" else {
      self.path = nil
      part = ""
      return
    }
    self.path = path
    part = path + ".part-\(getpid())"
    guard !path.isEmpty else {
      throw Failure.usage("--\(flag.name) must be the name of a file, or - (got '')")
    }
    for input in inputs where FileFacts.isSameFile(path, input) {
      throw Failure.usage("\(path) is the recording itself. Choose another file for --\(flag.name)")
    }
    var facts = stat()
    if stat(path, &facts) == 0 {
      switch facts.st_mode & S_IFMT {
      case S_IFDIR: throw Failure.unreadable("\(path) cannot be written: it is a folder")
      case S_IFREG: guard replaces else { throw isThere() }
      default:
        // A pipe or a device is written to. Nothing takes its name.
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotBeWritten() }
        patient = PatientBytes(descriptor)
        isKept = true
        return
      }
    }
    descriptor = open(
      part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(NewFile.permissions(from: inputs)))
    guard descriptor >= 0 else { throw cannotBeWritten() }
    if console.ownsProcess { interruptSlot = UnfinishedFiles.add(part) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if path != nil, !isKept { unlink(part) }
    interruptSlot.map(UnfinishedFiles.forget)
  }

  /// Writes the whole of a text and gives the file its name.
  func finish(with text: String) throws { try finish(with: Array(text.utf8)) }

  /// Writes all bytes and gives the file its name.
  func finish(with bytes: [UInt8]) throws {
    try write(bytes)
    try finish()
  }

  func write(_ bytes: [UInt8]) throws {
    byteCount += bytes.count
    guard path != nil else { return console.output.write(data: bytes) }
    let isTaken = patient?.write(bytes) ?? put(bytes, into: descriptor)
    guard isTaken else { throw cannotBeWritten() }
  }

  /// Gives the file its name. Until then it is not there, and then it is on the disk.
  func finish() throws {
    guard let path else { return }
    if patient != nil {
      console.letGoOfStates()
      guard patient?.finish() == true else { throw cannotBeWritten() }
    }
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isClosed else { throw cannotBeWritten() }
    if isKept { return }
    if isLocked(FileFacts.resolved(path) + "-wal") { throw StoreError.beingRecorded(path) }
    let code = NewFile.put(part, at: path, replacing: replaces)
    if code == EEXIST { throw isThere() }
    errno = code
    guard code == 0 else { throw cannotBeWritten() }
    isKept = true
  }

  /// Says on standard output what was written. Nothing where that has the bytes.
  func announce() {
    guard let path else { return }
    let size =
      byteCount < 1000
      ? counted(byteCount, "byte")
      : byteCount < 1_000_000
        ? "\((byteCount + 500) / 1000) kB"
        : "\(NumberText.cell(Double(byteCount / 10_000) / 100)) MB"
    console.output.write("Wrote \(path) (\(size)).\n")
  }

  private func isThere() -> Failure {
    Failure.usage("\(path ?? "") is there already. Use --force to replace it")
  }

  private func cannotBeWritten() -> Failure {
    Failure.unreadable("\(path ?? "") cannot be written: \(String(cString: strerror(errno)))")
  }
}

extension Invocation {
  /// The file of a flag whose bytes cannot go where the answer goes. `nil` without the flag. It is begun before the
  /// work, so that one in the way is told at once.
  func fileOutput(_ flag: Flag<String>, beside inputs: [String]) throws -> FileOutput? {
    guard let path = try value(flag) else { return nil }
    guard path != "-" else {
      throw Failure.usage(
        "--\(flag.name) must be a file, because standard output has the answer (got '-')")
    }
    return try FileOutput(self, flag: flag, beside: inputs)
  }
}

/// Whether a file begins as those that kymo makes anew: a page, a drawing, a JUnit file, the browser recorder.
private func hasOurMark(_ path: String) -> Bool {
  guard let file = PlainFile(path) else { return false }
  let text = String(decoding: file.bytes(at: 0, count: OriginMark.reach) ?? [], as: UTF8.self)
  return text.contains(OriginMark.text) || text.contains(OriginMark.script)
}
