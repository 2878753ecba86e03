import MotionPhysics
import TimelineModel
import TimelineSession
import TimelineStore

/// Where an element stands in one frame.
struct ShownElement {
  /// The bounding box after the transform, in points.
  var frame = Rect2D.zero
  /// As computed, no unit.
  var alpha = 0.0
  /// Larger is nearer to the viewer.
  var zIndex = 0
  /// Whether it is shown at all.
  var isThere = false
  /// Whether it is shown so that it is missed where it is not.
  var isSeen = false
  /// The half-widths of the intervals of its numbers. `nil`: they are exact.
  var errors: LayoutErrors?

  /// How far it is from another one. A difference that both of their intervals allow is none.
  func errors(to other: ShownElement) -> LayoutErrors {
    let (from, to) = (frame.center, other.frame.center)
    let all = LayoutErrors(
      distance: Separation(x: clampedToFinite(to.x - from.x), y: clampedToFinite(to.y - from.y)),
      size: Separation(
        x: clampedToFinite(other.frame.size.width - frame.size.width),
        y: clampedToFinite(other.frame.size.height - frame.size.height), isOfLargerAxis: true),
      alpha: Separation(x: clampedToFinite(other.alpha - alpha)))
    guard errors != nil || other.errors != nil else { return all }
    func beyond(_ quantity: KeyPath<LayoutErrors, Separation>) -> Separation {
      var found = all[keyPath: quantity]
      let (one, two) = (errors?[keyPath: quantity], other.errors?[keyPath: quantity])
      if abs(found.x) <= (one?.x ?? 0) + (two?.x ?? 0) { found.x = 0 }
      if abs(found.y) <= (one?.y ?? 0) + (two?.y ?? 0) { found.y = 0 }
      return found
    }
    return LayoutErrors(
      distance: beyond(\.distance), size: beyond(\.size), alpha: beyond(\.alpha))
  }
}

extension LayoutErrors {
  /// The half-widths of an element's numbers at an instant of its session. `nil`: they are exact.
  init?(_ errors: ElementErrors, of id: String, _ pose: Pose, at time: Instant) {
    func half(_ attribute: ItemAttribute) -> Double {
      errors.halfWidth(of: id, attribute, pose, at: time) ?? 0
    }
    guard errors.halfWidth(of: id, .alpha, pose, at: time) != nil else { return nil }
    self.init(
      distance: Separation(x: half(.centerX), y: half(.centerY)),
      size: Separation(x: half(.width), y: half(.height), isOfLargerAxis: true),
      alpha: Separation(x: half(.alpha)))
  }
}

/// What of a frame a person sees.
struct LayoutSight {
  /// The viewport's extent. `nil`: all is in it.
  private let viewport: Size2D?
  private let tolerance: LayoutComparison.Tolerance

  init(_ viewport: Size2D?, _ tolerance: LayoutComparison.Tolerance) {
    self.viewport = viewport.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    self.tolerance = tolerance
  }

  /// Whether so much of a pose is seen that its element is missed where it is not shown.
  func sees(_ pose: Pose, _ frame: Rect2D, offset: Point2D) -> Bool {
    !pose.isHidden && pose.alpha > tolerance.alpha && holds(frame, offset: offset)
  }

  /// Whether an element is seen where it stands in a frame.
  func shows(_ element: ShownElement, offset: Point2D) -> Bool {
    element.isThere && element.alpha > tolerance.alpha && holds(element.frame, offset: offset)
  }

  /// How far from the viewport's middle a place is, in points. 0 where no viewport is known.
  func distanceFromMiddle(_ frame: Rect2D, offset: Point2D) -> Double {
    guard let viewport else { return 0 }
    let center = frame.center
    return LayoutWalk.length(
      center.x - offset.x - viewport.width / 2, center.y - offset.y - viewport.height / 2)
  }

  /// Whether so much of a frame is within the viewport that it is missed where it is not.
  func holds(_ frame: Rect2D, offset: Point2D) -> Bool {
    viewport?.holds(frame, offset: offset, least: tolerance.distance) ?? true
  }
}

/// One session's frames, walked through in the order of time: the elements in the frame that is shown, and in the
/// one after it.
struct LayoutSide {
  private let readFrame: () throws -> FoldedFrame?
  private let errors: ElementErrors
  private let ids: [String]
  private let positions: IndexByNumber
  private let map: TimeMap
  private let sight: LayoutSight
  private var lookahead: (time: Instant, own: Instant, offset: Point2D, elements: [ElementRecord])?

  /// When the shown frame came, on the common clock. `nil` before the first.
  private(set) var shownTime: Instant?
  /// The shown frame's elements. Of what is not in it, where it last was.
  private(set) var shown: [ShownElement]
  /// The shown frame's content offset.
  private(set) var shownOffset = Point2D.zero
  /// Which elements were seen in the first frame.
  private(set) var seenFirst: [Bool] = []
  /// When the next frame comes. `nil` at the end.
  private(set) var nextTime: Instant?
  /// The next frame's elements.
  private(set) var next: [ShownElement]
  private var nextOffset = Point2D.zero
  /// How many frames were shown.
  private(set) var frameCount = 0
  /// Grows with every frame in which the drawing order or somebody's presence is another one.
  private(set) var orderVersion = 0
  /// When each element appeared and vanished, by turns.
  private(set) var changes: [[Instant]]
  /// The box around each element's center on its way. `nil` before it was shown.
  private(set) var ways: [Rect2D?]

  init(
    numbers: [ItemHandle: Int], ids: [String], errors: ElementErrors, map: TimeMap,
    sight: LayoutSight, readFrame: @escaping () throws -> FoldedFrame?
  ) throws {
    let count = ids.count
    (self.readFrame, self.errors, self.ids) = (readFrame, errors, ids)
    self.sight = sight
    self.map = map
    positions = IndexByNumber(numbers.map { ($0.key.rawValue, $0.value) })
    shown = Array(repeating: ShownElement(), count: count)
    next = shown
    changes = Array(repeating: [], count: count)
    ways = Array(repeating: nil, count: count)
    lookahead = try read()
    try fillNext()
  }

  /// Whether a frame is shown at an instant: one has come, and the last is not over.
  func isReady(at time: Instant) -> Bool {
    guard let shownTime else { return false }
    return shownTime <= time && (nextTime != nil || shownTime == time)
  }

  /// Shows the next frame.
  mutating func step() throws {
    guard let time = nextTime else { return }
    var isReordered = false
    for position in next.indices {
      let (before, after) = (shown[position], next[position])
      if before.isThere != after.isThere {
        if before.isThere { next[position].frame = before.frame }
        changes[position].append(time)
        isReordered = true
      } else if before.zIndex != after.zIndex {
        isReordered = true
      }
      if after.isThere {
        let center = Rect2D(origin: after.frame.center, size: .zero)
        ways[position] = ways[position].map { $0.union(center) } ?? center
      }
    }
    if isReordered { orderVersion += 1 }
    if shownTime == nil { seenFirst = next.map { $0.isThere && $0.isSeen } }
    shownTime = time
    shownOffset = nextOffset
    swap(&shown, &next)
    frameCount += 1
    try fillNext()
  }

  /// Where an element is at an instant between the shown frame and the next. Where it is in only one of them,
  /// or at the end, as shown.
  func element(_ index: Int, at time: Instant) -> ShownElement {
    let here = shown[index]
    guard let shownTime, let nextTime, time > shownTime else { return here }
    guard here.isThere, next[index].isThere else { return here }
    let there = next[index]
    let share = time.seconds(since: shownTime) / nextTime.seconds(since: shownTime)
    var mixed = here
    mixed.frame = Rect2D(
      x: lerp(here.frame.origin.x, there.frame.origin.x, share),
      y: lerp(here.frame.origin.y, there.frame.origin.y, share),
      width: lerp(here.frame.size.width, there.frame.size.width, share),
      height: lerp(here.frame.size.height, there.frame.size.height, share))
    mixed.alpha = lerp(here.alpha, there.alpha, share)
    return mixed
  }

  /// The next frame on the common clock, those that go backwards left out.
  private func read() throws -> (
    time: Instant, own: Instant, offset: Point2D, elements: [ElementRecord]
  )? {
    while let frame = try readFrame() {
      let time = map.instantOfA(frame.frame.state.time)
      if time >= nextTime ?? shownTime ?? time {
        let state = frame.frame.state
        return (time, state.time, state.contentOffset, frame.elements)
      }
    }
    return nil
  }

  /// Takes the frame that was read. Of several of one instant the newest.
  private mutating func fillNext() throws {
    guard let first = lookahead else {
      nextTime = nil
      return
    }
    nextTime = first.time
    var newest = first
    lookahead = try read()
    while let following = lookahead, following.time == newest.time {
      newest = following
      frameCount += 1
      lookahead = try read()
    }
    nextOffset = newest.offset
    for position in next.indices { next[position].isThere = false }
    for element in newest.elements {
      let position = positions[element.item.rawValue]
      guard position >= 0 else { continue }
      let pose = element.pose
      let frame = pose.frame
      next[position] = ShownElement(
        frame: frame, alpha: pose.alpha, zIndex: pose.zIndex, isThere: !pose.isHidden,
        isSeen: sight.sees(pose, frame, offset: newest.offset),
        errors: errors.isEmpty
          ? nil : LayoutErrors(errors, of: ids[position], pose, at: newest.own))
    }
  }
}
