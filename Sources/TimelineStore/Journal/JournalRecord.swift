package import TimelineModel

/// A record of a crash journal.
package enum JournalRecord: Hashable, Sendable {
  /// A key's number, name, role and unit.
  case key(KeyRecord)
  /// An element's number and identity.
  case item(ItemRecord)
  /// A value of a key.
  case sample(KeyHandle, Sample, MotionPhase)
  /// A frame, and how many changes follow it.
  case frame(FrameRecord, changes: Int)
  /// What became of an element in the frame before it.
  case change(AttributeChange)
  /// A report of a contact.
  case touch(TouchSample)
  case event(JournalEvent)
  case decision(ReleaseDecision)
  /// What was estimated for a key at a release.
  case estimate(ReleaseEstimate)
  /// What could not be kept.
  case loss(LossRecord)
}
