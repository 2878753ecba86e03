import MotionPhysics
import TestSupport
import Testing
import TimelineModel

/// Every peer's rule over a grid that meets its ties, and over random numbers.
@Suite struct ReleasePeerTests {
  /// Progress and velocity per second: a grid with ties, then anything.
  private static let cases: [(progress: Double, velocity: Double)] = {
    var cases: [(Double, Double)] = []
    for progress in stride(from: -0.25, through: 1.25, by: 0.0625) {
      for velocity in stride(from: -4.0, through: 4, by: 0.125) {
        cases.append((progress, velocity))
      }
    }
    var generator = SplitMix(seed: 29)
    for _ in 0..<2000 {
      let share = Double(generator.next() >> 11) / 0x1p53
      let speed = Double(generator.next() >> 11) / 0x1p53
      cases.append((share * 1.5 - 0.25, speed * 12 - 6))
    }
    return cases
  }()

  /// The cases in which a rule and its peer differ.
  private func differences(
    _ rule: ReleaseRule, _ peerFinishes: (_ progress: Double, _ velocity: Double) -> Bool
  ) -> [String] {
    Self.cases.filter { progress, velocity in
      let outcome = rule.decide(progress: progress, velocity: velocity).outcome
      return (outcome == .finish) != peerFinishes(progress, velocity)
    }.map { "\(rule) \($0.progress) \($0.velocity)" }
  }

  @Test func `GNOME ends at the snap point of the source`() {
    for distance in [1000.0, 512, 64, 2048] {
      let rule = ReleaseRule(kind: .gnome, distance: distance)
      let found = differences(rule) { progress, velocity in
        let speed = velocity * (distance / 1000)
        return PeerRules.gnome(progress: progress, pixelsPerMillisecond: speed) == 1
      }
      #expect(found == [])
    }
  }

  @Test func `Compose goes to the anchor of the source, at every share of the way`() {
    for (distance, share) in [(256.0, 0.5), (64, 0.5), (256, 0.25), (256, 0.75), (1024, 0)] {
      let rule = ReleaseRule(kind: .compose, threshold: share, distance: distance)
      let found = differences(rule) { progress, velocity in
        // The source keeps the offset between the anchors.
        let offset = min(max(progress, 0), 1) * distance
        let end = PeerRules.compose(
          offset: offset, velocity: velocity * distance, distance: distance, positionalShare: share)
        return end == distance
      }
      #expect(found == [])
    }
  }

  @Test func `Flutter's page leaves where the source pops it`() {
    let found = differences(ReleaseRule(kind: .flutterCupertino)) { progress, velocity in
      PeerRules.cupertinoLeaves(dragged: progress, pageWidthsPerSecond: velocity)
    }
    #expect(found == [])
  }

  @Test func `Flutter's dismissal goes where the source's goes`() {
    for (width, cross, threshold) in [
      (512.0, 0.0, 0.4), (512, -512, 0.4), (700, 300, 1), (64, 0, 0),
    ] {
      let rule = ReleaseRule(
        kind: .flutterDismissible, threshold: threshold, distance: width, crossVelocity: cross)
      let found = differences(rule) { progress, velocity in
        PeerRules.dismisses(
          extent: progress * width, velocity: velocity * width, cross: cross, width: width,
          threshold: threshold)
      }
      #expect(found == [])
    }
  }
}
