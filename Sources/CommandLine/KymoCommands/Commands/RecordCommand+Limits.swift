import Synchronization
import TimelineRecorder
import TimelineStore

extension Invocation {
  /// How exactly poses are kept, as ``Flags/precision`` says.
  func precision() throws -> SealPrecision {
    try value(Flags.precision) ?? .exact
  }

  /// What a recorder works by, as ``Flags/limits`` and ``Flags/precision`` say.
  func recorderSettings() throws -> RecorderSettings {
    var settings = RecorderSettings()
    let size = try measure(
      Flags.maxSize, units: [("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("", 1)], such: "500MB or 2GB")
    if let size, size < RecordingLimit.smallestSizeBytes {
      throw Failure.usage("--max-size is \(RecordingLimit.smallestSizeBytes) bytes at least")
    }
    let age = try measure(
      Flags.maxAge, units: [("min", 60e9), ("h", 3_600e9), ("d", 86_400e9)], such: "7d or 12h")
    settings.limit = RecordingLimit(sizeBytes: size, ageNanoseconds: age)
    settings.precision = try precision()
    if has(Flags.seal) { settings.sealsFromStart = true }
    return settings
  }

  /// A positive number with a unit behind it.
  func measure(
    _ flag: Flag<String>, units: [(suffix: String, factor: Double)], such example: String
  ) throws -> Int64? {
    guard let text = text(flag) else { return nil }
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let number = Double(text.dropLast(unit.suffix.count)), number > 0,
        let value = Int64(exactly: (number * unit.factor).rounded())
      else { break }
      return value
    }
    throw Failure.usage("--\(flag.name) expects a measure such as \(example), not '\(text)'")
  }
}

/// What a recorder has to tell while it records: each is said as it begins.
final class RecorderTroubles: Sendable {
  private let console: Console
  private let isAny = Atomic(false)

  init(_ console: Console) { self.console = console }

  /// Says what happened; a log that a reader keeps long costs nothing.
  func report(_ trouble: RecordingTrouble) {
    console.note(trouble.message)
    if trouble != .longLog { isAny.store(true, ordering: .relaxed) }
  }

  /// How a command ends whose recorder has finished.
  var code: ExitCode { isAny.load(ordering: .relaxed) ? .loss : .yes }
}
