import Synchronization
import TimelineModel
import TimelineStore

extension RecorderCore {
  /// Takes a report of a contact in.
  func record(_ touch: TouchSample) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard touch.position.isFinite else {
      return warnOnce(
        "nonFinite", "A touch's position is not finite and was left out.", of: "touch",
        at: touch.time)
    }
    store(.touch(touch), .touch, at: touch.time, isReserved: false)
  }

  /// Takes an event in.
  ///
  /// - Parameter isImportant: Whether a power cut must not take it back: it is committed at once, and the
  ///   commit waits for the disk.
  func record(_ event: TimelineEvent, isImportant: Bool) {
    guard !isOff.load(ordering: .relaxed) else { return }
    store(
      .event(JournalEvent(event)), .event, at: event.time, isReserved: true,
      isUrgent: isImportant || event.kind == .decision)
  }

  func record(_ decision: ReleaseDecision) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard decision.threshold.isFinite, decision.progress.isFinite else {
      return warnOnce(
        "nonFinite", "A decision has a number that is not finite and was left out.",
        of: "decision", at: decision.time)
    }
    var kept = decision
    RecorderCore.leaveOutNotFinite(ReleaseDecision.numbers, of: &kept)
    store(.decision(kept), .decision, at: kept.time, isReserved: true, isUrgent: true)
  }

  /// Takes in the estimates of one key at a release.
  func record(_ estimate: ReleaseEstimate) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard estimate.key != LeftOutName.key else {
      return loseNameless(at: estimate.time)
    }
    requireIssued(estimate.key)
    guard estimate.value.isFinite else {
      return warnOnce(
        "nonFinite", "An estimate's value is not finite and was left out.", of: "estimate",
        at: estimate.time)
    }
    var kept = estimate
    kept.estimate.sampleCount = Int(Int32(clamping: max(0, estimate.estimate.sampleCount)))
    RecorderCore.leaveOutNotFinite(ReleaseEstimate.numbers, of: &kept)
    store(.estimate(kept), .estimate, at: kept.time, isReserved: true)
  }

  /// A number that is not finite is as good as none where none is allowed.
  private static func leaveOutNotFinite<Record>(
    _ numbers: [NumberField<Record>], of record: inout Record
  ) {
    for number in numbers where record[keyPath: number.path]?.isFinite == false {
      record[keyPath: number.path] = nil
    }
  }

  private func store(
    _ record: JournalRecord, _ what: LossRecord.What, at time: Instant, isReserved: Bool,
    isUrgent: Bool = false
  ) {
    let words = record.unchecked
    let claim = Claim(words: words.count, what: what, time: time, isReserved: isReserved)
    guard words.count <= JournalFormat.longestRecord else { return lose(claim) }
    let isStored = append(claim) { lane in
      lane.pointee.store(words, record.kind)
      return words.count
    }
    if isUrgent, isStored {
      self.isUrgent.store(true, ordering: .releasing)
      callWriter()
    }
    deliverPendingTroubles()
  }
}
