/// A part of a picture as registration needs it: blurred by 0.8 px, and halved level by level.
///
/// The blur takes out what interpolation cannot carry (Schreier, Braasch, Sutton 2000; Pan 2013).
struct Patch {
  /// The full picture's size.
  let pictureWidth: Int
  let pictureHeight: Int
  /// Where it begins, in pixels: whole multiples of the last level's pixels.
  let left: Int
  let top: Int
  /// From full size on.
  let levels: [Plane]

  /// The blur before all else, in pixels.
  static let blur = Plane.kernel(sigma: 0.8)

  /// - Parameters:
  ///   - box: What it should have. It grows to whole pixels of the last level, and is cut at the picture's edges.
  ///   - last: The last level.
  init(_ picture: GreyPicture, _ box: PixelBox, last: Int) {
    let grid = 1 << last
    func down(_ value: Int) -> Int { max(0, value) / grid * grid }
    func up(_ value: Int, _ end: Int) -> Int { min((max(0, value) + grid - 1) / grid * grid, end) }
    let (left, top) = (
      min(down(box.left), max(0, picture.width - grid)),
      min(down(box.top), max(0, picture.height - grid))
    )
    let right = max(up(box.right, picture.width), min(picture.width, left + 4 * grid))
    let bottom = max(up(box.bottom, picture.height), min(picture.height, top + 4 * grid))
    self.init(
      picture, PixelBox(left: left, top: top, right: right, bottom: bottom), origin: (0, 0),
      size: (picture.width, picture.height), last: last)
  }

  /// - Parameters:
  ///   - part: A part of a picture.
  ///   - box: What of it is asked for, in its pixels, on the grid of the last level.
  ///   - origin: Where the part is in its picture.
  ///   - size: The full picture's.
  init(
    _ part: GreyPicture, _ box: PixelBox, origin: (x: Int, y: Int), size: (width: Int, height: Int),
    last: Int
  ) {
    (pictureWidth, pictureHeight) = size
    (left, top) = (box.left + origin.x, box.top + origin.y)
    var levels = [Plane(part, box, blurredBy: Self.blur)]
    for _ in 0..<last { levels.append(levels[levels.count - 1].halved()) }
    self.levels = levels
  }
}

extension Plane {
  /// The value at a place by Keys' cubic (a = -1/2). Pixel i covers i to i + 1.
  @inline(__always)
  static func cubic(
    _ values: UnsafeBufferPointer<Float>, _ width: Int, _ height: Int, _ x: Float, _ y: Float
  ) -> Float {
    let (px, py) = (x - 0.5, y - 0.5)
    let (floorX, floorY) = (px.rounded(.down), py.rounded(.down))
    let (i, j) = (Int(floorX), Int(floorY))
    let (fx, fy) = (px - floorX, py - floorY)
    let x0 = ((-0.5 * fx + 1) * fx - 0.5) * fx
    let x1 = (1.5 * fx - 2.5) * fx * fx + 1
    let x2 = ((-1.5 * fx + 2) * fx + 0.5) * fx
    let x3 = (0.5 * fx - 0.5) * fx * fx
    let y0 = ((-0.5 * fy + 1) * fy - 0.5) * fy
    let y1 = (1.5 * fy - 2.5) * fy * fy + 1
    let y2 = ((-1.5 * fy + 2) * fy + 0.5) * fy
    let y3 = (0.5 * fy - 0.5) * fy * fy
    if i >= 1, j >= 1, i + 2 < width, j + 2 < height {
      @inline(__always) func row(_ at: Int) -> Float {
        x0 * values[at] + x1 * values[at + 1] + x2 * values[at + 2] + x3 * values[at + 3]
      }
      let first = (j - 1) * width + i - 1
      return y0 * row(first) + y1 * row(first + width) + y2 * row(first + 2 * width)
        + y3 * row(first + 3 * width)
    }
    func column(_ at: Int) -> Int { min(max(0, at), width - 1) }
    let (a, b, c, d) = (column(i - 1), column(i), column(i + 1), column(i + 2))
    func row(_ at: Int) -> Float {
      let first = min(max(0, at), height - 1) * width
      return x0 * values[first + a] + x1 * values[first + b] + x2 * values[first + c]
        + x3 * values[first + d]
    }
    return y0 * row(j - 1) + y1 * row(j) + y2 * row(j + 1) + y3 * row(j + 2)
  }
}
