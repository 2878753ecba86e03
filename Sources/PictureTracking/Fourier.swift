import KymographCLibrary

/// Complex numbers of a square of which each side is a power of two, and their Fourier transform.
struct Spectrum {
  let side: Int
  var real: [Float]
  var imaginary: [Float]

  init(side: Int) {
    self.side = side
    real = [Float](repeating: 0, count: side * side)
    imaginary = real
  }

  /// Transforms in place. Backwards without the factor one over the count.
  mutating func transform(backwards: Bool) {
    let plan = FourierPlan(count: side)
    let side = side
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        for _ in 0..<2 {
          for row in 0..<side {
            plan.transform(
              real.baseAddress! + row * side, imaginary.baseAddress! + row * side,
              backwards: backwards)
          }
          // Rows become columns.
          for row in 0..<side {
            for column in (row + 1)..<max(row + 1, side) {
              real.swapAt(row * side + column, column * side + row)
              imaginary.swapAt(row * side + column, column * side + row)
            }
          }
        }
      }
    }
  }
}

/// The radix-2 transform of Cooley and Tukey (1965).
private struct FourierPlan {
  let count: Int
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int]

  init(count: Int) {
    self.count = count
    let angles = (0..<max(1, count / 2)).map { -2 * Double.pi * Double($0) / Double(count) }
    cosines = angles.map { Float(cos($0)) }
    sines = angles.map { Float(sin($0)) }
    let bits = count.trailingZeroBitCount
    reversed = (0..<count).map { index in
      (0..<bits).reduce(0) { $0 | ((index >> $1) & 1) << (bits - 1 - $1) }
    }
  }

  func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, backwards: Bool
  ) {
    for index in 0..<count where reversed[index] > index {
      let other = reversed[index]
      (real[index], real[other]) = (real[other], real[index])
      (imaginary[index], imaginary[other]) = (imaginary[other], imaginary[index])
    }
    let sign: Float = backwards ? -1 : 1
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        var half = 1
        while half < count {
          let stride = count / (2 * half)
          var first = 0
          while first < count {
            for k in 0..<half {
              let (c, s) = (cosines[k * stride], sign * sines[k * stride])
              let (one, two) = (first + k, first + k + half)
              let r = real[two] * c - imaginary[two] * s
              let i = real[two] * s + imaginary[two] * c
              real[two] = real[one] - r
              imaginary[two] = imaginary[one] - i
              real[one] += r
              imaginary[one] += i
            }
            first += 2 * half
          }
          half *= 2
        }
      }
    }
  }
}
