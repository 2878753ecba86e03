import KymographCLibrary

/// A picture in luma, 0 to 255, row by row.
package struct GreyPicture: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` values.
  package let values: [UInt8]

  /// - Precondition: There are `width * height` values.
  package init(width: Int, height: Int, values: [UInt8]) {
    precondition(values.count == width * height)
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// A part of the picture, as far as it is inside.
  func cropped(to box: PixelBox) -> GreyPicture {
    var part: [UInt8] = []
    part.reserveCapacity(box.width * box.height)
    for y in box.top..<box.bottom {
      part += values[(y * width + box.left)..<(y * width + box.right)]
    }
    return GreyPicture(width: box.width, height: box.height, values: part)
  }

  /// The mean difference to a picture of the same size, in levels of grey.
  package func meanDifference(to other: GreyPicture) -> Double {
    guard values.count == other.values.count, !values.isEmpty else { return 255 }
    var sum: UInt64 = 0
    values.withUnsafeBufferPointer { one in
      other.values.withUnsafeBufferPointer { two in
        for index in 0..<one.count {
          sum &+= UInt64(abs(Int32(one[index]) &- Int32(two[index])))
        }
      }
    }
    return Double(sum) / Double(values.count)
  }
}

/// Whole pixels of a picture, the right and lower edges not included.
struct PixelBox: Hashable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  var width: Int { right - left }
  var height: Int { bottom - top }
}

/// Grey values as real numbers.
struct Plane {
  var width: Int
  var height: Int
  var values: [Float]

  init(width: Int, height: Int, values: [Float]) {
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The mean of each square of four. An odd last row or column is left out.
  func halved() -> Plane {
    let (w, h) = (width / 2, height / 2)
    var half = [Float](repeating: 0, count: w * h)
    values.withUnsafeBufferPointer { from in
      half.withUnsafeMutableBufferPointer { to in
        for y in 0..<h {
          let (upper, lower) = (2 * y * width, (2 * y + 1) * width)
          for x in 0..<w {
            let sum = from[upper + 2 * x] + from[upper + 2 * x + 1] + from[lower + 2 * x]
            to[y * w + x] = (sum + from[lower + 2 * x + 1]) * 0.25
          }
        }
      }
    }
    return Plane(width: w, height: h, values: half)
  }

  /// A Gaussian blur. Beyond an edge the picture goes on with its last value.
  func blurred(by kernel: [Float]) -> Plane {
    let radius = kernel.count / 2
    var across = [Float](repeating: 0, count: values.count)
    var result = across
    kernel.withUnsafeBufferPointer { kernel in
      values.withUnsafeBufferPointer { from in
        across.withUnsafeMutableBufferPointer { to in
          guard let source = from.baseAddress, let target = to.baseAddress else { return }
          let first = min(radius, width)
          let last = max(first, width - radius)
          let taps = (0..<kernel.count).map { $0 - radius }
          for y in 0..<height {
            let row = y * width
            Self.sum(source + row, taps, kernel, first..<last, into: target + row)
            for x in [0..<first, last..<width].joined() {
              for k in 0..<kernel.count {
                to[row + x] += kernel[k] * from[row + min(max(0, x + k - radius), width - 1)]
              }
            }
          }
        }
      }
      across.withUnsafeBufferPointer { from in
        result.withUnsafeMutableBufferPointer { to in
          guard let source = from.baseAddress, let target = to.baseAddress else { return }
          for y in 0..<height {
            let taps = (0..<kernel.count).map { k in
              (min(max(0, y + k - radius), height - 1) - y) * width
            }
            Self.sum(source + y * width, taps, kernel, 0..<width, into: target + y * width)
          }
        }
      }
    }
    return Plane(width: width, height: height, values: result)
  }

  /// A part of a picture, blurred as ``blurred(by:)`` does, with what is around it.
  init(_ picture: GreyPicture, _ box: PixelBox, blurredBy kernel: [Float]) {
    let radius = kernel.count / 2
    let (top, bottom) = (max(0, box.top - radius), min(picture.height, box.bottom + radius))
    (width, height) = (box.width, box.height)
    let (columns, rows) = (box.width, box.height)
    let taps = (0..<kernel.count).map { $0 - radius }
    // A row with what is beside it. Beyond the picture's edges it goes on with its last value.
    var padded = [Float](repeating: 0, count: columns + 2 * radius)
    let left = min(padded.count, max(0, radius - box.left))
    let right = max(left, min(padded.count, picture.width - box.left + radius))
    let across = [Float](unsafeUninitializedCapacity: columns * (bottom - top)) { across, count in
      count = columns * (bottom - top)
      picture.values.withUnsafeBufferPointer { bytes in
        padded.withUnsafeMutableBufferPointer { padded in
          kernel.withUnsafeBufferPointer { kernel in
            guard let target = across.baseAddress, let source = padded.baseAddress else { return }
            for y in top..<bottom {
              let first = y * picture.width + box.left - radius
              for x in left..<right { padded[x] = Float(bytes[first &+ x]) }
              for x in 0..<left { padded[x] = padded[left] }
              for x in right..<padded.count { padded[x] = padded[right - 1] }
              Self.sum(
                source + radius, taps, kernel, 0..<columns, into: target + (y - top) * columns)
            }
          }
        }
      }
    }
    values = [Float](unsafeUninitializedCapacity: columns * rows) { values, count in
      count = columns * rows
      across.withUnsafeBufferPointer { across in
        kernel.withUnsafeBufferPointer { kernel in
          guard let source = across.baseAddress, let target = values.baseAddress else { return }
          for y in box.top..<box.bottom {
            let taps = taps.map { (min(max(top, y + $0), bottom - 1) - y) * columns }
            Self.sum(
              source + (y - top) * columns, taps, kernel, 0..<columns,
              into: target + (y - box.top) * columns)
          }
        }
      }
    }
  }

  /// Sums of values at fixed distances from each place of a row, with weights. Eight places are computed at once.
  private static func sum(
    _ from: UnsafePointer<Float>, _ taps: [Int], _ weights: UnsafeBufferPointer<Float>,
    _ places: Range<Int>, into to: UnsafeMutablePointer<Float>
  ) {
    taps.withUnsafeBufferPointer { taps in
      var x = places.lowerBound
      while x &+ 8 <= places.upperBound {
        var sum = SIMD8<Float>.zero
        for k in 0..<taps.count {
          let values = UnsafeRawPointer(from + (x &+ taps[k])).loadUnaligned(
            as: SIMD8<Float>.self)
          sum += weights[k] * values
        }
        UnsafeMutableRawPointer(to + x).storeBytes(of: sum, as: SIMD8<Float>.self)
        x &+= 8
      }
      while x < places.upperBound {
        var sum: Float = 0
        for k in 0..<taps.count { sum += weights[k] * from[x &+ taps[k]] }
        to[x] = sum
        x &+= 1
      }
    }
  }

  /// The weights of a Gaussian, which sum up to 1.
  static func kernel(sigma: Double) -> [Float] {
    let radius = max(1, Int((3 * sigma).rounded(.up)))
    let weights = (-radius...radius).map { exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }
    let sum = weights.reduce(0, +)
    return weights.map { Float($0 / sum) }
  }

  var mean: Float { values.isEmpty ? 0 : values.reduce(0, +) / Float(values.count) }
}
