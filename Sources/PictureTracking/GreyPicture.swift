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
          for y in 0..<height {
            let row = y * width
            for x in 0..<width {
              var sum: Float = 0
              if x >= radius && x + radius < width {
                for k in 0..<kernel.count { sum += kernel[k] * from[row + x + k - radius] }
              } else {
                for k in 0..<kernel.count {
                  sum += kernel[k] * from[row + min(max(0, x + k - radius), width - 1)]
                }
              }
              to[row + x] = sum
            }
          }
        }
      }
      across.withUnsafeBufferPointer { from in
        result.withUnsafeMutableBufferPointer { to in
          for y in 0..<height {
            for k in 0..<kernel.count {
              let row = min(max(0, y + k - radius), height - 1) * width
              let weight = kernel[k]
              for x in 0..<width { to[y * width + x] += weight * from[row + x] }
            }
          }
        }
      }
    }
    return Plane(width: width, height: height, values: result)
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
