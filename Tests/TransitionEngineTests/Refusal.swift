import Testing
import TimelineModel

@testable import TransitionEngine

/// Runs a call that must be refused with a code, and expects the error event that goes with it.
func expect(
  _ code: TransitionError.Code, _ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () throws(TransitionError) -> some Any
) {
  let events = stage.timeline.events(.error).count
  do {
    _ = try call()
    Issue.record("The call was not refused.", sourceLocation: sourceLocation)
  } catch {
    #expect(error.code == code, sourceLocation: sourceLocation)
    let recorded = stage.timeline.events(.error)
    #expect(recorded.count == events + 1, sourceLocation: sourceLocation)
    #expect(recorded.last?.field("code") == .text(code.rawValue), sourceLocation: sourceLocation)
    #expect(
      recorded.last?.field("message") == .text(error.message), sourceLocation: sourceLocation)
  }
}
