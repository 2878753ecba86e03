import MotionPhysics
import TimelineModel

extension SnapshotAnimator {
  /// Shows one frame: moves on everything that time drives, and records all poses.
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
        "animation": 0, "cause": "snapshot", "from": from, "to": to,
        "elements": FieldValue.list(
          participants.map { participant in
            .object(named: [
              "id": participant.identity.id, "kind": participant.identity.category.rawValue,
              "reason": participant.presence.rawValue,
            ])
          }),
      ])
  }

  func recordRun(to target: Double, seconds: Double, easing: Easing) {
    log.record(
      .settle,
      ["animation": 0, "to": target, "type": easing.name, TimelineEvent.settleTime: seconds])
  }

  func recordEnd(completed: Bool) {
    log.record(.animationCompletion, ["animation": 0, "completed": completed])
  }
}
