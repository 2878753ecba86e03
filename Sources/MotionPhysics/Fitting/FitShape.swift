import KymographCLibrary

/// A family of curves: linear in some coefficients, nonlinear in the rest, which are all about 1 in size or logarithms.
///
/// With t the seconds since the origin (or since motion begins, where the value rests before):
/// - spring: T + A c + B s over ln ω and ln ζ, so that the value begins at T + A with the velocity B - βA;
/// - springFromRest: T + A (c + βs) over ln ω, ln ζ and t0, until then T + A;
/// - decay: X + A e^(-λt) over ln λ;
/// - decayFromRest: X + A e^(-λ(t - t0)) over ln λ and t0, until then X + A;
/// - cubic: Hermite's, from T + A with the velocity B to rest at T, over ln D;
/// - bezier: X + A y(u), u = (t - t0) / D, over ln D, the logits of x1 and x2, and t0 where that is free. The heights of
///   the control points are linear, too: A y1 and A y2 are coefficients;
/// - easing: X + A y(u) of a curve that is known, over ln D and t0 where that is free.
package enum FitShape: Sendable, Hashable {
  case spring(from: Double)
  case springFromRest(delayUnit: Double)
  case decay(from: Double)
  case decayFromRest(delayUnit: Double)
  case cubic(from: Double)
  /// `delayUnit`: the length of a delay of 1, in seconds. `nil`: there is none.
  case bezier(delayUnit: Double?)
  case easing(Easing, delayUnit: Double?)

  /// How many coefficients are linear.
  package var columnCount: Int {
    switch self {
    case .spring, .cubic: 3
    case .springFromRest, .decay, .decayFromRest, .easing: 2
    case .bezier: 4
    }
  }

  /// How many numbers are not.
  package var parameterCount: Int {
    switch self {
    case .spring, .decayFromRest: 2
    case .springFromRest: 3
    case .decay, .cubic: 1
    case .bezier(let unit): unit == nil ? 3 : 4
    case .easing(_, let unit): unit == nil ? 1 : 2
    }
  }

  /// How far the numbers that are not linear may go: far beyond any motion on a display.
  func bounds(_ seconds: Double) -> [ClosedRange<Double>] {
    let duration = log(seconds / 50)...log(seconds * 50)
    let spring = [log(1e-3)...log(1e5), log(1e-4)...log(1e3)]
    let rate = log(1e-4)...log(1e5)
    let delay = -1e3...1e4
    switch self {
    case .spring: return spring
    case .springFromRest: return spring + [delay]
    case .decay: return [rate]
    case .decayFromRest: return [rate, delay]
    case .cubic: return [duration]
    case .bezier(let unit): return [duration, -12...12, -12...12] + (unit == nil ? [] : [delay])
    case .easing(_, let unit): return [duration] + (unit == nil ? [] : [delay])
    }
  }

  /// When motion begins, in seconds since the origin.
  package func start(_ numbers: [Double]) -> Double {
    switch self {
    case .spring(let start), .decay(let start), .cubic(let start): start
    case .springFromRest(let unit), .decayFromRest(let unit):
      unit * numbers[numbers.count - 1]
    case .bezier(let unit), .easing(_, let unit): unit.map { $0 * numbers[numbers.count - 1] } ?? 0
    }
  }

  /// The length of a delay of 1, in seconds. `nil`: the start is not one of the numbers.
  package var delayUnit: Double? {
    switch self {
    case .spring, .decay, .cubic: nil
    case .springFromRest(let unit), .decayFromRest(let unit): unit
    case .bezier(let unit), .easing(_, let unit): unit
    }
  }

  /// Writes the functions that the coefficients multiply, one column after the other.
  ///
  /// - Parameters:
  ///   - numbers: The nonlinear ones.
  ///   - times: Seconds since the origin.
  ///   - columns: Room for `columnCount` columns of `times.count` numbers each.
  package func fill(_ columns: inout [Double], _ numbers: [Double], at times: [Double]) {
    let count = times.count
    switch self {
    case .spring(let start):
      let spring = SpringBasis(frequency: exp(numbers[0]), ratio: exp(numbers[1]))
      for (index, time) in times.enumerated() {
        let (cosine, sine) = spring.values(at: max(0, time - start))
        columns[index] = 1
        columns[count + index] = cosine
        columns[2 * count + index] = sine
      }
    case .springFromRest(let unit):
      let spring = SpringBasis(frequency: exp(numbers[0]), ratio: exp(numbers[1]))
      let (decay, start) = (exp(numbers[0] + numbers[1]), unit * numbers[2])
      for (index, time) in times.enumerated() {
        let (cosine, sine) = spring.values(at: max(0, time - start))
        columns[index] = 1
        columns[count + index] = cosine + decay * sine
      }
    case .decay, .decayFromRest:
      let rate = exp(numbers[0])
      let start = start(numbers)
      for (index, time) in times.enumerated() {
        columns[index] = 1
        columns[count + index] = exp(-rate * max(0, time - start))
      }
    case .cubic(let start):
      let duration = exp(numbers[0])
      for (index, time) in times.enumerated() {
        let u = min(1, max(0, time - start) / duration)
        let rest = (1 - u) * (1 - u)
        columns[index] = 1
        columns[count + index] = rest * (1 + 2 * u)
        columns[2 * count + index] = rest * u * duration
      }
    case .bezier(let unit):
      let curve = EasingBezier(logistic(numbers[1]), 0, logistic(numbers[2]), 0)
      let (duration, delay) = (exp(numbers[0]), unit.map { $0 * numbers[3] } ?? 0)
      for (index, time) in times.enumerated() {
        let u = (time - delay) / duration
        let t = u <= 0 ? 0 : u >= 1 ? 1 : curve.parameter(at: u)
        columns[index] = 1
        columns[count + index] = 3 * (1 - t) * (1 - t) * t
        columns[2 * count + index] = 3 * (1 - t) * t * t
        columns[3 * count + index] = t * t * t
      }
    case .easing(let easing, let unit):
      let (duration, delay) = (exp(numbers[0]), unit.map { $0 * numbers[1] } ?? 0)
      for (index, time) in times.enumerated() {
        let u = (time - delay) / duration
        columns[index] = 1
        columns[count + index] = u <= 0 ? 0 : u >= 1 ? 1 : easing.value(at: u)
      }
    }
  }
}

/// 1 / (1 + e^(-x)): from any number to one between 0 and 1.
package func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

/// ζ + √(ζ² - 1): the frequency of a spring that creeps, divided by the slower of its two rates.
package func slowing(_ ratio: Double) -> Double { ratio + (ratio * ratio - 1).squareRoot() }

/// The two motions that any motion of a spring is made of: with β = ζω and q = ω² - β², c = e^(-βt) cos √q t and
/// s = e^(-βt) sin(√q t)/√q.
package struct SpringBasis {
  private let decay: Double
  private let square: Double
  private let root: Double
  /// ω²/(β + √-q), the slower of the two rates of a spring that creeps. The difference β - √-q would lose its digits.
  private let slow: Double

  package init(frequency: Double, ratio: Double) {
    decay = ratio * frequency
    // (1 - ζ)(1 + ζ) keeps its digits near 1.
    square = frequency * frequency * (1 - ratio) * (1 + ratio)
    root = abs(square).squareRoot()
    slow = frequency * (frequency / (decay + root))
  }

  /// Both at a time of 0 or more. Near critical damping their series, as sin(√q t)/√q loses its digits there.
  package func values(at time: Double) -> (cosine: Double, sine: Double) {
    let turn = square * time * time
    if abs(turn) < 1e-6 {
      let fading = exp(-decay * time)
      return (
        fading * (1 - turn / 2 + turn * turn / 24),
        fading * time * (1 - turn / 6 + turn * turn / 120)
      )
    }
    if square > 0 {
      let fading = exp(-decay * time)
      return (fading * cos(root * time), fading * sin(root * time) / root)
    }
    let (slowly, fast) = (exp(-slow * time), exp(-(decay + root) * time))
    return ((slowly + fast) / 2, (slowly - fast) / (2 * root))
  }
}
