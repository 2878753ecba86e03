/// Where in a picture something looks like an element, to a few pixels: the normalised cross-correlation at every place, also
/// half outside (Padfield 2012), of band-passed pictures.
struct CoarsePlace {
  /// A place that looks like the element.
  struct Peak: Hashable {
    /// The element's center, in pixels of the small picture.
    var x: Double
    var y: Double
    /// The correlation, at most 1.
    var value: Double
  }

  let width: Int
  let height: Int
  private let pictureWidth: Int
  private let pictureHeight: Int
  private let side: Int
  private let template: Spectrum
  private let mask: Spectrum
  /// How many pixels of the element are in the picture at each place, the sum of the template there, and its variance.
  private let counts: [Float]
  private let templateSums: [Float]
  private let templateVariances: [Float]
  private let pixels: Int

  /// A correlation of less is no peak.
  static let leastPeak = 0.45
  /// Most peaks that are looked at.
  static let mostPeaks = 6
  /// The blur that is taken off, in pixels of the small picture, and where levels are cut.
  private static let (band, cut) = (Plane.kernel(sigma: 1.5), Float(12))

  /// A small picture without its slow changes, so that a dark strip beside an edge does not decide.
  static func bandPassed(_ plane: Plane) -> Plane {
    let slow = plane.blurred(by: band)
    var result = plane
    for index in result.values.indices {
      result.values[index] = min(max(plane.values[index] - slow.values[index], -cut), cut)
    }
    return result
  }

  /// - Parameters:
  ///   - template: The element, band-passed.
  ///   - isInside: Which of its pixels are known.
  ///   - width: The small picture's width.
  ///   - height: Its height.
  init(_ template: Plane, isInside: [Bool], width: Int, height: Int) {
    (self.width, self.height) = (template.width, template.height)
    (pictureWidth, pictureHeight) = (width, height)
    let longest = max(width + template.width, height + template.height) - 1
    side = 1 << (Int.bitWidth - (longest - 1).leadingZeroBitCount)
    pixels = isInside.count { $0 }
    // The template and its squares are one transform, as are both masks.
    var values = Spectrum(side: side)
    var masks = Spectrum(side: side)
    for y in 0..<template.height {
      for x in 0..<template.width where isInside[y * template.width + x] {
        let at = (template.height - 1 - y) * side + template.width - 1 - x
        let value = template.values[y * template.width + x]
        values.real[at] = value
        values.imaginary[at] = value * value
        masks.real[at] = 1
      }
    }
    for y in 0..<height {
      for x in 0..<width { masks.imaginary[y * side + x] = 1 }
    }
    values.transform(backwards: false)
    masks.transform(backwards: false)
    let (own, squares) = values.parts()
    let (mask, whole) = masks.parts()
    (self.template, self.mask) = (own, mask)
    let factor = 1 / Float(side * side)
    var first = Spectrum.packed(mask.times(whole), own.times(whole))
    first.transform(backwards: true)
    var second = squares.times(whole)
    second.transform(backwards: true)
    let counts = first.real.map { max($0 * factor, 1e-3) }
    let sums = first.imaginary.map { $0 * factor }
    self.counts = counts
    templateSums = sums
    templateVariances = counts.indices.map {
      max(0, second.real[$0] * factor - sums[$0] * sums[$0] / counts[$0])
    }
  }

  /// The places of a picture that look like the element, the best first.
  ///
  /// - Parameters:
  ///   - picture: The small picture, band-passed.
  ///   - radius: So far apart are two of them, as a share of the element's size.
  ///   - least: What is less alike is none.
  func peaks(
    in picture: Plane, radius: Double = 0.35, least: Double = CoarsePlace.leastPeak
  ) -> [Peak] {
    var values = Spectrum(side: side)
    for y in 0..<pictureHeight {
      for x in 0..<pictureWidth {
        let value = picture.values[y * pictureWidth + x]
        values.real[y * side + x] = value
        values.imaginary[y * side + x] = value * value
      }
    }
    values.transform(backwards: false)
    let (own, squares) = values.parts()
    var first = Spectrum.packed(own.times(template), own.times(mask))
    first.transform(backwards: true)
    var second = squares.times(mask)
    second.transform(backwards: true)
    let (columns, rows) = (pictureWidth + width - 1, pictureHeight + height - 1)
    var correlations = [Float](repeating: 0, count: columns * rows)
    var spreads = correlations
    let factor = 1 / Float(side * side)
    var most: Float = 0
    for y in 0..<rows {
      for x in 0..<columns {
        let at = y * side + x
        let sum = first.imaginary[at] * factor
        let count = counts[at]
        let variance = max(0, second.real[at] * factor - sum * sum / count)
        let spread = (variance * templateVariances[at]).squareRoot()
        spreads[y * columns + x] = spread
        most = max(most, spread)
        guard count > 0.25 * Float(pixels) else { continue }
        correlations[y * columns + x] =
          (first.real[at] * factor - sum * templateSums[at] / count) / max(spread, 1e-6)
      }
    }
    for index in correlations.indices where spreads[index] <= 0.01 * most + 1e-6 {
      correlations[index] = 0
    }
    var found: [Peak] = []
    let radiusX = max(1, Int(radius * Double(width)))
    let radiusY = max(1, Int(radius * Double(height)))
    while found.count < Self.mostPeaks {
      guard let best = correlations.indices.max(by: { correlations[$0] < correlations[$1] }),
        Double(correlations[best]) >= least
      else { break }
      let (y, x) = best.quotientAndRemainder(dividingBy: columns)
      found.append(
        Peak(
          x: Double(x + 1) - Double(width) / 2, y: Double(y + 1) - Double(height) / 2,
          value: Double(correlations[best])))
      for row in max(0, y - radiusY)...min(rows - 1, y + radiusY) {
        for column in max(0, x - radiusX)...min(columns - 1, x + radiusX) {
          correlations[row * columns + column] = -1
        }
      }
    }
    return found
  }
}

extension Spectrum {
  /// The transforms of two real squares that were transformed as one complex one.
  fileprivate func parts() -> (Spectrum, Spectrum) {
    var (one, two) = (Spectrum(side: side), Spectrum(side: side))
    for y in 0..<side {
      let mirror = (side - y) % side
      for x in 0..<side {
        let (at, other) = (y * side + x, mirror * side + (side - x) % side)
        one.real[at] = (real[at] + real[other]) / 2
        one.imaginary[at] = (imaginary[at] - imaginary[other]) / 2
        two.real[at] = (imaginary[at] + imaginary[other]) / 2
        two.imaginary[at] = (real[other] - real[at]) / 2
      }
    }
    return (one, two)
  }

  fileprivate func times(_ other: Spectrum) -> Spectrum {
    var product = self
    for at in real.indices {
      product.real[at] = real[at] * other.real[at] - imaginary[at] * other.imaginary[at]
      product.imaginary[at] = real[at] * other.imaginary[at] + imaginary[at] * other.real[at]
    }
    return product
  }

  /// One square whose transform back has two real ones.
  fileprivate static func packed(_ one: Spectrum, _ two: Spectrum) -> Spectrum {
    var sum = one
    for at in sum.real.indices {
      sum.real[at] -= two.imaginary[at]
      sum.imaginary[at] += two.real[at]
    }
    return sum
  }
}

extension Plane {
  /// A picture of which each pixel is the mean of a square, as large as a level of ``Patch``.
  init(_ picture: GreyPicture, level: Int) {
    let size = 1 << level
    let (w, h) = (picture.width >> level, picture.height >> level)
    var sums = [Float](repeating: 0, count: w * h)
    let factor = 1 / Float(size * size)
    picture.values.withUnsafeBufferPointer { from in
      sums.withUnsafeMutableBufferPointer { to in
        for y in 0..<(h * size) {
          let (row, out) = (y * picture.width, (y / size) * w)
          for x in 0..<w {
            var sum: UInt32 = 0
            for k in 0..<size { sum &+= UInt32(from[row + x * size + k]) }
            to[out + x] += Float(sum) * factor
          }
        }
      }
    }
    self.init(width: w, height: h, values: sums)
  }
}
