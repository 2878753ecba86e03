import TimelineModel

/// An estimator with a window of its own: a candidate of `auto`.
struct EstimatorCandidate {
  var estimator: Estimator { definition.estimator }
  let definition: EstimatorDefinition
  /// Which samples it looks at.
  var window: EstimationWindow
  /// How it did on typical motion.
  var experience: EstimatorExperience
  /// Whether its answer counts in the spread by which an interval is scaled.
  var isInSpread: Bool

  /// The estimator and its horizon ("lsq1 30 ms"). The estimator alone without a horizon.
  var name: String {
    let horizon = window.horizonNanoseconds
    guard horizon != EstimationWindow.unlimited else { return estimator.rawValue }
    let whole = horizon / 1_000_000
    return horizon % 1_000_000 == 0
      ? "\(estimator.rawValue) \(whole) ms"
      : "\(estimator.rawValue) \(Double(horizon) / 1_000_000) ms"
  }

  /// The velocity that it gives at the newest of the places. `nil` for none.
  func velocity(atEndOf samples: SampleBuffer) -> Double? {
    guard let newest = samples.last else { return nil }
    let selection = window.selection(
      from: samples, olderCount: 0, leftOut: LeftOutSamples(), lift: newest.time)
    return definition.answer(selection, window: window)
  }
}

/// How many samples a candidate with a horizon of its own looks at: 300 ms at 400 Hz.
private let historyOfLongHorizons = 120

/// How many samples the recursive filters look at: as in the `android` preset, a second at 1000 Hz.
private let historyOfFilters = 1000

/// The candidates whose disagreement scales the interval, from the shortest memory to the longest:
/// where the motion is steady they agree, where it turns or jumps they part.
private let spreadNames: Set<String> = [
  "two-point 0", "swiftui 0", "lsq1 30", "lsq2 40", "lsq2 60", "lsq1 60", "lsq1 0",
]

extension EstimationWindow {
  /// Every single estimator in this window, and the lines and parabolas over further horizons.
  ///
  /// `legacy` looks back twice as far as the others and the recursive filters for at least a second,
  /// as in the `android` preset. A candidate with a horizon of its own keeps every other rule of the
  /// window.
  func candidates() -> [EstimatorCandidate] {
    var candidates: [EstimatorCandidate] = []
    for experience in EstimatorExperience.all {
      var window = self
      let definition = experience.estimator.definition
      let estimator = definition.estimator
      if experience.horizonMilliseconds > 0 {
        window.horizonNanoseconds = experience.horizonMilliseconds * 1_000_000
        if window.horizonNanoseconds > horizonNanoseconds {
          window.historyLimit = max(historyLimit, historyOfLongHorizons)
        }
      } else if EstimatorExperience.all.contains(where: {
        $0.estimator == estimator && $0.horizonMilliseconds > 0
          && $0.horizonMilliseconds * 1_000_000 == horizonNanoseconds
      }) {
        // One of the further horizons is the requested one.
        continue
      } else if estimator == .legacy {
        let (doubled, overflow) = horizonNanoseconds.multipliedReportingOverflow(by: 2)
        window.horizonNanoseconds = overflow ? EstimationWindow.unlimited : doubled
      } else if definition.family.isRecursive {
        window.horizonNanoseconds = max(horizonNanoseconds, 1_000_000_000)
        window.historyLimit = max(historyLimit, historyOfFilters)
      }
      let key = "\(estimator.rawValue) \(experience.horizonMilliseconds)"
      candidates.append(
        EstimatorCandidate(
          definition: definition, window: window, experience: experience,
          isInSpread: spreadNames.contains(key)))
    }
    return candidates
  }
}
