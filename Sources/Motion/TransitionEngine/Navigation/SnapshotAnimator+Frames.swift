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
    log.record(
      .settle,
      [
        Field("animation", .integer(0)), Field("to", .number(target)),
        Field("type", .text(easing.name)), Field("settleTime_s", .number(seconds)),
      ])
  }

  func recordEnd(completed: Bool) {
    log.record(
      .animationCompletion,
      [Field("animation", .integer(0)), Field("completed", .flag(completed))])
  }
}
