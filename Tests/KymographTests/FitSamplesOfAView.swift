// The manual's example, word for word between the two marks; a test compares them.
// example begins
import KymographAnalysis

func describe(times: [Double], offsets: [Double]) throws -> String {
  let fit = try MotionFit.fit(seconds: times, values: offsets, unit: "pt")
  guard fit.isAccepted else { return "no model fits; the nearest, \(fit.model), leaves \(fit.rms)" }
  guard fit.model == .spring, let ratio = fit["damping_ratio"], let bounds = ratio.interval else {
    return "\(fit.model)"
  }
  return "a damping ratio of \(ratio.value), \(bounds.lowerBound) to \(bounds.upperBound); "
    + (fit.words.first?.text ?? "")
}
// example ends
