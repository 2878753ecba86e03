import MotionMeasures
import TimelineModel

extension RunComparison.Key {
  /// All but the name and the role.
  mutating func code(_ coder: inout FieldCoder) {
    coder.code(&unit)
    coder.code(&isOfViewport)
    coder.code(&comparison, from: CurveComparison()) { $0.code(&$1) }
    coder.code(text: &onlyIn)
    coder.code(&noise)
    coder.code(&rateOfA)
    coder.code(&rateOfB)
    coder.code(&motions, from: RunComparison.Motion(transition: 0)) { motion, coder in
      coder.code(&motion.transition)
      coder.code(&motion.a, from: MotionMetrics()) { $0.code(&$1) }
      coder.code(&motion.b, from: MotionMetrics()) { $0.code(&$1) }
    }
    coder.code(&velocities, from: RunComparison.ReleaseVelocity(transition: 0, estimator: "")) {
      $1.code(&$0.transition)
      $1.code(&$0.estimator)
      $1.code(&$0.a)
      $1.code(&$0.b)
    }
    let name = name
    coder.code(&verdicts, from: Verdict(subject: name, measure: "", grade: .pass)) {
      $0.code(&$1, of: name)
    }
    coder.code(&isSame)
  }
}

extension CurveComparison {
  fileprivate mutating func code(_ coder: inout FieldCoder) {
    coder.code(&matchedSampleCount)
    coder.code(&onlyInACount)
    coder.code(&onlyInBCount)
    coder.code(&countOfB)
    coder.code(&overlapSeconds)
    coder.code(&isStep)
    coder.code(&aligned, from: CurveDifference()) {
      $1.code(&$0.maximum)
      $1.code(&$0.timeOfMaximum)
      $1.code(&$0.meanAbsolute)
      $1.code(&$0.rootMeanSquare)
      $1.code(&$0.bias)
      $1.code(&$0.percentile95)
    }
    coder.code(&lagSeconds)
    coder.code(&lagIsAtLimit)
    coder.code(&residual)
    coder.code(&fit, from: Fit(gain: 0, offset: 0, residual: 0, lagSeconds: 0)) {
      $1.code(&$0.gain)
      $1.code(&$0.offset)
      $1.code(&$0.residual)
      $1.code(&$0.lagSeconds)
    }
    coder.code(&timeScale, from: TimeScale(factor: 1, residual: 0)) {
      $1.code(&$0.factor)
      $1.code(&$0.residual)
    }
    coder.code(&frameIncrement)
    coder.code(&longIncrement)
    coder.code(&warp, from: CurveWarp(meanCost: 0, largestSeconds: 0, stepSeconds: 0, count: 0)) {
      $1.code(&$0.meanCost)
      $1.code(&$0.largestSeconds)
      $1.code(&$0.stepSeconds)
      $1.code(&$0.count)
    }
    coder.code(&rangeOfA)
  }
}

extension MotionMetrics {
  fileprivate mutating func code(_ coder: inout FieldCoder) {
    coder.code(&sampleCount)
    coder.code(&firstValue)
    coder.code(&finalValue)
    coder.code(&extent)
    coder.code(&riseSeconds)
    coder.code(&settle2Seconds)
    coder.code(&settle5Seconds)
    coder.code(&overshootPercent)
    coder.code(&overshootTime, from: .zero) { $1.code(&$0) }
    coder.code(&undershootPercent)
    coder.code(&turnCount)
    coder.code(&peakVelocity)
    coder.code(&peakTime, from: .zero) { $1.code(&$0) }
  }
}

extension Verdict {
  /// - Parameter name: The subject of nearly all.
  fileprivate mutating func code(_ coder: inout FieldCoder, of name: String) {
    var subject = finding.subject == name ? nil : finding.subject
    coder.code(text: &subject)
    finding.subject = subject ?? name
    coder.code(&finding.measure)
    coder.code(&finding.value)
    var (low, high) = (finding.interval?.lowerBound, finding.interval?.upperBound)
    coder.code(&low)
    coder.code(&high)
    finding.interval = low.flatMap { low in high.map { low...$0 } }
    coder.code(&finding.isOfPictures)
    coder.code(&finding.instant, from: .zero) { $1.code(&$0) }
    coder.code(&finding.step)
    coder.code(text: &finding.note)
    coder.code(&limit)
    coder.code(&margin)
    coder.code(&source)
    coder.code(&grade)
    coder.code(&isUndecided)
    coder.code(&isSkipped)
    coder.code(text: &difference)
    coder.code(text: &offset)
    coder.code(&isOfGolden)
  }
}
