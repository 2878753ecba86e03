import MotionPhysics
import Testing

@Suite struct SpringTests {
  @Test func `the standard spring is critical at ten radians per second`() {
    #expect(DampedSpring.standard.angularFrequency == 10)
    #expect(DampedSpring.standard.decayRate == 10)
    #expect(DampedSpring.standard.dampingRatio == 1)
    #expect(SettleParameters() == SettleParameters(spring: .standard, overshoot: true))
  }

  @Test(arguments: [
    (0.0, 1.0, 1.0, PhysicsError.Code.badMass), (-1, 1, 1, .badMass), (.nan, 1, 1, .badMass),
    (.infinity, 1, 1, .badMass), (1, -1, 1, .badStiffness), (1, .nan, 1, .badStiffness),
    (1, 1, -0.5, .badDamping), (1, 1, .infinity, .badDamping), (1e-300, 1e300, 1, .outOfRange),
    (1e-300, 0, 1e300, .outOfRange),
  ])
  func `a spring that cannot be is refused with its reason`(
    mass: Double, stiffness: Double, damping: Double, code: PhysicsError.Code
  ) {
    let error = #expect(throws: PhysicsError.self) {
      try DampedSpring(mass: mass, stiffness: stiffness, damping: damping)
    }
    #expect(error?.code == code)
    #expect(error?.message.isEmpty == false)
  }

  @Test func `without stiffness there is no damping ratio`() throws {
    #expect(try DampedSpring(mass: 2, stiffness: 0, damping: 3).dampingRatio == nil)
    #expect(try DampedSpring(mass: 2, stiffness: 0, damping: 3).decayRate == 0.75)
  }

  @Test func `relative velocity is the share of the way per second`() {
    #expect(agree(relativeVelocity(100, remaining: 200), 0.5))
    #expect(agree(relativeVelocity(2, remaining: 1 - 0.6), 5))
    #expect(agree(relativeVelocity(2, remaining: -0.6), -10.0 / 3))
    #expect(relativeVelocity(7, remaining: 0) == 0)
    #expect(relativeVelocity(1e300, remaining: -1e-300) == -.greatestFiniteMagnitude)
  }
}
