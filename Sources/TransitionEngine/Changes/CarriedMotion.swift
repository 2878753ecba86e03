import MotionPhysics
import TimelineModel

/// The motion that a transition takes over from the interrupted one: the picture on the screen, and how fast.
struct CarriedMotion {
  var screen: Screen
  var leaving: [AnimatedChange.Departure]
  /// By item. Looked up only.
  var velocities: [ItemHandle: PoseVelocity] = [:]
  /// Of the content offset and the content size, in points per second.
  var velocity: (offset: Point2D, size: Size2D)
  var keys: [AnimatedKey]

  /// Measures between a screen and another one some seconds after it.
  init(
    screen: Screen, from earlier: Screen, to later: Screen, seconds: Double,
    leaving: [AnimatedChange.Departure], keys: [AnimatedKey]
  ) {
    self.screen = screen
    self.leaving = leaving
    self.keys = keys
    func rate(_ from: Double, _ to: Double) -> Double { (to - from) / seconds }
    velocity = (
      offset: Point2D(
        x: rate(earlier.offset.x, later.offset.x), y: rate(earlier.offset.y, later.offset.y)),
      size: Size2D(
        width: rate(earlier.contentSize.width, later.contentSize.width),
        height: rate(earlier.contentSize.height, later.contentSize.height))
    )
    var before: [ItemHandle: Pose] = [:]
    for element in earlier.elements where element.isPlaced { before[element.item] = element.pose }
    for element in later.elements where element.isPlaced {
      guard let start = before[element.item] else { continue }
      velocities[element.item] = PoseVelocity(from: start, to: element.pose, seconds: seconds)
    }
  }

  /// The blend from the picture on the screen, with its velocity, into the installed layout.
  ///
  /// - Parameters:
  ///   - seconds: How long the transition takes, which the blend then takes too. `nil`: as long as the
  ///     settle's spring needs. A settle that is not a spring makes it a cubic of its own duration.
  func change(
    _ number: Int, into installed: InstalledLayout, at now: Instant, seconds: Double?,
    settle: SettleParameters, transforms: TransformMixing
  ) -> AnimatedChange {
    let pairing = ChangePairing(layout: installed.layout, plan: nil, asksHooks: false)
    let after = installed.visibleElements()
    var elements = pairing.pairs(
      before: screen.elements, after: after, placesBefore: pairing.placesBefore(after),
      leaving: leaving, posesBefore: [:], item: installed.elements.handle(of:))
    // What was not on the screen has nothing to take over.
    elements.arrivals.removeAll { $0.reason == .appearing }
    var fastest = [
      velocity.offset.x, velocity.offset.y, velocity.size.width, velocity.size.height,
    ].reduce(0) { max($0, abs($1)) }
    for arrival in elements.arrivals {
      fastest = max(fastest, velocities[arrival.item]?.largest ?? 0)
    }
    let course: AnimatedChange.Course
    let duration: Double
    if let seconds = seconds
      ?? (settle.type == .spring ? nil : settle.durationSeconds.asAnimationSeconds)
    {
      course = .cubic(seconds: seconds)
      duration = seconds
    } else {
      let spring = SettleMotion(settle, from: 0, to: 1, velocity: 0)
      let fastestMotion = SettleMotion(settle, from: 0, to: 0, velocity: fastest)
      course = .spring(spring, momentum: SettleMotion(settle, from: 0, to: 0, velocity: 1))
      duration =
        max(spring.settlingTimeSeconds(), fastestMotion.settlingTimeSeconds()).asAnimationSeconds
    }
    var change = AnimatedChange(
      number: number, cause: .retarget, start: now, durationSeconds: duration, course: course,
      elements: elements, from: screen, transforms: transforms, completion: { _ in })
    change.velocity = velocity
    change.velocities = velocities
    return change
  }
}

/// How fast a pose changes, each number per second.
struct PoseVelocity: Hashable {
  var center: Point2D
  var size: Size2D
  var alpha: Double
  /// Of the six numbers of a flat transform. `nil` where one end of the measure is not flat.
  var transform: Transform2D?

  /// The velocity between two poses.
  ///
  /// - Parameters:
  ///   - seconds: The time between them, above 0.
  init(from earlier: Pose, to later: Pose, seconds: Double) {
    func rate(_ from: Double, _ to: Double) -> Double { (to - from) / seconds }
    center = Point2D(
      x: rate(earlier.center.x, later.center.x), y: rate(earlier.center.y, later.center.y))
    size = Size2D(
      width: rate(earlier.size.width, later.size.width),
      height: rate(earlier.size.height, later.size.height))
    alpha = rate(earlier.alpha, later.alpha)
    if case .flat(let a) = earlier.transform, case .flat(let b) = later.transform {
      transform = Transform2D(
        a: rate(a.a, b.a), b: rate(a.b, b.b), c: rate(a.c, b.c), d: rate(a.d, b.d),
        tx: rate(a.tx, b.tx), ty: rate(a.ty, b.ty))
    }
  }

  /// The fastest of its numbers, without sign.
  var largest: Double {
    var numbers = [center.x, center.y, size.width, size.height, alpha]
    if let transform { numbers += transform.components }
    return numbers.reduce(0) { max($0, abs($1)) }
  }

  /// The pose moved on by the velocity times a length of time. As it was where that is not finite.
  func carrying(_ pose: Pose, for seconds: Double) -> Pose {
    var moved = pose
    moved.center.x += center.x * seconds
    moved.center.y += center.y * seconds
    moved.size.width += size.width * seconds
    moved.size.height += size.height * seconds
    moved.alpha += alpha * seconds
    if let rate = transform, case .flat(let t) = pose.transform {
      moved.transform = .flat(
        Transform2D(
          a: t.a + rate.a * seconds, b: t.b + rate.b * seconds, c: t.c + rate.c * seconds,
          d: t.d + rate.d * seconds, tx: t.tx + rate.tx * seconds, ty: t.ty + rate.ty * seconds))
    }
    return moved.isFinite ? moved : pose
  }
}
