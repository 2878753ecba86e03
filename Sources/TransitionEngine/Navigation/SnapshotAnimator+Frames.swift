import MotionPhysics
import TimelineModel

extension SnapshotAnimator {
  /// Shows one frame: moves on what runs by the time, and records all poses.
  func showFrame(at time: Instant) {
    guard !isOver else { return }
    let isTimed = run != nil
    var hasArrived = false
    if let run {
      let fraction = run.driver.fraction(at: time)
      hasArrived = fraction >= 1
      keep(
        hasArrived ? run.to : lerp(run.from, run.to, run.driver.easing.value(at: fraction)),
        phase: .settling)
    }
    sink.beginFrame(
      FrameState(
        time: time, phase: isTimed ? .settling : .driving, progress: progress,
        contentOffset: stage.origin, contentSize: stage.size))
    for (number, participant) in participants.enumerated() {
      sink.record(
        ways.pose(of: number, at: progress), of: items[number], at: participant.indexPath)
    }
    sink.endFrame()
    if hasArrived { arrive() }
  }

  func recordStart(from: String, to: String) {
    record(
      .animation,
      [
        Field("animation", .integer(0)), Field("cause", .text("snapshot")),
        Field("from", .text(from)), Field("to", .text(to)),
        Field(
          "elements",
          .list(
            participants.map { participant in
              .object([
                Field("id", .text(participant.identity.id)),
                Field("kind", .text(participant.identity.category.rawValue)),
                Field("reason", .text(participant.presence.rawValue)),
              ])
            })),
      ])
  }

  func recordRun(to target: Double, seconds: Double, easing: Easing) {
    record(
      .settle,
      [
        Field("animation", .integer(0)), Field("to", .number(target)),
        Field("type", .text(easing.name)), Field("settleTime_s", .number(seconds)),
      ])
  }

  func recordEnd(completed: Bool) {
    record(
      .animationCompletion,
      [Field("animation", .integer(0)), Field("completed", .flag(completed))])
  }

  func warn(_ code: String, _ message: String) {
    record(.warning, [Field("code", .text(code)), Field("message", .text(message))])
  }

  func refused(_ code: TransitionError.Code, _ message: String) -> TransitionError {
    record(.error, [Field("code", .text(code.rawValue)), Field("message", .text(message))])
    return TransitionError(code, message)
  }

  private func record(_ kind: Event.Kind, _ fields: [Field]) {
    sink.record(Event(time: clock.now, kind: kind, fields: fields))
  }
}
