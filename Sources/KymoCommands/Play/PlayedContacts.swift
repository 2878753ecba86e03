import TimelineModel
import TimelineSession

/// The contacts of a session, to be asked for where they are at an instant.
struct PlayedContacts {
  /// One contact from landing to lifting.
  private struct Track {
    var times: [Instant] = []
    var positions: [Point2D] = []
    /// When it lifted or was taken away; nil: never.
    var end: Instant?
  }

  private var tracks: [Track] = []
  /// When anything was reported.
  private(set) var times: [Instant] = []

  /// No contacts.
  init() {}

  /// Takes reports in the order recorded; of one contact those whose time goes backwards are left out.
  init(_ source: some SessionSource) throws {
    var indices: [Int: Int] = [:]
    try source.forEachTouch(endsAlone: false) { touch in
      times.append(touch.time)
      // A number that lands again is another contact.
      if touch.phase == .began || indices[touch.contact] == nil {
        indices[touch.contact] = tracks.count
        tracks.append(Track())
      }
      guard let index = indices[touch.contact],
        touch.time >= tracks[index].times.last ?? touch.time
      else { return }
      tracks[index].times.append(touch.time)
      tracks[index].positions.append(touch.position)
      if touch.phase == .ended || touch.phase == .cancelled { tracks[index].end = touch.time }
    }
  }

  /// Where contacts are down, in the order of their landing.
  func positions(at time: Instant) -> [Point2D] {
    tracks.compactMap { track in
      guard let first = track.times.first, first <= time,
        time < track.end ?? .init(nanoseconds: .max)
      else { return nil }
      return track.positions[track.times.partitioningIndex { $0 > time } - 1]
    }
  }
}
