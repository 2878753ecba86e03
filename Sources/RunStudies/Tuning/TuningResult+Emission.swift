import TimelineModel

extension TuningResult {
  /// The best setting as another system gets it: a number that the labels hardly determine is the middle of its region.
  package struct Emitted {
    /// The text.
    package var text: String
    /// A sentence for each number that the labels hardly determine, without its full stop.
    package var notes: [String]
  }

  /// The best setting for a system.
  ///
  /// - Returns: Nil if nothing was searched, or only labels of one group are there.
  /// - Throws: ``ReleaseEmission/Refusal`` if the system has no such setting.
  package func emitted(
    for emission: ReleaseEmission
  ) throws(ReleaseEmission.Refusal) -> Emitted? {
    guard let found = tuning.found, let best = bestRelease else { return nil }
    var setting = found.best.setting
    var notes: [String] = []
    for refusal in tuning.refusals {
      guard case .wideRegion(let number, let region, _) = refusal else { return nil }
      var middle = setting
      let value = Double(NumberText.short((region.lowerBound + region.upperBound) / 2)) ?? 0
      middle.change[keyPath: number.path] = value
      let ends =
        "\(NumberText.short(region.lowerBound)) to \(NumberText.short(region.upperBound))"
      // The middle must cost no more, also beside the middles of other numbers, and the system must have it.
      let isAsGood = region.contains(value) && cost(of: middle) <= found.best.errors.cost
      if isAsGood, let release = release(middle), (try? emission.text(of: release)) != nil {
        setting = middle
        notes.append("\(number.rawValue) is the middle of \(ends), which is about as good")
      } else {
        notes.append("\(number.rawValue): \(ends) is about as good")
      }
    }
    let release = release(setting) ?? best
    return Emitted(text: try emission.text(of: release, comments: notes), notes: notes)
  }

  private func cost(of setting: TuningSetting) -> Double {
    RuleTuning.Errors(labelled.gestures.map(\.numbers), weights: weights) {
      $0.finishes(by: setting)
    }.cost
  }
}
