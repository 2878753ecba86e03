import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineStore

/// Nanoseconds since 1970, in whole milliseconds: no person's word is more exact.
func wallClock() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return (Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000) * 1_000_000
}

/// The labels of recordings as a command is asked to read them: with those of `--labels`.
final class LabelSource {
  /// What `--labels` names. `nil`: nothing.
  let named: LabelSheet?
  private weak var reader: RecordingReader?
  private var newest = RecordingLabels()

  init(_ invocation: Invocation) throws {
    named = try invocation.text(Flags.labels).map { path in
      // Standard input of a child has its jobs.
      guard path != "-" || invocation.command.workerForm == nil else {
        throw Failure.usage(
          "--labels must be a file here, because several processes read it (got '-')")
      }
      return try LabelSheet(
        try invocation.console.readInput(path, atMost: .description), name: inputName(path))
    }
  }

  /// The labels of a recording, which are read once for all of its sessions.
  func labels(of reader: RecordingReader) throws -> RecordingLabels {
    if reader !== self.reader {
      newest = try RecordingLabels(of: reader, sheets: named.map { [$0] } ?? [])
      self.reader = reader
    }
    return newest
  }
}

/// Writes labels where they belong: into the recording, or into a sheet beside one that cannot be written.
struct LabelWriting {
  /// Where labels went.
  enum Destination: Equatable {
    /// Into the recording.
    case recording
    /// Into a sheet, and why. `nil`: it was asked for, or is where the others are.
    case sheet(String, because: String?)

    func name(_ recording: String) -> String {
      if case .sheet(let path, _) = self { path } else { recording }
    }

    /// Says where labels went, where nobody asked for that.
    func note(_ recording: String, on console: Console) throws {
      guard case .sheet(let path, let why?) = self else { return }
      console.note("\(recording) \(why), so its labels are in \(path)")
    }
  }

  private let path: String
  private let sheet: String?
  private let passesSheet: Bool

  /// - Parameters:
  ///   - path: The recording.
  ///   - sheet: The sheet that was asked for. `nil`: none was.
  ///   - passesSheet: Whether the labels come out of the sheet beside the recording, and are to be in that.
  init(_ path: String, sheet: String? = nil, passesSheet: Bool = false) {
    (self.path, self.sheet, self.passesSheet) = (path, sheet, passesSheet)
  }

  /// Writes rows of the recording's own sessions.
  ///
  /// - Throws: where neither the recording nor a sheet can be written.
  func write(_ rows: [LabelSheet.Row]) throws -> Destination {
    let beside = LabelSheet.path(beside: path)
    if let sheet { return try write(rows, to: sheet, because: nil) }
    if !passesSheet, FileFacts(of: beside) != .absent {
      return try write(rows, to: beside, because: nil)
    }
    if let why = reasonAgainstWriting {
      guard !passesSheet else { throw Failure.unreadable("\(path) \(why)") }
      return try write(rows, to: beside, because: why)
    }
    do throws(StoreError) {
      let editor = try RecordingEditor(path: path)
      try editor.label(
        rows.map { row throws(StoreError) in
          (
            session: try editor.number(of: row.uuid),
            change: row.label.map { .set($0) } ?? RecordingEditor.LabelChange.remove(row.transition)
          )
        })
      try editor.settleIntoOneFile()
      return .recording
    } catch {
      guard !passesSheet else { throw error }
      switch error.code {
      case .readOnly, .cannotOpen: return try write(rows, to: beside, because: "cannot be written")
      case .busy where error == .beingRecorded(path):
        return try write(rows, to: beside, because: "is being recorded")
      default: throw error
      }
    }
  }

  /// Why the recording is left alone. A file without any permission to write is, whoever asks.
  private var reasonAgainstWriting: String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return facts.st_mode & 0o222 == 0 || access(path, W_OK) != 0 ? "cannot be written" : nil
  }

  private func write(
    _ rows: [LabelSheet.Row], to sheet: String, because why: String?
  ) throws -> Destination {
    try LabelSheet.enter(rows, into: sheet, for: [path])
    return .sheet(sheet, because: why)
  }
}
