import MotionMeasures
public import MotionPhysics
package import TimelineModel
public import TimelineStore

/// The rule that decides labelled gestures with the least cost: the answer of `kymo rule tune`.
public struct TuningResult: Sendable {
  /// The findings.
  package let tuning: RuleTuning
  /// The gestures.
  package let labelled: LabelledGestures
  /// The settings that were varied.
  package let space: TuningSpace
  /// What wrong decisions cost.
  package let weights: TuningWeights

  /// Searches the rules and thresholds that `kymo rule tune` searches with `--set`.
  ///
  /// Estimators, windows and numbers that are not searched keep each session's value. Labels are read from the recordings
  /// and from the sheets next to them.
  ///
  /// - Parameters:
  ///   - readers: The recordings. A session that is in several of them counts once.
  ///   - rules: The rules that are searched. Empty: each session's own.
  ///   - thresholds: The searched thresholds, shares of the distance within 0 and 1.
  ///   - velocityThresholds: The searched speeds, in the unit that the rules with a speed have. `nil`: none are searched.
  ///   - wrongFinish: The cost of a finish that was meant to cancel, above 0, no unit.
  ///   - wrongCancel: The cost of a cancel that was meant to finish, above 0, no unit.
  ///   - seed: The seed of the folds and of approximate intervals.
  /// - Throws: `StoreError` or an error about the labels when a file cannot be read. ``MotionMeasures/QueryError`` for a number outside
  ///   of its range, and for speeds that the rules do not have or have in several units.
  /// - Complexity: linear in the samples. For n gestures and each rule O(n log n), or O(n²) with speeds, 12 times or, up
  ///   to 40 labels, n + 2 times.
  public init(
    of readers: [RecordingReader], rules: [ReleaseRule.Kind] = [],
    thresholds: ClosedRange<Double> = 0.1...0.9,
    velocityThresholds: ClosedRange<Double>? = nil,
    wrongFinish: Double = 1, wrongCancel: Double = 1, seed: UInt64 = 1
  ) throws {
    var (space, options, labelled) = (TuningSpace(), RuleTuning.Options(), LabelledGestures())
    (space.kinds, space.numbers) = (rules, [(.threshold, .range(thresholds))])
    if let velocityThresholds {
      space.numbers.append((.velocityThreshold, .range(velocityThresholds)))
    }
    options.weights = TuningWeights(wrongFinish: wrongFinish, wrongCancel: wrongCancel)
    options.seed = seed
    guard thresholds.lowerBound >= 0, thresholds.upperBound <= 1 else {
      throw QueryError("Thresholds are shares of the distance. Give a range within 0 and 1.")
    }
    guard velocityThresholds.map({ $0.lowerBound >= 0 && $0.upperBound.isFinite }) ?? true,
      [wrongFinish, wrongCancel].allSatisfy(TuningWeights.range.contains)
    else {
      throw QueryError("Speeds must be 0 or more, and costs above 0. Give finite numbers.")
    }
    let units = space.velocityThresholdUnits
    guard velocityThresholds == nil || rules.isEmpty || units.count == 1 else {
      throw QueryError(
        units.isEmpty
          ? "None of the rules has a velocityThreshold. Name a rule that has, such as velocity."
          : "The rules have speeds in \(units.joined(separator: " and in ")). Search the rules of one unit at a time."
      )
    }
    for reader in readers {
      let labels = try RecordingLabels(of: reader)
      labelled.counts.strays += labels.strays.count
      for session in try reader.sessionRecords() {
        try labelled.add(
          session, in: reader, file: reader.path, labels: labels, measures: space.measures)
      }
    }
    _ = labelled.removeRepeated()
    if let number = space.unusedNumber(of: labelled.gestures) {
      throw QueryError(
        "None of the sessions' rules has \(withArticle(number.rawValue)). Name the rules.")
    }
    self.init(searching: labelled, in: space, options: options)
  }

  /// Searches a space for the best setting of gestures, each of which is there once.
  package init(
    searching labelled: LabelledGestures, in space: TuningSpace, options: RuleTuning.Options,
    progress: (Double) -> Void = { _ in }
  ) {
    (self.labelled, self.space, weights) = (labelled, space, options.weights)
    tuning = RuleTuning.search(
      labelled.gestures.map(\.numbers), in: space, options: options, progress: progress)
  }

  /// What all gestures were judged by. `nil` where they differ.
  package var ownRelease: ReleaseParameters? {
    guard let first = labelled.gestures.first?.numbers.own else { return nil }
    return labelled.gestures.allSatisfy { $0.numbers.own == first } ? first : nil
  }

  /// The best setting, as the first gesture's session would have it.
  public var bestRelease: ReleaseParameters? { tuning.found.flatMap { release($0.best.setting) } }

  func release(_ setting: TuningSetting) -> ReleaseParameters? {
    labelled.gestures.first.map {
      setting.release(from: $0.numbers.own, measures: space.measures)
    }
  }

  /// What a person should know beside the answer.
  public var warnings: [String] {
    var warnings: [String] = []
    let counts = labelled.counts
    func add(_ count: Int, _ what: String) {
      if count > 0 { warnings.append("\(counted(count, "label")) \(what)") }
    }
    if counts.releases == 0 {
      warnings.append("these recordings have no release that a rule or an app decided")
    } else if labelled.gestures.isEmpty, counts.unsure == 0 {
      warnings.append(
        counts.strays > 0
          ? "the labels in FILE.labels.csv are of other sessions. See kymo list labels"
          : "no gesture has a label. Label each one with kymo label")
    }
    add(counts.strays, "in FILE.labels.csv left out: the recordings do not have their sessions")
    add(counts.withoutRelease, "left out: no rule or app decided their transitions")
    add(counts.withoutProgress, "left out: the progress at their releases was not recorded")
    if ownRelease == nil, !labelled.gestures.isEmpty {
      warnings.append(
        "the sessions were decided with different settings. Fields that are not set keep each session's value, and the "
          + "first session's are shown")
    }
    if bestRelease?.rule.kind.definition.velocity == .ofReports {
      warnings.append(
        "distances per report depend on the device's report rate. The best setting holds for devices with the report "
          + "rate of the recordings")
    }
    return warnings
  }

  /// How many gestures there are.
  package var headline: String {
    let counts = labelled.counts
    return
      "\(counted(labelled.gestures.count, "labelled gesture")): \(tuning.finishCount) meant to finish, "
      + "\(tuning.cancelCount) to cancel. \(counts.unsure) unsure and \(counts.unlabelled) without a label are not "
      + "searched."
  }

  /// What the best setting asks about.
  func asked(
    _ gesture: LabelledGestures.Gesture
  ) -> (progress: Double, velocity: Double?) {
    gesture.numbers.asked(
      by: tuning.found?.best.setting ?? TuningSetting(measure: 0, change: RuleChange()))
  }
}

// MARK: - Rows

extension TuningResult {
  /// A wrong gesture as a row.
  package func row(ofGesture index: Int) -> [EventField] { gesture(index).row }

  /// The columns that say something of one of the settings.
  package func columns(of rows: [[EventField]]) -> [String] {
    let numbers = TuningSpace.Number.allCases.map(\.rawValue)
    return (rows.first ?? []).map(\.name).filter { name in
      !numbers.contains(name) || name == TuningSpace.Number.threshold.rawValue
        || rows.contains { row in row.contains { $0.name == name && $0.value != .null } }
    }
  }

  /// The setting in use, the best one and its rivals as rows.
  ///
  /// - Parameter text: A window as a text.
  package func settingRows(window text: (EstimationWindow) -> String) -> [[EventField]] {
    func row(
      _ name: String, _ release: ReleaseParameters?, _ wrong: Int, _ cost: Double
    ) -> [EventField] {
      EventField.list(["setting": name, "rule": release?.rule.kind.rawValue])
        + TuningSpace.Number.allCases.map {
          EventField($0.rawValue, shown($0, of: release).fieldValue)
        }
        + EventField.list([
          "estimator": release?.estimator.rawValue, "window": release.map { text($0.window) },
          "wrong": wrong, "cost": cost,
        ])
    }
    var rows = [row("current", ownRelease, tuning.current.all.count, tuning.current.cost)]
    guard let found = tuning.found else { return rows }
    rows.append(row("best", bestRelease, found.best.errors.all.count, found.best.errors.cost))
    for rival in found.rivals {
      let wrong = labelled.gestures.count { $0.numbers.isDecidedWrongly(by: rival.setting) }
      rows.append(row("rival", release(rival.setting), wrong, rival.cost))
    }
    return rows
  }

  /// A number of a setting as table and page show it. `nil` if the rule does not ask for it.
  package func shown(_ number: TuningSpace.Number, of release: ReleaseParameters?) -> Double? {
    guard let rule = release?.rule, number != .distance || number.matters(to: rule.kind) else {
      return nil
    }
    let value = number.value(in: rule)
    return number == .minimumVelocity && value == 0 ? nil : value
  }
}

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
