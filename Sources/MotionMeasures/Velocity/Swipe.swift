package import MotionPhysics
package import TimelineModel
package import TimelineSession

/// The contacts that are down together, as one swipe: the mean of their steps, as libinput reports it
/// (`tp_get_average_touches_delta` of its `src/evdev-mt-touchpad-gestures.c`).
///
/// One contact is a swipe of its own. A swipe of several fingers begins at the landing after which most of them are down.
/// It ends with the last of these that lifts within 100 ms of the first lift.
package struct Swipe {
  /// One contact: its positions in the order of time, in points.
  package struct Contact {
    package var number: Int
    package var x: [Sample]
    package var y: [Sample]
    /// Which positions the system computed. Empty: none.
    package var resampled: [Bool]
    package var lift: Instant
    package var isCancelled: Bool

    package init(
      number: Int, x: [Sample], y: [Sample], resampled: [Bool], lift: Instant, isCancelled: Bool
    ) {
      (self.number, self.x, self.y) = (number, x, y)
      (self.resampled, self.lift, self.isCancelled) = (resampled, lift, isCancelled)
    }

    /// Whether it was down in an earlier swipe.
    fileprivate var isResting = false

    fileprivate var landing: Instant { x.first?.time ?? lift }

    /// The contact from an instant on, at which it has the position of its last report.
    fileprivate func from(_ instant: Instant) -> Contact {
      guard landing < instant else { return self }
      let first = (x.lastIndex { $0.time <= instant }) ?? 0
      var rest = self
      rest.isResting = true
      rest.x = Array(x[first...])
      rest.y = Array(y[first...])
      rest.resampled = Array(resampled.dropFirst(first))
      rest.x[0] = Sample(time: instant, value: x[first].value)
      rest.y[0] = Sample(time: instant, value: y[first].value)
      return rest
    }
  }

  /// The numbers of the contacts, in the order of landing.
  package private(set) var contacts: [Int]
  /// The number of contacts that are down when the swipe begins.
  package private(set) var fingers = 1
  /// The distance from the start along x, in points. 0 at the first sample, so that the mirror image of a swipe has the
  /// same numbers with the other sign, bit for bit.
  package private(set) var x: [Sample] = []
  /// The distance from the start along y, in points.
  package private(set) var y: [Sample] = []
  /// Which samples the system computed. Empty: none.
  package private(set) var resampled: [Bool] = []
  /// The instant at which the swipe ends.
  package private(set) var lift: Instant
  /// Whether the system took a contact away then.
  package private(set) var isCancelled = false

  /// How long after the first lift another contact belongs to the swipe: `DEFAULT_GESTURE_SWITCH_TIMEOUT` of libinput's
  /// `src/evdev-mt-touchpad-gestures.c`.
  private static let switchNanoseconds: Int64 = 100_000_000

  /// The swipes that contacts make, in the order of landing. Contacts that are down at one time belong together.
  ///
  /// A contact that stays down after a swipe belongs to the next one, too, if another contact lands.
  ///
  /// - Complexity: O(n log n) for n positions. Each swipe beside a contact that stays down looks at all later positions
  ///   of the contacts that overlap.
  package static func all(of contacts: [Contact]) -> [Swipe] {
    var swipes: [Swipe] = []
    var groups = groups(of: contacts.filter { !$0.x.isEmpty })[...]
    while let group = groups.popFirst() {
      let swipe = Swipe(group)
      swipes.append(swipe)
      let rest = group.filter { $0.lift > swipe.lift }
      guard rest.contains(where: { $0.landing >= swipe.lift }) else { continue }
      groups =
        Self.groups(of: rest.map { $0.from(swipe.lift) }).filter { group in
          group.contains { !$0.isResting }
        } + groups
    }
    return swipes
  }

  private static func groups(of contacts: [Contact]) -> [[Contact]] {
    let ordered = contacts.enumerated().sorted {
      ($0.element.landing, $0.offset) < ($1.element.landing, $1.offset)
    }.map(\.element)
    var groups: [[Contact]] = []
    var end = Instant(nanoseconds: .min)
    for contact in ordered {
      if contact.landing < end {
        groups[groups.count - 1].append(contact)
      } else {
        groups.append([contact])
      }
      end = max(end, contact.lift)
    }
    return groups
  }

  private init(_ group: [Contact]) {
    contacts = group.map(\.number)
    lift = group[0].lift
    guard group.count > 1 else {
      isCancelled = group[0].isCancelled
      (x, y, resampled) = (
        Self.fromStart(group[0].x), Self.fromStart(group[0].y), group[0].resampled
      )
      return
    }
    let (start, most) = Self.instantOfMost(group)
    fingers = most
    let lifts = group.filter { $0.lift > start && $0.landing <= start }.map(\.lift)
    let first = lifts.min() ?? lift
    lift = lifts.filter { $0.nanoseconds(since: first) <= Self.switchNanoseconds }.max() ?? first
    contacts = group.filter { $0.landing <= lift && $0.lift > start }.map(\.number)
    isCancelled = group.contains { $0.isCancelled && $0.lift > start && $0.lift <= lift }
    addMean(of: group, from: start)
  }

  /// The landing from which on most of the contacts are down, and their number. A contact that lifts then is down no
  /// more.
  private static func instantOfMost(_ group: [Contact]) -> (start: Instant, count: Int) {
    let landings = group.map(\.landing).sorted()
    let lifts = group.map(\.lift).sorted()
    var (start, most, lifted) = (landings[0], 0, 0)
    for (index, landing) in landings.enumerated() {
      while lifted < lifts.count, lifts[lifted] <= landing { lifted += 1 }
      if index + 1 - lifted > most { (most, start) = (index + 1 - lifted, landing) }
    }
    return (start, max(1, most))
  }

  private static func fromStart(_ samples: [Sample]) -> [Sample] {
    let start = samples[0].value
    return samples.map { Sample(time: $0.time, value: $0.value - start) }
  }

  /// Adds the mean steps of the contacts that are down at each report.
  private mutating func addMean(of group: [Contact], from start: Instant) {
    var steps: [(time: Instant, contact: Int, index: Int)] = []
    for (number, contact) in group.enumerated() {
      for index in contact.x.indices
      where contact.x[index].time > start && contact.x[index].time <= lift {
        steps.append((contact.x[index].time, number, index))
      }
    }
    steps.sort { ($0.time, $0.contact, $0.index) < ($1.time, $1.contact, $1.index) }
    let landings = group.map(\.landing).sorted()
    let lifts = group.map(\.lift).sorted()
    var (landed, lifted) = (0, 0)
    var (sumX, sumY) = (0.0, 0.0)
    (x, y, resampled) = ([Sample(time: start, value: 0)], [Sample(time: start, value: 0)], [false])
    var position = steps.startIndex
    while position < steps.endIndex {
      let time = steps[position].time
      while landed < landings.count, landings[landed] <= time { landed += 1 }
      while lifted < lifts.count, lifts[lifted] < time { lifted += 1 }
      let down = landed - lifted
      var (stepX, stepY, isComputed) = (0.0, 0.0, false)
      while position < steps.endIndex, steps[position].time == time {
        let step = steps[position]
        let contact = group[step.contact]
        if step.index > 0 {
          stepX += contact.x[step.index].value - contact.x[step.index - 1].value
          stepY += contact.y[step.index].value - contact.y[step.index - 1].value
        }
        isComputed =
          isComputed || step.index < contact.resampled.count && contact.resampled[step.index]
        position += 1
      }
      sumX += stepX / Double(max(1, down))
      sumY += stepY / Double(max(1, down))
      x.append(Sample(time: time, value: sumX))
      y.append(Sample(time: time, value: sumY))
      resampled.append(isComputed)
    }
    if !resampled.contains(true) { resampled = [] }
  }

  /// The distances along an axis.
  package func samples(_ axis: FingerAxis) -> [Sample] { axis == .x ? x : y }

  /// The axis along which the swipe is longer at a lift: x if both are equal, and of a swipe that came back the axis
  /// along which it went farther.
  package func mainAxis(at lift: Instant) -> FingerAxis {
    let (dx, dy) = (distance(.x, at: lift), distance(.y, at: lift))
    if dx != 0 || dy != 0 { return abs(dy) > abs(dx) ? .y : .x }
    return abs(farthest(.y, until: lift)) > abs(farthest(.x, until: lift)) ? .y : .x
  }

  private func distance(_ axis: FingerAxis, at lift: Instant) -> Double {
    samples(axis).last { $0.time <= lift }?.value ?? 0
  }

  /// The distance farthest from the start, with its sign.
  private func farthest(_ axis: FingerAxis, until lift: Instant) -> Double {
    samples(axis).reduce(0) { $1.time <= lift && abs($1.value) > abs($0) ? $1.value : $0 }
  }
}

extension Swipe {
  /// Asks a rule about the swipe along an axis. ``ReleaseRule/distance`` points are a progress of 1.
  ///
  /// Progress and velocity of the answer are positive in its direction. The mirror image of a swipe has the mirror image
  /// of the decision: the same outcome and margins, bit for bit, unless the course names a direction.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - axis: The axis along which the distance counts.
  ///   - course: The direction in which it counts.
  ///   - estimator: The estimator of the velocity.
  ///   - window: Its window.
  ///   - lift: The instant of the lift.
  /// - Returns: Nil if the swipe has no sample until the lift, or if the system took it away.
  package func decision(
    by rule: ReleaseRule, along axis: FingerAxis, _ course: SwipeCourse, estimator: Estimator,
    window: EstimationWindow, at lift: Instant
  ) -> ReleaseRule.Decision? {
    let samples = samples(axis)
    guard let value = samples.last(where: { $0.time <= lift })?.value,
      !(isCancelled && lift >= self.lift)
    else { return nil }
    let estimate = estimator.estimate(
      samples, resampled: resampled, lift: lift, window: window)
    let asked = rule.question(
      about: samples, areProgress: false, resampled: resampled, at: lift, value: value,
      estimate: estimate)
    let direction = direction(along: axis, course, progress: asked.progress, at: lift)
    let isBackwards = direction?.isBackwards ?? false
    func counted(_ number: Double) -> Double { isBackwards ? 0 - number : number }
    // A rule that takes either sign would accept the other direction.
    let isOneWay = course != .fingers && rule.kind.definition.directions == .both
    let progress = isOneWay ? max(0, counted(asked.progress)) : counted(asked.progress)
    var decision = rule.decide(
      progress: progress,
      velocity: estimator.definition.isUnsigned ? asked.velocity : asked.velocity.map(counted),
      standardError: asked.standardError, estimator: estimator)
    decision.direction = direction
    return decision
  }

  private func direction(
    along axis: FingerAxis, _ course: SwipeCourse, progress: Double, at lift: Instant
  ) -> SwipeDirection? {
    switch course {
    case .towards(let direction): return direction
    case .backwards: return SwipeDirection(along: axis, isBackwards: true)
    case .fingers:
      // The neighbour that is there. Of a swipe that came back to the start, the one that was there before.
      let way = progress != 0 ? progress : farthest(axis, until: lift)
      return way == 0 ? nil : SwipeDirection(along: axis, isBackwards: way < 0)
    }
  }
}
