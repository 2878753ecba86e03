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
    /// From 0 to 1 by the settle's spring.
    case spring(SettleMotion)
  }

  /// An element that ends where the layout puts it.
  struct Arrival {
    var item: ItemHandle
    var path: ElementPath
    var start: Pose
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
  var fromOffset: Point
  var fromSize: Size
  /// How far something gets that is thrown from its place with velocity 1; nil: nothing is thrown.
  var momentum: SettleMotion?
  let transforms: TransformMixing
  let completion: (Bool) -> Void

  init(
    number: Int, cause: Cause, start: Instant, durationSeconds: Double, course: Course,
    elements: (arrivals: [Arrival], departures: [Departure]), from screen: Screen,
    transforms: TransformMixing, momentum: SettleMotion? = nil,
    completion: @escaping (Bool) -> Void
  ) {
    self.number = number
    self.cause = cause
    self.start = start
    self.durationSeconds = durationSeconds
    self.course = course
    arrivals = elements.arrivals
    departures = elements.departures
    var numbers: [ItemHandle: Int] = [:]
    for (number, arrival) in elements.arrivals.enumerated() { numbers[arrival.item] = number }
    arrivalNumbers = numbers
    fromOffset = screen.offset
    fromSize = screen.contentSize
    self.momentum = momentum
    self.transforms = transforms
    self.completion = completion
  }

  /// Lets go of everything that stays, and of where the content was.
  mutating func keepOnlyDepartures(offset: Point, contentSize: Size) {
    arrivals = []
    arrivalNumbers = [:]
    fromOffset = offset
    fromSize = contentSize
  }

  func isOver(at time: Instant) -> Bool { time.seconds(since: start) >= durationSeconds }

  /// How far the change is: 0 at the start, 1 at its end and after, what the course says between.
  func fraction(at time: Instant) -> Double {
    let elapsed = time.seconds(since: start)
    if elapsed >= durationSeconds { return 1 }
    switch course {
    case .eased(let easing): return easing.value(at: elapsed / durationSeconds)
    case .spring(let motion): return motion.value(atSeconds: elapsed)
    }
  }

  /// How far a velocity of 1 has carried.
  func throwLength(at time: Instant) -> Double {
    guard let momentum, !isOver(at: time) else { return 0 }
    return momentum.value(atSeconds: time.seconds(since: start))
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
