import Testing

@testable import PictureTracking

/// A still with its grid and boxes, and its file.
@Suite struct MarkedStillTests {
  private let orange = PaletteImage.Colour(red: 213, green: 94, blue: 0)

  private func candidate(
    _ number: Int, _ left: Int, _ top: Int, _ width: Int, _ height: Int, time: Double = 0
  ) -> Candidate {
    Candidate(
      number: number, left: left, top: top, width: width, height: height, time: time,
      change: .changes, begins: 0)
  }

  private func colour(_ still: MarkedStill, _ x: Int, _ y: Int) -> PaletteImage.Colour {
    still.image.palette[Int(still.image.pixels[y * still.image.width + x])]
  }

  private func still(_ candidates: [Candidate]) -> MarkedStill {
    let picture = GreyPicture(
      width: 390, height: 300, values: [UInt8](repeating: 255, count: 390 * 300))
    return MarkedStill(picture, time: 0, candidates)
  }

  @Test func `the outline is inside of the box, and the picture is as it was elsewhere`() {
    let marked = still([candidate(1, 120, 110, 150, 80)])
    #expect(colour(marked, 120, 160) == orange)
    #expect(colour(marked, 269, 160) == orange)
    #expect(colour(marked, 150, 189) == orange)
    let white = PaletteImage.Colour(red: 255, green: 255, blue: 255)
    #expect(colour(marked, 119, 160) == white)
    #expect(colour(marked, 270, 160) == white)
    #expect(colour(marked, 150, 160) == white)
  }

  @Test func `a line of the grid stands at each 100 pixels`() {
    let marked = still([])
    let line = PaletteImage.Colour(red: 120, green: 140, blue: 255)
    #expect(colour(marked, 100, 50) == line)
    #expect(colour(marked, 300, 50) == line)
    #expect(colour(marked, 50, 200) == line)
    #expect(colour(marked, 101, 50) != line)
  }

  @Test func `a box of another picture has gaps`() {
    let marked = still([candidate(1, 120, 110, 150, 80, time: 1)])
    let row = (130..<180).map { colour(marked, 120, $0) == orange }
    #expect(row.contains(true))
    #expect(row.contains(false))
  }

  @Test func `boxes beyond the picture and tiny pictures are drawn as far as they are inside`() {
    let small = GreyPicture(width: 3, height: 2, values: [0, 50, 100, 150, 200, 255])
    let marked = MarkedStill(small, time: 0, [candidate(40, -5, -5, 100, 100)])
    #expect(marked.image.pixels.count == 6)
  }

  @Test func `a file is a PNG with a palette, in the bytes that the format asks for`() {
    let image = PaletteImage(
      width: 2, height: 1,
      palette: [.init(red: 1, green: 2, blue: 3), .init(red: 4, green: 5, blue: 6)],
      pixels: [0, 1])
    // Made with zlib's checksums: the rows 02 00 01 as three codes of one block.
    #expect(image.png == Self.expected)
  }

  private static let expected: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x03, 0x00, 0x00, 0x00, 0xC3, 0xFC, 0x8F,
    0xB8, 0x00, 0x00, 0x00, 0x06, 0x50, 0x4C, 0x54, 0x45, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x95,
    0x53, 0x6F, 0x48, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01, 0x63, 0x62, 0x60,
    0x04, 0x00, 0x00, 0x0A, 0x00, 0x04, 0x2A, 0xF7, 0xB3, 0x51, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45,
    0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  @Test func `a run of equal pixels takes few bytes`() {
    let flat = PaletteImage(
      width: 400, height: 400, palette: [.init(red: 0, green: 0, blue: 0)],
      pixels: [UInt8](repeating: 0, count: 160_000))
    #expect(flat.png.count < 3000)
  }
}
