import KymographCLibrary

/// The closed forms of a damped spring, by how it is damped. With the offset y from the target and the
/// velocity v at time 0, the frequency w0, the decay rate beta:
///
/// - under: e^(-beta t) (y cos wd t + (v + beta y)/wd sin wd t), wd = sqrt(w0^2 - beta^2)
/// - critical: e^(-w0 t) (y + (v + w0 y) t)
/// - over: c1 e^(s1 t) + c2 e^(s2 t), s2 = -(beta + r), s1 = -w0^2/(beta + r), r = sqrt(beta^2 - w0^2)
/// - without stiffness: y + v (1 - e^(-2 beta t))/(2 beta)
enum SettleCurve: Sendable, Hashable {
  /// Swings: decay rate and swing frequency wd, per second.
  case under(decay: Double, swing: Double)
  /// As fast as can be without swinging. `stopsAtTarget` holds the value on its side of the target
  /// where rounding alone would carry it across.
  case critical(frequency: Double, stopsAtTarget: Bool)
  /// Creeps: decay rate, frequency w0 and r, per second.
  case over(decay: Double, frequency: Double, split: Double)
  /// No spring at all: the speed dies away with this rate (2 beta), per second.
  case slide(rate: Double)

  /// The curve of a spring that is left to itself.
  init(_ spring: DampedSpring) {
    let frequency = spring.angularFrequency
    let decay = spring.decayRate
    // The difference of squares as a product keeps its digits near critical damping.
    let square = (frequency - decay) * (frequency + decay)
    if frequency == 0 {
      self = .slide(rate: 2 * decay)
    } else if square > 0 {
      self = .under(decay: decay, swing: square.squareRoot())
    } else if square < 0 {
      self = .over(decay: decay, frequency: frequency, split: (-square).squareRoot())
    } else {
      self = .critical(frequency: frequency, stopsAtTarget: false)
    }
  }

  /// The offset from the target at a time above 0. May be no number where the start is absurd.
  func offset(_ y: Double, velocity v: Double, atSeconds t: Double) -> Double {
    switch self {
    case .under(let decay, let swing):
      return exp(-decay * t) * (y * cos(swing * t) + (v + decay * y) * sine(swing, t))
    case .critical(let frequency, let stopsAtTarget):
      let drift = SettleCurve.drift(y, v, frequency, stopsAtTarget)
      return exp(-frequency * t) * (y + drift * t)
    case .over(let decay, let frequency, let split):
      if split * t < SettleCurve.smallSplit {
        let side = (v + decay * y) * hyperbolicSine(split, t)
        return exp(-decay * t) * (y * cosh(split * t) + side)
      }
      let (slow, fast) = SettleCurve.rates(decay, frequency, split)
      let fastPart = (v - slow * y) / (fast - slow)
      return (y - fastPart) * exp(slow * t) + fastPart * exp(fast * t)
    case .slide(let rate):
      return y + (rate > 0 ? v / rate * -expm1(-rate * t) : v * t)
    }
  }

  /// The velocity at a time above 0. May be no number where the start is absurd.
  func velocity(_ y: Double, velocity v: Double, atSeconds t: Double) -> Double {
    switch self {
    case .under(let decay, let swing):
      let pull = decay * v + (decay * decay + swing * swing) * y
      return exp(-decay * t) * (v * cos(swing * t) - pull * sine(swing, t))
    case .critical(let frequency, let stopsAtTarget):
      let drift = SettleCurve.drift(y, v, frequency, stopsAtTarget)
      return exp(-frequency * t) * (drift - frequency * (y + drift * t))
    case .over(let decay, let frequency, let split):
      if split * t < SettleCurve.smallSplit {
        let pull = (decay * v + frequency * frequency * y) * hyperbolicSine(split, t)
        return exp(-decay * t) * (v * cosh(split * t) - pull)
      }
      let (slow, fast) = SettleCurve.rates(decay, frequency, split)
      let fastPart = (v - slow * y) / (fast - slow)
      return (y - fastPart) * slow * exp(slow * t) + fastPart * fast * exp(fast * t)
    case .slide(let rate):
      return v * exp(-rate * t)
    }
  }

  /// Below this r t the two exponentials nearly cancel, and the form with hyperbolic functions is
  /// used. Above it that form would overflow in the end.
  private static let smallSplit = 1.0

  /// The slow and the fast rate of a creeping spring, both negative, per second.
  private static func rates(
    _ decay: Double, _ frequency: Double, _ split: Double
  ) -> (slow: Double, fast: Double) {
    (-frequency / (decay + split) * frequency, -(decay + split))
  }

  /// v + w0 y of the critical form. 0 where it would lead across the target and must not.
  private static func drift(
    _ y: Double, _ v: Double, _ frequency: Double, _ stopsAtTarget: Bool
  ) -> Double {
    let drift = v + frequency * y
    return stopsAtTarget && drift * y < 0 ? 0 : drift
  }
}

/// sin(w t) / w, also for a small w.
private func sine(_ w: Double, _ t: Double) -> Double {
  sin(w * t) / w
}

/// sinh(r t) / r, also for a small r.
private func hyperbolicSine(_ r: Double, _ t: Double) -> Double {
  sinh(r * t) / r
}
