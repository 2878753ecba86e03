import MotionPhysics
import Testing

@Suite struct EasingNamesTests {
  @Test func `the names are the 31 curves, CSS's and Core Animation's, each once`() {
    #expect(Easing.names.count == 42)
    #expect(Set(Easing.names).count == 42)
    #expect(
      Array(Easing.names.suffix(11)) == [
        "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end", "default",
        "easeIn", "easeOut", "easeInEaseOut", "easeInOut",
      ])
  }

  @Test(arguments: Easing.names)
  func `a name finds its curve and is recorded as it was given`(name: String) throws {
    let easing = try #require(Easing(named: name))
    #expect(easing.name == name)
    #expect(try Easing(reading: name) == easing)
  }

  @Test(arguments: [
    ("ease", "default", "cubic-bezier(0.25,0.1,0.25,1)"),
    ("ease-in", "easeIn", "cubic-bezier(0.42,0,1,1)"),
    ("ease-out", "easeOut", "cubic-bezier(0,0,0.58,1)"),
    ("ease-in-out", "easeInEaseOut", "cubic-bezier(0.42,0,0.58,1)"),
    ("ease-in-out", "easeInOut", "cubic-bezier(0.42,0,0.58,1)"),
  ])
  func `CSS and Core Animation draw the same curves by their own names`(
    css: String, core: String, text: String
  ) throws {
    for name in [css, core] {
      let easing = try #require(Easing(named: name))
      #expect(easing.functionText == text)
      let read = try #require(Easing(named: text))
      #expect(read != easing)
      for x in [-1, 0, 0.3, 0.9, 1, 2] { #expect(read.value(at: x) == easing.value(at: x)) }
    }
  }

  @Test func `linear and the families are no CSS functions`() {
    for name in Easing.names.prefix(31) { #expect(Easing(named: name)?.functionText == nil) }
    #expect(Easing(named: "linear") == .linear)
    #expect(Easing(named: "cubicInOut") == Easing(.cubic, .inOut))
  }

  @Test func `the name of a curve by numbers makes the same curve again, bit for bit`() throws {
    let curves: [[Double]] = [
      [0.1, 0.2, 0.3, 0.4], [0, -0.0, 1, 1], [0.1 + 0.2, -1e300, .leastNonzeroMagnitude, 1e-7],
      [1, 12, 0, 123456.5],
    ]
    for points in curves {
      let easing = try Easing(bezier: points[0], points[1], points[2], points[3])
      #expect(Easing(named: easing.name) == easing)
    }
    #expect(try Easing(bezier: 1, -0.0, 0, 12).name == "cubic-bezier(1,0,0,12)")
    for position in EasingStepPosition.allCases {
      let easing = try Easing(steps: 1234, position)
      #expect(easing.name == "steps(1234,\(position.rawValue))")
      #expect(Easing(named: easing.name) == easing)
    }
  }

  @Test(arguments: [
    ("cubic-bezier( 0.25 , .1,2.5e-1,  1 )", "cubic-bezier(0.25,0.1,0.25,1)"),
    ("steps(3)", "steps(3,jump-end)"), ("steps( 3 , end )", "steps(3,jump-end)"),
    ("steps(3,start)", "steps(3,jump-start)"), ("steps(+3,jump-none)", "steps(3,jump-none)"),
  ])
  func `a text may be written as CSS allows`(text: String, name: String) {
    #expect(Easing(named: text)?.name == name)
  }

  static let wrong: [(String, EasingError.Code)] = [
    ("", .unknownName), ("Linear", .unknownName), (" linear", .unknownName),
    ("cubic", .unknownName), ("cubicInout", .unknownName), ("steps", .unknownName),
    ("steps(3", .unknownName), ("bezier(0,0,1,1)", .unknownName), ("cubic-bezier()", .badText),
    ("cubic-bezier(0,0,1)", .badText), ("cubic-bezier(0,0,1,1,1)", .badText),
    ("cubic-bezier(0,0,1,)", .badText), ("cubic-bezier(0 0 1 1)", .badText),
    ("cubic-bezier(0,0,1,one)", .badText), ("cubic-bezier(0,0,nan,1)", .badControlPoint),
    ("cubic-bezier(0,1e999,1,1)", .badControlPoint), ("cubic-bezier(2,0,1,1)", .badControlPoint),
    ("steps()", .badText), ("steps(,)", .badText), ("steps(1.5)", .badText),
    ("steps(3,middle)", .badText), ("steps(3,)", .badText), ("steps(3,end,end)", .badText),
    ("steps(99999999999999999999)", .badText), ("steps(0)", .badStepCount),
    ("steps(1,jump-none)", .badStepCount),
  ]

  @Test(arguments: wrong)
  func `a text that is no curve is refused with its reason`(
    text: String, code: EasingError.Code
  ) {
    #expect(Easing(named: text) == nil)
    let error = #expect(throws: EasingError.self) { try Easing(reading: text) }
    #expect(error?.code == code)
    #expect(error?.description.hasSuffix(".") == true)
  }
}
