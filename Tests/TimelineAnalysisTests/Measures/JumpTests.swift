import TestSupport
import Testing
import TimelineModel

@testable import MotionMeasures

@Suite struct JumpTests {
  private func frames(_ count: Int, every step: Int64 = 10) -> [Instant] {
    (0..<count).map { at(Int64($0) * step) }
  }

  /// A place that goes on by 3 points a frame, and by so much more in frame 10.
  private func course(_ more: Double) -> [Double] {
    (0..<20).map { Double($0) * 3 + ($0 < 10 ? 0 : more) }
  }

  @Test(arguments: [10.0, -20, 35])
  func `the excess of a jump is how far it leaves its course`(more: Double) throws {
    let jumps = Jump.beyond(8, frames(20), [course(more), course(0)], in: 0..<20)
    #expect(jumps.count == 1)
    let jump = try #require(jumps.first)
    #expect(jump.sample == 10)
    // Along the course of both axes a part of it is explained by none.
    #expect(abs(jump.excess - abs(more)) < 1e-9)
    let alone = try #require(Jump.largest(frames(20), [course(more)], in: 0..<20))
    #expect(abs(alone.excess - abs(more)) < 1e-9)
    #expect(abs(alone.step - abs(3 + more)) < 1e-9)
  }

  @Test func `two axes make one jump`() throws {
    let jump = try #require(
      Jump.largest(frames(20), [course(30), course(40)], in: 0..<20))
    #expect(abs(jump.excess - 50) < 1e-9)
  }

  @Test func `a spring and a kick from rest are no jump`() throws {
    let times = frames(120, every: 8)
    let thrown = times.map { 300 + spring(16, 0.8, -300, 2000, $0.seconds) }
    #expect(Jump.beyond(8, times, [thrown], in: 0..<120).isEmpty)
    let kicked = times.map { 900 * max(0, $0.seconds - 0.1) }
    #expect(Jump.beyond(8, times, [kicked], in: 0..<120).isEmpty)
  }

  @Test func `what is explained is no jump`() throws {
    var context = JumpContext()
    context.explained = [at(100)...at(100)]
    #expect(Jump.beyond(8, frames(20), [course(30)], in: 0..<20, context).isEmpty)
    let largest = try #require(Jump.largest(frames(20), [course(30)], in: 0..<20, context))
    #expect(largest.excess < 1e-9)
    context.explained = [at(110)...at(200)]
    #expect(Jump.beyond(8, frames(20), [course(30)], in: 0..<20, context).count == 1)
  }

  @Test func `a first step is an answer, and a later one is not`() throws {
    let answer = (0..<20).map { $0 < 10 ? 0 : 30 + Double($0) }
    var context = JumpContext()
    context.answers = [at(90)...at(150)]
    #expect(Jump.beyond(8, frames(20), [answer], in: 0..<20, context).isEmpty)
    #expect(Jump.beyond(8, frames(20), [course(30)], in: 0..<20, context).count == 1)
  }

  @Test(arguments: [(0.0, 0), (14, 0), (-40, 1), (30, 1)])
  func `the step of a lift is the rest of the drag and the settle's first step`(
    more: Double, count: Int
  ) {
    // 20 points a frame to 100; the finger came 10 further; then 12, 10, 8 … points a frame.
    var values = (0...5).map { Double($0) * 20 }
    values.append(values[5] + 10 + 12 + more)
    for step in [10.0, 8, 6, 4, 2] + Array(repeating: 0, count: 8) {
      values.append(values[values.count - 1] + step)
    }
    var context = JumpContext()
    context.lifts = [
      JumpContext.Lift(at: at(50), times: at(60)...at(70), rest: [10], speed: [2000])
    ]
    let found = Jump.beyond(8, frames(values.count), [values], in: 0..<values.count, context)
    #expect(found.count == count)
  }

  @Test(arguments: [(35, 0), (50, 1)])
  func `a settle that counts from the lift shows more if it is heard of late`(
    lift: Int64, count: Int
  ) {
    // 20 points a frame to 100, then 25 ms of a settle at 2000 points a second at once, and the rest of it.
    var values = (0...5).map { Double($0) * 20 }
    values.append(values[5] + 50)
    for step in [14.0, 10, 7, 5, 3, 2] + Array(repeating: 0, count: 8) {
      values.append(values[values.count - 1] + step)
    }
    var context = JumpContext()
    context.lifts = [
      JumpContext.Lift(at: at(lift), times: at(60)...at(70), rest: [0], speed: [2000])
    ]
    let found = Jump.beyond(8, frames(values.count), [values], in: 0..<values.count, context)
    #expect(found.count == count)
  }

  @Test func `fewer than two steps are none, and what is not finite is one`() throws {
    #expect(Jump.largest(frames(2), [[0, 50]], in: 0..<2) == nil)
    let wild = [0, 1, .infinity, 3, 4, 5]
    #expect(try #require(Jump.largest(frames(6), [wild], in: 0..<6)).excess.isFinite == false)
  }

  @Test(arguments: 0..<(TestRounds.asked ?? 60))
  func `a plain twin finds the same excess`(_ seed: Int) throws {
    var dice = SplitMix(seed: UInt64(seed))
    var time: Int64 = 0
    let times: [Instant] = (0..<12).map { _ in
      time += Int64.random(in: 5...20, using: &dice)
      return at(time)
    }
    let axes = Int.random(in: 1...2, using: &dice)
    let columns = (0..<axes).map { _ in times.map { _ in Double.random(in: 0...60, using: &dice) } }
    var worst = 0.0
    for index in 0..<11 { worst = max(worst, plainExcess(times.map(\.seconds), columns, index)) }
    let found = try #require(Jump.largest(times, columns, in: 0..<12)).excess
    #expect(abs(found - worst) < 1e-9 * max(1, worst))
  }

  /// The distance of a step from the nearest of the three lines that explain it.
  private func plainExcess(_ times: [Double], _ columns: [[Double]], _ index: Int) -> Double {
    func speed(_ step: Int) -> [Double]? {
      guard step >= 0, step + 1 < times.count else { return nil }
      return columns.map { ($0[step + 1] - $0[step]) / (times[step + 1] - times[step]) }
    }
    func length(_ step: Int) -> Double {
      step >= 0 && step + 1 < times.count ? times[step + 1] - times[step] : 0
    }
    guard let now = speed(index) else { return 0 }
    let still = columns.map { _ in 0.0 }
    var lines = [(speed(index - 1) ?? still, speed(index + 1) ?? still)]
    for (one, other) in [(index - 1, index - 2), (index + 1, index + 2)] {
      guard let near = speed(one), let far = speed(other) else { continue }
      let share = (length(index) + length(one)) / (length(one) + length(other))
      lines.append((near, zip(near, far).map { $0 + ($0 - $1) * share }))
    }
    var least = Double.infinity
    for (start, end) in lines {
      let way = zip(start, end).map { $1 - $0 }
      let square = way.reduce(0) { $0 + $1 * $1 }
      let product = zip(way, zip(now, start)).reduce(0) { $0 + $1.0 * ($1.1.0 - $1.1.1) }
      let part = square > 0 ? min(1, max(0, product / square)) : 0
      let rest = zip(now, zip(start, way)).reduce(0) { sum, pair in
        let off = pair.0 - pair.1.0 - part * pair.1.1
        return sum + off * off
      }
      least = min(least, rest.squareRoot())
    }
    return least * min(length(index), max(length(index - 1), length(index + 1)))
  }
}
