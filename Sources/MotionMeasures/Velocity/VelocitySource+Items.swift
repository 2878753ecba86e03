import KymographCLibrary
import MotionPhysics
import TimelineModel
import TimelineSession
import TimelineStore

/// How many frames before a moment an element's attributes are looked up in: eight seconds at 120 Hz.
private let longestFrameLook: Int64 = 1000

extension VelocitySource {
  /// The attributes that are lengths.
  static let lengths: Set<String> = ["center.x", "center.y", "width", "height"]

  /// The attributes of the elements that are asked about, one track each, up to a moment. An attribute that
  /// stays the same has a sample in every frame.
  func attributeTracks(
    upTo moment: Instant
  ) throws -> [(item: ItemRecord, attribute: String, samples: [Sample])] {
    // The attributes of each ID. Empty: all.
    var asked: [String: Set<String>] = question.item.map { [$0: []] } ?? [:]
    for case .item(let id, let attribute) in question.values {
      let names = MotionSubject.item(id, attribute).numbers.compactMap { subject in
        if case .item(_, let one) = subject { one.rawValue } else { nil }
      }
      let isWhole = attribute == .frame || asked[id]?.isEmpty == true
      asked[id] = isWhole ? [] : asked[id, default: []].union(names)
    }
    guard !asked.isEmpty, let shown = try source.reader.frame(shownAt: moment, in: session.number)
    else {
      return []
    }
    let items = try source.items().filter { asked.keys.contains($0.identity.id) }
    var poses = items.map { _ in [(time: Instant, pose: Pose)]() }
    let numbers = max(0, shown.number - longestFrameLook)...shown.number
    let first = try source.reader.frames(in: session.number, numbers: numbers).next() ?? shown
    try source.forEachPose(of: items, from: first.state.time) { state, found in
      guard state.time <= moment else { return false }
      for index in items.indices {
        // What was away and came back did not move from there to here.
        if let pose = found[index] {
          poses[index].append((state.time, pose))
        } else {
          poses[index] = []
        }
      }
      return true
    }
    return zip(items, poses).flatMap { item, poses in
      tracks(of: poses).filter { track in
        asked[item.identity.id].map { $0.isEmpty || $0.contains(track.attribute) } ?? false
      }.map { (item, $0.attribute, $0.samples) }
    }
  }

  private func tracks(
    of poses: [(time: Instant, pose: Pose)]
  ) -> [(attribute: String, samples: [Sample])] {
    guard !poses.isEmpty else { return [] }
    func track(_ attribute: String, _ value: (Pose) -> Double) -> (String, [Sample]) {
      (attribute, poses.map { Sample(time: $0.time, value: value($0.pose)) })
    }
    var tracks = [
      track("center.x") { $0.center.x }, track("center.y") { $0.center.y },
      track("width") { $0.size.width }, track("height") { $0.size.height },
      track("alpha") { $0.alpha },
    ]
    let flat = poses.compactMap { pose -> Transform2D? in
      if case .flat(let transform) = pose.pose.transform { transform } else { nil }
    }
    guard flat.count == poses.count, flat.contains(where: { $0 != .identity }) else {
      return tracks
    }
    func flatTrack(_ attribute: String, _ values: [Double]) {
      tracks.append((attribute, zip(poses, values).map { Sample(time: $0.time, value: $1) }))
    }
    flatTrack("rotation", unwrapped(flat.map { atan2($0.b, $0.a) }))
    flatTrack("scale.x", flat.map { hypot($0.a, $0.b) })
    flatTrack("scale.y", flat.map { hypot($0.c, $0.d) })
    return tracks
  }

  /// Angles that go on through half a turn instead of jumping back by a whole one.
  private func unwrapped(_ angles: [Double]) -> [Double] {
    var turns = 0.0
    var last: Double?
    return angles.map { angle in
      if let last, angle.isFinite {
        if angle - last > .pi { turns -= 1 }
        if last - angle > .pi { turns += 1 }
      }
      last = angle
      return angle + turns * 2 * .pi
    }
  }
}
