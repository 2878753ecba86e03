/// The meaning of a finger's movement for a transition: which gesture starts it, and which measure of the
/// fingers becomes the progress and the animated keys.
package struct GestureMapping: Hashable, Sendable {
  package var recognizer: Recognizer
  /// The value that becomes the progress. `nil` leaves the progress alone.
  package var progress: Progress?
  /// The value that becomes the progress on the return, in a gesture that begins at the destination. `nil`: the same
  /// as towards the destination.
  package var progressBack: Progress?
  /// The values that become animated keys, in this order.
  package var keys: [Key]

  package init(
    recognizer: Recognizer, progress: Progress? = nil, progressBack: Progress? = nil,
    keys: [Key] = []
  ) {
    self.recognizer = recognizer
    self.progress = progress
    self.progressBack = progressBack
    self.keys = keys
  }

  /// A gesture that can drive a transition.
  package enum Recognizer: String, CaseIterable, Sendable {
    /// From the first contact's landing, without slop, to the last lift, whose place counts.
    case pan
    /// While at least two contacts are down.
    case pinch
  }

  /// A measure of the contacts that are down. When a finger joins or leaves, each goes on from the value
  /// that it had, so that nothing jumps.
  package enum Source: String, CaseIterable, Sendable {
    /// How far the contacts' middle moved to the right since the gesture began, in points.
    case translationX = "translation.x"
    /// How far the contacts' middle moved down since the gesture began, in points.
    case translationY = "translation.y"
    /// Where the contacts' middle is, in points.
    case centroidX = "centroid.x"
    /// Where the contacts' middle is, in points downwards.
    case centroidY = "centroid.y"
    /// The distance as a share of that at the beginning. No unit.
    case scale
    /// How far two contacts are apart, in points. Of more, their mean distance to the middle.
    case distance
    /// How far the contacts turned since the gesture began, in radians, positive from right to down, and
    /// not folded: two full turns are 4π.
    case rotation

    /// The unit, as recordings name it.
    package var unit: String {
      switch self {
      case .scale: "1"
      case .rotation: "rad"
      case .translationX, .translationY, .centroidX, .centroidY, .distance: "pt"
      }
    }
  }

  /// How a measure becomes the progress: (value − from) / (to − from).
  package struct Progress: Hashable, Sendable {
    /// The measured quantity.
    package let source: Source
    /// The measure at progress 0, in its unit.
    package let from: Double
    /// The measure at progress 1, in its unit.
    package let to: Double
    /// Whether the progress is kept within 0 to 1.
    package let clamp: Bool

    /// Makes the rule.
    ///
    /// - Throws: `badValue` when `from` and `to` are equal or not finite, or too near to each other to
    ///   divide by their distance.
    package init(
      of source: Source, from: Double, to: Double, clamp: Bool = false
    ) throws(TransitionError) {
      guard from.isFinite, to.isFinite, (to - from).isFinite,
        abs(to - from) >= .leastNormalMagnitude
      else {
        throw TransitionError(
          .badValue,
          "A progress from \(from) to \(to) of \(source.rawValue) cannot be computed. Give two different "
            + "finite numbers.")
      }
      self.source = source
      self.from = from
      self.to = to
      self.clamp = clamp
    }

    /// The progress for a measure.
    package func progress(for value: Double) -> Double {
      let progress = (value - from) / (to - from)
      return clamp ? min(max(progress, 0), 1) : progress
    }
  }

  /// A measure that becomes an animated key.
  package struct Key: Hashable, Sendable {
    package var name: String
    /// The measured quantity.
    package var source: Source
    /// The end of the key when the gesture ends.
    package var ending: Ending

    package init(name: String, source: Source, ending: Ending) {
      self.name = name
      self.source = source
      self.ending = ending
    }
  }

  /// The end of a key when the gesture ends.
  package enum Ending: Hashable, Sendable {
    /// It keeps its last value.
    case freezes
    /// It settles at a target, in the source's unit.
    case settles(finishTarget: Double, cancelTarget: Double)
  }
}
