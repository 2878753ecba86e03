/// A picture of a clip with a grid of 100 px and its coordinates, and numbered boxes with X,Y at each corner.
package struct MarkedStill {
  /// The picture with its marks.
  package private(set) var image: PaletteImage
  /// A dot of a sign, in pixels.
  private let dot: Int
  /// Where words are, so that no other ones are put over them.
  private var words: [PixelBox] = []

  private static let grid = 100
  /// The colours after the levels of grey, which have two levels in one number.
  private static let (gridColour, dark, light, firstBox) = (128, 129, 130, 131)
  /// Colours that differ for most eyes (Okabe and Ito, "Color Universal Design", 2008).
  private static let boxColours: [PaletteImage.Colour] = [
    .init(red: 213, green: 94, blue: 0), .init(red: 0, green: 114, blue: 178),
    .init(red: 0, green: 158, blue: 115), .init(red: 204, green: 121, blue: 167),
    .init(red: 230, green: 159, blue: 0), .init(red: 86, green: 180, blue: 233),
  ]

  private static var palette: [PaletteImage.Colour] {
    (0..<128).map {
      let level = UInt8($0 * 2 + $0 / 64)
      return .init(red: level, green: level, blue: level)
    } + [
      .init(red: 120, green: 140, blue: 255), .init(red: 0, green: 0, blue: 0),
      .init(red: 255, green: 255, blue: 255),
    ] + boxColours
  }

  /// - Parameters:
  ///   - picture: The picture.
  ///   - time: Its time, in seconds. A candidate with an outline of another time is drawn with gaps.
  ///   - candidates: The boxes.
  package init(_ picture: GreyPicture, time: Double, _ candidates: [Candidate]) {
    image = PaletteImage(
      width: picture.width, height: picture.height, palette: Self.palette,
      pixels: picture.values.map { $0 / 2 })
    dot = max(1, (picture.width + 60) / 200)
    drawGrid()
    for candidate in candidates.reversed() {
      draw(candidate, isElsewhere: candidate.time != time)
    }
    for candidate in candidates {
      name(candidate, isElsewhere: candidate.time != time)
    }
  }

  private mutating func drawGrid() {
    for x in stride(from: Self.grid, to: image.width, by: Self.grid) {
      for y in stride(from: 0, to: image.height, by: 2) { set(x, y, Self.gridColour) }
      write("\(x)", x + 2, 2, Self.light)
    }
    for y in stride(from: Self.grid, to: image.height, by: Self.grid) {
      for x in stride(from: 0, to: image.width, by: 2) { set(x, y, Self.gridColour) }
      write("\(y)", 2, y + 2, Self.light)
    }
  }

  private static func colour(of candidate: Candidate) -> Int {
    firstBox + (candidate.number - 1) % boxColours.count
  }

  private mutating func draw(_ candidate: Candidate, isElsewhere: Bool) {
    let colour = Self.colour(of: candidate)
    let (right, bottom) = (candidate.left + candidate.width, candidate.top + candidate.height)
    func isDrawn(_ at: Int) -> Bool { !isElsewhere || at / (4 * dot) % 2 == 0 }
    // The line is inside of the outline.
    for line in 0..<max(1, dot / 2) {
      for x in candidate.left..<right where isDrawn(x) {
        set(x, candidate.top + line, colour)
        set(x, bottom - 1 - line, colour)
      }
      for y in candidate.top..<bottom where isDrawn(y) {
        set(candidate.left + line, y, colour)
        set(right - 1 - line, y, colour)
      }
    }
  }

  /// Writes its number into the box, and X,Y under each corner if there is room.
  private mutating func name(_ candidate: Candidate, isElsewhere: Bool) {
    let colour = Self.colour(of: candidate)
    let (right, bottom) = (candidate.left + candidate.width, candidate.top + candidate.height)
    let number = "#\(candidate.number)" + (isElsewhere ? " @end" : "")
    write(
      number, candidate.left + candidate.width / 2 - width(of: number),
      candidate.top + candidate.height / 2 - 5 * dot, colour, dot: 2 * dot)
    for y in [candidate.top, bottom] {
      for x in [candidate.left, right] {
        let text = "\(x),\(y)"
        // Beside the right corners the words end at the corner.
        write(text, x == candidate.left ? x + dot : x - width(of: text) - dot, y + 2 * dot, colour)
      }
    }
  }

  // MARK: Signs

  /// The rows of each sign from the top, three dots each, the left one first.
  private static let signs: [Character: [UInt8]] = [
    "0": [0b111, 0b101, 0b101, 0b101, 0b111], "1": [0b010, 0b110, 0b010, 0b010, 0b111],
    "2": [0b111, 0b001, 0b111, 0b100, 0b111], "3": [0b111, 0b001, 0b111, 0b001, 0b111],
    "4": [0b101, 0b101, 0b111, 0b001, 0b001], "5": [0b111, 0b100, 0b111, 0b001, 0b111],
    "6": [0b111, 0b100, 0b111, 0b101, 0b111], "7": [0b111, 0b001, 0b010, 0b010, 0b010],
    "8": [0b111, 0b101, 0b111, 0b101, 0b111], "9": [0b111, 0b101, 0b111, 0b001, 0b111],
    ",": [0b000, 0b000, 0b000, 0b010, 0b100], "#": [0b101, 0b111, 0b101, 0b111, 0b101],
    "@": [0b111, 0b101, 0b101, 0b100, 0b111], "e": [0b000, 0b111, 0b111, 0b100, 0b111],
    "n": [0b000, 0b110, 0b101, 0b101, 0b101], "d": [0b001, 0b011, 0b101, 0b101, 0b011],
  ]

  private func width(of text: String) -> Int { (4 * text.count - 1) * dot }

  /// Writes on a ground of one colour, inside of the picture. Words that have no room are left out.
  private mutating func write(_ text: String, _ x: Int, _ y: Int, _ ground: Int, dot: Int? = nil) {
    let dot = dot ?? self.dot
    let (w, h) = ((4 * text.count + 1) * dot, 7 * dot)
    let left = min(max(0, x - dot), max(0, image.width - w))
    let top = min(max(0, y - dot), max(0, image.height - h))
    let box = PixelBox(left: left, top: top, right: left + w, bottom: top + h)
    guard !words.contains(where: { $0.common(box) > 0 }) else { return }
    words.append(box)
    for row in top..<box.bottom {
      for column in left..<box.right { set(column, row, ground) }
    }
    let ink = ground == Self.light ? Self.dark : Self.light
    for (place, sign) in text.enumerated() {
      for (row, dots) in (Self.signs[sign] ?? []).enumerated() {
        for column in 0..<3 where dots >> (2 - column) & 1 == 1 {
          for line in 0..<(dot * dot) {
            set(
              left + dot * (1 + 4 * place + column) + line % dot,
              top + dot * (1 + row) + line / dot,
              ink)
          }
        }
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, _ colour: Int) {
    guard x >= 0, x < image.width, y >= 0 && y < image.height else { return }
    image.pixels[y * image.width + x] = UInt8(colour)
  }
}
