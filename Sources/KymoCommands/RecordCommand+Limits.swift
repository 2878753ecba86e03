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
    let size = try value(Flags.maxSize)
    settings.limit = RecordingLimit(sizeBytes: size, ageNanoseconds: try value(Flags.maxAge))
    settings.precision = try precision()
    if has(Flags.pack) { settings.sealsFromStart = true }
    return settings
  }
}

/// What a recorder has to tell while it records: each is said as it begins.
final class RecorderTroubles: Sendable {
  private let console: Console
  private let isAny = Atomic(false)

  init(_ console: Console) { self.console = console }

  /// Says what happened. A log that a reader keeps long costs nothing.
  func report(_ trouble: RecordingTrouble) {
    console.note(trouble.message)
    if trouble != .longLog { isAny.store(true, ordering: .relaxed) }
  }

  /// Ends a recording. If a part of it stays in its log because somebody reads the file, it is complete all the same.
  func finish(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as StoreError where error.code == .logInUse {
      console.note(error.message.asClause)
      isAny.store(true, ordering: .relaxed)
    }
  }

  /// How a command ends whose recorder has finished.
  var code: ExitCode { isAny.load(ordering: .relaxed) ? .loss : .yes }
}
