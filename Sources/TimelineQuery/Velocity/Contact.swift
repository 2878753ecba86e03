import TimelineModel
import TimelineStore

/// One contact of a session: where it was, and when it lifted.
struct Contact {
  /// Its number in the session. An app may use a number again for a contact that lands later.
  var number: Int
  /// Its places in the order recorded, landing included, lift left out.
  var places: [TouchSample] = []
  /// When it lifted or was taken away; nil while it is down.
  var lift: Instant?
  /// Whether it was taken away, which leaves it no velocity.
  var isCancelled = false

  /// The contacts of a session in the order of landing.
  static func all(in session: Int64, of reader: RecordingReader) throws -> [Contact] {
    var contacts: [Contact] = []
    var indexes: [Int: Int] = [:]
    let touches = try reader.touches(in: session)
    while let touch = try touches.next() {
      var index = indexes[touch.contact] ?? contacts.count
      if index < contacts.count, touch.phase == .began, contacts[index].lift != nil {
        index = contacts.count
      }
      if index == contacts.count {
        indexes[touch.contact] = index
        contacts.append(Contact(number: touch.contact))
      }
      switch touch.phase {
      case .began, .moved: contacts[index].places.append(touch)
      case .ended, .cancelled:
        contacts[index].lift = touch.time
        contacts[index].isCancelled = touch.phase == .cancelled
      }
    }
    return contacts
  }

  /// The places up to a moment, axis by axis, with the mark of those that the system computed; nil when
  /// the contact was not down then.
  func track(at moment: Instant) -> (x: [Sample], y: [Sample], resampled: [Bool])? {
    guard let landing = places.first, landing.time <= moment,
      lift.map({ $0 >= moment }) ?? true
    else { return nil }
    let past = places.filter { $0.time <= moment }
    return (
      x: past.map { Sample(time: $0.time, value: $0.position.x) },
      y: past.map { Sample(time: $0.time, value: $0.position.y) },
      resampled: past.contains(where: \.isResampled) ? past.map(\.isResampled) : []
    )
  }
}
