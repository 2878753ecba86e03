import TimelineModel

@testable import MotionPhysics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The mixing of two poses written down plainly, taking everything apart anew for each progress: what
/// ``PoseMix`` must give bit for bit.
enum PlainMixing {
  static func mixed(_ from: Pose, _ to: Pose, _ progress: Double, _ mixing: TransformMixing) -> Pose
  {
    Pose(
      center: Point2D(
        x: number(from.center.x, to.center.x, progress),
        y: number(from.center.y, to.center.y, progress)),
      size: Size2D(
        width: number(from.size.width, to.size.width, progress),
        height: number(from.size.height, to.size.height, progress)),
      transform: transform(from.transform, to.transform, progress, mixing),
      alpha: number(from.alpha, to.alpha, progress), zIndex: max(from.zIndex, to.zIndex),
      isHidden: from.isHidden && to.isHidden)
  }

  static func number(_ from: Double, _ to: Double, _ progress: Double) -> Double {
    if progress == 0 || progress.isNaN { return from }
    if progress == 1 || from == to { return to }
    let mixed = (1 - progress) * from + progress * to
    if mixed.isFinite { return mixed }
    let scaled = (1 - progress) * (from / 4) / 4 + progress * (to / 4) / 4
    if scaled.isNaN { return from }
    let largest = Double.greatestFiniteMagnitude
    return max(-largest, min(largest, scaled * 16))
  }

  static func transform(
    _ from: ElementTransform, _ to: ElementTransform, _ progress: Double, _ mixing: TransformMixing
  ) -> ElementTransform {
    if progress == 0 || progress.isNaN || from == to { return from }
    if progress == 1 { return to }
    if let start = six(from), let end = six(to) {
      let numbers =
        mixing == .componentwise
        ? zip(start, end).map { number($0, $1, progress) } : flat(start, end, progress)
      return .flat(
        Transform2D(
          a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4],
          ty: numbers[5]))
    }
    let (start, end) = (from.spatial.components, to.spatial.components)
    let numbers =
      mixing == .componentwise
      ? zip(start, end).map { number($0, $1, progress) } : spatial(start, end, progress)
    // Sixteen numbers that are flat become the six.
    return ElementTransform(components: numbers) ?? .identity
  }

  private static func six(_ transform: ElementTransform) -> [Double]? {
    let numbers = transform.components
    if numbers.count == 6 { return numbers }
    let rest = [(2, 0), (3, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 1), (11, 0), (14, 0), (15, 1)]
    guard rest.allSatisfy({ numbers[$0.0] == Double($0.1) }) else { return nil }
    return [0, 1, 4, 5, 12, 13].map { numbers[$0] }
  }

  // MARK: Flat, in parts: shift x, shift y, angle, shear, scale x, scale y

  private static func flat(_ from: [Double], _ to: [Double], _ progress: Double) -> [Double] {
    guard let start = flatParts(from), let end = flatParts(to) else {
      return progress < 0.5 ? from : to
    }
    var turn = end[2] - start[2]
    if turn > .pi + 1e-12 { turn -= 2 * .pi }
    if turn < -.pi - 1e-12 { turn += 2 * .pi }
    var parts = zip(start, end).map { number($0, $1, progress) }
    parts[2] = held(start[2] + progress * turn)
    let (cosine, sine) = (cos(parts[2]), sin(parts[2]))
    return [
      held(parts[4] * cosine), held(parts[4] * sine), held(parts[5] * (parts[3] * cosine - sine)),
      held(parts[5] * (parts[3] * sine + cosine)), parts[0], parts[1],
    ]
  }

  private static func flatParts(_ t: [Double]) -> [Double]? {
    var scaleX = hypot(t[0], t[1])
    guard scaleX > 0, scaleX.isFinite, t[4].isFinite, t[5].isFinite else { return nil }
    var (unitX, unitY) = (t[0] / scaleX, t[1] / scaleX)
    var shear = unitX * t[2] + unitY * t[3]
    let (restX, restY) = (t[2] - shear * unitX, t[3] - shear * unitY)
    var scaleY = hypot(restX, restY)
    let length = hypot(t[2], t[3])
    guard length.isFinite, scaleY > 1e-12 * length else { return nil }
    shear /= scaleY
    if unitX * restY - unitY * restX < 0 {
      if t[0] < t[3] {
        (scaleX, unitX, unitY) = (-scaleX, -unitX, -unitY)
      } else {
        scaleY = -scaleY
      }
      shear = -shear
    }
    guard shear.isFinite else { return nil }
    var angle = atan2(unitY, unitX)
    if abs(angle) > .pi - 1e-12 { angle = .pi }
    return [t[4], t[5], angle, shear, scaleX, scaleY]
  }

  // MARK: In space

  private static func spatial(_ from: [Double], _ to: [Double], _ progress: Double) -> [Double] {
    guard let start = Transform3D(components: from)?.decomposed,
      let end = Transform3D(components: to)?.decomposed
    else { return progress < 0.5 ? from : to }
    func mix(_ one: Vector3, _ two: Vector3) -> Vector3 {
      Vector3(
        x: number(one.x, two.x, progress), y: number(one.y, two.y, progress),
        z: number(one.z, two.z, progress))
    }
    let (x, y, z) = turn(start.rotation, end.rotation, progress).rows
    let scale = mix(start.scale, end.scale)
    let shear = mix(start.shear, end.shear)
    let perspective = mix(start.perspective, end.perspective)
    var numbers: [Double] = []
    for row in [
      x * scale.x, (x * shear.x + y) * scale.y, (x * shear.y + y * shear.z + z) * scale.z,
    ] {
      numbers += [row.x, row.y, row.z, row.dot(perspective)]
    }
    let shift = mix(start.translation, end.translation)
    let last = number(start.perspectiveW, end.perspectiveW, progress)
    numbers += [shift.x, shift.y, shift.z, shift.dot(perspective) + last]
    return numbers.map(held)
  }

  private static func turn(_ from: Quaternion, _ to: Quaternion, _ progress: Double) -> Quaternion {
    var end = to
    var cosine = from.axis.dot(to.axis) + from.w * to.w
    if cosine < -1e-12 {
      cosine = -cosine
      end.axis = end.axis * -1
      end.w = -end.w
    }
    var (startShare, endShare) = (1 - progress, progress)
    if cosine < 1 - 1e-9 {
      let angle = acos(max(0, cosine))
      startShare = sin((1 - progress) * angle) / sin(angle)
      endShare = sin(progress * angle) / sin(angle)
    }
    var mixed = from
    mixed.axis = from.axis * startShare + end.axis * endShare
    mixed.w = from.w * startShare + end.w * endShare
    let length = hypot(mixed.axis.length, mixed.w)
    guard length > 0, length.isFinite else {
      (mixed.axis, mixed.w) = (Vector3(x: 0, y: 0, z: 0), 1)
      return mixed
    }
    mixed.axis = mixed.axis * (1 / length)
    mixed.w /= length
    return mixed
  }

  private static func held(_ value: Double) -> Double {
    if value.isNaN { return 0 }
    return max(-Double.greatestFiniteMagnitude, min(Double.greatestFiniteMagnitude, value))
  }
}
