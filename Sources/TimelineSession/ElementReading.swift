package import TimelineModel
import TimelineStore

/// Collects what named elements do, frame by frame.
struct ElementReading {
  private let subjects: [MotionSubject]
  private let dense: Set<MotionSubject>

  /// How much of an element has to be within the viewport to be seen, in points: half a point is less than anybody sees.
  private static let least = 0.5

  /// One attribute of one element.
  struct Reading {
    let subject: MotionSubject
    /// The element's place in the list of elements.
    let item: Int
    let attribute: ItemAttribute
    let isDense: Bool
    var track: Track
    /// Whether it was shown in the frame before.
    var isOpen = false
  }

  init(_ subjects: [MotionSubject], dense: Set<MotionSubject>) {
    (self.subjects, self.dense) = (subjects, dense)
  }

  /// Reads the frames.
  ///
  /// - Returns: The attributes in the order in which they are named. Those of elements of one name one after the other.
  func read(_ source: some SessionSource) throws -> [Reading] {
    let items = try source.items()
    var readings: [Reading] = []
    for case .item(let id, let attribute) in subjects {
      let subject = MotionSubject.item(id, attribute)
      for index in items.indices.named(id, { items[$0].identity.id }) {
        var track = Track(
          name: MotionSubject.item(items[index].identity.id, attribute).text,
          unit: attribute == .alpha ? "1" : "pt")
        track.axes = attribute.axes
        readings.append(
          Reading(
            subject: subject, item: index, attribute: attribute, isDense: dense.contains(subject),
            track: track))
      }
    }
    guard !readings.isEmpty else { return [] }
    // Of a viewport that changes nobody knows what it shows.
    let size = source.session.description.viewport
    let viewport = try source.lastViewport() == size ? size : nil
    var latest: Instant?
    try source.forEachPose(of: items) { state, poses in
      guard state.time >= latest ?? state.time else { return true }
      latest = state.time
      for index in readings.indices {
        let pose = poses[readings[index].item]
        let isVisible = pose.map {
          viewport?.holds($0.frame, offset: state.contentOffset, least: Self.least) ?? true
        }
        readings[index].take(pose, at: state.time, isVisible: isVisible ?? false)
      }
      return true
    }
    return readings
  }
}

extension ElementReading.Reading {
  fileprivate mutating func take(_ pose: Pose?, at time: Instant, isVisible: Bool) {
    // What cannot be seen may be anywhere.
    guard let pose, pose.isFinite, !pose.isHidden, attribute == .alpha || pose.alpha > 0 else {
      isOpen = false
      return
    }
    track.add(
      attribute.values(of: pose), at: time, isVisible: isVisible, isNew: !isOpen, isDense: isDense)
    isOpen = true
  }
}

extension Size2D {
  /// Whether so much of a frame is within a viewport of this size that it is missed if it is not. True for a size of 0.
  package func holds(_ frame: Rect2D, offset: Point2D, least: Double) -> Bool {
    guard width > 0, height > 0 else { return true }
    return frame.minX - offset.x < width - least && frame.maxX - offset.x > least
      && frame.minY - offset.y < height - least && frame.maxY - offset.y > least
  }
}

extension ItemAttribute {
  /// The axes of the numbers of a pose. Empty if they are no place.
  package var axes: [FingerAxis] {
    switch self {
    case .centerX: [.x]
    case .centerY: [.y]
    case .center: [.x, .y]
    case .frame: [.x, .y, .x, .y]
    case .width, .height, .alpha: []
    }
  }

  /// The numbers of a pose: one, the two of a place, or a frame's left, top, right and bottom.
  package func values(of pose: Pose) -> [Double] {
    switch self {
    case .centerX: return [pose.center.x]
    case .centerY: return [pose.center.y]
    case .center: return [pose.center.x, pose.center.y]
    case .width: return [pose.size.width]
    case .height: return [pose.size.height]
    case .alpha: return [pose.alpha]
    case .frame:
      let frame = pose.frame
      return [frame.minX, frame.minY, frame.maxX, frame.maxY]
    }
  }
}
