import Testing

@testable import PictureTracking

/// What changes in a clip, for somebody who marks an element.
@Suite struct CandidateTests {
  private func candidates(_ clip: DrawnClip, at time: Double = 0) -> [Candidate] {
    var candidates = Candidates(at: time)
    for index in clip.states.indices {
      candidates.add(clip.picture(index), time: Double(index) / 60)
    }
    return candidates.find()
  }

  /// The largest distance between a side of both, in pixels.
  private func distance(_ candidate: Candidate, _ rectangle: TrackRectangle) -> Double {
    let box = candidate.rectangle
    return [
      box.x - rectangle.x, box.y - rectangle.y,
      box.x + box.width - rectangle.x - rectangle.width,
      box.y + box.height - rectangle.y - rectangle.height,
    ].map(abs).max() ?? 0
  }

  /// At rest for six pictures, then on its way, then at rest.
  private func way(_ x: Double, _ y: Double, from start: (x: Double, y: Double)) -> DrawnClip {
    let parts = (0..<30).map { min(1, max(0, Double($0 - 5) / 14)) }
    return DrawnClip(
      states: parts.map { DrawnClip.State(x: start.x + x * $0, y: start.y + y * $0) })
  }

  @Test(arguments: [(40.0, 120.0), (0.0, 150.0), (20.0, 0.0), (0.0, 12.0)])
  func `an element that moves has its outline, its way and its begin`(way shift: (Double, Double))
    throws
  {
    let clip = way(shift.0, shift.1, from: (50, 60))
    let found = candidates(clip)
    #expect(found.count == 1)
    let one = try #require(found.first)
    #expect(one.number == 1)
    #expect(distance(one, clip.rectangle) <= 3)
    #expect(one.time == 0)
    guard case .moves(let x, let y) = one.change else {
      Issue.record("\(one.change)")
      return
    }
    #expect(abs(Double(x) - shift.0) <= 2)
    #expect(abs(Double(y) - shift.1) <= 2)
    #expect((6...9).contains((one.begins * 60).rounded()))
  }

  @Test func `an element that comes back says how far it went`() throws {
    let parts = (0..<40).map { min(1, max(0, Double($0 < 20 ? $0 - 5 : 34 - $0) / 12)) }
    let clip = DrawnClip(states: parts.map { DrawnClip.State(x: 50, y: 60 + 110 * $0) })
    let one = try #require(candidates(clip).first)
    #expect(distance(one, clip.rectangle) <= 3)
    guard case .returns(0, let y) = one.change else {
      Issue.record("\(one.change)")
      return
    }
    #expect((100...112).contains(y))
  }

  @Test func `an element that only the last picture has is marked there`() throws {
    let parts = (0..<30).map { min(1, max(0, Double($0 - 5) / 14)) }
    let clip = DrawnClip(states: parts.map { DrawnClip.State(x: 80, y: 262 - 100 * $0) })
    let found = candidates(clip)
    #expect(found.count == 1)
    let one = try #require(found.first)
    #expect(one.time == 29.0 / 60)
    #expect(distance(one, TrackRectangle(x: 48, y: 142, width: 64, height: 40)) <= 3)
  }

  @Test func `an element that fades stands where it was`() throws {
    let clip = DrawnClip(
      states: (0..<20).map { DrawnClip.State(x: 80, y: 100, opacity: 1 - Double($0) / 19) })
    let one = try #require(candidates(clip).first)
    #expect(one.change == .changes)
    #expect(distance(one, clip.rectangle) <= 3)
  }

  @Test func `two elements are two, the larger one first`() throws {
    var clip = way(0, 150, from: (40, 40))
    let states = clip.states
    clip.others = { index in
      [DrawnClip.State(x: 125, y: 240 - states[index].y, scale: 0.75)]
    }
    let found = candidates(clip)
    #expect(found.map(\.number) == [1, 2])
    #expect(distance(found[0], clip.rectangle) <= 3)
    #expect(found[1].left == 101)
  }

  @Test func `the shown picture may be another one than the first`() throws {
    let clip = way(40, 120, from: (50, 60))
    let one = try #require(candidates(clip, at: 12.5 / 60).first)
    #expect(one.time == 12.0 / 60)
    #expect(distance(one, TrackRectangle(x: 38, y: 100, width: 64, height: 40)) <= 3)
  }

  @Test func `a clip without a change has none`() {
    #expect(candidates(way(0, 0, from: (50, 60))).isEmpty)
    var candidates = Candidates()
    #expect(candidates.find().isEmpty)
    #expect(candidates.still == nil)
    candidates.add(GreyPicture(width: 1, height: 1, values: [7]), time: 0)
    candidates.add(GreyPicture(width: 1, height: 1, values: [200]), time: 1)
    candidates.add(GreyPicture(width: 2, height: 1, values: [0, 0]), time: 2)
    #expect(candidates.find().isEmpty)
    #expect(candidates.still?.values == [7])
  }
}
