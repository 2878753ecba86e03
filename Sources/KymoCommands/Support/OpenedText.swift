import GestureInput
import MotionMeasures
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A text as a recording of one session, which lasts as long as this value.
///
/// Contacts are the session's touches, and columns of a table its keys.
final class OpenedText {
  let text: InputText
  /// Reads the recording. Its path is that of the text.
  let reader: RecordingReader
  private let folder: ScratchFolder
  /// What goes if a signal ends the program.
  private let unfinished: [Int]

  /// The identity of a session that has none of its own: the same text makes the same session.
  static let uuid = "00000000-0000-4000-8000-000000000000"

  /// Records a text into a folder of its own among the temporary ones.
  init(_ text: InputText, _ invocation: Invocation) throws {
    self.text = text
    folder = try ScratchFolder(for: "the recording of \(text.name)")
    let file = folder.path + "/text.kymo"
    let files =
      ["", "-wal", "-shm", "-journal", "-crash1"].map { file + $0 } + [folder.path + "/lines"]
    unfinished =
      invocation.console.ownsProcess
      ? (folder.files + files + [folder.path]).compactMap(UnfinishedFiles.add) : []
    switch text.content {
    case .lines: try Self.record(linesOf: text, into: file, in: folder, invocation)
    case .touches(let gesture):
      var session = SessionDescription(software: programName, clock: "device")
      session.device = gesture.device
      if gesture.format.isInDeviceUnits || gesture.deltas != nil {
        session.gestureSource = gesture.source(path: text.path)
      }
      try Self.record(into: file, session) { recorder in
        for touch in gesture.touches { recorder.record(touch) }
      }
    case .values(let table):
      try Self.record(into: file, SessionDescription(software: programName)) { recorder in
        for column in table.columns {
          let key = recorder.keyHandle(
            for: column.name, role: column.name == progressKeyName ? .progress : .custom, unit: "")
          for (time, value) in zip(column.times, column.values) {
            recorder.record(value, for: key, at: Instant(nanoseconds: time), phase: .driving)
          }
        }
      }
    }
    reader = try RecordingReader(path: file, named: text.path)
  }

  deinit { unfinished.forEach(UnfinishedFiles.forget) }

  private static func record(
    into file: String, _ session: SessionDescription, _ values: (Recorder) -> Void
  ) throws {
    var session = session
    session.uuid = uuid
    let recorder = try Recorder(path: file, session: session, policy: .wait)
    values(recorder)
    try recorder.finish()
  }

  private static func record(
    linesOf text: InputText, into file: String, in folder: ScratchFolder, _ invocation: Invocation
  ) throws {
    var path = text.path
    // A pipe was read already.
    if let bytes = invocation.console.pipes[path] {
      path = folder.path + "/lines"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let code = try recordLines(
      path, named: text.name, into: file, invocation, isReported: false, endsBySignal: false,
      uuid: uuid)
    if code != .yes { invocation.console.hasReadLosses = true }
  }
}

extension SessionArgument {
  /// The most contacts of a text that are shown if no value is named.
  private static let mostContacts = 8

  /// The names of the contacts of a gesture file, for commands whose session has neither keys nor elements. Empty for
  /// another file.
  func fingersOfText() throws -> [String] {
    guard case .touches(let gesture) = text?.text.content else { return [] }
    var contacts: [Int] = []
    for touch in gesture.touches where touch.phase == .began { contacts.append(touch.contact) }
    if contacts.count > Self.mostContacts {
      console.note(
        "\(text?.text.name ?? ""): the first \(Self.mostContacts) of \(contacts.count) contacts are shown. Name others with --key "
          + "finger.N.x")
    }
    return contacts.prefix(Self.mostContacts).flatMap { contact in
      [FingerAxis.x, .y].map { MotionSubject.finger($0, contact: contact).text }
    }
  }
}

extension Invocation {
  /// Opens the recording that a word names, or the text in its place.
  func openRecording(
    _ word: String, keepsState: Bool = true
  ) throws -> (reader: RecordingReader, text: OpenedText?) {
    if readsTexts, let text = try InputText(word, self) {
      let opened = try OpenedText(text, self)
      return (opened.reader, opened)
    }
    return (
      try console.openRecording(SessionArgument.split(word).path, keepsState: keepsState), nil
    )
  }
}
