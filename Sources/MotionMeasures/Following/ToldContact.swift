package import TimelineModel

/// What a page was told of one contact.
package struct ToldContact {
  /// The places that handlers of pointers were told of.
  package var places: [FingerPlace] = []
  /// The places that handlers of touches were told of, of a contact that the browser did not take away.
  package var touchPlaces: [FingerPlace] = []
  /// When it lifted, in seconds of the session; nil: it did not.
  package var lift: Double?
  /// When the page was told of its lift; nil: not known.
  package var heardLift: Double?

  /// Takes the reports of a contact.
  ///
  /// - Returns: nil if none says when the page was told of it.
  package init?(_ reports: [TouchSample]) {
    guard !reports.isEmpty else { return nil }
    for touch in reports {
      let point = touch.position
      let time = touch.time.seconds
      switch touch.phase {
      case .began, .moved:
        guard point.isFinite else { continue }
        let place = FingerPlace(time: time, x: point.x, y: point.y, heard: touch.heard?.seconds)
        places.append(place)
        guard let heard = touch.touchHeard?.seconds else { continue }
        touchPlaces.append(place)
        touchPlaces[touchPlaces.count - 1].heard = heard
      default:
        (lift, heardLift) = (time, touch.heard?.seconds)
        if touch.phase == .cancelled { touchPlaces = [] }
      }
    }
  }
}
