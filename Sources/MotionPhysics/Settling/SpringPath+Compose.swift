import KymographCLibrary

extension SpringPath {
  /// `compose`: when the amplitude of a swinging spring, sqrt(y^2 + ((v + beta y) / wd)^2) e^(-beta t), is
  /// at the threshold, and when the offset of one that does not swing comes below it for the last time.
  ///
  /// Without swinging, Compose looks for that crossing with Newton's steps until one is shorter than a
  /// millisecond, from a start left of the root or, behind a way that turns beyond the threshold on the
  /// other side, between the turn and the bend after it. So its answer is the crossing to well below a
  /// millisecond. Here the same crossing is found by halving, which always ends. A motion that starts within
  /// the threshold and stays there is settled at once, where Compose's formula turns negative.
  func composeTime(_ threshold: Double) -> Double? {
    guard case .under(let decay, let swing) = curve else { return lastEntry(below: threshold) }
    let side = (velocity + decay * offset) / swing
    let amplitude = hypot(offset, side)
    if amplitude < threshold { return 0 }
    guard decay > 0 else { return nil }
    return log(amplitude / threshold) / decay
  }

  /// `flutter`: the last of the times at which the offset comes within the distance tolerance and the
  /// velocity within the velocity tolerance, from which on `SpringSimulation.isDone` holds. The velocity is
  /// the exact derivative.
  func flutterTime(_ distance: Double, speed: Double) -> Double? {
    guard let position = lastEntry(below: distance), let rest = ofVelocity.lastEntry(below: speed)
    else { return nil }
    return max(position, rest)
  }

  /// `wave`: -ln(share) / (zeta w0), where a damping ratio of 1 or more counts as the number just below 1 and
  /// the time is 1.25 times as long. nil without damping or without stiffness.
  func waveTime(_ share: Double) -> Double? {
    switch curve {
    case .under(let decay, _): return decay > 0 ? -log(share) / decay : nil
    case .critical, .over:
      return -log(share) / ((1 - Double.ulpOfOne) * curve.frequency) * SpringPath.waveCalmFactor
    case .slide: return nil
    }
  }

  private static let waveCalmFactor = 1.25
}
