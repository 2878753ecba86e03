import TestSupport
import Testing
import TimelineModel

@testable import MotionMeasures

/// Whether intervals of 90 % hold the truth, and say something: 400 drags of 80 to 600 ms at each rate, and 400 motions that
/// are interrupted.
@Suite struct FollowingCoverageTests {
  @Test(arguments: [60.0, 120]) func `of each kind of number intervals hold the truth`(
    rate: Double
  ) {
    let found = FoundInDrags(rate: rate, runs: 400, seed: 7)
    let least: [FoundInDrags.Kind: Int] = [
      .ownLag: 380, .heardLag: 250, .gain: 380, .jump: 380, .fingerSpeed: 380, .stiffness: 380,
      .damping: 380,
      .handOver: 240, .interruption: 240, .timedLag: 250, .timedGain: 250, .timedJump: 250,
      .timedHandOver: 200, .easedLagInTime: 110, .easedGainInTime: 110,
    ]
    for kind in FoundInDrags.Kind.allCases {
      let coverage = found.kinds[kind, default: .init()]
      let share = kind == .fingerSpeed ? 0.9 : 0.85
      #expect(coverage.share >= share, "\(kind): \(coverage)")
      // What is not told holds nothing.
      #expect(coverage.count >= least[kind, default: .max], "\(kind): \(coverage)")
    }
    #expect(2 * found.easedInTime.told > found.easedInTime.count, "\(found.easedInTime)")
    for (band, limits) in FoundInDrags.bands.enumerated() {
      let (own, timed) = (found.ownByLength[band], found.timedByLength[band])
      #expect(own.medianWidth <= 1.25 * limits.ownFrames, "\(limits.milliseconds) ms: \(own)")
      #expect(
        timed.medianWidth <= 1.25 * limits.timedSeconds, "\(limits.milliseconds) ms: \(timed)")
    }
    for fault in FoundInDrags.Fault.allCases {
      let alarms = found.alarms[fault, default: .init()]
      #expect(alarms.falsely == 0, "\(fault): \(alarms)")
      // A page that has the fault is found out.
      #expect(Double(alarms.rightly) >= 0.75 * Double(alarms.faulty), "\(fault): \(alarms)")
      #expect(alarms.faulty > 50, "\(fault): \(alarms)")
      #expect(alarms.clean > 50, "\(fault): \(alarms)")
    }
  }
}

/// What the estimators say of simulated pages.
struct FoundInDrags {
  enum Kind: CaseIterable {
    case ownLag, heardLag, gain, jump, fingerSpeed, stiffness, damping, handOver, interruption
    case timedLag, timedGain, timedJump, timedHandOver
    case easedLagInTime, easedGainInTime
  }

  enum Fault: CaseIterable { case late, jump, speedLost, speedLostInTime, restart }

  /// How often intervals of a kind held the truth, and how wide they were.
  struct Coverage: CustomStringConvertible {
    private var widths: [Double] = []
    private var held = 0

    mutating func add(_ estimate: Estimated, _ truth: Double) {
      widths.append(estimate.width)
      if estimate.holds(truth) { held += 1 }
    }

    var count: Int { widths.count }
    var share: Double { widths.isEmpty ? 0 : Double(held) / Double(widths.count) }
    var medianWidth: Double {
      widths.isEmpty ? .infinity : widths.sorted()[widths.count / 2]
    }
    var description: String { "\(held) of \(widths.count), median width \(medianWidth)" }
  }

  /// How often a whole interval lies beyond the limit of a fault.
  struct Alarms: CustomStringConvertible {
    private(set) var (falsely, clean, rightly, faulty) = (0, 0, 0, 0)

    /// - Parameter isFaulty: nil: between clean and faulty, where either answer is right.
    mutating func add(_ isAlarm: Bool, isFaulty: Bool?) {
      guard let isFaulty else { return }
      if isFaulty { faulty += 1 } else { clean += 1 }
      if isAlarm, isFaulty { rightly += 1 }
      if isAlarm, !isFaulty { falsely += 1 }
    }

    var description: String {
      "\(falsely) of \(clean) clean ones, \(rightly) of \(faulty) faulty ones"
    }
  }

  /// Lengths of drags, with the median widths of a lag that were found in browsers.
  static let bands: [(milliseconds: ClosedRange<Int>, ownFrames: Double, timedSeconds: Double)] = [
    (80...100, 0.63, 0.019), (120...150, 0.2, 0.019), (200...300, 0.19, 0.012),
    (420...600, 0.2, 0.01),
  ]

  private(set) var kinds: [Kind: Coverage] = [:]
  private(set) var ownByLength = bands.map { _ in Coverage() }
  private(set) var timedByLength = bands.map { _ in Coverage() }
  private(set) var alarms: [Fault: Alarms] = [:]
  /// How often the lag in time of a page that eases is told.
  private(set) var easedInTime = (told: 0, count: 0)

  init(rate: Double, runs: Int, seed: UInt64) {
    var dice = SplitMix(seed: seed)
    for _ in 0..<runs { look(at: SimulatedDrag(rate: rate, dice: &dice)) }
    for _ in 0..<runs { look(at: SimulatedInterruption(rate: rate, dice: &dice), rate) }
  }

  private mutating func add(_ kind: Kind, _ estimate: Estimated, _ truth: Double) {
    kinds[kind, default: Coverage()].add(estimate, truth)
  }

  private mutating func add(_ fault: Fault, _ isAlarm: Bool, isFaulty: Bool?) {
    alarms[fault, default: Alarms()].add(isAlarm, isFaulty: isFaulty)
  }

  private mutating func look(at drag: SimulatedDrag) {
    let milliseconds = Int((drag.seconds * 1000).rounded())
    let band = FoundInDrags.bands.firstIndex { $0.milliseconds.contains(milliseconds) } ?? 0
    let timed = try? TimedFollow(finger: drag.places, shown: drag.driven)
    if let timed, let lag = drag.lag {
      add(.timedLag, timed.lag, lag)
      timedByLength[band].add(timed.lag, lag)
      add(.timedGain, timed.gain, drag.gain)
      add(.timedJump, timed.jump, drag.jump)
    }
    if let timed, let lag = drag.easedLag {
      add(.easedLagInTime, timed.lag, lag)
      add(.easedGainInTime, timed.gain, drag.gain)
      // What says nothing is not told: half of them say something.
      easedInTime.count += 1
      if timed.isTold { easedInTime.told += 1 }
    }
    if let spring = try? FreeSpring(times: drag.settle.times, values: drag.settle.values),
      spring.isGood
    {
      add(.stiffness, spring.stiffness, drag.stiffness)
      add(.damping, spring.damping, drag.damping)
    }
    guard
      let lift = try? FingerSpeed(
        times: drag.places.times, values: drag.places.values, lift: drag.lift)
    else { return }
    add(.fingerSpeed, lift.velocity, drag.fingerSpeed)
    if let timed,
      let over = try? HandOver(
        lift: lift, gain: timed.gain, driven: drag.driven, settle: drag.settle, heardPlace: nil,
        liftTimes: drag.lift...drag.lift, frame: 1 / drag.rate)
    {
      add(.timedHandOver, over.kept, drag.kept)
      add(
        .speedLostInTime, over.kept.high < 0.62,
        isFaulty: drag.keep == 1 ? false : drag.keep == 0 ? true : nil)
    }
    guard let follow = try? DispatchedFollow(heard: drag.heard, shown: drag.driven.values) else {
      return
    }
    add(.ownLag, follow.own, drag.own)
    ownByLength[band].add(follow.own, drag.own)
    if let lag = drag.lag,
      let found = follow.lag(ages: drag.heardAges, frame: 1 / drag.rate)
    {
      add(.heardLag, found, lag)
    }
    add(.gain, follow.gain, drag.gain)
    add(.jump, follow.jump, drag.jump)
    let isPrompt = drag.own <= 1
    add(.late, follow.own.low > 1.5, isFaulty: isPrompt ? false : drag.own >= 2 ? true : nil)
    let leastJump = min(abs(follow.jump.low), abs(follow.jump.high))
    add(.jump, follow.jump.hasSign && leastJump > 3, isFaulty: drag.jump != 0)
    let place = follow.place(after: drag.lastHeard, from: 0)
    guard
      let over = try? HandOver(
        lift: lift, gain: follow.gain, driven: drag.driven, settle: drag.settle,
        heardPlace: follow.own.value < 0.5 ? place : nil, frame: 1 / drag.rate)
    else { return }
    add(.handOver, over.kept, drag.kept)
    add(
      .speedLost, over.kept.high < 0.62,
      isFaulty: drag.keep == 1 ? false : drag.keep == 0 ? true : nil)
  }

  private mutating func look(at run: SimulatedInterruption, _ rate: Double) {
    guard
      let over = try? HandOver(interrupted: run.before, after: run.after, frame: 1 / rate)
    else { return }
    add(.interruption, over.kept, run.keep)
    add(
      .restart, over.kept.high < 0.6, isFaulty: run.keep == 1 ? false : run.keep == 0 ? true : nil)
  }
}
