/// The pixels of an element at one level: what they show, how that changes, and how far each may be off.
struct TemplatePixels {
  /// Grey values.
  var values: [Float] = []
  /// Places about the rectangle's center, in pixels of the level.
  var u: [Float] = []
  var v: [Float] = []
  /// What the values change by in a pixel.
  var gradientX: [Float] = []
  var gradientY: [Float] = []
  /// One over the variance of a value.
  var weight: [Float] = []
  /// Which block of the codec a pixel is in.
  var block: [Int32] = []
  var blockCount = 0

  var count: Int { values.count }

  /// The largest distance from the center along an axis, in pixels of the level.
  private(set) var reach: Float = 0

  /// A codec's block, in pixels of the picture.
  private static let blockSize: Float = 16

  /// - Parameters:
  ///   - cut: The rectangle's pixels.
  ///   - variance: The variance of each pixel. `nil`: a codec's errors, which grow with the gradient.
  ///   - most: So many pixels at most: those of the strongest gradients, and an eighth of others.
  init(_ cut: TemplateCut, variance: [Float]? = nil, most: Int) {
    let indices = cut.values.indices.filter { cut.isInside[$0] }
    let strength = cut.values.indices.map {
      cut.gradientX[$0] * cut.gradientX[$0] + cut.gradientY[$0] * cut.gradientY[$0]
    }
    var kept = indices
    if indices.count > most {
      let ordered = indices.sorted {
        strength[$0] != strength[$1] ? strength[$0] > strength[$1] : $0 < $1
      }
      let first = most * 7 / 8
      let rest = ordered[first...]
      let stride = max(1, rest.count / (most / 8))
      let others = rest.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
      kept = (ordered[..<first] + others).sorted()
    }
    values = kept.map { cut.values[$0] }
    u = kept.map { cut.u[$0 % cut.width] }
    v = kept.map { cut.v[$0 / cut.width] }
    gradientX = kept.map { cut.gradientX[$0] }
    gradientY = kept.map { cut.gradientY[$0] }
    weight = kept.map { index in
      1 / (variance?[index] ?? 4 + 0.15 * 0.15 * strength[index])
    }
    reach = max(u.map(abs).max() ?? 0, v.map(abs).max() ?? 0)
    let size = max(1, Self.blockSize / Float(1 << cut.level))
    let (left, top) = (cut.u.first ?? 0, cut.v.first ?? 0)
    let columns = Int32((Float(cut.width) / size).rounded(.up)) + 1
    let raw = kept.map { index -> Int32 in
      let column = Int32(((cut.u[index % cut.width] - left) / size).rounded(.down))
      return column + columns * Int32(((cut.v[index / cut.width] - top) / size).rounded(.down))
    }
    let names = Set(raw).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Int32($0)) })
    block = raw.map { numbers[$0] ?? 0 }
    blockCount = names.count
  }
}

/// The rectangle of an element, cut out of a picture at one level.
struct TemplateCut {
  let level: Int
  let width: Int
  let height: Int
  var values: [Float]
  /// Places of the columns and rows about the center, in pixels of the level.
  let u: [Float]
  let v: [Float]
  private(set) var gradientX: [Float] = []
  private(set) var gradientY: [Float] = []
  /// Whether a pixel is in the picture.
  var isInside: [Bool]

  init(_ patch: Patch, _ rectangle: TrackRectangle, level: Int) {
    self.level = level
    let scale = Double(1 << level)
    let (w, h) = (rectangle.width / scale, rectangle.height / scale)
    width = max(4, Int(w.rounded()))
    height = max(4, Int(h.rounded()))
    let (columns, rows) = (width, height)
    u = (0..<width).map { Float((Double($0) + 0.5) * w / Double(columns) - w / 2) }
    v = (0..<height).map { Float((Double($0) + 0.5) * h / Double(rows) - h / 2) }
    let plane = patch.levels[level]
    let left = Float((rectangle.center.x - Double(patch.left)) / scale)
    let top = Float((rectangle.center.y - Double(patch.top)) / scale)
    let beginX = Float(Double(patch.left) / scale)
    let beginY = Float(Double(patch.top) / scale)
    let endX = Float(patch.pictureWidth >> level)
    let endY = Float(patch.pictureHeight >> level)
    values = []
    isInside = []
    plane.values.withUnsafeBufferPointer { buffer in
      for y in v {
        for x in u {
          values.append(Plane.cubic(buffer, plane.width, plane.height, x + left, y + top))
          let (px, py) = (x + left + beginX - 0.5, y + top + beginY - 0.5)
          isInside.append(px >= 0 && py >= 0 && px <= endX - 1 && py <= endY - 1)
        }
      }
    }
    findGradients()
  }

  /// The gradients of the values, by the differences of the neighbours.
  mutating func findGradients() {
    gradientX = [Float](repeating: 0, count: values.count)
    gradientY = gradientX
    let stepX = u.count > 1 ? u[1] - u[0] : 1
    let stepY = v.count > 1 ? v[1] - v[0] : 1
    for y in 0..<height {
      for x in 0..<width {
        let at = y * width + x
        let (left, right) = (max(0, x - 1), min(width - 1, x + 1))
        let (up, down) = (max(0, y - 1), min(height - 1, y + 1))
        gradientX[at] =
          (values[y * width + right] - values[y * width + left]) / (Float(right - left) * stepX)
        gradientY[at] =
          (values[down * width + x] - values[up * width + x]) / (Float(down - up) * stepY)
      }
    }
  }
}

extension TemplatePixels {
  /// The pixels for a loop that looks at each one often: their bounds are not checked.
  struct Unchecked {
    let values: UnsafeBufferPointer<Float>
    let u: UnsafeBufferPointer<Float>
    let v: UnsafeBufferPointer<Float>
    let gradientX: UnsafeBufferPointer<Float>
    let gradientY: UnsafeBufferPointer<Float>
    let weight: UnsafeBufferPointer<Float>
  }

  @inline(__always)
  func withUnsafeValues<Result>(_ body: (Unchecked) -> Result) -> Result {
    values.withUnsafeBufferPointer { values in
      u.withUnsafeBufferPointer { u in
        v.withUnsafeBufferPointer { v in
          gradientX.withUnsafeBufferPointer { x in
            gradientY.withUnsafeBufferPointer { y in
              weight.withUnsafeBufferPointer { weight in
                body(
                  Unchecked(
                    values: values, u: u, v: v, gradientX: x, gradientY: y, weight: weight))
              }
            }
          }
        }
      }
    }
  }
}
