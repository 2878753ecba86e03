import MotionPhysics
import TestSupport
import Testing
import TimelineModel

/// The rules and measures of Linux compositors on streams of reports, against ports of the compositors' event loops.
@Suite struct CompositorTests {
  typealias Report = CompositorPorts.Report

  /// A swipe as a touchpad reports it, in hundredths of a pixel: slow and fast ones, to either side, with turns, rests,
  /// reports at the same time and, where asked, ones before the one before.
  private static func stream(
    _ dice: inout SplitMix, backwards: Bool
  ) -> (reports: [Report], lift: Int64) {
    let count = dice.number(below: 12) == 0 ? dice.number(below: 3) : 2 + dice.number(below: 60)
    var time = Int64(dice.number(below: 1_000_000_000))
    var speed = (dice.unit() * 2 - 0.7) * (dice.number(below: 3) == 0 ? 60 : 12)
    var reports: [Report] = []
    for _ in 0..<count {
      switch dice.number(below: 24) {
      case 0: break
      case 1: if backwards { time -= Int64(dice.number(below: 20_000_000)) }
      case 2: time += 150_000_000
      case 3: time += Int64(dice.number(below: 200_000_000))
      case 4:
        speed = -speed
        time += 7_000_000
      default: time += Int64(5_000_000 + dice.number(below: 4_000_000))
      }
      speed += dice.unit() * 6 - 3
      reports.append(Report(step: (speed * 100).rounded() / 100, time: time))
    }
    let latest = reports.map(\.time).max() ?? time
    let rest = [0, 7_000_000, 48_000_000, 150_000_000, 150_000_001, 400_000_000]
    return (reports, latest + Int64(rest[dice.number(below: 6)]))
  }

  /// The places that reports lead to, of a distance for a progress of 1; the first is where the swipe begins.
  private static func positions(_ reports: [Report], of distance: Double) -> [Sample] {
    var place = 0.0
    let first = Sample(time: Instant(nanoseconds: reports.first?.time ?? 0), value: 0)
    return [first]
      + reports.map { report in
        place += report.step
        return Sample(time: Instant(nanoseconds: report.time), value: place / distance)
      }
  }

  private static let streams = (TestRounds.asked ?? 1) * 1000

  /// Runs random streams through a rule and a port: equal velocities, equal decisions, and flips beyond which the
  /// decision is the other.
  private func hold(
    _ rule: ReleaseRule, preset: EstimationPreset?, seed: UInt64, backwards: Bool = false,
    _ port: ([Report], Int64) -> CompositorPorts.Ending
  ) {
    var dice = SplitMix(seed: seed)
    let distance = rule.distance ?? rule.kind.definition.usual.distance ?? 1
    var (switched, flips, forced, inexact) = (0, 0, 0, 0)
    for round in 0..<Self.streams {
      let (reports, lift) = Self.stream(&dice, backwards: backwards)
      let expected = port(reports, lift)
      let instant = Instant(nanoseconds: lift)
      let samples = Self.positions(reports, of: distance)
      var estimate = Estimator.lsq2.ofCancelledContact
      if let preset {
        let estimator = preset.estimator
        let window = preset.window(for: estimator)
        // In pixels, and of the progress.
        let pixels = Self.positions(reports, of: 1)
        let velocity = estimator.velocity(pixels, lift: instant, window: window)
        let wanted = expected.velocity ?? .nan
        // A step that is taken from places may differ by a bit; single precision makes more of it now and then.
        let isSingle = estimator == .stepMean
        let apart = abs((velocity ?? .nan) - wanted) / max(1, abs(wanted))
        #expect(apart <= (isSingle ? 0x1p-18 : 1e-9), "\(rule.kind) \(round)")
        if apart > 1e-9 { inexact += 1 }
        estimate = estimator.estimate(
          samples, lift: instant, window: window.measuring(pointsPerUnit: distance))
        let share = isSingle ? 0x1p-18 : 1e-9
        #expect(
          abs((estimate.velocity ?? .nan) * distance - wanted) <= share * max(1, abs(wanted)),
          "\(rule.kind) \(round)")
      }
      let asked = rule.question(
        about: samples, at: instant, progress: samples[samples.count - 1].value, estimate: estimate)
      // So may a way that is just what a swipe begins with.
      guard abs(asked.progress - expected.progress) < 1e-9 else {
        inexact += 1
        continue
      }
      #expect(asked.estimate.velocity == estimate.velocity)
      let decision = rule.decide(progress: asked.progress, velocity: asked.estimate.velocity)
      if (decision.outcome == .finish) != expected.switches {
        // A number that is just its border may lie on either side, by its last bits.
        let velocity = asked.estimate.velocity ?? 0
        let toBorder = min(
          decision.flipProgress.map { abs($0 - asked.progress) } ?? .infinity,
          decision.flipVelocity.map { abs($0 - velocity) / max(1, abs(velocity)) } ?? .infinity)
        #expect(
          toBorder < (preset?.estimator == .stepMean ? 0x1p-18 : 1e-9), "\(rule.kind) \(round)")
        inexact += 1
        continue
      }
      if expected.switches { switched += 1 }
      if decision.criterion == .velocity { forced += 1 }
      let velocity = asked.estimate.velocity ?? 0
      if let flip = decision.flipProgress {
        flips += 1
        #expect(
          changes(at: flip) { rule.decide(progress: $0, velocity: velocity).outcome },
          "\(rule.kind) \(round) \(flip)")
      }
      if let flip = decision.flipVelocity {
        flips += 1
        #expect(
          changes(at: flip) { rule.decide(progress: asked.progress, velocity: $0).outcome },
          "\(rule.kind) \(round) \(flip)")
      }
    }
    // Streams that all end alike would show nothing.
    #expect(switched > Self.streams / 10, "\(rule.kind) \(switched)")
    #expect(switched < Self.streams * 9 / 10, "\(rule.kind) \(switched)")
    #expect(flips > Self.streams / 2)
    #expect(inexact <= Self.streams / 1000, "\(rule.kind) \(inexact)")
    if rule.velocityThreshold != nil { #expect(forced > 0, "\(rule.kind)") }
  }

  /// Whether an outcome is another one just to either side of a place.
  private func changes(at flip: Double, _ outcome: (Double) -> ReleaseOutcome) -> Bool {
    let step = max(abs(flip), 1e-6) * 1e-9
    return outcome(flip - step) != outcome(flip + step)
  }

  @Test func `niri's switches are those of its swipe tracker, with its step of 0 at the lift`() {
    hold(ReleaseRule(kind: .niri), preset: .niri, seed: 1, backwards: true) {
      CompositorPorts.niri($0, lift: $1)
    }
  }

  @Test func `COSMIC's switches are those of its gesture state, with no step at the lift`() {
    for (width, seed) in [(1920.0, 2), (3440, 3)] as [(Double, UInt64)] {
      hold(
        ReleaseRule(kind: .cosmic, outputLength: width), preset: .cosmic, seed: seed,
        backwards: true
      ) { reports, _ in CompositorPorts.cosmic(reports, outputWidth: width) }
    }
  }

  @Test func `Hyprland's switches are those of its own account of the swipe`() {
    hold(ReleaseRule(kind: .hyprland), preset: .hyprland, seed: 4, backwards: true) {
      reports, _ in CompositorPorts.hyprland(reports)
    }
    hold(
      ReleaseRule(kind: .hyprland, threshold: 0.2, velocityThreshold: 12, distance: 500),
      preset: .hyprland, seed: 5
    ) { reports, _ in
      CompositorPorts.hyprland(reports, distance: 500, ratio: 0.2, force: 12)
    }
  }

  @Test func `KWin's desktops and its overview are those of its gestures`() {
    hold(ReleaseRule(kind: .kwin), preset: nil, seed: 6) { reports, _ in
      CompositorPorts.kwin(reports)
    }
    hold(ReleaseRule(kind: .kwinOverview), preset: nil, seed: 7) { reports, _ in
      CompositorPorts.kwinOverview(reports)
    }
  }

  @Test func `Wayfire's switches are those of its own progress and its last two steps`() {
    hold(ReleaseRule(kind: .wayfire), preset: .wayfire, seed: 8, backwards: true) { reports, _ in
      CompositorPorts.wayfire(reports)
    }
  }

  @Test func `GNOME's touchpad swipes are those of its numbers for touchpads`() {
    let rule = ReleaseRule(
      kind: .gnome, velocityThreshold: 0.6, decelerationRate: 0.997, distance: 400)
    hold(rule, preset: .gnome, seed: 9) { CompositorPorts.gnome($0, lift: $1) }
  }

  // MARK: Edges

  private func velocity(
    _ preset: EstimationPreset, _ way: [(Int64, Double)], lift: Int64
  ) -> Double? {
    preset.estimator.velocity(
      samples(way), lift: instant(milliseconds: lift),
      window: preset.window(for: preset.estimator))
  }

  @Test func `a report 150 ms old stays with its own step, one that is older goes`() {
    let way: [(Int64, Double)] = [(-8, 0), (0, 10), (100, 30), (150, 60)]
    #expect(agree(velocity(.cosmic, way, lift: 150), 60 / 0.15))
    #expect(agree(velocity(.niri, way, lift: 150), 60 / 0.15))
    // The lift is one more step of 0 to niri, and drives the first report out.
    #expect(agree(velocity(.niri, way, lift: 151), 50 / 0.051))
    #expect(agree(velocity(.cosmic, way, lift: 151), 60 / 0.15))
    // GNOME leaves the oldest one's step out.
    #expect(agree(velocity(.gnome, Array(way.dropFirst()), lift: 150), 50 / 0.15))
    #expect(velocity(.niri, way, lift: 301) == 0)
    #expect(velocity(.cosmic, way, lift: 9999) != 0)
  }

  @Test func `no time makes no speed, and a report too early loses its movement`() {
    #expect(velocity(.niri, [(0, 0)], lift: 9) == 0)
    #expect(velocity(.cosmic, [], lift: 9) == 0)
    #expect(velocity(.cosmic, [(0, 0), (5, 40)], lift: 50) == 0)
    #expect(agree(velocity(.niri, [(0, 0), (5, 40)], lift: 45), 1000))
    #expect(velocity(.cosmic, [(0, 0), (5, 40), (5, 80)], lift: 5) == 0)
    let early: [(Int64, Double)] = [(0, 0), (10, 5), (20, 10), (15, 110), (16, 1110), (30, 1115)]
    #expect(agree(velocity(.cosmic, early, lift: 30), 15 / 0.02))
    let rule = ReleaseRule(kind: .niri, distance: 300)
    #expect(
      agree(
        rule.progress(of: samples(early), at: instant(milliseconds: 30)), 15))
    let story = Estimator.meanSteps.story(
      of: samples(early), lift: instant(milliseconds: 30),
      window: EstimationPreset.cosmic.window(for: .meanSteps))
    #expect(story.map(\.reason) == [nil, nil, nil, .backward, .backward, nil])
  }

  @Test
  func `Hyprland counts from 5 points on, keeps its direction after 10, and stops at a workspace`()
  {
    func swipe(_ steps: [Double]) -> (place: Double?, speed: Double?) {
      var place = 0.0
      let way: [(Int64, Double)] =
        [(0, 0)]
        + steps.enumerated().map { index, step in
          place += step
          return (Int64(index + 1) * 7, place)
        }
      let rule = ReleaseRule(kind: .hyprland)
      return (
        rule.progress(
          of: samples(way).map { Sample(time: $0.time, value: $0.value / 300) },
          at: instant(milliseconds: 9999)
        ).map { ($0 * 300 * 1e9).rounded() / 1e9 }, velocity(.hyprland, way, lift: 9999)
      )
    }
    #expect(swipe([4.9]) == (0, 0))
    #expect(swipe([5]) == (5, 5))
    #expect(swipe([]) == (0, 0))
    // What came before is lost, also where it went to and fro.
    #expect(swipe([4, -4, 4, 2]) == (2, 2))
    #expect(swipe([-4, -4]) == (-4, 4))
    // Up to 10 points it may turn, beyond that it is held at the start.
    #expect(swipe([10, -15]) == (-5, 12.5))
    #expect(swipe([11, -15]) == (0, 13))
    #expect(swipe([11, -15, 3]).place == 3)
    #expect(swipe([200, 200, -10]) == (290, (410.0 / 3 as Double).asFloat))
    let rule = ReleaseRule(kind: .hyprland)
    // Below 2 points nothing happens, however fast.
    #expect(rule.decide(progress: 1.9 / 300, velocity: 9).outcome == .cancel)
    #expect(rule.decide(progress: 2 / 300, velocity: 0.1).outcome == .finish)
    #expect(rule.decide(progress: 2 / 300, velocity: 0.1).flipVelocity == 0.1)
    #expect(rule.decide(progress: -0.5, velocity: 0).outcome == .finish)
    var slow = rule
    slow.velocityThreshold = 0
    #expect(slow.decide(progress: 0.4, velocity: 9).outcome == .cancel)
    #expect(slow.decide(progress: 0.4, velocity: 9).flipVelocity == nil)
  }

  @Test func `Wayfire begins after 12.8 points, and a report moves it by a twentieth at most`() {
    let rule = ReleaseRule(kind: .wayfire)
    func progress(_ steps: [Double]) -> Double? {
      var place = 0.0
      let way: [(Int64, Double)] =
        [(0, 0)]
        + steps.enumerated().map { index, step in
          place += step
          return (Int64(index + 1) * 7, place / 256)
        }
      return rule.progress(of: samples(way), at: instant(milliseconds: 9999))
    }
    #expect(progress([12.8]) == 0)
    #expect(progress([6, -6]) == 0)
    #expect(agree(progress([100]), 0.05, within: 1e-6))
    #expect(agree(progress([6, -6, 6]), 6 / 256.0, within: 1e-6))
    #expect(agree(progress([100, 100, -10]), 0.1 - 10 / 256.0, within: 1e-4))
    // Beyond the next workspace it hardly gets on.
    #expect((progress(Array(repeating: 100, count: 60)) ?? 9) < 1.1)
    #expect(velocity(.wayfire, [(0, 0), (7, 12.8)], lift: 7) == 0)
    #expect(velocity(.wayfire, [(0, 0), (7, 10), (14, 30), (21, 25)], lift: 900) == 15)
    #expect(rule.decide(progress: 0, velocity: 9).outcome == .cancel)
    let forced = rule.decide(progress: 0.1, velocity: 0.1)
    #expect(forced.criterion == .velocity)
    #expect(forced.flipVelocity == 24 / 256.0)
    #expect(forced.flipProgress == 0)
  }

  @Test func `a measure by reports meets no velocity by time`() {
    func accepts(_ kind: ReleaseRule.Kind, _ estimator: Estimator) -> Bool {
      kind.definition.accepts(estimator)
    }
    #expect(accepts(.hyprland, .stepMean))
    #expect(!accepts(.hyprland, .lsq2))
    #expect(accepts(.wayfire, .lastTwo))
    #expect(!accepts(.wayfire, .stepMean))
    #expect(accepts(.niri, .lsq2))
    #expect(!accepts(.velocity, .lastTwo))
    let way = samples([(0, 0), (7, 20), (14, 60), (21, 90)])
    let lift = instant(milliseconds: 21)
    let plain = Estimator.lsq2.estimate(way, lift: lift)
    let rule = ReleaseRule(kind: .hyprland, distance: 1)
    let asked = rule.question(about: way, at: lift, progress: 90, estimate: plain)
    #expect(asked.estimate.estimator == "step-mean")
    #expect(agree(asked.estimate.velocity, 30))
    #expect(agree(asked.estimate.standardError, (100.0 / 3).squareRoot(), within: 1e-6))
    #expect(asked.estimate.velocityPerSecond == nil)
    #expect(plain.velocityPerSecond != nil)
    let last = ReleaseRule(kind: .wayfire, distance: 1)
    let two = last.question(about: way, at: lift, progress: 90, estimate: plain).estimate
    #expect(two.velocity == 70)
    #expect(two.standardError == nil)
    #expect(two.low == nil)
    let none = ReleaseRule(kind: .velocity).question(
      about: way, at: lift, progress: 90, estimate: asked.estimate)
    #expect(none.estimate.velocity == nil)
    #expect(none.progress == 90)
  }

  @Test func `no report makes a number that is none`() {
    let odd: [Double] = [0, 1e308, -1e308, .nan, .infinity, 3, .leastNonzeroMagnitude, -0.0]
    for kind in [ReleaseRule.Kind.niri, .cosmic, .hyprland, .kwin, .kwinOverview, .wayfire] {
      for distance in [nil, 1e-308, 1e308, .nan] as [Double?] {
        let rule = ReleaseRule(kind: kind, distance: distance, outputLength: distance)
        for shift in 0..<odd.count {
          let way = odd.indices.map { index in
            Sample(
              time: Instant(nanoseconds: [0, .max, .min, 5, 5][index % 5]),
              value: odd[(index * 3 + shift) % odd.count])
          }
          let lift = Instant(nanoseconds: .max)
          let asked = rule.question(
            about: way, at: lift, progress: 0.5,
            estimate: VelocityEstimate(estimator: "lsq2", velocity: 1, sampleCount: 2))
          let decision = rule.decide(
            progress: asked.progress, velocity: asked.estimate.velocity,
            standardError: asked.estimate.standardError)
          let numbers = [
            asked.estimate.velocity, asked.estimate.standardError, asked.estimate.low,
            decision.flipProgress, decision.flipVelocity, decision.marginProgress,
            decision.marginVelocity, decision.marginThreshold, decision.projectedProgress,
          ]
          #expect(numbers.allSatisfy { $0?.isFinite ?? true }, "\(kind) \(way)")
        }
      }
    }
  }
}

extension Double {
  /// What is left of it in single precision.
  fileprivate var asFloat: Double { Double(Float(self)) }
}

extension SplitMix {
  fileprivate mutating func number(below count: Int) -> Int {
    Int.random(in: 0..<count, using: &self)
  }
  fileprivate mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }
}
