import KymographCLibrary
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A folder of its own for a recording, taken away with everything in it when nobody holds it any more.
final class TemporaryFolder {
  let path: String
  /// The recording in it, which need not be there.
  var recording: String { path + "/run.kymo" }

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(parent)/kymograph-benchmarks.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw UsageError("no folder can be made in \(parent); make room there, or set TMPDIR.")
    }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    TemporaryFolder.living.insert(path)
  }

  /// Size of a file in it, in bytes. 0 when there is none.
  func bytes(of name: String) -> Int {
    var facts = stat()
    return stat(path + "/" + name, &facts) == 0 ? Int(facts.st_size) : 0
  }

  func write(_ text: String, to name: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else {
      throw UsageError("\(path)/\(name) cannot be written; make room there, or set TMPDIR.")
    }
    fputs(text, file)
    fclose(file)
  }

  /// Makes a recorder into its recording, by hand by default.
  func recorder(
    _ policy: RecordingPolicy = .live, _ session: SessionDescription = .ofBenchmarks,
    _ settings: RecorderSettings = .byHand
  ) throws -> Recorder {
    try Recorder(path: recording, session: session, policy: policy, settings: settings)
  }

  /// Makes its recording, without a recorder.
  func store() throws -> RecordingStore {
    try RecordingStore(
      path: recording, description: .ofBenchmarks, uuid: "00000000-0000-4000-8000-000000000001")
  }

  deinit { TemporaryFolder.remove(path) }

  /// Takes every folder away, before the program ends without letting go of anything.
  static func removeAll() {
    for path in living { remove(path) }
  }

  // The program has one thread that makes folders.
  private nonisolated(unsafe) static var living: Set<String> = []

  private static func remove(_ path: String) {
    living.remove(path)
    guard let names = readFolder(path) else { return }
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) where name != "." && name != ".."
    {
      unlink(path + "/" + name)
    }
    rmdir(path)
  }
}

extension SessionDescription {
  /// A session under a clock that is counted.
  static let ofBenchmarks = SessionDescription(software: "kymograph-benchmarks", clock: "virtual")
}

extension RecorderSettings {
  /// The usual ones, but a recorder's own thread never comes by itself.
  static var byHand: RecorderSettings {
    var settings = RecorderSettings()
    settings.commitNanoseconds = .max
    return settings
  }
}

/// The bytes that the process has handed to the system to be written.
enum WrittenBytes {
  /// Bytes given to write() and its like since the program began, by `wchar` in Linux's /proc/self/io.
  /// `nil` where there is no such file. A write into mapped memory, as a crash journal does, is not in it.
  static var now: Int? {
    #if canImport(Glibc)
      guard let file = fopen("/proc/self/io", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 128)
      while fgets(&line, Int32(line.count), file) != nil {
        let words = String(
          decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
        )
        .split(whereSeparator: \.isWhitespace)
        if words.first == "wchar:", words.count > 1 { return Int(words[1]) }
      }
    #endif
    return nil
  }
}
