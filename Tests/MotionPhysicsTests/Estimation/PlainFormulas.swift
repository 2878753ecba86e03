import MotionPhysics
import TestSupport
import TimelineModel

/// The estimators once more, put down as the formulas read: seconds and values in arrays, matrices in
/// arrays of arrays, nothing scaled, nothing saved.
enum PlainFormulas {
  /// The velocity of samples that all lie in the window; nil where there is none.
  static func velocity(_ estimator: Estimator, _ samples: [Sample]) -> Double? {
    guard let newest = samples.last, samples.count > 1 else { return nil }
    let t = samples.map { Double($0.time.nanoseconds - newest.time.nanoseconds) / 1e9 }
    let x = samples.map(\.value)
    let n = samples.count
    let u: [Double] = (1..<n).map { step -> Double in
      (x[step] - x[step - 1]) / (t[step] - t[step - 1])
    }
    switch estimator {
    case .lsq1: return fit(t, x, weights: x.map { _ in 1 }, degree: 1).coefficients[1]
    case .lsq2, .auto: return fit(t, x, weights: x.map { _ in 1 }, degree: 2).coefficients[1]
    case .lsq3: return fit(t, x, weights: x.map { _ in 1 }, degree: 3).coefficients[1]
    case .lsqSpan:
      for (degree, span) in [(3, 0.1), (3, 0.08), (2, 0.06), (1, 0.025)] {
        let near = t.indices.filter { t[$0] >= -span - 1e-10 }
        guard near.count > degree + 1 else { continue }
        return fit(
          near.map { t[$0] }, near.map { x[$0] }, weights: near.map { _ in 1 }, degree: degree
        ).coefficients[1]
      }
      return fit(t, x, weights: x.map { _ in 1 }, degree: 1).coefficients[1]
    case .lsq2Restricted:
      let slope = fit(t, x, weights: x.map { _ in 1 }, degree: 2).coefficients[1]
      return slope * (x[n - 1] - x[0]) < 0 ? 0 : slope
    case .wlsq2Delta, .wlsq2Central, .wlsq2Recent:
      return fit(t, x, weights: weights(estimator, t), degree: 2).coefficients[1]
    case .int1, .int2: return integrated(t, x, order: estimator == .int1 ? 1 : 2)
    case .legacy: return legacy(t, x)
    case .impulse:
      var work = u[0] * abs(u[0]) / 2
      for next in u.dropFirst() { work += (next - root(work)) * abs(next) }
      return root(work)
    case .impulse2017:
      var work = u[0] * abs(u[0]) / 2
      for (before, next) in zip(u, u.dropFirst()) { work += (next - before) * abs(next) }
      return root(work)
    case .mean: return (x[n - 1] - x[0]) / (t[n - 1] - t[0])
    case .mean5: return u.suffix(5).reduce(0, +) / Double(u.suffix(5).count)
    case .ios3: return blend(u, [0.60, 0.35, 0.05])
    case .macos3: return blend(u, [0.15, 0.65, 0.20])
    case .swiftui: return n == 2 ? u[0] : 0.75 * u[n - 3] + 0.25 * u[n - 2]
    case .twoPoint: return u[n - 2]
    case .kalmanConstantVelocity: return kalman(t, x, order: 2).velocity
    case .kalmanConstantAcceleration: return kalman(t, x, order: 3).velocity
    case .oneEuro: return oneEuro(t, x)
    case .meanSteps: return n == 2 ? 0 : (x[n - 1] - x[0]) / (t[n - 1] - t[1])
    case .stepMean:
      let all = zip(x, x.dropFirst()).map { $1 - $0 }
      let first = all.indices.first { abs(all[...$0].reduce(0, +)) >= 5 } ?? all.count
      let lengths = all[first...].map { abs($0) }
      return lengths.isEmpty ? 0 : lengths.reduce(0, +) / Double(lengths.count)
    case .lastTwo:
      let all = zip(x, x.dropFirst()).map { $1 - $0 }
      let first = all.indices.first { all[...$0].reduce(0) { $0 + abs($1) } > 12.8 } ?? all.count
      return all[first...].suffix(2).reduce(0, +)
    }
  }

  private static func root(_ work: Double) -> Double {
    work < 0 ? -(2 * -work).squareRoot() : (2 * work).squareRoot()
  }

  private static func blend(_ u: [Double], _ shares: [Double]) -> Double {
    let padded = [0, 0, 0] + u
    return zip(padded.suffix(3), shares).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The weights of the weighted fits, from times in seconds before the newest.
  static func weights(_ estimator: Estimator, _ t: [Double]) -> [Double] {
    t.indices.map { index in
      let age = -t[index] * 1000
      switch estimator {
      case .wlsq2Delta:
        return index == t.count - 1 ? 1 : min(1, 0.5 + 0.05 * (t[index + 1] - t[index]) * 1000)
      case .wlsq2Central:
        if age < 10 { return 0.5 + 0.05 * age }
        return age < 50 ? 1 : age < 60 ? 0.5 + 0.05 * (60 - age) : 0.5
      case .wlsq2Recent: return age < 50 ? 1 : age < 100 ? 0.5 + 0.01 * (100 - age) : 0.5
      default: return 1
      }
    }
  }

  private static func integrated(_ t: [Double], _ x: [Double], order: Int) -> Double? {
    var (time, place) = (t[0], x[0])
    var velocities: [Double] = []
    var accelerations: [Double] = []
    for (now, there) in zip(t, x).dropFirst() where now > time + 0.002 {
      let dt = now - time
      let u = (there - place) / dt
      (time, place) = (now, there)
      let share = dt / (0.010 + dt)
      guard let v = velocities.last else {
        velocities.append(u)
        continue
      }
      if order == 1 {
        velocities.append(v + (u - v) * share)
        continue
      }
      let pull = (u - v) / dt
      let a = accelerations.last.map { $0 + (pull - $0) * share } ?? pull
      accelerations.append(a)
      velocities.append(v + a * dt * share)
    }
    return velocities.last
  }

  private static func legacy(_ t: [Double], _ x: [Double]) -> Double? {
    var average = 0.0
    var before = 0.0
    for (now, there) in zip(t, x) where now - t[0] >= 0.010 - 1e-12 {
      let d = now - t[0]
      average = (average * before + (there - x[0]) / d * d) / (d + before)
      before = d
    }
    return before > 0 ? average : nil
  }

  private static func oneEuro(_ t: [Double], _ x: [Double]) -> Double {
    func share(_ dt: Double, _ cutoff: Double) -> Double {
      1 / (1 + (1 / (2 * Double.pi * cutoff)) / dt)
    }
    var filtered = x[0]
    var speed = 0.0
    var answer = 0.0
    for index in 1..<t.count {
      let dt = t[index] - t[index - 1]
      let difference = (x[index] - filtered) / dt
      speed = share(dt, 1) * difference + (1 - share(dt, 1)) * speed
      let a = share(dt, 4.7 + 0.01 * abs(speed))
      let next = a * x[index] + (1 - a) * filtered
      answer = (next - filtered) / dt
      filtered = next
    }
    return answer
  }
}

extension PlainFormulas {
  /// A weighted fit by the normal equations: coefficients, and what stands at [1][1] of the
  /// covariance.
  static func fit(
    _ t: [Double], _ x: [Double], weights: [Double], degree asked: Int
  ) -> (coefficients: [Double], slopeVariance: Double?, determination: Double) {
    let degree = min(asked, t.count - 1)
    // In units of 10 ms, so that the plain elimination keeps its digits.
    let s = t.map { $0 * 100 }
    let w = weights.map { $0 * $0 }
    let size = degree + 1
    var rows = (0..<size).map { i in
      (0..<size).map { j in zip(s, w).reduce(0) { $0 + $1.1 * power($1.0, i + j) } }
        + [zip(zip(s, x), w).reduce(0) { $0 + $1.1 * $1.0.1 * power($1.0.0, i) }]
        + (0..<size).map { $0 == i ? 1 : 0 }
    }
    for i in 0..<size {
      let pivot = (i..<size).max { abs(rows[$0][i]) < abs(rows[$1][i]) } ?? i
      rows.swapAt(i, pivot)
      let divisor = rows[i][i]
      rows[i] = rows[i].map { $0 / divisor }
      for other in 0..<size where other != i {
        let factor = rows[other][i]
        rows[other] = zip(rows[other], rows[i]).map { $0 - factor * $1 }
      }
    }
    var coefficients = rows.map { $0[size] }
    let fitted = s.map { s in (0..<size).reduce(0) { $0 + coefficients[$1] * power(s, $1) } }
    let squares = zip(zip(x, fitted), w).reduce(0) {
      $0 + $1.1 * ($1.0.0 - $1.0.1) * ($1.0.0 - $1.0.1)
    }
    let mean = x.reduce(0, +) / Double(x.count)
    let total = zip(x, w).reduce(0) { $0 + $1.1 * ($1.0 - mean) * ($1.0 - mean) }
    let free = x.count - size
    // The inverse stands behind the right-hand side.
    let variance = free > 0 && size > 1 ? squares / Double(free) * rows[1][size + 2] * 1e4 : nil
    for index in coefficients.indices { coefficients[index] *= power(100, index) }
    return (coefficients, variance, total > 0 ? 1 - squares / total : 1)
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  /// A Kalman filter of so many states, by matrices, in the long form of the covariance's update.
  static func kalman(
    _ t: [Double], _ x: [Double], order: Int
  ) -> (velocity: Double, variance: Double, normalisedInnovation: Double) {
    var state = [x[0]] + [Double](repeating: 0, count: order - 1)
    var p = identity(order)
    var sum = 0.0
    for index in 1..<t.count {
      let dt = (t[index] - t[index - 1]) * 1000
      var f = identity(order)
      for i in 0..<order - 1 { f[i][i + 1] = dt }
      if order == 3 { f[0][2] = dt * dt / 2 }
      let g = order == 3 ? [dt * dt / 2, dt, 1] : [dt, 1]
      state = (0..<order).map { i in (0..<order).reduce(0) { $0 + f[i][$1] * state[$1] } }
      p = product(product(f, p), transposed(f))
      for i in 0..<order { for j in 0..<order { p[i][j] += 0.01 * g[i] * g[j] } }
      let s = p[0][0] + 1
      let gain = p.map { $0[0] / s }
      let y = x[index] - state[0]
      sum += y * y / s
      state = zip(state, gain).map { $0 + $1 * y }
      var rest = identity(order)
      for i in 0..<order { rest[i][0] -= gain[i] }
      p = product(product(rest, p), transposed(rest))
      for i in 0..<order { for j in 0..<order { p[i][j] += gain[i] * gain[j] } }
    }
    return (state[1] * 1000, p[1][1] * 1e6, sum / Double(t.count - 1))
  }

  private static func identity(_ size: Int) -> [[Double]] {
    (0..<size).map { i in (0..<size).map { $0 == i ? 1 : 0 } }
  }

  private static func transposed(_ a: [[Double]]) -> [[Double]] {
    a.indices.map { i in a.map { $0[i] } }
  }

  private static func product(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
    a.map { row in
      b.indices.map { j in zip(row, b).reduce(0) { $0 + $1.0 * $1.1[j] } }
    }
  }
}

/// Random drags of a hand that speeds up, slows down and shakes; uneven times in milliseconds.
struct RandomDrags {
  private var dice: SplitMix

  init(seed: UInt64) { dice = SplitMix(seed: seed) }

  /// So many samples, 3 to 11 ms apart.
  mutating func next(count: Int) -> [Sample] {
    var time = Int64.random(in: 0...1_000_000_000_000, using: &dice)
    var value = Double.random(in: -500...500, using: &dice)
    var speed = Double.random(in: -3000...3000, using: &dice)
    return (0..<count).map { _ in
      let step = Int64.random(in: 3_000_000...11_000_000, using: &dice)
      time += step
      speed += Double.random(in: -400...400, using: &dice)
      value += speed * Double(step) / 1e9 + Double.random(in: -0.5...0.5, using: &dice)
      return Sample(time: Instant(nanoseconds: time), value: value)
    }
  }

  /// One of so many.
  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }
}
