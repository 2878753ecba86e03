import MotionPhysics
import TimelineModel

/// The animations of a view besides a transition's progress: a batch update, a change of bounds, a layout
/// that is exchanged with either, or the hand-over from an interrupted transition.
///
/// Every element blends from the picture on the screen into what the layout says at the moment, so a
/// transition may go on, or begin, underneath. Exactly one start and one end for each element.
struct AnimatedChange {
  /// Why something is animated. The raw values are those of the recording.
  enum Cause: String {
    case update
    case bounds
    case layout
    case retarget
  }

  /// Why one element takes part. The raw values are those of the recording.
  enum Reason: String, Sendable {
    /// It was not there before.
    case appearing
    /// It is not there any more.
    case disappearing
    /// It was there and stays, by a move of its own.
    case moved
    /// It was there and stays, with new content: that appears, and the old content disappears.
    case reloaded
    /// It was there and stays.
    case surviving
  }

  /// How far the change is, by the time since its start.
  enum Course {
    case eased(Easing)
    /// From 0 to 1 by the settle's spring. A velocity of 1 carries along the momentum.
    case spring(SettleMotion, momentum: SettleMotion)
    /// By the cubic that begins and ends at rest, 3x² − 2x³ of the time's share x. A velocity carries
    /// along the cubic that begins with it, x(1 − x)² (Hermite's two of four).
    case cubic(seconds: Double)
  }

  /// An element that ends where the layout puts it.
  struct Arrival: Sendable {
    var item: ItemHandle
    var path: ElementPath
    var start: Pose
    /// The two poses that a transition was mixing it from when the change began. `nil`: it stood.
    var ends: MixedEnds?
    var reason: Reason
    var pathBefore: ElementPath?
  }

  /// An element that the layout does not place any more.
  struct Departure: Sendable {
    var item: ItemHandle
    var path: ElementPath
    var start: Pose
    var end: Pose
  }

  var number: Int
  var cause: Cause
  var start: Instant
  var durationSeconds: Double
  var course: Course
  var arrivals: [Arrival]
  var departures: [Departure]
  /// The start of offset and content size.
  var from: (offset: Point2D, size: Size2D)
  /// The transition under way when the change began: what it was mixing goes on by its progress, and
  /// blends from there.
  var underlying: Underlying?
  /// How fast offset and content size change at the start, where that is carried over. Per second.
  var velocity = (offset: Point2D.zero, size: Size2D.zero)
  /// The velocities of arrivals at the start, where they are carried over. Looked up only.
  var velocities: [ItemHandle: PoseVelocity] = [:]
  let transforms: TransformMixing
  let completion: (Bool) -> Void

  init(
    number: Int, cause: Cause, start: Instant, durationSeconds: Double, course: Course,
    elements: (arrivals: [Arrival], departures: [Departure]), from before: Screen,
    underlying: Underlying? = nil, transforms: TransformMixing,
    completion: @escaping (Bool) -> Void
  ) {
    self.number = number
    self.cause = cause
    self.start = start
    self.durationSeconds = durationSeconds
    self.course = course
    arrivals = elements.arrivals
    departures = elements.departures
    from = (before.offset, before.contentSize)
    self.underlying = underlying
    self.transforms = transforms
    self.completion = completion
  }

  /// Lets go of everything that stays, and of where the content was.
  mutating func keepOnlyDepartures(offset: Point2D, contentSize: Size2D) {
    arrivals = []
    from = (offset, contentSize)
    underlying = nil
  }

  /// Lets those elements leave that a transition, now over, has placed for the last time.
  mutating func release(_ last: [ItemHandle: Pose]) {
    guard !last.isEmpty else { return }
    for arrival in arrivals {
      guard let end = last[arrival.item] else { continue }
      departures.append(
        Departure(
          item: arrival.item, path: arrival.path, start: start(of: arrival), end: end))
    }
    arrivals.removeAll { last[$0.item] != nil }
  }

  func isOver(at time: Instant) -> Bool { time.seconds(since: start) >= durationSeconds }

  /// How far the change is: 0 at the start, 1 at its end and after, what the course says between.
  func fraction(at time: Instant) -> Double {
    let elapsed = time.seconds(since: start)
    if elapsed >= durationSeconds { return 1 }
    switch course {
    case .eased(let easing): return easing.value(at: elapsed / durationSeconds)
    case .spring(let motion, _): return motion.value(atSeconds: elapsed)
    case .cubic(let seconds):
      let x = elapsed / seconds
      return x * x * (3 - 2 * x)
    }
  }

  /// How far a velocity of 1 has carried, in seconds.
  func throwLength(at time: Instant) -> Double {
    guard !isOver(at: time) else { return 0 }
    let elapsed = time.seconds(since: start)
    switch course {
    case .eased: return 0
    case .spring(_, let momentum): return momentum.value(atSeconds: elapsed)
    case .cubic(let seconds):
      let x = elapsed / seconds
      return elapsed * (1 - x) * (1 - x)
    }
  }

  /// Where an element begins: what a transition made of it goes on with the transition's progress.
  func start(of arrival: Arrival) -> Pose {
    guard let ends = arrival.ends, let layout = underlying?.layout else { return arrival.start }
    let mixed = Pose.mixed(
      ends.from, ends.to, progress: layout.preparedProgress, transforms: layout.transforms)
    let path = arrival.pathBefore ?? arrival.path
    let shown = layout.pose(mixed, of: path, from: ends.from, to: ends.to)
    return shown.isFinite ? shown : mixed
  }

  /// Where an element is on its way from `start`, which may have a velocity of its own, to `now`.
  func pose(from start: Pose, to now: Pose, velocity: PoseVelocity? = nil, at time: Instant) -> Pose
  {
    let between = Pose.mixed(start, now, progress: fraction(at: time), transforms: transforms)
    guard let velocity else { return between }
    let thrown = throwLength(at: time)
    return thrown == 0 ? between : velocity.carrying(between, for: thrown)
  }

  /// The offset at a time, in the same way.
  func offset(_ now: Point2D, at time: Instant) -> Point2D {
    let between = lerp(underlying?.offset ?? from.offset, now, fraction(at: time))
    let thrown = throwLength(at: time)
    let carried = Point2D(
      x: between.x + velocity.offset.x * thrown, y: between.y + velocity.offset.y * thrown)
    return carried.isFinite ? carried : between
  }

  /// The content size at a time, in the same way.
  func contentSize(_ now: Size2D, at time: Instant) -> Size2D {
    let between = lerp(underlying?.contentSize ?? from.size, now, fraction(at: time))
    let thrown = throwLength(at: time)
    let carried = Size2D(
      width: between.width + velocity.size.width * thrown,
      height: between.height + velocity.size.height * thrown)
    return carried.isFinite ? carried : between
  }

  /// The motion of one element that takes part.
  struct Way {
    var item: ItemHandle
    var path: ElementPath
    var start: Pose
    var end: Pose
    var velocity: PoseVelocity?
    /// Whether the layout places it. False: it is leaving.
    var isPlaced = true
  }

  /// Tells the motion of each element in the order of drawing: those of a screen blend from their starts into their
  /// places, those that moved out of sight are added, then those that are leaving.
  func forEachWay(
    of elements: [Screen.Element], over layout: any CollectionViewLayout, _ body: (Way) -> Void
  ) {
    var arrivalNumbers = NumberTable<Int>()
    for number in arrivals.indices { arrivalNumbers.set(number, of: arrivals[number].item) }
    var departureNumbers = NumberTable<Int>()
    for number in departures.indices { departureNumbers.set(number, of: departures[number].item) }
    var isSeen = [Bool](repeating: false, count: arrivals.count)
    var isBack = [Bool](repeating: false, count: departures.count)
    func tell(_ number: Int, to end: Pose, at path: ElementPath) {
      let item = arrivals[number].item
      if let departure = departureNumbers[item] { isBack[departure] = true }
      body(
        Way(
          item: item, path: path, start: start(of: arrivals[number]), end: end,
          velocity: velocities.isEmpty ? nil : velocities[item]))
    }
    for element in elements {
      if let number = arrivalNumbers[element.item] {
        isSeen[number] = true
        tell(number, to: element.pose, at: element.path)
      } else {
        // If it was leaving, a transition has it back.
        let departure = departureNumbers[element.item]
        if let departure { isBack[departure] = true }
        body(
          Way(
            item: element.item, path: element.path,
            start: departure.map { departures[$0].start } ?? element.pose, end: element.pose))
      }
    }
    for number in arrivals.indices where !isSeen[number] {
      let path = arrivals[number].path
      guard let pose = layout.finitePose(at: path) else { continue }
      tell(number, to: pose, at: path)
    }
    for departure in departures where departureNumbers[departure.item].map({ isBack[$0] }) != true {
      body(
        Way(
          item: departure.item, path: departure.path, start: departure.start, end: departure.end,
          isPlaced: false))
    }
  }

  /// The screen after the change. At its end all is where the layout says, and everything that was leaving is
  /// gone.
  func blended(_ screen: Screen, over layout: any CollectionViewLayout, at time: Instant) -> Screen
  {
    var result = Screen(
      elements: [], offset: offset(screen.offset, at: time),
      contentSize: contentSize(screen.contentSize, at: time))
    result.elements.reserveCapacity(screen.elements.count + departures.count)
    let isOver = isOver(at: time)
    forEachWay(of: screen.elements, over: layout) { way in
      if isOver, !way.isPlaced { return }
      result.elements.append(
        Screen.Element(
          item: way.item, path: way.path,
          pose: pose(from: way.start, to: way.end, velocity: way.velocity, at: time),
          isPlaced: way.isPlaced))
    }
    return result
  }

  /// Why each element takes part, and from which place to which, as a list that is made when a sink reads it.
  func described(by elements: ElementRegistry) -> @Sendable () -> FieldValue {
    let (arrivals, departures) = (arrivals, departures)
    var ids: [String?] = []
    ids.reserveCapacity(arrivals.count + departures.count)
    for number in arrivals.indices { ids.append(elements.id(of: arrivals[number].item)) }
    for number in departures.indices { ids.append(elements.id(of: departures[number].item)) }
    return { [ids] in
      .list(
        zip(arrivals, ids).map { arrival, id in
          AnimatedChange.described(
            arrival.item, id, arrival.path, arrival.reason, before: arrival.pathBefore,
            after: arrival.path)
        }
          + zip(departures, ids.dropFirst(arrivals.count)).map { departure, id in
            AnimatedChange.described(
              departure.item, id, departure.path, .disappearing, before: departure.path, after: nil)
          })
    }
  }

  private static func described(
    _ item: ItemHandle, _ id: String?, _ path: ElementPath, _ reason: Reason,
    before: ElementPath?, after: ElementPath?
  ) -> FieldValue {
    let old = before.map { FieldValue($0.indexPath) } ?? .null
    let new = after == before ? old : after.map { FieldValue($0.indexPath) } ?? .null
    return .object([
      EventField("item", .integer(Int64(item.rawValue))), EventField("id", FieldValue(id)),
      EventField("kind", .text(path.category.rawValue)),
      EventField("reason", .text(reason.rawValue)),
      EventField("before", old), EventField("after", new),
    ])
  }
}

/// A transition as it was before its layouts were prepared again: its ends then, and its progress now.
struct Underlying {
  let layout: TransitionLayout
  /// The content offset at both ends. One point where it was not driven.
  var offsets: (from: Point2D, to: Point2D)
  let contentSizes: (from: Size2D, to: Size2D)

  init(_ layout: TransitionLayout, offset: Point2D) {
    self.layout = layout
    offsets = layout.toContentOffset.map { (layout.fromContentOffset, $0) } ?? (offset, offset)
    contentSizes = (layout.currentLayout.contentSize, layout.nextLayout.contentSize)
  }

  var offset: Point2D { lerp(offsets.from, offsets.to, layout.preparedProgress) }

  var contentSize: Size2D { lerp(contentSizes.from, contentSizes.to, layout.preparedProgress) }
}
