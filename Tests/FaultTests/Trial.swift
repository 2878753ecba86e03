import Foundation
import RecordingRepair
import Synchronization
import TestSupport
import TimelineModel
import TimelineRecorder
import TimelineStore

/// How a piece of work on a failing disk ended, as the app saw it.
struct Trial {
  /// What an opening, a finish or another call threw, in order.
  var thrown: [StoreError] = []
  /// How often the recorder called back with a failure.
  var reported: [StoreError] = []
  /// How often it called back because the log could not be moved.
  var reportedOfLog: [StoreError] = []
  /// Rows of the session that the recorder had called safe.
  var acknowledged = 0
  /// Rows that the recorder took; every one of them is in the tables or in the crash journal.
  var given = 0
  /// Whether the session was finished without an error.
  var isFinished = false

  var errors: [StoreError] { thrown + reported + reportedOfLog }
}

/// Errors that arrive on whatever thread the recorder writes.
final class FailureLog: Sendable {
  private let errors = Mutex<[StoreError]>([])
  private let errorsOfLog = Mutex<[StoreError]>([])
  private let codes = Mutex<[String]>([])

  func add(_ trouble: RecordingTrouble) {
    codes.withLock { $0.append(trouble.code) }
    switch trouble {
    case .writing(let error): errors.withLock { $0.append(error) }
    case .checkpoint(let error): errorsOfLog.withLock { $0.append(error) }
    case .backPressure, .longLog: break
    }
  }

  /// Commits that failed.
  var all: [StoreError] { errors.withLock { $0 } }
  /// Times that the log could not be moved.
  var ofLog: [StoreError] { errorsOfLog.withLock { $0 } }
  /// Every trouble's code, in order.
  var allCodes: [String] { codes.withLock { $0 } }
}

extension Trial {
  /// Records a known session from its beginning to its end.
  ///
  /// Under `live` the writer is driven by hand every quarter of a second of the session's time, so
  /// that every run makes the same calls.
  static func recording(
    _ known: KnownSession, policy: RecordingPolicy, at path: String,
    settings: RecorderSettings? = nil, marking disk: FaultDisk? = nil,
    copying journals: JournalCopies? = nil
  ) -> Trial {
    var trial = Trial()
    let failures = FailureLog()
    do {
      let recorder = try Recorder(
        path: path, session: known.description, policy: policy,
        settings: settings ?? .drivenByHand(policy),
        onTrouble: { failures.add($0) })
      let handles = known.handles(of: recorder)
      let stepsPerWrite = Int(250_000_000 / known.intervalNanoseconds)
      for step in 0..<known.steps {
        known.record(step, into: recorder, handles)
        trial.given = known.rows(before: step + 1)
        disk?.mark(known.time(step).nanoseconds)
        if let disk, (step + 1).isMultiple(of: stepsPerWrite) {
          try? journals?.take(beside: path, after: disk.operations)
        }
        if policy == .live, (step + 1).isMultiple(of: stepsPerWrite) {
          recorder.writeBatch()
          if failures.all.isEmpty { trial.acknowledged = known.rows(before: step + 1) }
        }
      }
      try recorder.finish(at: known.end, outcome: .finished)
      trial.isFinished = true
      trial.acknowledged = known.rowCount
    } catch {
      trial.thrown.append(error)
    }
    trial.reported = failures.all
    trial.reportedOfLog = failures.ofLog
    return trial
  }
}

extension Trial {
  /// Records half of a known session, lets go of the file, takes it up again, and records the rest.
  static func suspending(_ known: KnownSession, at path: String) -> Trial {
    var trial = Trial()
    let failures = FailureLog()
    do {
      let recorder = try Recorder(
        path: path, session: known.description, policy: .live, settings: .drivenByHand(.live),
        onTrouble: { failures.add($0) })
      let handles = known.handles(of: recorder)
      for step in 0..<known.steps {
        known.record(step, into: recorder, handles)
        trial.given = known.rows(before: step + 1)
        guard step == known.steps / 2 else { continue }
        do {
          try recorder.suspend()
        } catch {
          // The app hears of it, and is suspended all the same.
          failures.add(.writing(error))
        }
        do {
          try recorder.resume()
        } catch {
          // The disk may be back by the second try.
          try recorder.resume()
        }
      }
      try recorder.finish(at: known.end, outcome: .finished)
      trial.isFinished = true
    } catch {
      trial.thrown.append(error)
    }
    // A suspension throws what it also reports.
    trial.reported = Array(failures.all.prefix(1))
    return trial
  }
}

extension RecorderSettings {
  /// Settings under which nothing happens by the wall clock, with rings that are quickly copied.
  static func drivenByHand(_ policy: RecordingPolicy) -> RecorderSettings {
    var settings = RecorderSettings()
    settings.ringBytes = 128 << 10
    settings.reservedBytes = 8 << 10
    // Under `wait` this is the session's time.
    if policy == .live { settings.commitNanoseconds = .max }
    return settings
  }
}

extension Trial {
  /// Judges a file with a finished session before this one.
  ///
  /// - Parameters:
  ///   - earlier: The session that was in the file before.
  ///   - known: The session that was being recorded.
  /// - Returns: what is wrong; empty when nothing is.
  func problems(at path: String, earlier: KnownSession?, known: KnownSession) -> [String] {
    var problems: [String] = []
    do {
      if FileManager.default.fileExists(atPath: path + "-journal") {
        // A reader takes nothing back; the next that writes does.
        problems += try PlainDatabase(path).findings()
      }
      let reader = try RecordingReader(path: path)
      problems += try reader.query("PRAGMA integrity_check").rest()
        .filter { $0 != [.text("ok")] }.map { "\($0)" }
      if let earlier {
        let found = try FoundSession(earlier, in: reader)
        if found?.isClean != true { problems.append("the earlier session is not whole") }
        problems += found?.problems ?? []
      }
      let found = try FoundSession(known, in: reader)
      problems += found?.problems ?? []
      if found?.rows ?? 0 < acknowledged {
        problems.append("\(found?.rows ?? 0) rows of \(acknowledged) that were called safe")
      }
      if isFinished, found?.isClean != true { problems.append("finished without its mark") }
      if given > 0, found?.rows != given {
        problems.append("\(found?.rows ?? 0) rows of \(given) that were taken")
      }
      problems += try Trial.damage(path)
    } catch {
      // A file that was never made is no loss.
      if earlier != nil || acknowledged > 0 { problems.append("\(error)") }
    }
    if reported.count > 1 { problems.append("\(reported.count) reports of failure") }
    if reportedOfLog.count > 1 { problems.append("\(reportedOfLog.count) reports of the log") }
    if thrown.count > 1 { problems.append("\(thrown.count) errors thrown") }
    for error in errors where !Trial.clearCodes.contains(error.code) {
      problems.append("an error of the code \(error.code): \(error)")
    }
    return problems
  }

  /// What the doctor takes for damage; where no row is lost nothing is.
  static func damage(_ path: String) throws -> [String] {
    try RecordingExamination.examine(path, isDeep: true).filter { $0.severity == .damage }
      .map { "the doctor finds \($0.what): \($0.detail)" }
  }

  /// What a disk that fails may be called.
  private static let clearCodes: Set<StoreError.Code> = [
    .full, .inputOutput, .cannotOpen, .readOnly, .busy, .other,
  ]
}
