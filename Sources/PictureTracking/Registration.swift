import KymographCLibrary

/// An element found in a picture: where it is by which its pixels fit best, and how well they do.
///
/// Minimises Σ w (I(W(x)) - a T(x) - b)² over the place, scale, turn, contrast a and brightness b by the inverse-compositional
/// Gauss-Newton method (Baker, Matthews 2004), with a redescending weight. Full gain and offset make it the criterion of
/// Evangelidis and Psarakis (2008).
struct Registration {
  var pose: PicturePose
  /// The contrast, which is the opacity, and the brightness.
  var contrast = 1.0
  var brightness = 0.0
  /// The last step, in pixels of the level.
  var step = Double.infinity
  /// The correlation of what fits.
  var correlation = 0.0
  /// The share of the pixels' say that fits.
  var inlier = 0.0
  /// The share of the pixels that are in the picture.
  var visible = 0.0

  /// How well it fits, 0 to 1.
  var score: Double { correlation * inlier.squareRoot() }
}

/// What registration is asked to do.
struct RegistrationPlan {
  var level: Int
  var freedoms: Freedoms
  var iterations: Int
  /// It ends with a step of less, in pixels of the level.
  var tolerance: Double
}

/// A registration with its errors.
struct RegistrationErrors {
  /// The standard errors of the place, in pixels, by residuals that go together in a block of the codec.
  var x: Double
  var y: Double
  /// The standard errors of the scale and of the turn. 0: it is not free.
  var scale = 0.0
  var turn = 0.0
  /// The shift that all residuals would be if they were one, in pixels.
  var shiftX: Double
  var shiftY: Double
  /// How many blocks of the codec are seen.
  var blocks: Double
}

/// Sums over an element's pixels at a pose.
private struct PixelSums {
  var hessian: SmallMatrix
  var gradient: [Double]
  var inside = 0
  var weights = 0.0, template = 0.0, picture = 0.0
  var templateSquares = 0.0, pictureSquares = 0.0, products = 0.0
  var say = 0.0, fittingSay = 0.0
  /// Σ w r², and Σ w J² of both places.
  var residuals = 0.0, shiftX = 0.0, shiftY = 0.0
  /// Σ J w r of each block, one block after the other.
  var blocks: [Double] = []
}

extension Registration {
  /// A residual of so many standard deviations has a quarter of its weight.
  private static let robust: Float = 3
  /// The fewest pixels that say something.
  private static let fewest = 24

  /// Finds an element in a patch.
  ///
  /// - Returns: nil if too little of it is in the patch, or nothing can be told.
  init?(_ patch: Patch, _ pixels: TemplatePixels, from start: PicturePose, _ plan: RegistrationPlan)
  {
    self.init(pose: start)
    guard begin(patch, pixels, plan.level) else { return nil }
    let hasScale = plan.freedoms.contains(.scale)
    for _ in 0..<plan.iterations {
      guard let sums = sums(patch, pixels, plan, needsBlocks: false),
        let inverse = sums.hessian.inverse()
      else { return nil }
      var delta = inverse.times(sums.gradient).map { -$0 }
      guard delta.allSatisfy(\.isFinite) else { return nil }
      let largest = max(abs(delta[0]), abs(delta[1]))
      if largest > 3 { delta = delta.map { $0 * 3 / largest } }
      let unit = Double(1 << plan.level)
      pose.x += delta[0] * unit
      pose.y += delta[1] * unit
      var next = 2
      if hasScale {
        pose.scale = min(max(pose.scale + min(max(delta[next], -0.1), 0.1), 0.15), 5)
        next += 1
      }
      if plan.freedoms.contains(.turn) {
        pose.turn += min(max(delta[next], -0.1), 0.1)
        next += 1
      }
      contrast = min(max(contrast + delta[next], 0.01), 5)
      brightness += delta[next + 1]
      step = max(largest, hasScale ? abs(delta[2]) * Double(pixels.reach) : 0)
      if step < plan.tolerance { break }
    }
    guard let sums = sums(patch, pixels, plan, needsBlocks: false) else { return nil }
    judge(sums, pixels)
  }

  /// Sets contrast and brightness for the first step. False: too little is in the patch.
  private mutating func begin(_ patch: Patch, _ pixels: TemplatePixels, _ level: Int) -> Bool {
    var (weights, template, picture, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0)
    var inside = 0
    let isWhole = Self.sample(patch, pixels, pose, level) { index, value in
      let weight = Double(pixels.weight[index])
      let (t, i) = (Double(pixels.values[index]), Double(value))
      inside += 1
      weights += weight
      template += weight * t
      picture += weight * i
      squares += weight * t * t
      products += weight * t * i
    }
    guard isWhole, inside >= Self.fewest, weights > 0 else { return false }
    let (meanT, meanI) = (template / weights, picture / weights)
    let variance = squares - weights * meanT * meanT
    contrast = min(max((products - weights * meanT * meanI) / max(1e-6, variance), 0.02), 4)
    brightness = meanI - contrast * meanT
    return true
  }

  private mutating func judge(_ sums: PixelSums, _ pixels: TemplatePixels) {
    visible = Double(sums.inside) / Double(max(1, pixels.count))
    inlier = sums.fittingSay / max(1e-9, sums.say)
    let (t, i) = (sums.template / sums.weights, sums.picture / sums.weights)
    let templates = sums.templateSquares - sums.weights * t * t
    let pictures = sums.pictureSquares - sums.weights * i * i
    let product = sums.products - sums.weights * t * i
    correlation = product / max(1e-9, templates * pictures).squareRoot()
  }

  /// Its errors at the pose that was found.
  func errors(
    _ patch: Patch, _ pixels: TemplatePixels, _ plan: RegistrationPlan
  ) -> RegistrationErrors? {
    guard let sums = sums(patch, pixels, plan, needsBlocks: true),
      let inverse = sums.hessian.inverse()
    else { return nil }
    let count = sums.gradient.count
    var spread = SmallMatrix(count: count)
    var seen = 0
    for block in 0..<pixels.blockCount {
      let first = block * count
      guard sums.blocks[first..<(first + count)].contains(where: { $0 != 0 }) else { continue }
      seen += 1
      for row in 0..<count {
        for column in 0..<count {
          spread[row, column] += sums.blocks[first + row] * sums.blocks[first + column]
        }
      }
    }
    let factor = Double(pixels.blockCount) / Double(max(1, pixels.blockCount - 2))
    let sandwich = inverse.times(spread).times(inverse)
    func error(_ index: Int) -> Double { max(0, sandwich[index, index] * factor).squareRoot() }
    let unit = Double(1 << plan.level)
    let hasScale = plan.freedoms.contains(.scale)
    return RegistrationErrors(
      x: error(0) * unit, y: error(1) * unit, scale: hasScale ? error(2) : 0,
      turn: plan.freedoms.contains(.turn) ? error(hasScale ? 3 : 2) : 0,
      shiftX: (sums.residuals / max(1e-12, sums.shiftX)).squareRoot() * unit,
      shiftY: (sums.residuals / max(1e-12, sums.shiftY)).squareRoot() * unit,
      blocks: Double(pixels.blockCount) * visible)
  }

  // MARK: Pixels

  /// Calls with each pixel that is in the picture, and what the picture shows there.
  ///
  /// - Returns: Whether the patch has all that is in the picture.
  @inline(__always)
  private static func sample(
    _ patch: Patch, _ pixels: TemplatePixels, _ pose: PicturePose, _ level: Int,
    _ body: (Int, Float) -> Void
  ) -> Bool {
    let plane = patch.levels[level]
    let unit = Double(1 << level)
    let cosine = Float(cos(pose.turn) * pose.scale)
    let sine = Float(sin(pose.turn) * pose.scale)
    let x0 = Float((pose.x - Double(patch.left)) / unit)
    let y0 = Float((pose.y - Double(patch.top)) / unit)
    let (left, top) = (Float(-Double(patch.left) / unit), Float(-Double(patch.top) / unit))
    let right = left + Float(patch.pictureWidth >> level)
    let bottom = top + Float(patch.pictureHeight >> level)
    let (endX, endY) = (Float(plane.width), Float(plane.height))
    var isWhole = true
    plane.values.withUnsafeBufferPointer { buffer in
      pixels.u.withUnsafeBufferPointer { u in
        pixels.v.withUnsafeBufferPointer { v in
          for index in 0..<u.count {
            let x = cosine * u[index] - sine * v[index] + x0
            let y = sine * u[index] + cosine * v[index] + y0
            guard x - 0.5 >= left, y - 0.5 >= top, x + 0.5 <= right, y + 0.5 <= bottom else {
              continue
            }
            guard x >= 0.5, y >= 0.5, x + 0.5 <= endX, y + 0.5 <= endY else {
              isWhole = false
              continue
            }
            body(index, Plane.cubic(buffer, plane.width, plane.height, x, y))
          }
        }
      }
    }
    return isWhole
  }

  /// The sums at the pose. `nil`: too little of the element is in the patch.
  private func sums(
    _ patch: Patch, _ pixels: TemplatePixels, _ plan: RegistrationPlan, needsBlocks: Bool
  ) -> PixelSums? {
    let hasScale = plan.freedoms.contains(.scale)
    let hasTurn = plan.freedoms.contains(.turn)
    let count = 4 + (hasScale ? 1 : 0) + (hasTurn ? 1 : 0)
    var sums = PixelSums(
      hessian: SmallMatrix(count: count), gradient: [Double](repeating: 0, count: count))
    if needsBlocks { sums.blocks = [Double](repeating: 0, count: count * pixels.blockCount) }
    let (a, b) = (Float(contrast), Float(brightness))
    let cosine = Float(cos(pose.turn) / pose.scale) * a
    let sine = Float(sin(pose.turn) / pose.scale) * a
    let byScale = a / Float(pose.scale)
    let robust = 1 / (Self.robust * Self.robust)
    // The columns are always x, y, scale, turn, contrast and brightness. What is not free is left out at the end.
    let columns = [0, 1] + (hasScale ? [2] : []) + (hasTurn ? [3] : []) + [4, 5]
    var whole = [SIMD8<Double>](repeating: .zero, count: 7)
    var part = [SIMD8<Float>](repeating: .zero, count: 7)
    var inPart = 0
    let isWhole = part.withUnsafeMutableBufferPointer { part in
      whole.withUnsafeMutableBufferPointer { whole in
        pixels.withUnsafeValues { pixel in
          Self.sample(patch, pixels, pose, plan.level) { index, value in
            let t = pixel.values[index]
            let (gx, gy) = (pixel.gradientX[index], pixel.gradientY[index])
            let residual = value - a * t - b
            let base = pixel.weight[index]
            let off = 1 / (1 + residual * residual * base * robust)
            let rho = off * off
            let weight = base * rho
            let (u, v) = (pixel.u[index], pixel.v[index])
            let j = SIMD8<Float>(
              cosine * gx - sine * gy, sine * gx + cosine * gy, byScale * (gx * u + gy * v),
              a * (gy * u - gx * v), -t, -1, 0, 0)
            let weighted = j * weight
            // Parts of the sums are added in single precision, and then in double.
            for row in 0..<6 { part[row] += j * weighted[row] }
            part[6] += weighted * residual
            inPart += 1
            if inPart == Self.pixelsInPart {
              inPart = 0
              Self.add(part, to: whole)
            }
            if needsBlocks {
              let first = Int(pixels.block[index]) * count
              for (row, column) in columns.enumerated() {
                sums.blocks[first + row] += Double(weighted[column] * residual)
              }
            }
            sums.inside += 1
            let strength = base * (gx * gx + gy * gy)
            sums.say += Double(strength)
            sums.fittingSay += Double(strength * rho)
            let w = Double(base * off)
            sums.weights += w
            sums.template += w * Double(t)
            sums.picture += w * Double(value)
            sums.templateSquares += w * Double(t) * Double(t)
            sums.pictureSquares += w * Double(value) * Double(value)
            sums.products += w * Double(t) * Double(value)
            sums.residuals += Double(weight * residual * residual)
          }
        }
      }
    }
    for row in 0..<7 { whole[row] += SIMD8<Double>(part[row]) }
    (sums.shiftX, sums.shiftY) = (whole[0][0], whole[1][1])
    guard isWhole, sums.inside >= Self.fewest, sums.weights > 0 else { return nil }
    for (row, one) in columns.enumerated() {
      for (column, two) in columns.enumerated() {
        sums.hessian[row, column] = whole[min(one, two)][max(one, two)]
      }
      sums.gradient[row] = whole[6][one]
    }
    return sums
  }

  /// So many pixels are summed up in single precision.
  private static let pixelsInPart = 64

  /// Moves parts of sums to the whole ones.
  private static func add(
    _ part: UnsafeMutableBufferPointer<SIMD8<Float>>,
    to whole: UnsafeMutableBufferPointer<SIMD8<Double>>
  ) {
    for row in 0..<7 {
      whole[row] += SIMD8<Double>(part[row])
      part[row] = .zero
    }
  }
}
