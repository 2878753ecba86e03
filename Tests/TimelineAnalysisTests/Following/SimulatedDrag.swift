import Foundation
import TestSupport

/// A page on which something is dragged and let go, with all that is true of it: a finger that reports its place each 8 ms, a
/// browser that delivers it before a frame, and a page that shows it late, eased, shorter or with a jump, and then lets a
/// spring go on with all of the speed, a half or none.
///
/// Times are seconds from the landing, places points from where both rested.
struct SimulatedDrag {
  /// How the page follows.
  enum Follow: Hashable {
    case delay(Int)
    case lerp(Double)
  }
  /// From where and when the page's spring goes on.
  enum Start: CaseIterable {
    /// Its first frame is a frame behind the place that was shown last.
    case frameBehindShown
    /// The same of the place that was heard last, of a page that follows at once.
    case frameBehindHeard
    /// Its first frame is as far behind the lift as the frame's time is.
    case lift
    /// Its first frame still shows the place that was shown last.
    case rest
  }

  let rate: Double
  let seconds: Double
  let follow: Follow
  let gain: Double
  let jump: Double
  let keep: Double
  let stiffness: Double
  let ratio: Double
  let start: Start
  /// When the first frame since the landing is shown, and what the browser takes to deliver a place, in seconds.
  let phase: Double
  let delivery: Double
  /// The finger's speed at its last place.
  private(set) var fingerSpeed = 0.0

  /// The finger's places.
  private(set) var places: (times: [Double], values: [Double]) = ([], [])
  /// When it was lifted.
  private(set) var lift = 0.0
  /// The frames until the page had heard of the lift: when they were shown, what had been heard, what was shown.
  private(set) var driven: (times: [Double], values: [Double]) = ([], [])
  private(set) var heard: [Double] = []
  /// How old the place was that had been heard last, in each frame in which the finger had moved, in seconds.
  private(set) var heardAges: [Double] = []
  /// The frames behind that.
  private(set) var settle: (times: [Double], values: [Double]) = ([], [])
  /// The last place that was heard.
  private(set) var lastHeard = 0.0
  /// The speed that the page goes on with.
  private(set) var speed = 0.0
  /// How far each shown place was behind the frame that showed it, in seconds.
  private var ages: [Double] = []

  /// The page's own lag, in frames.
  var own: Double {
    switch follow {
    case .delay(let frames): Double(frames)
    case .lerp(let share): (1 - share) / share
    }
  }
  var damping: Double { 2 * ratio * stiffness.squareRoot() }
  /// The share of its speed that the page goes on with.
  var kept: Double { speed / (fingerSpeed * gain) }
  /// The mean lag, in seconds; nil of a page that eases, which shows no place as it was.
  var lag: Double? {
    ages.isEmpty ? nil : ages.reduce(0, +) / Double(ages.count)
  }
  /// The lag of a page that eases at constant speed, in seconds: its own, and the mean age of what it had heard; nil of another
  /// page.
  var easedLag: Double? {
    guard !isDelay, !heardAges.isEmpty else { return nil }
    return own / rate + heardAges.reduce(0, +) / Double(heardAges.count)
  }
  var isDelay: Bool { if case .delay = follow { true } else { false } }

  /// Draws a page and a drag by chance.
  init(rate: Double, dice: inout SplitMix) {
    self.rate = rate
    seconds = [0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.42, 0.6].randomElement(using: &dice)!
    let distance = -min(
      330, max(70, (seconds * 1000 * Double.random(in: 0.9...2.2, using: &dice)).rounded()))
    let isThrow = seconds <= 0.15 || Bool.random(using: &dice)
    follow = [
      .delay([0, 0, 0, 1, 2, 3, 4].randomElement(using: &dice)!),
      .delay([0, 0, 0, 1, 2, 3, 4].randomElement(using: &dice)!),
      .lerp(Double.random(in: 0.2...0.5, using: &dice)),
    ].randomElement(using: &dice)!
    gain = [1, 1, 1, 0.6].randomElement(using: &dice)!
    jump = [0, 0, 0, 14].randomElement(using: &dice)!
    keep = [1, 1, 0.5, 0].randomElement(using: &dice)!
    stiffness = Double.random(in: 120...400, using: &dice)
    ratio = Double.random(in: 0.6...1.1, using: &dice)
    let start = Start.allCases.randomElement(using: &dice)!
    // A page that shows nothing late has no place but the one it heard.
    self.start = start == .frameBehindHeard && follow != .delay(0) ? .frameBehindShown : start
    phase = Double.random(in: 0..<1, using: &dice) / rate
    delivery = Double.random(in: 0...0.003, using: &dice)
    move(distance, isThrow)
    show()
  }

  /// What a browser rounds to: 0.1 ms, and 1/64 px.
  private static func time(_ seconds: Double) -> Double { (seconds * 1e4).rounded() / 1e4 }
  private static func place(_ points: Double) -> Double { (points * 64).rounded() / 64 }

  private mutating func move(_ distance: Double, _ isThrow: Bool) {
    let turn = 0.8 * Double.pi
    func share(_ u: Double) -> Double {
      isThrow ? pow(u, 1.6) : (1 - cos(turn * u)) / (1 - cos(turn))
    }
    fingerSpeed =
      distance / seconds * (isThrow ? 1.6 : turn * sin(turn) / (1 - cos(turn)))
    let count = Int((seconds / 0.008).rounded(.up))
    for step in 0...count {
      let time = min(seconds, Double(step) * 0.008)
      places.times.append(SimulatedDrag.time(time))
      places.values.append(SimulatedDrag.place(distance * share(time / seconds)))
    }
    lift = SimulatedDrag.time(seconds + 0.004)
  }

  private mutating func show() {
    let frame = 1 / rate
    var time = phase - frame
    // What the page wants to show in each frame since the landing; nil before the first move.
    var wanted: [(place: Double, time: Double)?] = []
    var shown = 0.0
    driven = ([SimulatedDrag.time(time)], [0])
    heard = [0]
    while true {
      time += frame
      guard lift + delivery > time else { break }
      let latest = places.times.lastIndex { $0 + delivery <= time } ?? 0
      wanted.append(
        latest > 0 ? (jump + gain * places.values[latest], places.times[latest]) : nil)
      switch follow {
      case .delay(let frames):
        if wanted.count > frames, let want = wanted[wanted.count - 1 - frames] {
          shown = want.place
          ages.append(time - want.time)
        }
      case .lerp(let share):
        if let want = wanted[wanted.count - 1] { shown += share * (want.place - shown) }
      }
      driven.times.append(SimulatedDrag.time(time))
      driven.values.append(SimulatedDrag.place(shown))
      heard.append(places.values[latest])
      if latest > 0 { heardAges.append(SimulatedDrag.time(time) - places.times[latest]) }
    }
    lastHeard = places.values[places.values.count - 1]
    let first = places.times.firstIndex { $0 >= seconds - 0.025 } ?? 0
    speed =
      keep * gain * (lastHeard - places.values[first])
      / (places.times[places.times.count - 1] - places.times[first])
    release(at: time, from: shown)
  }

  private mutating func release(at first: Double, from shown: Double) {
    let from = start == .frameBehindHeard ? jump + gain * lastHeard : shown
    let begin =
      switch start {
      case .frameBehindShown, .frameBehindHeard: first - 1 / rate
      case .lift: lift
      case .rest: first
      }
    let target = shown + 0.15 * speed < -100 ? -500.0 : 0
    let frequency = stiffness.squareRoot()
    var (frame, resting) = (0.0, 0)
    while resting < 8, frame < 4 * rate {
      let since = first + frame / rate - begin
      func way(_ time: Double) -> Double {
        spring(frequency, ratio, from - target, speed, time)
      }
      let rests = abs(way(since)) < 0.05 && abs(way(since) - way(since - 1e-3)) < 2e-3
      if rests || resting > 0 { resting += 1 }
      settle.times.append(SimulatedDrag.time(first + frame / rate))
      settle.values.append(SimulatedDrag.place(resting > 0 ? target : target + way(since)))
      frame += 1
    }
  }
}
