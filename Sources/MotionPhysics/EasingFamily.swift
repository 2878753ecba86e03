import KymographCLibrary

/// The ten families of Robert Penner's easing curves, in the variants of the AHEasing library. The raw
/// values begin the names of the curves: `cubic` of `cubicInOut`.
///
/// Every family is stated here by the curve that begins slowly (in) and by that which ends slowly (out),
/// both from (0, 0) to (1, 1) and each the other turned by half a circle. InOut is an in of half size
/// and then an out of half size.
package enum EasingFamily: String, CaseIterable, Sendable {
  /// x².
  case quadratic
  /// x³.
  case cubic
  /// x⁴.
  case quartic
  /// x⁵.
  case quintic
  /// A quarter of a sine wave.
  case sine
  /// A quarter of the unit circle.
  case circular
  /// 2^(10 (x − 1)). It leaves 0 with a jump of 2^−10.
  case exponential
  /// A sine wave of three and a quarter periods that grows as 2^(10 (x − 1)). Leaves 0 to 1.
  case elastic
  /// x³ − x sin πx. Leaves 0 to 1.
  case back
  /// Four parabolas.
  case bounce

  /// The curve that begins slowly, for an x between 0 and 1.
  func easeIn(_ x: Double) -> Double {
    switch self {
    case .quadratic: x * x
    case .cubic: x * x * x
    case .quartic: x * x * (x * x)
    case .quintic: x * x * (x * x) * x
    case .sine: 1 - cos(.pi / 2 * x)
    case .circular: 1 - (1 - x * x).squareRoot()
    case .exponential: exp2(EasingFamily.growth * (x - 1))
    case .elastic: sin(EasingFamily.swing * x) * exp2(EasingFamily.growth * (x - 1))
    case .back: x * x * x - x * sin(.pi * x)
    case .bounce: 1 - EasingFamily.bounceOut(1 - x)
    }
  }

  /// The curve that ends slowly, for an x from 0 to below 1.
  func easeOut(_ x: Double) -> Double {
    switch self {
    case .quadratic, .cubic, .quartic, .quintic, .back: 1 - easeIn(1 - x)
    case .sine: sin(.pi / 2 * x)
    case .circular: ((2 - x) * x).squareRoot()
    case .exponential: 1 - exp2(-EasingFamily.growth * x)
    case .elastic: 1 - cos(EasingFamily.swing * x) * exp2(-EasingFamily.growth * x)
    case .bounce: EasingFamily.bounceOut(x)
    }
  }

  /// How many times the exponential and the elastic curves double on their way (AHEasing).
  private static let growth = 10.0

  /// The angle of the elastic wave at its end, in radians: three and a quarter periods (AHEasing).
  private static let swing = 13 * Double.pi / 2

  /// The four parabolas of AHEasing, which meet at 4/11, 8/11 and 9/10, always at 1. Rounding there is
  /// kept from passing 1.
  private static func bounceOut(_ x: Double) -> Double {
    let y =
      if x < 4.0 / 11 {
        121.0 / 16 * x * x
      } else if x < 8.0 / 11 {
        363.0 / 40 * x * x - 99.0 / 10 * x + 17.0 / 5
      } else if x < 9.0 / 10 {
        4356.0 / 361 * x * x - 35442.0 / 1805 * x + 16061.0 / 1805
      } else {
        54.0 / 5 * x * x - 513.0 / 25 * x + 268.0 / 25
      }
    return min(y, 1)
  }
}

/// Where an easing curve is slow. The raw values end the names of the curves: `InOut` of `cubicInOut`.
package enum EasingDirection: String, CaseIterable, Sendable {
  /// At the beginning.
  case `in` = "In"
  /// At the end.
  case out = "Out"
  /// At both ends.
  case inOut = "InOut"
}
