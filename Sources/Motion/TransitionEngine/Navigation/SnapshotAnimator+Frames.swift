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
    log.sink.beginFrame(
      FrameState(
        time: time, phase: isTimed ? .settling : .driving, progress: progress,
        contentOffset: stage.origin, contentSize: stage.size))
    for (number, participant) in participants.enumerated() {
      log.sink.record(
        ways.pose(of: number, at: progress), of: items[number], at: participant.indexPath)
    }
    log.sink.endFrame()
    if hasArrived { arrive() }
  }

  func recordStart(from: String, to: String) {
    log.record(
      .animation,
      [
        EventField("animation", .integer(0)), EventField("cause", .text("snapshot")),
        EventField("from", .text(from)), EventField("to", .text(to)),
        EventField(
          "elements",
          .list(
            participants.map { participant in
              .object([
                EventField("id", .text(participant.identity.id)),
                EventField("kind", .text(participant.identity.category.rawValue)),
                EventField("reason", .text(participant.presence.rawValue)),
              ])
            })),
      ])
  }

  func recordRun(to target: Double, seconds: Double, easing: Easing) {
    log.record(
      .settle,
      [
        EventField("animation", .integer(0)), EventField("to", .number(target)),
        EventField("type", .text(easing.name)), EventField("settleTime_s", .number(seconds)),
      ])
  }

  func recordEnd(completed: Bool) {
    log.record(
      .animationCompletion,
      [EventField("animation", .integer(0)), EventField("completed", .flag(completed))])
  }
}
