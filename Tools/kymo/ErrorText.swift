import GestureInput
import JSONText
import MotionPhysics
import Scenarios
import TimelineQuery
import TimelineReport
import TimelineStore

/// The one place where an error of a library becomes a sentence and an exit code.
func explain(_ error: any Error) -> Failure {
  switch error {
  case let failure as Failure: failure
  case let error as StoreError:
    Failure(error.isAboutTheFile ? .unreadable : .usage, error.message)
  case let error as QueryError: .usage(error.message)
  case let error as ReportError:
    Failure(error.isAboutExistingFile ? .usage : .unreadable, error.description)
  case let error as EasingError: .usage(error.message)
  case let error as PhysicsError: .usage(error.message)
  case let error as ScenarioError: .usage(error.description)
  case let error as GestureError: .unreadable(error.description)
  case let error as JSONError: .unreadable(error.description)
  default: .unreadable("\(error)")
  }
}
