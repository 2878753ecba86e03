import PictureTracking
import Testing

/// Elements that are followed through pictures of known motion.
@Suite struct ElementTrackerTests {
  /// A way of 70 px down that eases, beside a small drift to the right.
  private static func states(_ count: Int) -> [DrawnClip.State] {
    (0..<count).map { index in
      let share = Double(index) / Double(max(1, count - 1))
      let eased = 1 - (1 - share) * (1 - share)
      return DrawnClip.State(x: 70.3 + 6 * share, y: 60.6 + 70 * eased)
    }
  }

  private func largestError(_ result: TrackResult, _ clip: DrawnClip) -> Double {
    result.poses.map { index, pose in
      let (dx, dy) = (pose.x - clip.states[index].x, pose.y - clip.states[index].y)
      return (dx * dx + dy * dy).squareRoot()
    }.max() ?? .infinity
  }

  @Test func `a place is found to a few hundredths of a pixel, inside its interval`() throws {
    let clip = DrawnClip(states: Self.states(24))
    let result = try clip.track()
    #expect(result.poses.count == 24)
    #expect(largestError(result, clip) < 0.08)
    #expect(!result.scales)
    #expect(!result.turns)
    let inside = result.poses.filter { index, pose in
      abs(pose.x - clip.states[index].x) <= pose.errorX
        && abs(pose.y - clip.states[index].y) <= pose.errorY
    }
    #expect(Double(inside.count) >= 0.8 * 24)
    #expect(result.poses.values.allSatisfy { $0.errorX < 0.2 })
    #expect(result.poses.values.allSatisfy { abs($0.opacity - 1) < 0.05 })
  }

  @Test func `the same pictures give the same numbers`() throws {
    let clip = DrawnClip(states: Self.states(8))
    #expect(try clip.track().poses == clip.track().poses)
  }

  @Test func `an element that is marked in the last picture is followed back`() throws {
    let clip = DrawnClip(states: Self.states(20))
    let last = clip.states[19]
    let result = try clip.track(
      from: 19,
      rectangle: TrackRectangle(x: last.x - 32, y: last.y - 20, width: 64, height: 40))
    #expect(result.poses.count == 20)
    #expect(largestError(result, clip) < 0.08)
  }

  @Test func `a scale and a turn are found if the motion has them`() throws {
    var clip = DrawnClip(states: Self.states(16))
    for index in 0..<16 {
      clip.states[index].scale = 1 + 0.02 * Double(index)
      clip.states[index].turn = 0.01 * Double(index)
    }
    let result = try clip.track()
    #expect(result.scales)
    #expect(result.turns)
    #expect(result.poses.count == 16)
    for (index, pose) in result.poses {
      #expect(abs(pose.scale - clip.states[index].scale) < 0.01)
      #expect(abs(pose.turn - clip.states[index].turn) < 0.004)
    }
  }

  @Test func `a fade is an opacity, and its end is a gap`() throws {
    var clip = DrawnClip(states: [DrawnClip.State](repeating: .init(x: 80, y: 100), count: 12))
    for index in 0..<12 { clip.states[index].opacity = max(0, 1 - Double(index) * 0.12) }
    clip.isPageEmpty = true
    let result = try clip.track()
    for (index, pose) in result.poses where index < 6 {
      #expect(abs(pose.opacity - clip.states[index].opacity) < 0.06, "\(index)")
    }
    #expect(result.poses[5] != nil)
    #expect(result.poses[11] == nil)
    #expect(result.losses[11] != nil)
  }

  // MARK: Gaps

  @Test func `what leaves the picture is said to have left it`() throws {
    let states = (0..<20).map { DrawnClip.State(x: 80 + 8 * Double($0), y: 100) }
    let result = try DrawnClip(states: states).track()
    #expect(result.poses[3] != nil)
    #expect(result.losses[19] == .left)
    // 30 % of it are seen up to its center at 172.8.
    #expect(result.poses.keys.max() ?? 99 <= 11)
  }

  @Test func `a cut to another picture gives no pose, and the element is found again behind it`()
    throws
  {
    var clip = DrawnClip(states: Self.states(18))
    for index in 6..<11 { clip.states[index].isThere = false }
    let result = try clip.track()
    #expect((6..<11).allSatisfy { result.poses[$0] == nil })
    #expect((6..<11).allSatisfy { result.losses[$0] != nil })
    #expect(result.poses[14] != nil, "\(result.losses)")
    #expect(largestError(result, clip) < 0.1)
  }

  @Test func `a look-alike is not taken for an element that is gone`() throws {
    var clip = DrawnClip(states: Self.states(16))
    clip.others = { _ in [DrawnClip.State(x: 80.3, y: 204.6)] }
    for index in 8..<16 { clip.states[index].isThere = false }
    let result = try clip.track()
    #expect(result.lookAlikes == 1)
    #expect((8..<16).allSatisfy { result.poses[$0] == nil })
  }

  @Test func `what covers half of an element costs it its half, and a whole cover its place`()
    throws
  {
    var clip = DrawnClip(states: [DrawnClip.State](repeating: .init(x: 80.4, y: 100.2), count: 16))
    clip.cover = { index in
      index < 5 ? nil : index < 10 ? (44, 70, 70, 130) : (30, 60, 130, 140)
    }
    let result = try clip.track()
    #expect(largestError(result, clip) < 0.15)
    #expect(result.poses[7] != nil)
    #expect((11..<16).allSatisfy { result.poses[$0] == nil })
  }

  // MARK: What is refused

  @Test func `one colour, and a rectangle that does not fit, are refused`() throws {
    var flat = DrawnClip(states: Self.states(2))
    (flat.isFlat, flat.isPageEmpty) = (true, true)
    let inside = TrackRectangle(x: 50, y: 50, width: 30, height: 20)
    #expect(throws: TrackError.oneColour) { try flat.track(rectangle: inside) }
    let clip = DrawnClip(states: Self.states(2))
    for (x, y, width, height) in [
      (200.0, 10.0, 40.0, 40.0), (10, 10, 7, 40), (10, 10, 40, 7), (0, 0, 160, 240),
      (-50, 10, 40, 40),
    ] {
      #expect(throws: TrackError.unsuitable) {
        try clip.track(rectangle: TrackRectangle(x: x, y: y, width: width, height: height))
      }
    }
  }

  @Test func `of a clip with more parts than memory every second picture is kept`() throws {
    let clip = DrawnClip(states: Self.states(24))
    let result = try clip.track(everySecondFrom: 13)
    #expect(result.poses.keys.sorted() == Array(stride(from: 0, to: 24, by: 2)))
    #expect(result.losses.isEmpty)
    #expect(largestError(result, clip) < 0.1)
  }

  @Test func `the picture in which an element was marked is kept too`() throws {
    let clip = DrawnClip(states: Self.states(24))
    let state = clip.states[5]
    let rectangle = TrackRectangle(x: state.x - 32, y: state.y - 20, width: 64, height: 40)
    let result = try clip.track(from: 5, rectangle: rectangle, everySecondFrom: 13)
    #expect(result.poses.keys.sorted() == [0, 2, 4, 5] + Array(stride(from: 6, to: 24, by: 2)))
  }

  @Test func `pictures at rest share their memory`() throws {
    let clip = DrawnClip(states: Array(repeating: Self.states(2)[0], count: 10))
    let picture = clip.picture(0)
    let tracker = try ElementTracker(picture, index: 0, time: 0, clip.rectangle)
    let first = tracker.byteCount
    for index in 1..<10 { tracker.follow(picture, index: index, time: Double(index) / 60) }
    #expect(first > 5000)
    #expect(tracker.byteCount < first + 10 * 400)
    tracker.keepEvery(4)
    #expect(tracker.byteCount < first + 2 * 400)
  }
}
