import Foundation
import MotionPhysics
import TestSupport
import Testing
import TimelineModel

@testable import MotionMeasures

/// What the estimators say of motion that is known, and of numbers that make no sense.
@Suite struct FollowingTests {
  /// A throw of 300 points in 20 frames at 60 Hz.
  private let heard = (0...20).map { -300 * pow(Double($0) / 20, 1.6) }
  private let times = (0...20).map { Double($0) / 60 }

  @Test func `a page that eases is told from one that is late`() throws {
    var place = 0.0
    let eased = heard.map { target in
      place += 0.3 * (target - place)
      return place
    }
    let lerp = try DispatchedFollow(heard: heard, shown: eased)
    #expect(lerp.model == .lerp)
    #expect(lerp.isDecided)
    #expect(lerp.alpha?.holds(0.3) == true)
    #expect(lerp.own.holds(7.0 / 3))
    #expect(lerp.isTold)
    #expect(lerp.rSquared > 0.999)
    let late = try DispatchedFollow(heard: heard, shown: [0, 0] + heard.dropLast(2))
    #expect(late.model == .delay)
    #expect(late.own.holds(2))
    #expect(late.alpha == nil)
  }

  @Test func `a jump counts ahead of the finger, and a dead zone behind it`() throws {
    let ahead = try DispatchedFollow(heard: heard, shown: heard.map { $0 == 0 ? 0 : $0 - 14 })
    #expect(ahead.jump.holds(-14))
    #expect(ahead.own.holds(0))
    #expect(ahead.gain.holds(1))
    let zone = heard.map { min(0, $0 + 20) }
    let behind = try DispatchedFollow(heard: heard, shown: zone)
    #expect(behind.jump.low > 0, "\(behind.jump)")
  }

  @Test func `with few frames a lag that a dead zone explains as well is not told`() throws {
    let few = [0.0, -10, -20, -30]
    let follow = try DispatchedFollow(heard: few, shown: [0, 0, -10, -20])
    #expect(follow.own.holds(1), "\(follow.own)")
    #expect(follow.own.holds(0), "\(follow.own)")
    #expect(follow.jump.holds(0), "\(follow.jump)")
    #expect(follow.jump.holds(10), "\(follow.jump)")
  }

  @Test func `what one possible model leaves and another does not, is not left for certain`() throws
  {
    let few = (0...5).map { -240 * pow(Double($0) / 5, 1.6) }
    let follow = try DispatchedFollow(heard: few, shown: [0, 0, 0, 0] + few[1...2].map { 2 * $0 })
    #expect(follow.rms.value > 2, "\(follow.rms)")
    #expect(follow.rms.low < 0.5, "\(follow.rms)")
    let late = try DispatchedFollow(heard: heard, shown: [0, 0] + heard.dropLast(2))
    #expect(late.rms.value < 0.01, "\(late.rms)")
    #expect(late.rms.low == 0, "\(late.rms)")
    var bumped = heard
    bumped[12] += 30
    let bump = try DispatchedFollow(heard: heard, shown: bumped)
    #expect(bump.rms.low > 5, "\(bump.rms)")
    #expect(bump.worst == 12, "\(bump.rms)")
  }

  @Test(arguments: [0, 2, 4]) func `how late something is that resists at an edge is told`(
    late: Int
  ) throws {
    let band = heard.map { $0 * 150 / (150 - $0) }
    let shown = Array(repeating: 0, count: late) + band.dropLast(late)
    let found = try #require(
      DispatchedFollow.resisted(heard: heard, shown: shown, noise: DispatchedFollow.noise))
    #expect(found.own.holds(Double(late)), "\(found.own)")
    #expect(found.own.width < 1, "\(found.own)")
  }

  @Test func `nothing is told of how late something is whose way bends otherwise`() {
    let stairs = heard.map { ($0 / 40).rounded() * 12 }
    #expect(
      DispatchedFollow.resisted(heard: heard, shown: stairs, noise: DispatchedFollow.noise) == nil)
    let still = heard.map { _ in 0.0 }
    #expect(
      DispatchedFollow.resisted(heard: still, shown: heard, noise: DispatchedFollow.noise) == nil)
    #expect(DispatchedFollow.resisted(heard: [], shown: [], noise: 1) == nil)
  }

  @Test func `a finger that rests before it is lifted has no speed`() throws {
    let rested = try FingerSpeed(times: times, values: heard, lift: times[20] + 0.05)
    #expect(rested.isStopped)
    #expect(rested.velocity.value == 0)
    let lifted = try FingerSpeed(times: times, values: heard, lift: times[20] + 0.004)
    #expect(!lifted.isStopped)
    #expect(lifted.velocity.holds(-300 * 1.6 * 3))
  }

  @Test func `a spring says where it was before its first value`() throws {
    let seconds = (0...60).map { 0.1 + Double($0) / 60 }
    let values = seconds.map { 200 + spring(15, 0.8, -150, 900, $0) }
    let found = try FreeSpring(times: seconds, values: values)
    #expect(found.isGood)
    #expect(abs(found.stiffness.value - 225) < 0.1)
    #expect(abs(found.damping.value - 24) < 0.1)
    #expect(abs(found.ratio - 0.8) < 0.001)
    #expect(abs(found.target - 200) < 0.01)
    #expect(abs(found.value(at: 0) - 50) < 0.1)
    #expect(abs(found.velocity(at: 0) - 900) < 1)
  }

  @Test func `a way that is eased out is not called a spring`() throws {
    let values = (0...30).map { -200 * (1 - pow(max(0, 1 - Double($0) / 24), 3)) }
    let seconds = (0...30).map { Double($0) / 60 }
    let eased = try #require(EaseOut(times: seconds, values: values))
    #expect(abs(eased.duration - 0.4) < 0.005, "\(eased)")
    #expect(abs(eased.power - 3) < 0.1, "\(eased)")
    #expect(eased.rms < 0.1)
    let spring = try FreeSpring(times: seconds, values: values)
    #expect(!spring.isGood)
    #expect(spring.rms > 5 * eased.rms)
  }

  @Test func `a speed at the beginning or the end needs no model`() throws {
    let values = times.map { 500 * $0 - 800 * $0 * $0 }
    #expect(try EndSlope(times: times, values: values).velocity.holds(500))
    let last = try EndSlope(lastOf: times, values: values).velocity
    #expect(last.holds(500 - 1600 * times[20]))
    #expect(last.width < 100)
  }

  @Test func `a hand-over says why it cannot be told`() throws {
    let lift = try FingerSpeed(times: times, values: heard, lift: times[20] + 0.004)
    let gain = Estimated(1, low: 0.99, high: 1.01)
    let settle = (1...50).map { times[20] + Double($0) / 60 }
    let values = settle.map { -400 + spring(14, 1, 100, -1400, $0 - times[20]) }
    func kept(
      _ driven: [Double], _ seconds: [Double], _ gain: Estimated = gain
    ) throws(TooShortToTell) -> Estimated {
      try HandOver(
        lift: lift, gain: gain, driven: (times, driven), settle: (seconds, values),
        heardPlace: nil, frame: 1.0 / 60
      ).kept
    }
    #expect(try kept(heard, settle).holds(1400.0 / 1440))
    #expect(throws: TooShortToTell.littleWay) { try kept(heard.map { $0 / 10 }, settle) }
    #expect(throws: TooShortToTell.missingFrame) { try kept(heard, settle.map { $0 + 0.02 }) }
    #expect(throws: TooShortToTell.wide) {
      try kept(heard, settle, Estimated(1, low: 0.2, high: 3))
    }
    #expect(throws: TooShortToTell.stopped) {
      let stopped = try FingerSpeed(times: times, values: heard, lift: 1)
      _ = try HandOver(
        lift: stopped, gain: gain, driven: (times, heard), settle: (settle, values),
        heardPlace: nil, frame: 1.0 / 60)
    }
  }

  /// Calls every estimator; whether it answers or refuses does not matter.
  private func call(_ one: [Double], _ other: [Double]) {
    _ = try? DispatchedFollow(heard: one, shown: other)
    _ = try? TimedFollow(finger: (one, other), shown: (other, one))
    _ = try? TimedFollow(finger: (one, other), shown: (one, other))
    _ = try? FreeSpring(times: one, values: other)
    _ = EaseOut(times: one, values: other)
    _ = try? EndSlope(times: one, values: other)
    _ = try? HandOver(interrupted: (one, other), after: (one, other), frame: 1.0 / 60)
    if let lift = try? FingerSpeed(times: one, values: other, lift: one.last ?? .nan) {
      for frame in [1.0 / 60, 0, .nan, .infinity] {
        _ = try? HandOver(
          lift: lift, gain: Estimated(1, low: 1, high: 1), driven: (one, other),
          settle: (one, other), heardPlace: Estimated(.nan, low: .nan, high: .nan),
          frame: frame)
      }
    }
  }

  @Test func `numbers that make no sense crash nothing`() {
    let extremes = [
      0, -0.0, 1, -1, 1e-300, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
      1e9, 1 / 60,
    ]
    var dice = SplitMix(seed: 3)
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 40] {
      let rising = (0..<count).map { Double($0) / 60 }
      for _ in 0..<3 {
        let odd = (0..<count).map { _ in extremes.randomElement(using: &dice) ?? 0 }
        let some = rising.map {
          Int.random(in: 0..<6, using: &dice) == 0
            ? extremes.randomElement(using: &dice) ?? 0 : 900 * $0
        }
        for values in [odd, some, rising.map { _ in 3 }] {
          call(rising, values)
          call(values, rising)
          call(values, odd)
        }
      }
    }
  }

  @Test func `a hundred thousand frames are looked at in bounded time`() throws {
    let seconds = (0..<100_000).map { Double($0) / 120 }
    let values = seconds.map { 300 * sin(3 * $0) }
    let follow = try DispatchedFollow(heard: values, shown: [0] + values.dropLast())
    #expect(follow.own.holds(1))
    let timed = try TimedFollow(
      finger: (seconds, values), shown: (seconds.map { $0 + 0.02 }, values))
    #expect(timed.lag.holds(0.02))
    call(seconds, values)
  }
}
