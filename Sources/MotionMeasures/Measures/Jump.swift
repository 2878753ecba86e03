package import TimelineModel

/// A step between two samples that neither neighbour explains, by how far it goes too far or too short.
///
/// The neighbours lead to all speeds between theirs, and beyond these to what goes on changing as it did from one
/// neighbour's neighbour to the neighbour. The excess is the distance of the step's speed from there, of all columns
/// together, times the time of the step. A step that takes longer than both of its neighbours counts for as long as they
/// take: of what stood still nothing is recorded for a while. Beyond the first and the last sample all stands still.
package struct Jump: Hashable, Sendable {
  /// How far the step goes too far or too short, in the unit of the values. NaN if that cannot be computed.
  package var excess: Double
  /// How far the step goes as a whole, in the same unit.
  package var step: Double
  /// The sample that ends it.
  package var sample: Int

  /// The step with the largest excess.
  ///
  /// - Parameters:
  ///   - times: The samples. They rise.
  ///   - columns: The values, a column for each number of a place.
  ///   - isSeen: Whether it is seen at each sample. Empty: always. Steps count of which one end is seen.
  ///   - range: The samples between which steps count.
  ///   - context: What explains steps.
  /// - Returns: a jump of 0 if no step counts. `nil` for fewer than two steps.
  /// - Complexity: linear in the samples.
  package static func largest(
    _ times: [Instant], _ columns: [[Double]], isSeen: [Bool] = [], in range: Range<Int>,
    _ context: JumpContext = JumpContext()
  ) -> Jump? {
    guard range.count > 2 else { return nil }
    var worst = Jump(excess: -1, step: 0, sample: range.lowerBound)
    forEach(times, columns, isSeen, range) { step in
      guard !(step.excess <= worst.excess) else { return true }
      guard let left = context.left(of: step, times, columns), !(left.excess <= worst.excess) else {
        return true
      }
      worst = left
      return !left.excess.isNaN
    }
    return worst.excess < 0 ? Jump(excess: 0, step: 0, sample: worst.sample) : worst
  }

  /// The steps with more excess than a limit, in the order of time.
  ///
  /// - Parameters: As of ``largest(_:_:isSeen:in:_:)``.
  /// - Complexity: linear in the samples.
  package static func beyond(
    _ limit: Double, _ times: [Instant], _ columns: [[Double]], in range: Range<Int>,
    _ context: JumpContext = JumpContext()
  ) -> [Jump] {
    var found: [Jump] = []
    forEach(times, columns, [], range) { step in
      if step.excess > limit, let left = context.left(of: step, times, columns), left.excess > limit
      {
        found.append(left)
      }
      return true
    }
    return found
  }

  /// Calls a body with each step and its excess by its neighbours, until that says that it is enough.
  private static func forEach(
    _ times: [Instant], _ columns: [[Double]], _ isSeen: [Bool], _ range: Range<Int>,
    _ body: (Jump) -> Bool
  ) {
    guard range.count > 1 else { return }
    if columns.count == 1 { return forEachOfOne(times, columns[0], isSeen, range, body) }
    var near = (range.lowerBound - 2...range.lowerBound + 1).map { Speed(times, columns, $0) }
    let still = columns.map { _ in 0.0 }
    for index in range.lowerBound..<range.upperBound - 1 {
      near.append(Speed(times, columns, index + 2))
      defer { near.removeFirst() }
      guard let now = near[2], isSeen.isEmpty || isSeen[index] || isSeen[index + 1] else {
        continue
      }
      let seconds = min(now.seconds, max(near[1]?.seconds ?? 0, near[3]?.seconds ?? 0))
      var excess = distance(
        of: now.values, from: near[1]?.values ?? still, to: near[3]?.values ?? still)
      for (one, other) in [(near[1], near[0]), (near[3], near[4])] {
        guard let one, let other else { continue }
        excess = min(
          excess, distance(of: now.values, from: one.values, to: one.led(from: other, now.seconds)))
      }
      let size = distance(of: now.values, from: still, to: still) * now.seconds
      guard body(Jump(excess: excess * seconds, step: size, sample: index + 1)) else { return }
    }
  }

  /// The same of one column, without a list for each step.
  private static func forEachOfOne(
    _ times: [Instant], _ values: [Double], _ isSeen: [Bool], _ range: Range<Int>,
    _ body: (Jump) -> Bool
  ) {
    func step(_ index: Int) -> (seconds: Double, speed: Double)? {
      guard index >= 0, index + 1 < times.count else { return nil }
      let seconds = times[index + 1].seconds(since: times[index])
      return (seconds, (values[index + 1] - values[index]) / seconds)
    }
    var (n0, n1) = (step(range.lowerBound - 2), step(range.lowerBound - 1))
    var (n2, n3) = (step(range.lowerBound), step(range.lowerBound + 1))
    for index in range.lowerBound..<range.upperBound - 1 {
      let n4 = step(index + 2)
      defer { (n0, n1, n2, n3) = (n1, n2, n3, n4) }
      guard let now = n2, isSeen.isEmpty || isSeen[index] || isSeen[index + 1] else { continue }
      let seconds = min(now.seconds, max(n1?.seconds ?? 0, n3?.seconds ?? 0))
      var excess = distance(of: now.speed, from: n1?.speed ?? 0, to: n3?.speed ?? 0)
      if let n0, let n1 { excess = min(excess, distance(of: now, from: n1, after: n0)) }
      if let n3, let n4 { excess = min(excess, distance(of: now, from: n3, after: n4)) }
      let size = distance(of: now.speed, from: 0, to: 0) * now.seconds
      guard body(Jump(excess: excess * seconds, step: size, sample: index + 1)) else { return }
    }
  }

  /// How far a speed is from all that its neighbour leads to, if that goes on changing as it did since another step.
  private static func distance(
    of now: (seconds: Double, speed: Double), from one: (seconds: Double, speed: Double),
    after other: (seconds: Double, speed: Double)
  ) -> Double {
    let share = (now.seconds + one.seconds) / (one.seconds + other.seconds)
    return distance(
      of: now.speed, from: one.speed, to: one.speed + (one.speed - other.speed) * share)
  }

  /// ``distance(of:from:to:)`` of one column.
  private static func distance(of place: Double, from start: Double, to end: Double) -> Double {
    let way = end - start
    let (square, product) = (way * way, way * (place - start))
    let share = square > 0 ? max(0, min(1, product / square)) : 0
    let rest = place - start - share * way
    return (rest * rest).squareRoot()
  }

  /// How far a place is from the straight line between two others.
  fileprivate static func distance(
    of place: [Double], from start: [Double], to end: [Double]
  ) -> Double {
    var (square, product) = (0.0, 0.0)
    for column in place.indices {
      let way = end[column] - start[column]
      square += way * way
      product += way * (place[column] - start[column])
    }
    let share = square > 0 ? max(0, min(1, product / square)) : 0
    var sum = 0.0
    for column in place.indices {
      let rest = place[column] - start[column] - share * (end[column] - start[column])
      sum += rest * rest
    }
    return sum.squareRoot()
  }
}

/// How fast a value goes from one sample to the next.
private struct Speed {
  var seconds: Double
  /// Of each column, in its unit per second.
  var values: [Double]

  /// nil: there are no two samples.
  init?(_ times: [Instant], _ columns: [[Double]], _ index: Int) {
    guard index >= 0, index + 1 < times.count else { return nil }
    let seconds = times[index + 1].seconds(since: times[index])
    self.seconds = seconds
    values = columns.map { ($0[index + 1] - $0[index]) / seconds }
  }

  /// The speeds of a step of some seconds beside this one, if they go on changing as they did since another one.
  func led(from other: Speed, _ seconds: Double) -> [Double] {
    let share = (seconds + self.seconds) / (self.seconds + other.seconds)
    return zip(values, other.values).map { $0 + ($0 - $1) * share }
  }
}

/// What explains a step that its neighbours do not explain.
package struct JumpContext: Sendable {
  /// Steps that end in one of these are not judged.
  package var explained: [ClosedRange<Instant>] = []
  /// When a first step from rest may be an answer.
  package var answers: [ClosedRange<Instant>] = []
  /// The releases of what a finger drives.
  package var lifts: [Lift] = []
  /// Whether a step may make up for its neighbour that stood still: a frame was lost, and both go as far as two should.
  package var explainsStalls = false

  /// What the first two steps behind a drive may be.
  package struct Lift: Sendable {
    /// When it was let go. A settle that counts from there has come further in the first sample that hears of it late.
    package var time: Instant
    /// The samples that end these two steps.
    package var times: ClosedRange<Instant>
    /// What was left of the drag in the last driven sample, a number for each column, in its unit.
    package var rest: [Double]
    /// With what speed the drag ended, a number for each column, in units per second.
    package var speed: [Double]

    package init(
      at time: Instant, times: ClosedRange<Instant>, rest: [Double], speed: [Double]
    ) {
      self.time = time
      self.times = times
      self.rest = rest
      self.speed = speed
    }

    /// How many times as long as a sample's step the settle may have gone on by then: at least once.
    fileprivate func longer(by sample: Instant, step seconds: Double) -> Double {
      max(1, sample.seconds(since: time) / seconds)
    }
  }

  /// By how much faster than the drag ended a step may be. No unit, ours.
  private static let faster = 1.2
  /// So many samples without motion are a rest.
  private static let still = 6
  /// What changes by less than this between two samples rests, in points.
  private static let leastStep = 0.3

  package init() {}

  /// The rest of a jump. `nil`: all of it is explained.
  fileprivate func left(of jump: Jump, _ times: [Instant], _ columns: [[Double]]) -> Jump? {
    let time = times[jump.sample]
    if explained.contains(where: { $0.contains(time) }) { return nil }
    if answers.contains(where: { $0.contains(time) }), isFirst(jump.sample, columns) { return nil }
    if explainsStalls, isStall(jump.sample, times, columns) { return nil }
    guard let lift = lifts.first(where: { $0.times.contains(time) }),
      let now = Speed(times, columns, jump.sample - 1)
    else { return jump }
    var left = jump
    func allow(from start: [Double], to end: [Double]) {
      left.excess = min(
        left.excess, Jump.distance(of: now.values, from: start, to: end) * now.seconds)
    }
    let still = columns.map { _ in 0.0 }
    let isFirst = lift.times.lowerBound == time
    let longer = isFirst ? lift.longer(by: time, step: now.seconds) : 1
    // A settle may take over the speed of the drag, and lose it within two steps.
    allow(from: still, to: lift.speed.map { $0 * JumpContext.faster * longer })
    guard isFirst else { return left }
    // The rest of the drag, and as much of the settle's first step as there was time for.
    let rest = lift.rest.map { $0 / now.seconds }
    allow(from: rest, to: zip(rest, lift.speed).map { $0 + $1 * JumpContext.faster * longer })
    if let next = Speed(times, columns, jump.sample) {
      let first = Speed(times, columns, jump.sample + 1).map { next.led(from: $0, now.seconds) }
      for step in [next.values, first].compactMap({ $0 }) {
        allow(from: rest, to: zip(rest, step).map { $0 + $1 * longer })
      }
    }
    return left
  }

  /// A step that goes no further than this share of its neighbour has stood still. No unit, ours.
  private static let stalled = 0.3
  /// How far two steps together may be off the course about them, as a share of the larger speed there. No unit, ours.
  private static let slack = 0.35

  /// Whether a sample's step and one beside it go as far together as the steps about both lead to.
  private func isStall(_ sample: Int, _ times: [Instant], _ columns: [[Double]]) -> Bool {
    func length(_ values: [Double]) -> Double {
      values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
    for first in [sample - 1, sample] {
      guard let one = Speed(times, columns, first - 1), let other = Speed(times, columns, first),
        let before = Speed(times, columns, first - 2), let after = Speed(times, columns, first + 1)
      else { continue }
      let (short, long) = first == sample ? (other, one) : (one, other)
      let product = zip(short.values, long.values).reduce(0) { $0 + $1.0 * $1.1 }
      guard product >= 0, length(short.values) <= JumpContext.stalled * length(long.values) else {
        continue
      }
      let seconds = one.seconds + other.seconds
      let both = zip(one.values, other.values).map {
        ($0 * one.seconds + $1 * other.seconds) / seconds
      }
      let off = Jump.distance(of: both, from: before.values, to: after.values)
      if off <= JumpContext.slack * max(length(before.values), length(after.values)) { return true }
    }
    return false
  }

  /// Whether nothing moved for a while before a sample's step.
  private func isFirst(_ sample: Int, _ columns: [[Double]]) -> Bool {
    (max(1, sample - JumpContext.still)..<sample).allSatisfy { index in
      columns.allSatisfy { abs($0[index] - $0[index - 1]) <= JumpContext.leastStep }
    }
  }
}
