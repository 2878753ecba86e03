import KymographCLibrary
import MotionPhysics
import Testing

@Suite struct MotionTranslationTests {
  private func rows(
    _ line: String, system: String? = nil, from: Double = 0, to: Double = 1,
    velocity: Double? = nil
  ) throws -> [String: MotionTranslation] {
    let read = try MotionLine(
      reading: line, system: system.flatMap(SpringSystem.named), from: from, to: to,
      velocity: velocity)
    let rows = read.translations(from: from, to: to)
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.system, $0) })
  }

  /// The points of a `linear()` whose places are all written.
  private func points(_ text: String) throws -> [(x: Double, y: Double)] {
    let open = try #require(text.firstIndex(of: "("))
    let items = text[text.index(after: open)...].dropLast().split(separator: ",")
    return items.enumerated().map { index, item in
      let words = item.split(separator: " ")
      let place = words.count > 1 ? Double(words[1].dropLast()).map { $0 / 100 } : nil
      return (place ?? (index == 0 ? 0 : 1), Double(words[0]) ?? .nan)
    }
  }

  @Test(arguments: [0.06, 0.2, 0.5, 0.75, 1, 1.5, 6], [0.0, 8, -8])
  func `a spring as linear() is at most 0.1 % off`(_ ratio: Double, _ velocity: Double) throws {
    let damping = 2 * ratio * 12
    let row = try #require(
      try rows("stiffness 144 damping \(damping)", velocity: velocity)["css"])
    let line = try #require(row.line)
    let points = try points(line)
    #expect(points.count == row.points)
    let seconds = try #require(Double(line.prefix { $0 != "m" })) / 1000
    #expect(abs(seconds - (row.restSeconds ?? 0)) < 1e-12)
    let spring = SettleParameters(
      spring: try DampedSpring(mass: 1, stiffness: 144, damping: damping))
    let motion = SettleMotion(spring, from: 0, to: 1, velocity: velocity)
    var (largest, next) = (0.0, 1)
    for step in 0...20_000 {
      let x = Double(step) / 20_000
      while next < points.count - 1, points[next].x < x { next += 1 }
      let (a, b) = (points[next - 1], points[next])
      let y = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
      largest = max(largest, abs(y - motion.value(atSeconds: x * seconds)))
    }
    #expect(largest <= 0.001)
    #expect(largest <= (row.largestError ?? 0) + 2e-5)
    #expect(!row.isExact)
  }

  @Test func `systems that stop at critical damping say how far they are off`() throws {
    let rows = try rows("stiffness 100 damping 60")
    for system in ["uikit", "react-native", "reanimated"] {
      let row = try #require(rows[system])
      #expect(!row.isExact)
      // The critical spring is ahead by up to 43 % of the distance.
      #expect(abs((row.largestError ?? 0) - 0.43) < 0.001)
      #expect(row.remark?.contains("critical") == true)
    }
    for system in ["core-animation", "swiftui", "compose", "flutter", "motion", "libadwaita"] {
      #expect(rows[system]?.isExact == true)
    }
    #expect(rows["core-animation"]?.line?.contains("allowsOverdamping = true") == true)
  }

  @Test func `a velocity is told in the unit of each system`() throws {
    let rows = try rows("stiffness 300 damping 26", from: 0, to: 200, velocity: 500)
    #expect(rows["uikit"]?.line?.contains("CGVector(dx: 2.5, dy: 2.5)") == true)
    #expect(rows["core-animation"]?.line?.contains("initialVelocity = 2.5") == true)
    #expect(rows["swiftui"]?.line?.contains("initialVelocity: 2.5") == true)
    #expect(rows["motion"]?.line?.contains("velocity: 500") == true)
    #expect(rows["react-spring"]?.line?.contains("velocity: 0.5") == true)
    #expect(rows["flutter"]?.line?.hasSuffix("0, 200, 500)") == true)
    #expect(rows["compose"]?.line?.hasSuffix("initialVelocity = 500f)") == true)
    #expect(rows["hyprland"]?.isExact == false)
  }

  @Test func `at the target no system can say a velocity of distances`() throws {
    let rows = try rows("stiffness 300 damping 26", from: 1, to: 1, velocity: 5)
    #expect(rows["uikit"]?.isExact == false)
    #expect(rows["motion"]?.isExact == true)
    #expect(rows["css"]?.line == nil)
  }

  @Test func `a spring of a Material token is that token, and others have none`() throws {
    #expect(
      try rows("stiffness 1400 dampingRatio 0.9")["material3"]?.line
        == "MotionScheme.standard().fastSpatialSpec()")
    let other = try rows("stiffness 1401 dampingRatio 0.9")["material3"]
    #expect(other?.line == nil)
    #expect(other?.remark?.contains("no token") == true)
    #expect(other?.restSeconds == nil)
  }

  @Test func `a spring that never rests has no time and no linear()`() throws {
    let rows = try rows("stiffness 300 damping 0")
    #expect(rows["css"]?.line == nil)
    #expect(rows["motion"]?.line != nil)
    for row in rows.values { #expect(row.restSeconds == nil, "\(row.system)") }
  }

  @Test(
    arguments: [
      "300ms cubic-bezier(0.2, 0, 0, 1)", "ease 0.4s", ".easeInOut(duration: 0.3)",
      "500ms linear(0, 0.5 25%, 1.1 60%, 1)", "bezier = overshot, 0.05, 0.9, 0.1, 1.05",
      "tween(durationMillis = 300, easing = FastOutSlowInEasing)", "Cubic(0.4, 0, 0.2, 1)",
      "{ duration: 0.3, ease: [0.4, 0, 0.2, 1] }", "linear 200ms",
      "withTiming(1, { duration: 300, easing: Easing.ease })",
    ])
  func `a curve is never the same as a spring`(_ line: String) throws {
    let read = try MotionLine(reading: line)
    #expect(read.motion == nil)
    let rows = read.translations()
    #expect(rows[0].system == "css")
    #expect((rows[0].largestError ?? 1) <= 0.001)
    for row in rows.dropFirst() where row.line != nil {
      #expect(!row.isExact)
      let error = try #require(row.largestError)
      #expect(error > 0.001)
      #expect(error < 0.25)
    }
  }

  @Test func `the nearest spring of a curve that is a spring is that spring`() throws {
    let css = try #require(try rows("stiffness 144 damping 15")["css"]?.line)
    let row = try #require(try MotionLine(reading: css).translations()[1].line)
    let back = try #require(try MotionLine(reading: row, system: .named("uikit")).motion)
    #expect(abs(back.spring.stiffness / back.spring.mass - 144) < 1.5)
    #expect(abs(back.spring.damping / back.spring.mass - 15) < 0.15)
  }

  @Test(arguments: [
    [0.2, 0, 0, 1], [0.25, 0.1, 0.25, 1], [0.05, 0.9, 0.1, 1.05], [0.42, 0, 1, 1],
  ])
  func `no other spring is nearer to a curve`(_ points: [Double]) throws {
    let numbers = points.map { "\($0)" }.joined(separator: ", ")
    let rows = try MotionLine(reading: "1s cubic-bezier(\(numbers))").translations()
    let nearest = try #require(rows.first { $0.system == "motion" }?.largestError)
    let curve = try Easing(bezier: points[0], points[1], points[2], points[3])
    func error(_ spring: DampedSpring) -> Double {
      let motion = SettleMotion(SettleParameters(spring: spring), from: 0, to: 1, velocity: 0)
      return (0...600).map { step in
        let time = Double(step) / 400
        return abs(motion.value(atSeconds: time) - (time < 1 ? curve.value(at: time) : 1))
      }.max() ?? 0
    }
    for row in 0...60 {
      for column in 0...40 {
        let ratio = 0.05 * pow(80, Double(column) / 40)
        let frequency = 0.5 * pow(800, Double(row) / 60)
        let spring = try DampedSpring(
          dampingRatio: ratio, stiffness: frequency * frequency, mass: 1)
        #expect(error(spring) >= nearest - 1e-6)
      }
    }
    let line = try #require(rows.first { $0.system == "motion" }?.line)
    let spring = try #require(try MotionLine(reading: line).motion).spring
    #expect(abs(error(spring) - nearest) < 1e-6)
  }

  @Test func `a curve without a duration is told for a second`() throws {
    let read = try MotionLine(reading: "cubic-bezier(0.2, 0, 0, 1)")
    #expect(read.remarks.count == 1)
    #expect(read.translations()[0].restSeconds == 1)
  }

  @Test func `points of linear() are spread and moved as CSS does`() throws {
    let rows = try MotionLine(reading: "1s linear(0, 0.2, 0.4, 1 80% 90%, 0.9 10%, 1)")
      .translations()
    #expect(
      rows[0].line
        == "1000ms linear(0, 0.2 26.667%, 0.4 53.333%, 1 80%, 1 90%, 0.9 90%, 1)")
    #expect(rows[0].isExact)
  }

  @Test func `UIKit's duration and ratio are a guess, and no row is exact`() throws {
    let rows = try rows("usingSpringWithDamping: 0.7 duration 0.5")
    for row in rows.values { #expect(!row.isExact, "\(row.system)") }
    #expect(rows["uikit"]?.restSeconds == 0.5)
    #expect(abs((rows["core-animation"]?.restSeconds ?? 0) - 0.5) < 1e-9)
  }

  @Test func `Motion's duration is what its envelope needs to fall to 0.001`() throws {
    let motion = try #require(
      try MotionLine(reading: "duration 0.8 bounce 0.25", system: .named("motion")).motion)
    let frequency = motion.spring.angularFrequency
    // ζ / sqrt(1 - ζ²) e^(-ζ w T) = 0.001.
    let right = log(750 / (1 - 0.75 * 0.75).squareRoot()) / (0.75 * 0.8)
    #expect(abs(frequency / right - 1) < 1e-9)
    #expect(
      try rows("duration 0.8 bounce 0.25", system: "motion")["motion"]?.restSeconds == 0.8)
  }

  @Test func `Reanimated's duration leaves the threshold's share of the energy`() throws {
    let motion = try #require(
      try MotionLine(reading: "withSpring(1, { duration: 500, dampingRatio: 1 })").motion)
    let settle = SettleMotion(
      SettleParameters(spring: motion.spring), from: 0, to: 1, velocity: 0)
    let (x, v) = (settle.value(atSeconds: 0.75) - 1, settle.velocity(atSeconds: 0.75))
    let share =
      (motion.spring.stiffness * x * x + motion.spring.mass * v * v) / motion.spring.stiffness
    #expect(abs(share / 6e-9 - 1) < 2e-3)
  }

  @Test func `react-spring's steps are told apart from the spring`() throws {
    let row = try #require(try rows("config: { tension: 170, friction: 26 }")["react-spring"])
    #expect(row.isExact)
    #expect((row.largestError ?? 0) > 0.005)
    #expect((row.largestError ?? 1) < 0.03)
  }

  @Test func `thresholds of a line count for its own system alone`() throws {
    let strict = try rows(
      "withSpring(1, { mass: 1, stiffness: 300, damping: 26, energyThreshold: 1e-4 })")
    let plain = try rows("stiffness 300 damping 26")
    #expect((strict["reanimated"]?.restSeconds ?? 9) < (plain["reanimated"]?.restSeconds ?? 0))
    #expect(strict["motion"]?.restSeconds == plain["motion"]?.restSeconds)
  }
}
