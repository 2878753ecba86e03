package import TimelineModel

/// With what speed an item goes on when it is let go, or when another act interrupts it, and which share of its speed before
/// that is.
///
/// The settle is fitted by a spring with all numbers free, and run back to where it meets the place that was shown last, or
/// heard last. Its speed there counts. What is not a spring is continued by ``EndSlope``.
package struct HandOver: Sendable {
  /// The speed that the motion goes on with, in points per second.
  package private(set) var speed: Estimated
  /// The share of the speed before: 1 for all of it, 0 for a start from rest, below 0 for one the other way.
  package let kept: Estimated
  /// The settle's spring. `nil` where it is not one.
  package let spring: FreeSpring?

  /// A speed that may be lower than this is not divided by, in points per second.
  package static let leastSpeed = 150.0
  /// The least way of an item before it is let go, in points.
  package static let leastWay = 40.0
  /// The widest interval of a share that says something.
  package static let widest = 1.2
  /// The least gain that is divided by.
  private static let leastGain = 0.3
  /// An interval of this many frames lacks a frame. The intervals before and behind the lift that are looked at.
  private static let (gap, near) = (1.5, 3)
  /// How far back the settle may have begun, in frames, and in how many steps that is looked for.
  private static let (furthest, steps) = (1.6, 60)
  /// How much further from a place than from the nearest one a spring may pass, in points.
  private static let meeting = 2.0
  /// By how much the instant may be off, in frames.
  private static let spread = 0.2

  /// Compares with a finger's speed.
  ///
  /// - Parameters:
  ///   - lift: The finger's speed.
  ///   - gain: Points of the item for a point of the finger.
  ///   - driven: The item's frames until it is let go, from rest on, in seconds and points.
  ///   - settle: The item's frames behind that.
  ///   - heardPlace: Where the item would be for the finger's last place, in points with bounds. `nil`: not known.
  ///   - liftTimes: When the finger was lifted, at the earliest and the latest, if the recording does not say when the page
  ///     heard of it: the page may go on from that instant, or show a place of the drag for one more frame. `nil`: it goes on
  ///     from a place.
  ///   - frame: The time of a frame, in seconds.
  /// - Throws: why it cannot be told: also an item that went less than 40 points, a frame that is missing at the lift or,
  ///   without a spring and a heard place, within three of it, and an interval wider than 1.2.
  package init(
    lift: FingerSpeed, gain: Estimated, driven: (times: [Double], values: [Double]),
    settle: (times: [Double], values: [Double]), heardPlace: Estimated?,
    liftTimes: ClosedRange<Double>? = nil, frame: Double
  ) throws(TooShortToTell) {
    guard !lift.isStopped else { throw .stopped }
    guard gain.hasSign, abs(gain.value) > HandOver.leastGain, gain.width.isFinite else {
      throw .wide
    }
    guard min(abs(lift.velocity.low), abs(lift.velocity.high)) > HandOver.leastSpeed else {
      throw .slow
    }
    let way = (driven.values.max() ?? 0) - (driven.values.min() ?? 0)
    guard way >= HandOver.leastWay else { throw .littleWay }
    let before = lift.velocity.multiplied(by: gain)
    let places = [heardPlace].compactMap { $0 }
    try self.init(before, driven, settle, places, liftTimes, frame)
    guard spring == nil, liftTimes != nil else { return }
    guard let time = settle.times.first, let value = settle.values.first else { return }
    let later = try? HandOver(
      before, (driven.times + [time], driven.values + [value]),
      (Array(settle.times.dropFirst()), Array(settle.values.dropFirst())), places, liftTimes, frame)
    if let later, later.spring != nil { self = later }
  }

  /// The same with the speed in another unit.
  func scaled(by factor: Double) -> HandOver {
    var over = self
    over.speed = speed.scaled(by: factor)
    return over
  }

  /// Compares with the speed that a motion had when another act interrupted it.
  ///
  /// - Parameters:
  ///   - before: The item's frames that had not heard of the second act, in seconds and points. The last counts.
  ///   - after: Its frames behind that.
  ///   - frame: The time of a frame, in seconds.
  /// - Throws: why it cannot be told: also an item slower than 150 points per second, a frame that is missing within three of
  ///   the interruption, and an interval wider than 1.2.
  package init(
    interrupted before: (times: [Double], values: [Double]),
    after: (times: [Double], values: [Double]), frame: Double
  ) throws(TooShortToTell) {
    let speed = try EndSlope(lastOf: before.times, values: before.values).velocity
    guard speed.hasSign, min(abs(speed.low), abs(speed.high)) > HandOver.leastSpeed else {
      throw .slow
    }
    try self.init(speed, before, after, [], nil, frame)
  }

  /// Compares the speed of a settle with that before, where it may go on from the last place shown, and from others.
  private init(
    _ before: Estimated, _ driven: (times: [Double], values: [Double]),
    _ settle: (times: [Double], values: [Double]), _ places: [Estimated],
    _ liftTimes: ClosedRange<Double>?, _ frame: Double
  ) throws(TooShortToTell) {
    guard let last = driven.values.last, let first = settle.times.first else { throw .fewFrames }
    guard frame > 0, driven.times.count == driven.values.count else { throw .fewFrames }
    let fitted = try? FreeSpring(times: settle.times, values: settle.values)
    spring = fitted.flatMap { $0.isGood ? $0 : nil }
    // A spring says where it was in each frame, so it lacks none but between the last place shown and the first of its own.
    let isRunBack = spring != nil && liftTimes == nil && !places.isEmpty
    let around =
      driven.times.suffix(isRunBack ? 1 : HandOver.near)
      + settle.times.prefix(isRunBack ? 1 : HandOver.near + 1)
    for (one, other) in zip(around, around.dropFirst()) {
      guard other - one <= HandOver.gap * frame else { throw .missingFrame }
    }
    if let spring {
      let shown = Estimated(last, low: last, high: last)
      speed = HandOver.speed(
        spring, first, places + [shown], liftTimes, frame,
        unseen: liftTimes.map { HandOver.meetings(of: spring, driven, before, during: $0) } ?? [],
        before: before)
    } else {
      speed = try EndSlope(times: settle.times, values: settle.values).velocity
    }
    kept = speed.divided(by: before)
    guard kept.width <= HandOver.widest else { throw .wide }
  }

  /// The instants of an interval at which a spring may have set off from an item that went on at its speed, unseen.
  private static func meetings(
    of spring: FreeSpring, _ driven: (times: [Double], values: [Double]), _ before: Estimated,
    during interval: ClosedRange<Double>
  ) -> [Double] {
    let seen = driven.times.partitioningIndex { $0 > interval.lowerBound } - 1
    guard seen >= 0, interval.upperBound > interval.lowerBound else { return [] }
    let span = interval.upperBound - interval.lowerBound
    let looks = (0...steps / 3).map { step in
      let time = interval.lowerBound + span * Double(step) / Double(steps / 3)
      let passed = time - driven.times[seen]
      return (
        time: time, room: meeting / 2 + before.width / 2 * passed,
        distance: abs(spring.value(at: time) - driven.values[seen] - before.value * passed)
      )
    }
    let nearest = looks.map(\.distance).min() ?? 0
    return looks.filter { $0.distance <= nearest + $0.room }.map(\.time)
  }

  /// The speed of a spring where it was at one of some places.
  private static func speed(
    _ spring: FreeSpring, _ first: Double, _ places: [Estimated],
    _ liftTimes: ClosedRange<Double>?, _ frame: Double, unseen: [Double], before: Estimated
  ) -> Estimated {
    let backs = (0...steps).map { furthest * frame * Double($0) / Double(steps) }
    let values = backs.map { spring.value(at: first - $0) }
    // A spring that turns passes a place twice.
    var meetings = places.flatMap { place in
      let distances = values.map { abs($0 - place.value) }
      let room = meeting + max(place.high - place.value, place.value - place.low)
      return distances.indices.filter { index in
        (index == 0 || distances[index] <= distances[index - 1])
          && (index == steps || distances[index] <= distances[index + 1])
      }.map { (back: backs[$0], distance: distances[$0], room: room) }
    }
    // Nothing sets off against the finger and turns within two frames: behind its turn a spring was not let go.
    let sign = before.value < 0 ? -1.0 : 1
    if spring.velocity(at: first) * sign >= 0,
      let turn = backs.first(where: { spring.velocity(at: first - $0) * sign < 0 })
    {
      meetings.removeAll { $0.back > turn }
      if meetings.isEmpty { meetings = [(back: turn, distance: 0, room: meeting)] }
    }
    // A place that the spring does not come to is not where it goes on from.
    let nearest = meetings.map(\.distance).min() ?? 0
    var begins = meetings.filter { $0.distance <= nearest + $0.room }.map(\.back)
    if let liftTimes {
      begins.append(min(max(0, first - liftTimes.upperBound), furthest * frame))
      begins += unseen.map { first - $0 }
    }
    let likely = begins.min { abs($0 - frame) < abs($1 - frame) } ?? 0
    let value = spring.velocity(at: first - likely)
    let off = spread * frame
    let bend =
      abs(spring.velocity(at: first - likely - off) - spring.velocity(at: first - likely + off)) / 2
    let there = begins.map { spring.estimatedVelocity(at: first - $0) }
    return Estimated(
      value, low: there.map(\.low).reduce(value, min) - bend,
      high: there.map(\.high).reduce(value, max) + bend)
  }
}
