import KymographCLibrary

/// Why an element has no place in a picture.
package enum LossReason: String, Hashable, Sendable, CaseIterable {
  case notFound = "not found"
  case covered
  case left = "left the picture"
  case faded
  case alike = "several places look alike"
}

/// A rectangle that cannot be followed.
package enum TrackError: Error, Hashable, Sendable {
  /// It is outside of the picture, or too small, or nearly all of it.
  case unsuitable
  /// It has one colour: nothing can be followed.
  case oneColour
}

/// An element in the picture in which it was marked, at each level.
final class TrackTemplate {
  let rectangle: TrackRectangle
  let last: Int
  let coarse: Int
  let levels: [TemplatePixels]
  /// How many other places of its picture look like it.
  let lookAlikes: Int
  private let small: Plane
  private let isInside: [Bool]
  private let pictureWidth: Int
  private let pictureHeight: Int
  private var zoomed: [Int: CoarsePlace] = [:]

  /// The coarse picture is at most so wide and high, and the element in it at least so.
  private static let (mostCoarse, leastCoarse) = (260, 7.0)
  /// A rectangle is at least so wide and high, in pixels, and at most such a share of the picture.
  private static let (least, mostShare) = (8.0, 0.9)
  /// The correlation of another place that looks like the element.
  private static let leastAlike = 0.8
  /// So many pixels are enough.
  static let mostPixels = 12_000

  init(_ picture: GreyPicture, _ rectangle: TrackRectangle) throws(TrackError) {
    let (w, h) = (rectangle.width, rectangle.height)
    guard w >= Self.least, h >= Self.least, rectangle.x + w > 0, rectangle.y + h > 0,
      rectangle.x < Double(picture.width), rectangle.y < Double(picture.height),
      w * h <= Self.mostShare * Double(picture.width * picture.height)
    else { throw .unsuitable }
    self.rectangle = rectangle
    var coarse = 0
    while max(picture.width, picture.height) >> coarse > Self.mostCoarse,
      min(w, h) / Double(2 << coarse) >= Self.leastCoarse
    {
      coarse += 1
    }
    self.coarse = coarse
    last = max(coarse, min(w, h) >= 32 ? 2 : 1)
    let patch = Patch(
      picture, Self.box(around: rectangle.center, rectangle, margin: 16), last: last)
    var levels: [TemplatePixels] = []
    for level in 0...last {
      levels.append(
        TemplatePixels(TemplateCut(patch, rectangle, level: level), most: Self.mostPixels))
    }
    self.levels = levels
    let whole = Plane(picture, level: coarse)
    // The band-passed element is cut out of the band-passed picture, so that its edges are those of later pictures.
    let passed = CoarsePlace.bandPassed(whole)
    let cut = TemplateCut(
      Patch(passed, picture, level: coarse), rectangle.scaled(by: 1 / Double(1 << coarse)), level: 0
    )
    small = Plane(width: cut.width, height: cut.height, values: cut.values)
    isInside = cut.isInside
    (pictureWidth, pictureHeight) = (whole.width, whole.height)
    let inside = zip(cut.values, cut.isInside).filter(\.1).map { Double($0.0) }
    let mean = inside.reduce(0, +) / Double(max(1, inside.count))
    let variance =
      inside.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, inside.count))
    let contrast = levels[0].values.map(Double.init)
    let middle = contrast.reduce(0, +) / Double(max(1, contrast.count))
    let spread =
      contrast.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(max(1, contrast.count))
    guard spread.squareRoot() >= 1, variance.squareRoot() >= 0.25 else { throw .oneColour }
    let search = CoarsePlace(small, isInside: isInside, width: whole.width, height: whole.height)
    lookAlikes = max(0, search.peaks(in: passed, radius: 0.5, least: Self.leastAlike).count - 1)
    zoomed[0] = search
  }

  /// What is around a place, in whole pixels.
  static func box(
    around center: (x: Double, y: Double), _ rectangle: TrackRectangle, scale: Double = 1,
    margin: Int
  ) -> PixelBox {
    // What turns is as high as its diagonal.
    let (w, h) = (rectangle.width * scale / 2, rectangle.height * scale / 2)
    func whole(_ value: Double) -> Int { Int(min(max(value, -1e6), 1e6).rounded(.down)) }
    return PixelBox(
      left: whole(center.x - w) - margin, top: whole(center.y - h) - margin,
      right: whole(center.x + w) + 1 + margin, bottom: whole(center.y + h) + 1 + margin)
  }

  /// The search for the element at a scale, in steps of 8 %.
  func search(scale: Double) -> CoarsePlace {
    let number = abs(scale - 1) > 0.04 ? Int((log(scale) / 0.08).rounded()) : 0
    if let known = zoomed[number] { return known }
    let size = exp(Double(number) * 0.08)
    let w = max(5, Int((Double(small.width) * size).rounded()))
    let h = max(5, Int((Double(small.height) * size).rounded()))
    var values: [Float] = []
    small.values.withUnsafeBufferPointer { buffer in
      for y in 0..<h {
        for x in 0..<w {
          values.append(
            Plane.cubic(
              buffer, small.width, small.height,
              (Float(x) + 0.5) * Float(small.width) / Float(w),
              (Float(y) + 0.5) * Float(small.height) / Float(h)))
        }
      }
    }
    let found = CoarsePlace(
      Plane(width: w, height: h, values: values),
      isInside: [Bool](repeating: true, count: w * h), width: pictureWidth, height: pictureHeight)
    zoomed[number] = found
    return found
  }
}

extension TrackRectangle {
  func scaled(by factor: Double) -> TrackRectangle {
    TrackRectangle(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}

extension Patch {
  /// A whole small picture, without levels.
  fileprivate init(_ plane: Plane, _ picture: GreyPicture, level: Int) {
    (pictureWidth, pictureHeight) = (plane.width, plane.height)
    (left, top) = (0, 0)
    levels = [plane]
  }
}

/// Follows an element from the picture in which it was marked on, or back from it.
///
/// The template is of one picture, not of the one before, so nothing drifts. A place must be earned: a leap or a return has to
/// look as good as the element did before.
final class TrackFollower {
  private let template: TrackTemplate
  private var last: PicturePose
  private var speed = (x: 0.0, y: 0.0)
  private var lastTime: Double
  private var lost = 0
  private var count = 0
  private var scores = [0.9]
  /// Where something else was seen that looks like the element.
  private var alike: [(x: Double, y: Double)] = []

  /// Every so many pictures other places are looked for, though the element is found.
  private static let searchEvery = 8

  init(_ template: TrackTemplate, time: Double) {
    self.template = template
    let center = template.rectangle.center
    last = PicturePose(x: center.x, y: center.y)
    lastTime = time
  }

  /// The picture has not changed until a time, in seconds.
  func rest(until time: Double) {
    (speed, lastTime) = ((0, 0), time)
    count += 1
  }

  /// What was found in a picture.
  enum Finding {
    case found(Registration)
    case lost(LossReason)
  }

  /// Looks for the element in the next picture.
  ///
  /// - Parameter time: Seconds.
  func follow(_ picture: GreyPicture, time: Double) -> Finding {
    let first = count == 0
    count += 1
    let passed = abs(time - lastTime)
    let seconds = passed > 0 ? passed : 1.0 / 60
    var predicted = last
    predicted.x += speed.x * seconds
    predicted.y += speed.y * seconds
    let pace = length(speed.x, speed.y)
    let unit = Double(1 << template.coarse)
    let reach = 24 + 0.8 * pace * seconds + 2 * unit
    func distance(_ pose: PicturePose) -> Double {
      length(pose.x - predicted.x, pose.y - predicted.y)
    }
    var tried: [Registration] = []
    if lost == 0, let found = refine(picture, predicted, [.scale]), isGood(found) {
      tried.append(found)
    }
    // What has look-alikes is sure of nothing.
    let isAlone = template.lookAlikes == 0 && alike.isEmpty
    let isSure =
      isAlone
      && tried.first.map { $0.score > 0.95 * scores.middle && distance($0.pose) <= reach / 2 }
        ?? false
    var places: [(x: Double, y: Double, value: Double)] = []
    if !isSure || count % Self.searchEvery == 1 {
      let small = CoarsePlace.bandPassed(Plane(picture, level: template.coarse))
      places = template.search(scale: last.scale).peaks(in: small)
        .map { ($0.x * unit, $0.y * unit, $0.value) }
      addSearched(places, picture, predicted, reach, unit, to: &tried)
    }
    if tried.isEmpty, lost == 0, let found = refine(picture, predicted, [.scale, .turn]),
      isGood(found)
    {
      tried.append(found)
    }
    // Which of several it is that comes back cannot be told.
    let highest = tried.map(\.score).max() ?? 0
    if lost > 0, tried.count(where: { $0.score > 0.93 * highest }) > 1 {
      lost += 1
      return .lost(.alike)
    }
    tried = earned(tried, reach: reach, step: pace * seconds, distance: distance)
    guard var best = tried.max(by: { $0.score < $1.score }) else {
      lost += 1
      return .lost(reason(picture, predicted))
    }
    var others = tried.filter { $0.pose != best.pose && $0.score > 0.93 * best.score }
    if !others.isEmpty {
      others.append(best)
      others.sort { distance($0.pose) < distance($1.pose) }
      best = others.removeFirst()
      let near = 2 * distance(best.pose) + 0.15 * pace * seconds + 6
      if lost > 0 || others.contains(where: { distance($0.pose) < near }) {
        lost += 1
        return .lost(.alike)
      }
    }
    let isSteady = lost == 0 && !first && passed > 0
    speed =
      isSteady ? ((best.pose.x - last.x) / seconds, (best.pose.y - last.y) / seconds) : (0, 0)
    (last, lastTime, lost) = (best.pose, time, 0)
    scores.append(best.score)
    if scores.count > 200 { scores.removeFirst(100) }
    note(places, beside: best.pose, unit)
    return .found(best)
  }

  /// Notes what looks like the element and is none.
  private func note(
    _ places: [(x: Double, y: Double, value: Double)], beside pose: PicturePose, _ unit: Double
  ) {
    let apart = 0.5 * min(template.rectangle.width, template.rectangle.height)
    for place in places where place.value > 0.7 && alike.count < 64 {
      guard length(place.x - pose.x, place.y - pose.y) > apart,
        !alike.contains(where: { length($0.x - place.x, $0.y - place.y) < 2 * unit })
      else { continue }
      alike.append((place.x, place.y))
    }
  }

  /// Looks closer at the best of the places that were found in the small picture.
  private func addSearched(
    _ places: [(x: Double, y: Double, value: Double)], _ picture: GreyPicture,
    _ predicted: PicturePose, _ reach: Double, _ unit: Double, to tried: inout [Registration]
  ) {
    let highest = places.map(\.value).max() ?? 0
    func worth(_ place: (x: Double, y: Double, value: Double)) -> Double {
      let far = length(place.x - predicted.x, place.y - predicted.y) / reach
      return place.value - (lost == 0 ? 0.15 * min(1, far) : 0)
    }
    for place in places.sorted(by: { worth($0) > worth($1) }).prefix(3) {
      if tried.contains(where: {
        length(place.x - $0.pose.x, place.y - $0.pose.y) < 1.5 * unit
      }) {
        continue
      }
      if !tried.isEmpty, place.value < highest - 0.25 { continue }
      var start = last
      (start.x, start.y) = (place.x, place.y)
      var found = refine(picture, start, [.scale]).flatMap { isGood($0) ? $0 : nil }
      if found == nil {
        found = refine(picture, start, [.scale, .turn]).flatMap { isGood($0) ? $0 : nil }
      }
      guard let found,
        !tried.contains(where: {
          length(found.pose.x - $0.pose.x, found.pose.y - $0.pose.y) < 2
        })
      else { continue }
      tried.append(found)
    }
  }

  /// What suddenly fits by less than this share of what it did must be where it was expected, in pixels and as a share of a step.
  private static let (sudden, near, nearShare) = (0.75, 6.0, 0.2)

  /// Those that look good enough for how far they are.
  ///
  /// - Parameters:
  ///   - reach: What is farther from the expected place is a leap.
  ///   - step: How far the element goes from picture to picture.
  private func earned(
    _ tried: [Registration], reach: Double, step: Double, distance: (PicturePose) -> Double
  ) -> [Registration] {
    let (w, h) = (template.rectangle.width, template.rectangle.height)
    let usual = scores.middle
    func isFar(_ one: Registration) -> Bool {
      let isSudden = one.score < Self.sudden * usual
      return lost > 0
        || distance(one.pose) > (isSudden ? Self.near + Self.nearShare * step : reach)
    }
    let kept = tried.filter { one in
      guard isFar(one) else { return true }
      let isAlike = alike.contains {
        abs(one.pose.x - $0.x) < 0.4 * w && abs(one.pose.y - $0.y) < 0.4 * h
      }
      let resized = abs(log(one.pose.scale / last.scale))
      return !isAlike && resized < min(0.05 + 0.02 * Double(lost), 0.15)
    }
    let isAlone = kept.count == 1 && kept[0].correlation > 0.93 && kept[0].inlier > 0.5
    return kept.filter { isAlone || !isFar($0) || $0.score > 0.88 * usual }
  }

  private func isGood(_ found: Registration) -> Bool {
    found.correlation > 0.8 && found.inlier > 0.4 && found.visible > 0.3
      && (0.04...3).contains(found.contrast) && found.step < 0.2
  }

  /// Registration from the coarsest level to full size.
  private func refine(
    _ picture: GreyPicture, _ start: PicturePose, _ freedoms: Freedoms
  ) -> Registration? {
    let grid = 1 << template.last
    let patch = Patch(
      picture,
      TrackTemplate.box(
        around: (start.x, start.y), template.rectangle,
        scale: freedoms.contains(.turn) ? start.scale * 1.42 : start.scale, margin: 12 * grid + 8),
      last: template.last)
    var pose = start
    var found: Registration?
    for level in stride(from: template.last, through: 0, by: -1) {
      found = Registration(
        patch, template.levels[level], from: pose,
        RegistrationPlan(
          level: level, freedoms: freedoms, iterations: level > 0 ? 10 : 8,
          tolerance: level > 0 ? 0.02 : 0.004))
      guard let next = found?.pose else { return nil }
      let most = Double(12 << level)
      if level > 0, abs(next.x - pose.x) > most || abs(next.y - pose.y) > most { return nil }
      pose = next
    }
    return found
  }

  /// Why nothing was found, as far as the predicted place tells.
  private func reason(_ picture: GreyPicture, _ predicted: PicturePose) -> LossReason {
    let (w, h) = (template.rectangle.width * last.scale, template.rectangle.height * last.scale)
    let inX = min(predicted.x + w / 2, Double(picture.width)) - max(predicted.x - w / 2, 0)
    let inY = min(predicted.y + h / 2, Double(picture.height)) - max(predicted.y - h / 2, 0)
    if max(0, inX) * max(0, inY) < 0.3 * w * h { return .left }
    guard lost <= 1, let found = refine(picture, predicted, []) else { return .notFound }
    if found.contrast < 0.06 || abs(found.correlation) < 0.2 && found.contrast < 0.2 {
      return .faded
    }
    if found.inlier < 0.5, found.correlation > 0.5 { return .covered }
    return .notFound
  }
}
