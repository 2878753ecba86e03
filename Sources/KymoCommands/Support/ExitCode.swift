import GestureInput
import GestureRerun
import JSONText
import MotionMeasures
import MotionPhysics
import PageBrowser
import TimelineReport
import TimelineSession
import TimelineStore
import TransitionScenarios
import VideoReading

/// How the program ends. The same meaning in every command.
package enum ExitCode: Int32 {
  /// Done. The same. Yes.
  case yes = 0
  /// The answer is no: differs, or a check failed.
  case no = 1
  /// Wrong usage, or a scenario that cannot be run.
  case usage = 2
  /// Done, but something was lost on the way.
  case loss = 3
  /// The input cannot be read or is not ours, or the output cannot be written.
  case unreadable = 4
  /// Somebody ended it with control-C, as shells number it.
  case interrupted = 130
}

/// Why a command could not do its work: one sentence for the person, and the exit code.
struct Failure: Error {
  /// The code to end with.
  var code: ExitCode
  /// What, where and what to do.
  var message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A call that was put wrongly.
  static func usage(_ message: String) -> Failure { Failure(.usage, message) }
  /// An input that cannot be read.
  static func unreadable(_ message: String) -> Failure { Failure(.unreadable, message) }
}

/// The one place where an error of a library becomes a sentence and an exit code.
func explain(_ error: any Error) -> Failure {
  var failure = failure(of: error)
  failure.message = failure.message.asClause
  return failure
}

extension String {
  /// A sentence of a library as the program's notes have it: it begins small and ends without a full stop.
  var asClause: String {
    let starts = [
      "A", "An", "Arrays", "At", "Contact", "Each", "In", "It", "Its", "Lines", "Missing", "More",
      "Must",
      "No",
      "Nothing",
      "Only", "Positions", "Session", "The", "There", "This", "Time", "Times", "Touches",
      "Unexpected", "Unknown",
    ]
    var text = self
    if starts.contains(where: { hasPrefix($0 + " ") }) {
      text = prefix(1).lowercased() + dropFirst()
    }
    if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
    return text
  }
}

private func failure(of error: any Error) -> Failure {
  switch error {
  case let failure as Failure: failure
  case let error as StoreError where error.code == .notADatabase:
    .unreadable(StrangerFile.sentence(about: error.path) ?? error.message)
  case let error as StoreError:
    Failure(
      error.isAboutTheFile ? .unreadable : .usage,
      error.code == .exists && error.message.hasSuffix("replaced.")
        ? error.message.dropLast() + " (--force)." : error.message)
  case let error as BrowserError:
    Failure(error.kind == .interrupted ? .interrupted : .unreadable, error.message)
  case let error as VideoError:
    Failure(
      error.kind == .interrupted ? .interrupted : error.kind == .limit ? .usage : .unreadable,
      error.message)
  case let error as QueryError: .usage(error.message)
  case let error as ReportError:
    Failure(error.isAboutExistingFile ? .usage : .unreadable, error.description)
  case let error as EasingError: .usage(error.message)
  case let error as PhysicsError: .usage(error.message)
  case let error as MotionLineError: .usage(error.message)
  case let error as ScenarioError:
    .usage(
      ScenarioError(file: error.file, path: error.path, message: error.message.asClause).description
    )
  case let error as RerunError: .usage(error.description)
  case let error as GestureError where error.code == .badPattern: .usage(error.message.asClause)
  case let error as GestureError:
    .unreadable(
      GestureError(
        code: error.code, file: error.file, line: error.line, message: error.message.asClause
      ).description)
  case let error as LabelError: .unreadable(error.message)
  case let error as JSONError: .unreadable(error.description)
  default: .unreadable("\(error)")
  }
}
