import Testing

@testable import PictureTracking

/// Pictures that show again what the one before showed.
@Suite struct PictureRepeatTests {
  private func poses(_ places: [Double]) -> [Int: TrackedPose] {
    Dictionary(
      uniqueKeysWithValues: places.enumerated().map { index, y in
        (
          index,
          TrackedPose(
            x: 50, y: y, scale: 1, turn: 0, opacity: 1, errorX: 0.05, errorY: 0.05, match: 1,
            seen: 1)
        )
      })
  }

  @Test func `a stand on the way is a repeat, or held if the rest of the picture goes on`() {
    let places = poses([0, 5, 10, 10, 15, 20, 20.1, 25, 30])
    #expect(
      PictureRepeats.find(places, changes: [0, 4, 4, 0, 4, 4, 3, 4, 4])
        == [3: .repeated, 6: .held])
  }

  @Test func `a rest at an end, a turn back and a long stand are none`() {
    let changes = [Double](repeating: 0, count: 12)
    #expect(PictureRepeats.find(poses([0, 5, 10, 10, 10, 10]), changes: changes).isEmpty)
    #expect(PictureRepeats.find(poses([0, 5, 10, 10, 5, 0]), changes: changes).isEmpty)
    #expect(
      PictureRepeats.find(poses([0, 5, 10, 10, 10, 10, 10, 10, 10, 15, 20]), changes: changes)
        .isEmpty)
    #expect(PictureRepeats.find([:], changes: [0, 1]).isEmpty)
    #expect(PictureRepeats.find([:], changes: []).isEmpty)
  }
}

/// The numbers beneath.
@Suite struct TrackingNumberTests {
  @Test func `a transform and its way back give the values again, and a wave is one number`() {
    var square = Spectrum(side: 16)
    for index in 0..<256 { square.real[index] = Float((index * 37) % 101) }
    let before = square.real
    square.transform(backwards: false)
    #expect(abs(square.real[0] - before.reduce(0, +)) < 0.1)
    square.transform(backwards: true)
    for index in 0..<256 { #expect(abs(square.real[index] / 256 - before[index]) < 1e-3) }
  }

  @Test func `a matrix times its inverse is one, and one without an inverse has none`() throws {
    var matrix = SmallMatrix(count: 3)
    for (row, values) in [[4.0, 1, 2], [1, 5, 3], [2, 3, 6]].enumerated() {
      for (column, value) in values.enumerated() { matrix[row, column] = value }
    }
    let product = try #require(matrix.inverse()).times(matrix)
    for row in 0..<3 {
      for column in 0..<3 {
        #expect(abs(product[row, column] - (row == column ? 1 : 0)) < 1e-7)
      }
    }
    var nothing = SmallMatrix(count: 2)
    nothing[0, 0] = .nan
    #expect(nothing.inverse() == nil)
  }

  @Test func `the cubic gives a straight slope back, between pixels too`() {
    let values = (0..<64).map { Float($0 % 8) * 3 + Float($0 / 8) }
    values.withUnsafeBufferPointer { buffer in
      for (x, y) in [(3.5, 3.5), (2.25, 4.75), (4.1, 2.9)] as [(Float, Float)] {
        let expected = (x - 0.5) * 3 + y - 0.5
        #expect(abs(Plane.cubic(buffer, 8, 8, x, y) - expected) < 1e-4)
      }
    }
  }

  @Test func `a small picture is searched at all places, also half outside`() throws {
    var page = Plane(width: 60, height: 50, values: [Float](repeating: 0, count: 3000))
    func stamp(_ left: Int, _ top: Int) {
      for y in 0..<10 {
        for x in 0..<12 where (0..<60).contains(left + x) && (0..<50).contains(top + y) {
          page.values[(top + y) * 60 + left + x] = Float((x * 7 + y * 13) % 11) - 5
        }
      }
    }
    stamp(20, 15)
    let template = Plane(
      width: 12, height: 10,
      values: (0..<120).map { page.values[(15 + $0 / 12) * 60 + 20 + $0 % 12] })
    let search = CoarsePlace(
      template, isInside: [Bool](repeating: true, count: 120), width: 60, height: 50)
    let own = try #require(search.peaks(in: page).first)
    #expect(own.value > 0.99)
    #expect(own.x == 26)
    #expect(own.y == 20)
    page.values = [Float](repeating: 0, count: 3000)
    stamp(54, 30)
    let outside = try #require(search.peaks(in: page).first)
    #expect(outside.x == 60)
    #expect(outside.y == 35)
  }
}
