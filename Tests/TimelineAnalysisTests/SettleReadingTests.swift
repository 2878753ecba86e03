import MotionMeasures
import MotionPhysics
import TestSupport
import Testing
import TimelineModel

/// A session's settle, written as it is and read back.
@Suite struct SettleReadingTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private func back(_ settle: SettleParameters) throws -> SettleParameters {
    let reader = try made.session(settle: FieldValue.object(settle.fields).json)
    return SessionParameters(try reader.session(selectedBy: "last")).settle
  }

  @Test func `every type reads back bit for bit, with odd numbers too`() throws {
    for settle in [
      SettleParameters(),
      SettleParameters(
        spring: try DampedSpring(mass: 0.1, stiffness: 1.0 / 3, damping: 1e-300), overshoot: false,
        definition: .swiftUI),
      SettleParameters(
        spring: try DampedSpring(duration: 0.1 + 0.2, bounce: 0.7), definition: .libadwaita),
      try SettleParameters(
        timing: 0.1 + 0.2, completionSpeed: 1.0 / 3,
        easing: Easing(bezier: 0.1, -1.0 / 3, 0.7, 1.1)),
      try SettleParameters(timing: 0, easing: Easing(steps: 4, .jumpBoth)),
      try SettleParameters(timing: 1e300, completionSpeed: 1e-300, easing: Easing(.bounce, .inOut)),
      try SettleParameters(cubic: 1.0 / 7), try SettleParameters(cubic: 0.2, overshoot: false),
    ] {
      #expect(try back(settle) == settle)
    }
  }

  @Test func `every definition and every named curve reads back`() throws {
    for definition in SettleDefinition.allCases {
      #expect(try back(SettleParameters(definition: definition)).definition == definition)
    }
    for name in Easing.names {
      let easing = try #require(Easing(named: name))
      #expect(try back(SettleParameters(timing: 1, easing: easing)).easing == easing)
    }
  }

  @Test func `what a newer program may write leaves the defaults in its place`() throws {
    let text = """
      {"type":"magnet","mass":-1,"stiffness":4,"duration":-3,"completionSpeed":0,
       "easing":"wobble","overshoot":1,"definition":"tomorrow"}
      """
    let reader = try made.session(settle: text)
    let settle = SessionParameters(try reader.session(selectedBy: "last")).settle
    #expect(settle == SettleParameters())
  }
}
