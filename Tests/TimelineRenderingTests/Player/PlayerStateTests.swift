import Testing
import TimelineModel

@testable import TimelineRendering

@Suite struct PlayerStateTests {
  private let timeline = SmallRun.timeline()

  private func at(_ milliseconds: Int64) -> Instant { SmallRun.at(milliseconds) }

  /// Where the player is after keys, beginning at an instant.
  private func time(after keys: [PlayerKey], from milliseconds: Int64) -> Instant {
    var state = PlayerState(time: at(milliseconds))
    for key in keys { state.press(key, in: timeline) }
    return state.time
  }

  private func characters(_ text: String) -> [PlayerKey] { text.map(PlayerKey.character) }

  @Test func `arrows step by recorded frames and stop`() {
    #expect(time(after: [.right], from: 250) == at(300))
    #expect(time(after: [.left], from: 250) == at(100))
    #expect(time(after: [.left], from: 200) == at(100))
    #expect(time(after: [.left], from: 0) == at(0))
    #expect(time(after: [.right], from: 1000) == at(1000))
    #expect(time(after: [.right, .right, .left], from: 0) == at(100))
    var state = PlayerState(time: at(0))
    state.isPlaying = true
    state.press(.right, in: timeline)
    #expect(!state.isPlaying)
  }

  @Test func `shift, comma and full stop step by ten frames, up to the ends`() {
    #expect(time(after: [.shiftRight], from: 0) == at(1000))
    #expect(time(after: characters("."), from: 0) == at(1000))
    #expect(time(after: [.shiftLeft], from: 950) == at(0))
    #expect(time(after: characters(","), from: 1000) == at(0))
    #expect(time(after: characters("."), from: 300) == at(1000))
  }

  @Test func `frames that are unevenly apart are stepped one by one`() {
    let uneven = PlayerTimeline(
      at(0)...at(100), frames: [at(40), at(7), at(7), at(8), at(100), at(200)])
    #expect(uneven.frames == [at(7), at(8), at(40), at(100)])
    var state = PlayerState(time: at(0))
    var seen: [Instant] = []
    for _ in 0..<5 {
      state.press(.right, in: uneven)
      seen.append(state.time)
    }
    #expect(seen == [at(7), at(8), at(40), at(100), at(100)])
    state = PlayerState(time: at(3))
    state.press(.left, in: uneven)
    #expect(state.time == at(3))
  }

  @Test func `brackets go to the marker before and after, and stop`() {
    #expect(time(after: characters("]"), from: 0) == at(100))
    #expect(time(after: characters("]]"), from: 0) == at(500))
    #expect(time(after: characters("]]]]]"), from: 0) == at(900))
    #expect(time(after: characters("["), from: 600) == at(500))
    #expect(time(after: characters("[["), from: 600) == at(100))
    #expect(time(after: characters("[[["), from: 600) == at(100))
    var state = PlayerState(time: at(0))
    state.isPlaying = true
    state.press(.character("]"), in: timeline)
    #expect(!state.isPlaying)
  }

  @Test func `digits, home and end jump, and go on playing`() {
    #expect(time(after: characters("0"), from: 600) == at(0))
    #expect(time(after: characters("7"), from: 0) == at(700))
    #expect(time(after: characters("9"), from: 0) == at(900))
    #expect(time(after: [.home], from: 600) == at(0))
    #expect(time(after: [.end], from: 600) == at(1000))
    #expect(time(after: characters("G"), from: 600) == at(1000))
    #expect(time(after: characters("g"), from: 600) == at(0))
    var state = PlayerState(time: at(0))
    state.isPlaying = true
    state.press(.character("5"), in: timeline)
    #expect(state.isPlaying)
  }

  @Test func `the speed goes through its steps and stays at the ends`() {
    var state = PlayerState(time: at(0))
    var slower: [Double] = []
    for _ in 0..<4 {
      state.press(.character("<"), in: timeline)
      slower.append(state.speed)
    }
    #expect(slower == [0.25, 0.1, 1.0 / 60, 1.0 / 60])
    state.press(.character("="), in: timeline)
    #expect(state.speed == 1)
    for speed in [2.0, 4, 4] {
      state.press(.character(">"), in: timeline)
      #expect(state.speed == speed)
    }
    state.speed = 0.5
    state.press(.character("<"), in: timeline)
    #expect(state.speed == 0.25)
    state.speed = 0.5
    state.press(.character(">"), in: timeline)
    #expect(state.speed == 1)
  }

  @Test func `time passes at the speed, and stops at the end`() {
    var state = PlayerState(time: at(0))
    state.advance(byNanoseconds: 50_000_000, in: timeline)
    #expect(state.time == at(0))
    state.press(.character(" "), in: timeline)
    state.advance(byNanoseconds: 50_000_000, in: timeline)
    #expect(state.time == at(50))
    state.speed = 0.1
    state.advance(byNanoseconds: 100_000_000, in: timeline)
    #expect(state.time == at(60))
    state.speed = 4
    state.advance(byNanoseconds: 10_000_000_000, in: timeline)
    #expect(state.time == at(1000))
    #expect(!state.isPlaying)
    // Playing again begins anew.
    state.press(.character(" "), in: timeline)
    #expect(state.time == at(0))
    #expect(state.isPlaying)
  }

  @Test func `slow motion loses no fraction of a nanosecond over many small steps`() {
    var state = PlayerState(time: at(0))
    state.isPlaying = true
    state.speed = 1.0 / 60
    for _ in 0..<6000 { state.advance(byNanoseconds: 1_000_001, in: timeline) }
    // 6000 · 1,000,001 / 60 = 100,000,100, but for what the carry still holds.
    #expect(abs(state.time.nanoseconds - 100_000_100) <= 1)
  }

  @Test func `a loop goes round the whole, or the selection`() {
    var state = PlayerState(time: at(900))
    state.isPlaying = true
    state.press(.character("L"), in: timeline)
    state.advance(byNanoseconds: 250_000_000, in: timeline)
    #expect(state.time == at(150))
    state.time = at(600)
    state.press(.character("b"), in: timeline)
    state.time = at(400)
    state.press(.character("a"), in: timeline)
    #expect(state.loopRange(in: timeline) == at(400)...at(600))
    state.advance(byNanoseconds: 250_000_000, in: timeline)
    #expect(state.time == at(450))
    state.advance(byNanoseconds: 1_000_000_000, in: timeline)
    #expect(state.time == at(450))
    // Behind the selection it plays to the end, and then goes back to the selection.
    state.time = at(950)
    state.advance(byNanoseconds: 60_000_000, in: timeline)
    #expect(state.time == at(410))
    state.press(.character("c"), in: timeline)
    #expect(state.loopRange(in: timeline) == at(0)...at(1000))
  }

  @Test func `it pauses on each marker, once`() {
    var state = PlayerState(time: at(0))
    state.pausesOnMarkers = true
    var stops: [Instant] = []
    for _ in 0..<5 {
      state.press(.character(" "), in: timeline)
      state.advance(byNanoseconds: 2_000_000_000, in: timeline)
      stops.append(state.time)
      #expect(!state.isPlaying)
    }
    #expect(stops == [at(100), at(500), at(900), at(1000), at(100)])
  }

  @Test func `idle stretches are skipped, and markers behind them are stopped at`() {
    let skips = PlayerTimeline.skips(
      between: [at(0), at(10), at(500), at(520), at(1000)], longerThan: 50_000_000)
    #expect(skips == [at(60)...at(500), at(570)...at(1000)])
    let idle = SmallRun.timeline(skips: skips)
    var state = PlayerState(time: at(0))
    state.isPlaying = true
    state.advance(byNanoseconds: 100_000_000, in: idle)
    #expect(state.time == at(540))
    state = PlayerState(time: at(200))
    state.isPlaying = true
    state.advance(byNanoseconds: 10_000_000, in: idle)
    #expect(state.time == at(510))
    state = PlayerState(time: at(0))
    state.isPlaying = true
    state.pausesOnMarkers = true
    state.advance(byNanoseconds: 100_000_000, in: idle)
    #expect(state.time == at(500))
    #expect(!state.isPlaying)
  }

  @Test func `the end of what is still recorded is waited at`() {
    let growing = SmallRun.timeline(isGrowing: true)
    var state = PlayerState(time: at(950))
    state.isPlaying = true
    state.advance(byNanoseconds: 500_000_000, in: growing)
    #expect(state.time == at(1000))
    #expect(state.isPlaying)
    let longer = PlayerTimeline(at(0)...at(1200), frames: SmallRun.frames, isGrowing: true)
    state.advance(byNanoseconds: 100_000_000, in: longer)
    #expect(state.time == at(1100))
  }

  @Test func `keys turn, runs swap, parts and help change`() {
    var state = PlayerState(time: at(0))
    state.keyCount = 3
    state.press(.tab, in: timeline)
    #expect(state.firstKey == 1)
    state.press(.backTab, in: timeline)
    state.press(.backTab, in: timeline)
    #expect(state.firstKey == 2)
    state.press(.tab, in: timeline)
    #expect(state.firstKey == 0)
    state.press(.character("s"), in: timeline)
    #expect(!state.isSwapped)
    state.runCount = 2
    state.press(.character("s"), in: timeline)
    #expect(state.isSwapped)
    let views = (0..<3).map { _ -> PlayerState.View in
      state.press(.character("v"), in: timeline)
      return state.view
    }
    #expect(views == [.curves, .stage, .both])
    state.helpPageCount = 2
    let pages = (0..<3).map { _ -> Int? in
      state.press(.character("?"), in: timeline)
      return state.helpPage
    }
    #expect(pages == [0, 1, nil])
    state.press(.character("?"), in: timeline)
    state.press(.escape, in: timeline)
    #expect(state.helpPage == nil)
    state.press(.character("m"), in: timeline)
    #expect(state.pausesOnMarkers)
  }

  @Test(arguments: [PlayerKey.character("q"), .character("Q"), .interrupt])
  func `q and control-C end it`(key: PlayerKey) {
    var state = PlayerState(time: at(0))
    state.press(key, in: timeline)
    #expect(state.isDone)
  }

  @Test func `times at the ends of the clock neither trap nor hang`() {
    let ends = PlayerTimeline(
      Instant(nanoseconds: .min)...Instant(nanoseconds: .max),
      frames: [Instant(nanoseconds: .min), .zero, Instant(nanoseconds: .max)],
      markers: [PlayerMarker(time: Instant(nanoseconds: .max), kind: .note, label: "end")],
      skips: [Instant(nanoseconds: -5)...Instant(nanoseconds: 5)])
    var state = PlayerState(time: Instant(nanoseconds: .min))
    state.speed = 1e4
    state.isLooping = true
    for key in characters(" .,]][[579ab0L<>m") + [.left, .right, .home, .end, .tab] {
      state.press(key, in: ends)
      state.isPlaying = true
      state.advance(byNanoseconds: .max, in: ends)
      #expect(state.time >= ends.start)
      #expect(state.time <= ends.end)
    }
    // Without extent there is nothing to go round in.
    let point = PlayerTimeline(.zero...(.zero))
    state = PlayerState(time: .zero)
    state.isLooping = true
    state.isPlaying = true
    state.advance(byNanoseconds: .max, in: point)
    #expect(state.time == .zero)
    #expect(!state.isPlaying)
  }
}
