import TimelineModel

/// With more samples than this the answers without one of them are not computed: their cost grows
/// with the square of the number. No peer's window holds as many.
private let mostSamplesToLeaveOut = 1024

/// How far an estimator's answers spread when each sample in turn is left out.
struct LeaveOneOutSpread {
  /// The smallest and the largest answer. All answers are finite.
  var low: Double
  var high: Double
  /// The jackknife's standard error (Tukey 1958; Efron and Tibshirani, An Introduction to the
  /// Bootstrap, 1993, chapter 11): sqrt((n-1)/n sum (v_i - mean)²). nil when one of the samples
  /// cannot be spared.
  var standardError: Double?
}

extension EstimatorDefinition {
  /// Calls a body with each sample's index and the answer without it, oldest first. `nil` where the
  /// rest does not suffice. Nothing is copied but the samples, once. Does nothing below three samples
  /// and above 1,024.
  func leaveOneOut(
    _ selection: SampleSelection, window: EstimationWindow, _ body: (Int, Double?) -> Void
  ) {
    let selected = selection.samples
    let count = selected.count
    // Without a place two reports are one, which says nothing of a measure by reports.
    guard count > 2, count <= mostSamplesToLeaveOut, !measure.isByReports else { return }
    withUnsafeTemporaryAllocation(of: Sample.self, capacity: count - 1) { rest in
      for index in 1..<count { rest.initializeElement(at: index - 1, to: selected[index]) }
      for index in 0..<count {
        if index > 0 { rest[index - 1] = selected[index - 1] }
        var pause = selection.liftGapNanoseconds
        if index == count - 1, let gap = pause {
          // The newest that is left lies further before the lift.
          pause = gap &+ selected[index].time.nanoseconds(since: selected[index - 1].time)
        }
        let answer = velocity(SampleBuffer(rest), window, pause)
        body(index, answer.flatMap { $0.isFinite ? $0 : nil })
      }
    }
  }

  /// The spread of the answers without one sample. `nil` without any.
  func leaveOneOutSpread(
    _ selection: SampleSelection, window: EstimationWindow
  ) -> LeaveOneOutSpread? {
    let selected = selection.samples
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: selected.count) { answers in
      var count = 0
      leaveOneOut(selection, window: window) { _, answer in
        guard let answer else { return }
        answers.initializeElement(at: count, to: answer)
        count += 1
      }
      guard count > 0 else { return nil }
      var low = answers[0]
      var high = answers[0]
      for answer in answers[..<count] {
        low = min(low, answer)
        high = max(high, answer)
      }
      return LeaveOneOutSpread(
        low: low, high: high,
        standardError: count == selected.count
          ? jackknife(UnsafeBufferPointer(rebasing: answers[..<count]), scale: max(-low, high))
          : nil)
    }
  }
}

private func jackknife(_ answers: UnsafeBufferPointer<Double>, scale magnitude: Double) -> Double {
  let scale = powerOfTwo(upTo: abs(magnitude))
  let count = Double(answers.count)
  var mean = 0.0
  for answer in answers { mean += answer / scale / count }
  var squares = 0.0
  for answer in answers { squares += (answer / scale - mean) * (answer / scale - mean) }
  return (squares * (count - 1) / count).squareRoot() * scale
}
