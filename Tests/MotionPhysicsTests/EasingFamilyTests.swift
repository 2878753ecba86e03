import MotionPhysics
import TestSupport
import Testing

/// The 31 curves of AHEasing.
@Suite struct EasingFamilyTests {
  /// The curves at 0.1, 0.25, 0.4, 0.6, 0.75 and 0.9, each by its own formula in AHEasing; computed by
  /// Tests/Oracles/easing.py.
  static let published: [(name: String, values: [Double])] = [
    ("linear", [0.1, 0.25, 0.4, 0.6, 0.75, 0.9]),
    ("quadraticIn", [0.010000000000000002, 0.0625, 0.16000000000000003, 0.36, 0.5625, 0.81]),
    ("quadraticOut", [0.19, 0.4375, 0.6400000000000001, 0.84, 0.9375, 0.9900000000000001]),
    (
      "quadraticInOut",
      [0.020000000000000004, 0.125, 0.32000000000000006, 0.6799999999999999, 0.875, 0.98]
    ),
    (
      "cubicIn",
      [
        0.0010000000000000002, 0.015625, 0.06400000000000002, 0.21599999999999997, 0.421875,
        0.7290000000000001,
      ]
    ),
    ("cubicOut", [0.2709999999999999, 0.578125, 0.784, 0.9359999999999999, 0.984375, 0.999]),
    ("cubicInOut", [0.004000000000000001, 0.0625, 0.25600000000000006, 0.744, 0.9375, 0.996]),
    (
      "quarticIn",
      [0.00010000000000000002, 0.00390625, 0.025600000000000005, 0.1296, 0.31640625, 0.6561]
    ),
    ("quarticOut", [0.3439, 0.68359375, 0.8704000000000001, 0.9744, 0.99609375, 0.9999]),
    (
      "quarticInOut",
      [0.0008000000000000001, 0.03125, 0.20480000000000004, 0.7951999999999999, 0.96875, 0.9992]
    ),
    (
      "quinticIn",
      [
        1.0000000000000003e-05, 0.0009765625, 0.010240000000000003, 0.07775999999999998,
        0.2373046875, 0.5904900000000001,
      ]
    ),
    (
      "quinticOut",
      [0.40950999999999993, 0.7626953125, 0.9222400000000001, 0.98976, 0.9990234375, 0.99999]
    ),
    (
      "quinticInOut",
      [0.00016000000000000004, 0.015625, 0.16384000000000004, 0.83616, 0.984375, 0.99984]
    ),
    (
      "sineIn",
      [
        0.01231165940486223, 0.07612046748871326, 0.19098300562505255, 0.41221474770752686,
        0.6173165676349102, 0.8435655349597692,
      ]
    ),
    (
      "sineOut",
      [
        0.15643446504023087, 0.3826834323650898, 0.5877852522924731, 0.8090169943749475,
        0.9238795325112867, 0.9876883405951378,
      ]
    ),
    (
      "sineInOut",
      [
        0.024471741852423234, 0.1464466094067262, 0.3454915028125263, 0.6545084971874737,
        0.8535533905932737, 0.9755282581475768,
      ]
    ),
    (
      "circularIn",
      [
        0.005012562893380035, 0.031754163448145745, 0.08348486100883201, 0.19999999999999996,
        0.3385621722338523, 0.5641101056459328,
      ]
    ),
    (
      "circularOut",
      [
        0.43588989435406733, 0.6614378277661477, 0.8, 0.916515138991168, 0.9682458365518543,
        0.99498743710662,
      ]
    ),
    (
      "circularInOut",
      [
        0.010102051443364402, 0.0669872981077807, 0.20000000000000007, 0.8, 0.9330127018922193,
        0.9898979485566356,
      ]
    ),
    (
      "exponentialIn",
      [0.001953125, 0.005524271728019903, 0.015625, 0.0625, 0.1767766952966369, 0.5000000000000001]
    ),
    ("exponentialOut", [0.5, 0.8232233047033631, 0.9375, 0.984375, 0.99447572827198, 0.998046875]),
    ("exponentialInOut", [0.001953125, 0.015625, 0.125, 0.875, 0.984375, 0.998046875]),
    (
      "elasticIn",
      [
        0.0017402471175554056, -0.005103761581548345, 0.014860258067111767, -0.019313562148434243,
        0.06764951251827452, -0.22699524986977337,
      ]
    ),
    (
      "elasticOut",
      [
        1.2269952498697743, 0.9323504874817252, 1.0193135621484342, 0.9851397419328882,
        1.0051037615815483, 0.9982597528824446,
      ]
    ),
    (
      "elasticInOut",
      [
        -0.00158011131713857, -0.011048543456039811, -0.07347315653655943, 1.0734731565365592,
        1.01104854345604, 1.0015801113171385,
      ]
    ),
    (
      "backIn",
      [
        -0.02990169943749474, -0.16115169529663687, -0.3164226065180614, -0.3546339097770922,
        -0.10845508588991071, 0.45088470506254735,
      ]
    ),
    (
      "backOut",
      [
        0.5491152949374527, 1.1084550858899107, 1.354633909777092, 1.3164226065180613,
        1.161151695296637, 1.0299016994374948,
      ]
    ),
    (
      "backInOut",
      [
        -0.05477852522924731, -0.1875, 0.02088589908301075, 0.9791141009169892, 1.1875,
        1.0547785252292472,
      ]
    ),
    (
      "bounceIn",
      [
        -1.7763568394002505e-15, 0.041135734072021535, 0.273000000000001, 0.10800000000000054,
        0.52734375, 0.9243750000000001,
      ]
    ),
    (
      "bounceOut",
      [
        0.07562500000000001, 0.47265625, 0.8919999999999995, 0.726999999999999, 0.9588642659279785,
        1.0000000000000018,
      ]
    ),
    (
      "bounceInOut",
      [
        0.043878116343489815, 0.14062500000000022, 0.34875000000000006, 0.6512499999999999,
        0.8593749999999998, 0.9561218836565102,
      ]
    ),
  ]

  @Test(arguments: published)
  func `a curve has AHEasing's values`(name: String, values: [Double]) throws {
    let easing = try #require(Easing(named: name))
    for (x, y) in zip([0.1, 0.25, 0.4, 0.6, 0.75, 0.9], values) {
      #expect(abs(easing.value(at: x) - y) < 1e-13, "\(x)")
    }
  }

  @Test func `there are 31 curves, in AHEasing's order`() {
    #expect(EasingFamilyTests.published.map(\.name) == Array(Easing.names.prefix(31)))
    let made = EasingFamily.allCases.flatMap { family in
      EasingDirection.allCases.map { Easing(family, $0).name }
    }
    #expect(["linear"] + made == Array(Easing.names.prefix(31)))
  }

  @Test(arguments: published.map(\.name))
  func `a curve is exactly 0 at 0, 1 at 1 and holds these ends`(name: String) throws {
    let easing = try #require(Easing(named: name))
    for x in [0, -0.0, -.leastNonzeroMagnitude, -0.5, -1e308, -.infinity, .nan] as [Double] {
      #expect(easing.value(at: x) == 0)
      #expect(easing.value(at: x).sign == .plus)
    }
    for x in [1, 1.0.nextUp, 1.5, 1e308, .infinity] { #expect(easing.value(at: x) == 1) }
  }

  @Test(arguments: EasingFamily.allCases)
  func `out is in turned round, and inOut is both at half size`(family: EasingFamily) {
    for number in 0...200 {
      let x = Double(number) / 200
      let (slow, fast) = (Easing(family, .in).value(at: x), Easing(family, .out).value(at: 1 - x))
      #expect(abs(slow + fast - 1) < 1e-14, "\(x)")
      let half = Easing(family, .inOut)
      #expect(abs(half.value(at: x / 2) - slow / 2) < 1e-14, "\(x)")
      #expect(abs(half.value(at: 1 - x / 2) - (2 - slow) / 2) < 1e-14, "\(x)")
    }
    #expect(Easing(family, .inOut).value(at: 0.5) == 0.5)
  }

  @Test(arguments: EasingFamily.allCases)
  func `only elastic and back leave 0 to 1, and only they and bounce turn back`(
    family: EasingFamily
  ) {
    for direction in EasingDirection.allCases {
      let easing = Easing(family, direction)
      let values = (0...1000).map { easing.value(at: Double($0) / 1000) }
      let stays = values.allSatisfy { (0...1).contains($0) }
      #expect(stays == ![.elastic, .back].contains(family), "\(direction)")
      let rises = zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
      #expect(rises == ![.elastic, .back, .bounce].contains(family), "\(direction)")
    }
  }

  @Test(arguments: Easing.names)
  func `every curve is finite at every number, and the same twice`(name: String) throws {
    let easing = try #require(Easing(named: name))
    var dice = SplitMix(seed: 20)
    for _ in 0..<500 {
      // Any pattern of bits: huge, tiny, infinite and not a number too.
      let x = Double(bitPattern: dice.next())
      let y = easing.value(at: x)
      #expect(y.isFinite, "\(x)")
      #expect(easing.value(at: x) == y, "\(x)")
      let inside = Double.random(in: 0...1, using: &dice)
      #expect(easing.value(at: inside).isFinite, "\(inside)")
    }
  }
}
