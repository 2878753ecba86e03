import KymographCLibrary

/// Where an element is in one picture, with errors.
package struct TrackedPose: Hashable, Sendable {
  /// Its center, in pixels, y downwards.
  package var x: Double
  package var y: Double
  /// Its size as a factor of that of its rectangle. 1 if the motion does not scale it.
  package var scale: Double
  /// Its turn in radians, from the x axis towards the y axis. 0 if the motion does not turn it.
  package var turn: Double
  /// Its contrast beside that in the picture in which it was marked: its opacity.
  package var opacity: Double
  /// Half of the 90 % interval of its center, in pixels.
  package var errorX: Double
  package var errorY: Double
  /// The correlation of its pixels, at most 1.
  package var match: Double
  /// The share of it that is in the picture, 0 to 1.
  package var seen: Double
}

/// What a track came to.
package struct TrackResult: Sendable {
  /// The poses by the number of their picture.
  package var poses: [Int: TrackedPose] = [:]
  /// Why a picture has no pose.
  package var losses: [Int: LossReason] = [:]
  /// What the motion does beside going to another place.
  package var scales = false
  package var turns = false
  /// The share of the rectangle that goes with the motion, by its gradients: below 0.15 another rectangle is better.
  package var weight = 0.0
  /// How many other places look like it in the picture in which it was marked.
  package var lookAlikes = 0

  package init() {}
}

/// Follows one element through the pictures of a clip.
///
/// A first pass follows it from the picture in which it was marked, forwards and back. The second one, in ``finish()``, makes a
/// mean of what it showed, gives each pixel the weight that it earned in this clip, and registers it again with errors.
///
/// Cost: about ten iterations over at most 12,000 pixels a picture. Memory: the pictures' parts around the element.
package final class ElementTracker {
  /// A part of a picture around the element.
  private struct Kept {
    var part: GreyPicture
    var origin: (x: Int, y: Int)
    var found: Registration

    /// Whether a picture shows the same in the same place.
    func isSame(as other: GreyPicture, at place: (x: Int, y: Int)) -> Bool {
      origin == place && part == other
    }
  }

  private let template: TrackTemplate
  private let rectangle: TrackRectangle
  private let reference: Int
  private let size: (width: Int, height: Int)
  private var forwards: TrackFollower
  private var backwards: TrackFollower
  private var kept: [Int: Kept] = [:]
  private var losses: [Int: LossReason] = [:]
  /// The part that was kept last, which a picture at rest shares.
  private var newest: Kept?
  /// Only pictures whose numbers are multiples of it are kept, and that in which the element was marked.
  private var step = 1
  /// How much memory the parts of pictures take.
  package private(set) var byteCount = 0

  /// What is kept around an element, in pixels.
  private static let margin = 12
  /// What a part takes beside its pixels, in bytes.
  private static let bytesBeside = 320
  /// So many pictures make the mean, and so many bytes of them at most.
  private static let (mostInMean, mostMeanBytes) = (48, 32 << 20)

  /// - Parameters:
  ///   - picture: The picture in which the rectangle was marked.
  ///   - index: Its number.
  ///   - time: Its time, in seconds.
  ///   - rectangle: The element's outline in it.
  package init(
    _ picture: GreyPicture, index: Int, time: Double, _ rectangle: TrackRectangle
  ) throws(TrackError) {
    template = try TrackTemplate(picture, rectangle)
    self.rectangle = rectangle
    reference = index
    size = (picture.width, picture.height)
    forwards = TrackFollower(template, time: time)
    backwards = TrackFollower(template, time: time)
    _ = backwards.follow(picture, time: time)
    follow(picture, index: index, time: time)
  }

  /// Looks for the element in the next picture: behind the one in which it was marked, or before it. Each way has its own order.
  ///
  /// - Parameter isSame: Whether the picture equals the one before it in this order. Then the element is where it was.
  package func follow(_ picture: GreyPicture, index: Int, time: Double, isSame: Bool = false) {
    let follower = index < reference ? backwards : forwards
    if isSame, step == 1, let before = kept[index < reference ? index + 1 : index - 1] {
      follower.rest(until: time)
      kept[index] = before
      byteCount += Self.bytesBeside
      return
    }
    switch follower.follow(picture, time: time) {
    case .lost(let reason): losses[index] = reason
    case .found(let found):
      let box = TrackTemplate.box(
        around: (found.pose.x, found.pose.y), rectangle,
        scale: found.pose.scale * (abs(found.pose.turn) > 0.02 ? 1.42 : 1), margin: Self.margin)
      let inside = PixelBox(
        left: min(max(0, box.left), size.width), top: min(max(0, box.top), size.height),
        right: min(max(0, box.right), size.width), bottom: min(max(0, box.bottom), size.height))
      guard inside.width > 4, inside.height > 4 else {
        losses[index] = .left
        return
      }
      keep(index, inside, of: picture, found)
    }
  }

  private func keep(
    _ index: Int, _ box: PixelBox, of picture: GreyPicture, _ found: Registration
  ) {
    guard isKept(index) else { return }
    var part = picture.cropped(to: box)
    byteCount += Self.bytesBeside
    if let newest, newest.isSame(as: part, at: (box.left, box.top)) {
      part = newest.part
    } else {
      byteCount += part.values.count
    }
    newest = Kept(part: part, origin: (box.left, box.top), found: found)
    kept[index] = newest
  }

  private func isKept(_ index: Int) -> Bool { index % step == 0 || index == reference }

  /// Leaves out all pictures but those whose numbers are multiples of a step, from now on too. They get no poses.
  package func keepEvery(_ step: Int) {
    self.step = step
    newest = nil
    byteCount = 0
    var before: UnsafePointer<UInt8>?
    for index in kept.keys.sorted() {
      guard isKept(index), let part = kept[index]?.part else {
        kept[index] = nil
        continue
      }
      let bytes = part.values.withUnsafeBufferPointer(\.baseAddress)
      byteCount += Self.bytesBeside + (bytes == before ? 0 : part.values.count)
      before = bytes
    }
  }

  // MARK: The second pass

  /// The poses with their errors.
  package func finish() -> TrackResult {
    var result = TrackResult()
    result.losses = losses
    result.lookAlikes = template.lookAlikes
    // A lone picture between two without the element is chance.
    for index in kept.keys.sorted() where index != reference {
      if losses[index - step] != nil, losses[index + step] != nil {
        kept[index] = nil
        result.losses[index] = .notFound
      }
    }
    let indices = kept.keys.sorted()
    let freedoms = freedoms(indices)
    result.scales = freedoms.contains(.scale)
    result.turns = freedoms.contains(.turn)
    guard let (pixels, weight) = meanTemplate(indices, freedoms) else { return result }
    result.weight = weight
    let plan = RegistrationPlan(level: 0, freedoms: freedoms, iterations: 12, tolerance: 0.001)
    // Pictures at rest share what was kept, and have one pose.
    var leaders: [Int] = []
    for (place, index) in indices.enumerated()
    where !(place > 0 && isSame(index, indices[place - 1])) {
      leaders.append(index)
    }
    var found = [TrackedPose?](repeating: nil, count: leaders.count)
    found.withUnsafeMutableBufferPointer { found in
      guard let slots = found.baseAddress else { return }
      concurrently(leaders.count) { slots[$0] = self.registered(leaders[$0], pixels, plan) }
    }
    var place = 0
    for index in indices {
      if place + 1 < leaders.count, leaders[place + 1] <= index { place += 1 }
      result.poses[index] = found[place]
      if found[place] == nil { result.losses[index] = .notFound }
    }
    setOrigin(&result)
    return result
  }

  /// Whether two pictures show the same in the same place.
  private func isSame(_ one: Int, _ two: Int) -> Bool {
    guard let one = kept[one], let two = kept[two], one.found.pose == two.found.pose else {
      return false
    }
    return one.isSame(as: two.part, at: two.origin)
  }

  /// The pose in a picture by the mean of the clip. `nil`: it does not fit.
  private func registered(
    _ index: Int, _ pixels: TemplatePixels, _ plan: RegistrationPlan
  ) -> TrackedPose? {
    guard let one = kept[index] else { return nil }
    let patch = patch(one)
    let start = limited(one.found.pose, plan.freedoms)
    guard let found = Registration(patch, pixels, from: start, plan),
      length(found.pose.x - start.x, found.pose.y - start.y) <= 4, found.inlier >= 0.3,
      found.correlation >= 0.75, found.visible >= 0.3, found.contrast >= 0.04,
      let errors = found.errors(patch, pixels, plan)
    else { return nil }
    return Self.pose(found, errors)
  }

  /// The floor of an error in pixels, the share of a residual that may be one shift of all blocks, and of few. Measured on the
  /// 54 clips of the trial.
  private static let (floor, common, few) = (0.02, 0.2, 1.2)
  /// Standard errors in half of a 90 % interval.
  private static let ninety = 1.645

  private static func pose(_ found: Registration, _ errors: RegistrationErrors) -> TrackedPose {
    let share = (common * common + few * few / max(1, errors.blocks)).squareRoot()
    func half(_ error: Double, _ shift: Double) -> Double {
      ninety * (error * error + floor * floor + share * share * shift * shift).squareRoot()
    }
    return TrackedPose(
      x: found.pose.x, y: found.pose.y, scale: found.pose.scale, turn: found.pose.turn,
      opacity: found.contrast, errorX: half(errors.x, errors.shiftX),
      errorY: half(errors.y, errors.shiftY), match: found.correlation, seen: found.visible)
  }

  /// In its own picture the element is where it was marked.
  private func setOrigin(_ result: inout TrackResult) {
    guard let own = result.poses[reference] else { return }
    let center = rectangle.center
    for index in result.poses.keys {
      result.poses[index]?.x -= own.x - center.x
      result.poses[index]?.y -= own.y - center.y
      result.poses[index]?.opacity /= own.opacity
      result.poses[index]?.scale /= own.scale
      result.poses[index]?.turn -= own.turn
    }
  }

  private func patch(_ one: Kept) -> Patch {
    Patch(
      one.part, PixelBox(left: 0, top: 0, right: one.part.width, bottom: one.part.height),
      origin: one.origin, size: size, last: 0)
  }

  private func limited(_ pose: PicturePose, _ freedoms: Freedoms) -> PicturePose {
    var pose = pose
    if !freedoms.contains(.scale) { pose.scale = 1 }
    if !freedoms.contains(.turn) { pose.turn = 0 }
    return pose
  }

  /// So many pictures are asked for scale and turn, and so many of them must have it.
  private static let (probes, fewestProbes) = (16, 2)
  /// A freedom moves the rectangle's edge by so many pixels, and so many standard errors.
  private static let (leastMove, leastErrors) = (0.35, 6.0)

  /// Which freedoms the motion has earned.
  private func freedoms(_ indices: [Int]) -> Freedoms {
    let edge = max(rectangle.width, rectangle.height) / 2
    let plan = RegistrationPlan(
      level: 0, freedoms: [.scale, .turn], iterations: 10, tolerance: 0.003)
    var (scales, turns) = (0, 0)
    for place in stride(from: 0, to: indices.count, by: max(1, indices.count / Self.probes)) {
      guard let one = kept[indices[place]] else { continue }
      let patch = patch(one)
      guard let found = Registration(patch, template.levels[0], from: one.found.pose, plan),
        let errors = found.errors(patch, template.levels[0], plan)
      else { continue }
      func isEarned(_ value: Double, _ error: Double) -> Bool {
        abs(value) * edge > max(Self.leastMove, Self.leastErrors * error * edge)
      }
      if isEarned(found.pose.scale - 1, errors.scale) { scales += 1 }
      if isEarned(found.pose.turn, errors.turn) { turns += 1 }
    }
    var freedoms: Freedoms = []
    if scales >= Self.fewestProbes { freedoms.insert(.scale) }
    if turns >= Self.fewestProbes { freedoms.insert(.turn) }
    return freedoms
  }

  /// The mean of what the element showed, of no single phase of the pixel grid, with the weight that each pixel earned; and the
  /// share of the rectangle that goes with it.
  private func meanTemplate(
    _ indices: [Int], _ freedoms: Freedoms
  ) -> (TemplatePixels, Double)? {
    guard let own = kept[reference] else { return nil }
    var cut = TemplateCut(patch(own), rectangle, level: 0)
    let area = cut.values.count
    let most = max(5, min(Self.mostInMean, Self.mostMeanBytes / max(1, 4 * area)))
    let opaque = indices.filter { kept[$0]?.found.contrast ?? 0 > 0.5 }
    let step = max(1, (opaque.count + most - 1) / most)
    var used = stride(from: 0, to: opaque.count, by: step).map { opaque[$0] }
    if !used.contains(reference) { used.append(reference) }
    let plan = RegistrationPlan(level: 0, freedoms: freedoms, iterations: 8, tolerance: 0.004)
    let shown = used.sorted().compactMap { kept[$0] }
    let wanted = cut
    var aligned = [[Float]](repeating: [], count: shown.count)
    aligned.withUnsafeMutableBufferPointer { aligned in
      guard let slots = aligned.baseAddress else { return }
      concurrently(shown.count) {
        slots[$0] = self.aligned(shown[$0], wanted, freedoms, plan)
      }
    }
    let isEnough = aligned.count >= 5
    var variance = [Float](repeating: 0, count: area)
    var column: [Float] = []
    for pixel in 0..<area {
      column.removeAll(keepingCapacity: true)
      for values in aligned where values[pixel].isFinite { column.append(values[pixel]) }
      var spread: Float = 0
      if isEnough, !column.isEmpty {
        let samples = column
        let middle = column.sortedMiddle()
        column = samples.map { abs($0 - middle) }
        spread = 1.4826 * column.sortedMiddle()
        let fitting = samples.filter { abs($0 - middle) < 3 * spread + 4 }
        cut.values[pixel] = fitting.reduce(0, +) / Float(max(1, fitting.count))
      } else if column.isEmpty {
        spread = 60
      }
      cut.isInside[pixel] = true
      variance[pixel] = spread * spread
    }
    cut.findGradients()
    var (say, whole) = (0.0, 0.0)
    for pixel in 0..<area {
      let strength =
        cut.gradientX[pixel] * cut.gradientX[pixel] + cut.gradientY[pixel] * cut.gradientY[pixel]
      variance[pixel] += 1 + 0.03 * 0.03 * strength
      say += Double(strength / variance[pixel])
      whole += Double(strength)
    }
    let pixels = TemplatePixels(cut, variance: variance, most: TrackTemplate.mostPixels)
    return (pixels, whole > 0 ? say / whole : 0)
  }

  /// What a picture shows at the template's places, with the template's contrast and brightness. Not a number: outside.
  private func aligned(
    _ one: Kept, _ cut: TemplateCut, _ freedoms: Freedoms, _ plan: RegistrationPlan
  ) -> [Float] {
    let patch = patch(one)
    let found =
      Registration(patch, template.levels[0], from: limited(one.found.pose, freedoms), plan)
      ?? one.found
    let (pose, a, b) = (found.pose, Float(found.contrast), Float(found.brightness))
    let cosine = Float(cos(pose.turn) * pose.scale)
    let sine = Float(sin(pose.turn) * pose.scale)
    let (x0, y0) = (Float(pose.x - Double(patch.left)), Float(pose.y - Double(patch.top)))
    let plane = patch.levels[0]
    let (endX, endY) = (Float(plane.width), Float(plane.height))
    var values: [Float] = []
    values.reserveCapacity(cut.values.count)
    plane.values.withUnsafeBufferPointer { buffer in
      for v in cut.v {
        for u in cut.u {
          let (x, y) = (cosine * u - sine * v + x0, sine * u + cosine * v + y0)
          guard x >= 0.5, y >= 0.5, x + 0.5 <= endX, y + 0.5 <= endY else {
            values.append(.nan)
            continue
          }
          values.append((Plane.cubic(buffer, plane.width, plane.height, x, y) - b) / a)
        }
      }
    }
    return values
  }
}
