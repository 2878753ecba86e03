import KymographCLibrary
import MotionPhysics

/// One model, fitted, with what the choice between models goes by.
struct FitCandidate: Sendable, Hashable {
  var model: MotionFit.Model
  /// The name of its curve. `nil`: it has none.
  var curveName: String?
  var fitted: FittedShape
  /// How many numbers it has, with the variance.
  var count: Int
  /// The root of the mean square that is left, as a share of the range.
  var rms: Double
  /// Akaike's criterion with the correction for few samples (C. Hurvich and C.-L. Tsai, Regression and time series model
  /// selection in small samples, 1989). What is left counts as at least the rounding.
  var criterion: Double
  /// Whether so little is left that it is an answer.
  var isAccepted: Bool

  /// Whether a model has another one among its special cases: decay is a spring whose fast part is 0, the cubic a Bézier
  /// curve with x1 = 1/3, x2 = 2/3 and y2 = 1.
  func contains(_ other: FitCandidate) -> Bool {
    switch (model, other.model) {
    case (.spring, .decay): true
    case (.bezier, .cubic): curveName == nil
    default: model == other.model && (curveName == nil || curveName == other.curveName)
    }
  }
}

/// Fits every model that is asked for, and chooses.
struct FitChoice {
  /// All that could be fitted: the best first.
  let candidates: [FitCandidate]

  /// The best one whose rest is small. `nil`: no model fits.
  var best: FitCandidate? { candidates.first { $0.isAccepted } }

  /// Others that are as good, of which none contains the best or is contained in it, but a decay that leaves as little
  /// as the best spring is one, because it goes by fewer numbers.
  var rivals: [FitCandidate] {
    guard let best else { return [] }
    var found: [FitCandidate] = []
    for one in candidates
    where one.isAccepted && one.criterion <= best.criterion + FitChoice.alike
      && !one.contains(best) && (!best.contains(one) || one.model == .decay)
      && !found.contains(where: { $0.model == one.model })
    {
      found.append(one)
    }
    return found
  }

  /// Models whose criteria differ by no more than this are as good.
  static let alike = 4.0
  /// An answer leaves at most this share of a step, of the range, or of the half-width of the samples' intervals, as root
  /// mean square. Half-widths are a little too wide in most recordings, and too narrow in poor ones.
  static let (mostOfStep, mostOfRange, mostOfError) = (0.45, 0.002, 1.0)

  /// Fits models to samples.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - model: The only one. `nil`: all.
  ///   - curve: The only curve of it. `nil`: all.
  init(_ samples: FitSamples, model: MotionFit.Model?, curve: Easing?) {
    var trial = FitTrial(samples)
    func isAsked(_ one: MotionFit.Model) -> Bool { curve == nil && (model == nil || model == one) }
    if isAsked(.decay) { trial.addDecay() }
    if isAsked(.cubic) { trial.addCubic() }
    if isAsked(.spring) { trial.addSpring() }
    if isAsked(.bezier) { trial.addBezier() }
    if isAsked(.easing) { trial.addEasings() }
    if let curve { trial.add(curve) }
    // What was added first goes first among equals.
    candidates = trial.candidates.enumerated().sorted {
      ($0.element.criterion, $0.offset) < ($1.element.criterion, $1.offset)
    }.map(\.element)
  }
}
