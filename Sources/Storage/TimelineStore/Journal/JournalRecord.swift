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
  /// An event.
  case event(JournalEvent)
  /// A release decision.
  case decision(ReleaseDecision)
  /// What was estimated for a key at a release.
  case estimate(ReleaseEstimate)
  /// What could not be kept.
  case loss(LossRecord)
}

/// An event as the journal holds it: its fields are the text that the table takes.
package struct JournalEvent: Hashable, Sendable {
  /// When it happened.
  package var time: Instant
  /// What happened.
  package var kind: TimelineEvent.Kind
  /// What belongs to it: the text of a JSON object.
  package var fieldsJSON: String

  /// Makes an event.
  package init(time: Instant, kind: TimelineEvent.Kind, fieldsJSON: String) {
    self.time = time
    self.kind = kind
    self.fieldsJSON = fieldsJSON
  }

  /// An event as a caller gave it.
  package init(_ event: TimelineEvent) {
    self.init(
      time: event.time, kind: event.kind, fieldsJSON: FieldValue.object(event.fields).json)
  }
}
