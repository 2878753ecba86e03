import KymographCLibrary

/// How a candidate of `auto` does on typical motion: the knowledge before any recording.
struct EstimatorExperience: Sendable {
  /// The logarithm of an error relative to the mean over all candidates, and how far it scatters from
  /// recording to recording. No unit, -0.69 is half the error.
  struct Typical: Sendable {
    var mean: Double
    var deviation: Double
  }

  let estimator: Estimator
  /// Its horizon. 0: the one of the window that was asked for.
  let horizonMilliseconds: Int64
  /// On fast, accelerating gestures of 5 to 25 places, at most 12 ms apart, over their last 60 ms.
  let flings: Typical
  /// On such gestures at 60 places a second.
  let sparseFlings: Typical
  /// On slow drags in whole device units, with rests.
  let drags: Typical
  /// On slow motion that noise outweighs from place to place.
  let noise: Typical

  fileprivate init(
    _ estimator: Estimator, _ horizonMilliseconds: Int64, _ flings: (Double, Double),
    _ sparseFlings: (Double, Double), _ drags: (Double, Double), _ noise: (Double, Double)
  ) {
    self.estimator = estimator
    self.horizonMilliseconds = horizonMilliseconds
    self.flings = Typical(mean: flings.0, deviation: flings.1)
    self.sparseFlings = Typical(mean: sparseFlings.0, deviation: sparseFlings.1)
    self.drags = Typical(mean: drags.0, deviation: drags.1)
    self.noise = Typical(mean: noise.0, deviation: noise.1)
  }

  func flings(areSparse: Bool) -> Typical { areSparse ? sparseFlings : flings }

  /// The expectation where the kinds of motion have these shares.
  func expectation(_ shares: KindShares) -> Double {
    shares.flings * flings(areSparse: shares.flingsAreSparse).mean + shares.drags * drags.mean
      + shares.noise * noise.mean
  }
}

/// How much of each kind of motion a recording shows. The three add up to 1.
struct KindShares {
  var flings: Double
  /// Whether the places lie more than 12 ms apart.
  var flingsAreSparse: Bool
  var drags: Double
  var noise: Double
}

/// How many places a recording needs for its own errors to tell its kind for one half. With fewer it
/// counts as a fling, as it usually is with few places.
private let kindPriorCount = 5.0

/// How sharply the kinds are separated by their squared distance. From 1 to 10 the errors of the
/// choice differ by less than 2 percent (`Tests/Oracles/auto.py`).
private let sharpnessOfKinds = 4.0

extension EstimatorExperience {
  /// Which kind of motion a recording's errors resemble: exp(-4 d n/(n + 5)), with d the mean square
  /// of the distances from a kind's typical errors in their deviations. For a share of 5/(n + 5) it
  /// counts as a fling.
  ///
  /// - Parameters:
  ///   - found: The logarithms of the errors, one for each candidate, relative to their mean.
  ///   - candidates: The candidates.
  ///   - heldOutCount: How many places the errors rest on.
  ///   - areSparse: Whether the places lie more than 12 ms apart.
  static func sharesOfKinds(
    _ found: [Double], _ candidates: [EstimatorCandidate], heldOutCount: Double, areSparse: Bool
  ) -> KindShares {
    func distance(_ kind: (EstimatorExperience) -> Typical) -> Double {
      zip(found, candidates).reduce(0) { sum, pair in
        let typical = kind(pair.1.experience)
        let deviation = (pair.0 - typical.mean) / typical.deviation
        return sum + deviation * deviation / Double(candidates.count)
      }
    }
    let ownShare = heldOutCount / (heldOutCount + kindPriorCount)
    let distances = (
      distance { $0.flings(areSparse: areSparse) }, distance(\.drags), distance(\.noise)
    )
    let nearest = min(distances.0, distances.1, distances.2)
    func weight(_ distance: Double) -> Double {
      exp(-sharpnessOfKinds * ownShare * (distance - nearest))
    }
    let weights = (weight(distances.0), weight(distances.1), weight(distances.2))
    let sum = weights.0 + weights.1 + weights.2
    return KindShares(
      flings: ownShare * weights.0 / sum + (1 - ownShare), flingsAreSparse: areSparse,
      drags: ownShare * weights.1 / sum,
      noise: ownShare * weights.2 / sum)
  }

  /// The candidates of `auto` in the order in which ties are settled: each estimator in the window
  /// that is asked for (horizon 0), and further horizons in milliseconds. The pairs are mean and
  /// deviation on flings, sparse flings, drags and noise, as `Tests/Oracles/auto.py --calibrate` prints them from
  /// generated motion.
  static let all: [EstimatorExperience] = [
    Self(.lsq1, 0, (0.61, 0.46), (0.66, 0.41), (0.30, 0.43), (-0.63, 0.23)),
    Self(.lsq1, 20, (-0.35, 0.35), (-0.44, 0.40), (-0.38, 0.27), (0.00, 0.13)),
    Self(.lsq1, 30, (-0.02, 0.33), (-0.44, 0.36), (-0.39, 0.16), (-0.21, 0.17)),
    Self(.lsq1, 40, (0.20, 0.32), (0.03, 0.29), (-0.28, 0.21), (-0.37, 0.18)),
    Self(.lsq1, 60, (0.45, 0.37), (0.32, 0.30), (-0.04, 0.29), (-0.50, 0.21)),
    Self(.lsq1, 150, (0.65, 0.51), (0.80, 0.50), (0.59, 0.53), (-0.68, 0.23)),
    Self(.lsq1, 200, (0.66, 0.51), (0.86, 0.53), (0.78, 0.58), (-0.69, 0.23)),
    Self(.lsq1, 300, (0.66, 0.52), (0.87, 0.54), (1.01, 0.63), (-0.71, 0.24)),
    Self(.lsq2, 0, (-0.01, 0.47), (-0.11, 0.44), (-0.36, 0.21), (-0.32, 0.17)),
    Self(.lsq2, 30, (-0.74, 0.56), (-0.49, 0.35), (0.11, 0.53), (0.68, 0.26)),
    Self(.lsq2, 40, (-0.59, 0.48), (-0.85, 0.54), (-0.14, 0.48), (0.40, 0.12)),
    Self(.lsq2, 50, (-0.42, 0.44), (-0.68, 0.52), (-0.32, 0.38), (0.14, 0.12)),
    Self(.lsq2, 60, (-0.28, 0.43), (-0.54, 0.49), (-0.39, 0.32), (0.01, 0.14)),
    Self(.lsq2, 80, (-0.11, 0.44), (-0.30, 0.46), (-0.40, 0.22), (-0.18, 0.15)),
    Self(.lsq2, 150, (0.07, 0.51), (0.20, 0.47), (-0.14, 0.33), (-0.50, 0.20)),
    Self(.lsq3, 0, (-0.29, 0.58), (-0.50, 0.64), (-0.31, 0.39), (0.14, 0.11)),
    Self(.lsq2Restricted, 0, (-0.06, 0.45), (-0.11, 0.42), (-0.32, 0.23), (-0.46, 0.19)),
    Self(.wlsq2Delta, 0, (-0.04, 0.46), (-0.11, 0.44), (-0.36, 0.22), (-0.33, 0.17)),
    Self(.wlsq2Central, 0, (0.08, 0.48), (-0.02, 0.45), (-0.25, 0.21), (-0.17, 0.18)),
    Self(.wlsq2Recent, 0, (-0.05, 0.45), (-0.16, 0.44), (-0.39, 0.21), (-0.31, 0.15)),
    Self(.int1, 0, (-0.05, 0.33), (0.02, 0.30), (-0.34, 0.12), (-0.14, 0.17)),
    Self(.int2, 0, (0.20, 0.31), (0.23, 0.26), (-0.29, 0.14), (-0.42, 0.11)),
    Self(.legacy, 0, (0.71, 0.51), (0.87, 0.53), (0.76, 0.57), (-0.66, 0.20)),
    Self(.impulse, 0, (-0.50, 0.62), (-0.65, 0.46), (0.05, 0.50), (1.56, 0.51)),
    Self(.impulse, 40, (-0.54, 0.58), (-0.71, 0.48), (0.03, 0.49), (1.52, 0.57)),
    Self(.impulse2017, 0, (-0.19, 0.84), (-0.63, 0.59), (1.14, 0.76), (1.94, 0.60)),
    Self(.mean, 0, (0.58, 0.47), (0.63, 0.41), (0.28, 0.44), (-0.65, 0.20)),
    Self(.mean, 150, (0.62, 0.51), (0.75, 0.49), (0.57, 0.53), (-0.70, 0.22)),
    Self(.mean5, 0, (0.21, 0.37), (0.60, 0.39), (-0.06, 0.27), (-0.29, 0.15)),
    Self(.ios3, 0, (0.21, 0.44), (0.59, 0.36), (0.06, 0.13), (0.36, 0.28)),
    Self(.macos3, 0, (-0.08, 0.38), (0.33, 0.31), (-0.15, 0.14), (0.34, 0.30)),
    Self(.swiftui, 0, (-0.17, 0.34), (0.23, 0.29), (-0.10, 0.17), (0.55, 0.37)),
    Self(.twoPoint, 0, (-0.59, 0.47), (-0.48, 0.36), (-0.09, 0.43), (0.76, 0.54)),
    Self(.kalmanConstantVelocity, 0, (-0.21, 0.33), (-0.07, 0.30), (-0.46, 0.12), (-0.16, 0.11)),
    Self(.kalmanConstantAcceleration, 0, (-0.69, 0.66), (-0.83, 0.70), (0.52, 0.54), (1.25, 0.21)),
    Self(.oneEuro, 0, (0.09, 0.54), (0.10, 0.41), (-0.24, 0.24), (-0.58, 0.13)),
  ]
}
