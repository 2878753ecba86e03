import MotionPhysics
import TimelineModel

/// What a view animates besides a transition's progress: a batch update, a change of bounds, a layout
/// that is exchanged with either, or the hand-over from an interrupted transition.
///
/// Every element blends from what was on the screen into what the layout says at the moment, so a
/// transition may go on, or begin, underneath. Exactly one start and one end for each element.
struct AnimatedChange {
  /// Why something is animated; the raw values are those of the recording.
  enum Cause: String {
    case update
    case bounds
    case layout
    case retarget
  }

  /// Why one element takes part; the raw values are those of the recording.
  enum Reason: String {
    /// It was not there before.
    case appearing
    /// It is not there any more.
    case disappearing
    /// It was there and stays, by a move of its own.
    case moved
    /// It was there and stays, with new content.
    case reloaded
    /// It was there and stays.
    case surviving
  }

  /// How far the change is, by the time since its start.
  enum Course {
    case eased(Easing)
    /// From 0 to 1 by the settle's spring; a velocity of 1 carries along the momentum.
    case spring(SettleMotion, momentum: SettleMotion)
    /// By the cubic that begins and ends at rest, 3x² − 2x³ of the time's share x; a velocity carries
    /// along the cubic that begins with it, x(1 − x)² (Hermite's two of four).
    case cubic(seconds: Double)
  }

  /// An element that ends where the layout puts it.
  struct Arrival {
    var item: ItemHandle
    var path: ElementPath
    var start: Pose
    /// Where the layout put it when the change began.
    var place: Pose
    var reason: Reason
    var pathBefore: ElementPath?
    /// Its velocity at the start, where it is carried over.
    var velocity: PoseVelocity?
  }

  /// An element that the layout does not place any more.
  struct Departure {
    var item: ItemHandle
    var path: ElementPath
    var start: Pose
    /// Where it would have ended when the change began, if that is not where it ends.
    var place: Pose?
    var end: Pose
  }

  var number: Int
  var cause: Cause
  var start: Instant
  var durationSeconds: Double
  var course: Course
  var arrivals: [Arrival]
  var departures: [Departure]
  /// The place of each arrival in ``arrivals``.
  private(set) var arrivalNumbers: [ItemHandle: Int]
  /// The place of each departure in ``departures``.
  private(set) var departureNumbers: [ItemHandle: Int]
  /// What offset and content size begin with, and what they would have been then without the change.
  var from: (offset: Point, size: Size)
  var into: (offset: Point, size: Size)
  /// Their velocities at the start, where those are carried over.
  var velocity = (offset: Point.zero, size: Size.zero)
  let transforms: TransformMixing
  let completion: (Bool) -> Void

  init(
    number: Int, cause: Cause, start: Instant, durationSeconds: Double, course: Course,
    elements: (arrivals: [Arrival], departures: [Departure]), from before: Screen,
    into after: Screen, transforms: TransformMixing, completion: @escaping (Bool) -> Void
  ) {
    self.number = number
    self.cause = cause
    self.start = start
    self.durationSeconds = durationSeconds
    self.course = course
    arrivals = elements.arrivals
    departures = elements.departures
    arrivalNumbers = [:]
    departureNumbers = [:]
    from = (before.offset, before.contentSize)
    into = (after.offset, after.contentSize)
    self.transforms = transforms
    self.completion = completion
    numberElements()
  }

  /// Lets go of everything that stays, and of where the content was.
  mutating func keepOnlyDepartures(offset: Point, contentSize: Size) {
    arrivals = []
    numberElements()
    from = (offset, contentSize)
    into = from
  }

  /// Lets those elements leave that a transition, now over, has placed for the last time.
  mutating func release(_ last: [ItemHandle: Pose]) {
    guard !last.isEmpty else { return }
    for arrival in arrivals {
      guard let end = last[arrival.item] else { continue }
      departures.append(
        Departure(
          item: arrival.item, path: arrival.path, start: arrival.start, place: arrival.place,
          end: end))
    }
    arrivals.removeAll { last[$0.item] != nil }
    numberElements()
  }

  private mutating func numberElements() {
    arrivalNumbers = [:]
    for (number, arrival) in arrivals.enumerated() { arrivalNumbers[arrival.item] = number }
    departureNumbers = [:]
    for (number, departure) in departures.enumerated() {
      departureNumbers[departure.item] = number
    }
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

  /// Where an element is that begins in `start`, was to be at `place` then, and is to be at `now`.
  ///
  /// While the place stays the same that is the way between the two poses. Where it moves by itself, in a
  /// transition, the element moves with it, and what parted the two at the start fades away; but what
  /// takes over with a velocity of its own goes its way into the moving place.
  func pose(from start: Pose, place: Pose, now: Pose, velocity: PoseVelocity?, at time: Instant)
    -> Pose
  {
    let fraction = fraction(at: time)
    let between = Pose.mixed(start, now, progress: fraction, transforms: transforms)
    if let velocity {
      let thrown = throwLength(at: time)
      return thrown == 0 ? between : velocity.carrying(between, for: thrown)
    }
    guard !carriesVelocity, place != now else { return between }
    var moved = between
    moved.center = self.moved(start.center, place.center, now.center, fraction)
    moved.size = self.moved(start.size, place.size, now.size, fraction)
    moved.alpha = now.alpha + (1 - fraction) * (start.alpha - place.alpha)
    if start.transform == place.transform { moved.transform = now.transform }
    return moved.isFinite ? moved : between
  }

  /// Whether it takes over from a transition with its velocity.
  private var carriesVelocity: Bool {
    if case .eased = course { false } else { true }
  }

  /// The offset at a time, in the same way.
  func offset(_ now: Point, at time: Instant) -> Point {
    let fraction = fraction(at: time)
    if carriesVelocity {
      let between = lerp(from.offset, now, fraction)
      let thrown = throwLength(at: time)
      let carried = Point(
        x: between.x + velocity.offset.x * thrown, y: between.y + velocity.offset.y * thrown)
      return carried.isFinite ? carried : between
    }
    if now == into.offset { return lerp(from.offset, now, fraction) }
    return moved(from.offset, into.offset, now, fraction)
  }

  /// The content size at a time, in the same way.
  func contentSize(_ now: Size, at time: Instant) -> Size {
    let fraction = fraction(at: time)
    if carriesVelocity {
      let between = lerp(from.size, now, fraction)
      let thrown = throwLength(at: time)
      let carried = Size(
        width: between.width + velocity.size.width * thrown,
        height: between.height + velocity.size.height * thrown)
      return carried.isFinite ? carried : between
    }
    if now == into.size { return lerp(from.size, now, fraction) }
    return moved(from.size, into.size, now, fraction)
  }

  private func moved(_ start: Point, _ place: Point, _ now: Point, _ fraction: Double) -> Point {
    Point(
      x: now.x + (1 - fraction) * (start.x - place.x),
      y: now.y + (1 - fraction) * (start.y - place.y))
  }

  private func moved(_ start: Size, _ place: Size, _ now: Size, _ fraction: Double) -> Size {
    Size(
      width: now.width + (1 - fraction) * (start.width - place.width),
      height: now.height + (1 - fraction) * (start.height - place.height))
  }
}

/// Everything that a frame shows.
struct Screen {
  /// One element on the screen.
  struct Element {
    var item: ItemHandle
    var path: ElementPath
    var pose: Pose
    /// Whether the layout still places it.
    var isPlaced = true
  }

  var elements: [Element]
  var offset: Point
  var contentSize: Size
}
