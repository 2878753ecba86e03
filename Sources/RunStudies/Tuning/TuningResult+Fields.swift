import MotionPhysics
package import TimelineModel

extension TuningResult: ResultRow {
  /// The fields of the object that `kymo rule tune --json` prints.
  ///
  /// `best` and `current` have the settings with their costs, `expected` the error on new gestures, and `refused` why
  /// there is no answer. Windows are in seconds, and regions in the units of their numbers.
  package var fields: [EventField] { fields(withErrors: []) }

  /// The same with the files that were left out.
  package func fields(withErrors errors: [[EventField]]) -> [EventField] {
    row + EventField.list(["errors": errors.map(FieldValue.object)])
  }

  package static var fields: [ResultField<TuningResult>] {
    [
      ResultField("version", "The version of the object.") { _ in 1 },
      ResultField("labels", "The number of labels of each sort.", labelCounts) { $0 },
      ResultField("weights", "The costs of wrong decisions.", TuningWeights.fields, \.weights),
      ResultField("current", "The decisions with the settings in use.", current) { $0 },
    ] + found.when { $0.tuning.found != nil } + [
      ResultField("refused", "Why settings have no answer.") { $0.tuning.refusals.map(\.sentence) },
      ResultField("warnings", "Sentences that limit the answer.") { result in
        result.warnings
          + (result.tuning.found?.atEnds.map {
            "the region of the best \($0.rawValue) reaches an end of the searched range"
          } ?? [])
      },
    ]
  }

  private static var labelCounts: [ResultField<TuningResult>] {
    [
      ResultField("finish", "Gestures meant to finish.", \.tuning.finishCount),
      ResultField("cancel", "Gestures meant to cancel.", \.tuning.cancelCount),
      ResultField("unsure", "Gestures of which a person was unsure.", \.labelled.counts.unsure),
      ResultField("unlabelled", "Gestures without a label.", \.labelled.counts.unlabelled),
      ResultField(
        "without_progress", "Labels whose releases have no progress.",
        \.labelled.counts.withoutProgress),
      ResultField(
        "without_release", "Labels without a decided release.", \.labelled.counts.withoutRelease),
      ResultField("other_sessions", "Labels of other sessions.", \.labelled.counts.strays),
    ]
  }

  private static var current: [ResultField<TuningResult>] {
    [
      ResultField("release", "The settings; null if they differ.", ReleaseParameters.fields) {
        $0.ownRelease
      }, ResultField("cost", "The summed costs of wrong decisions.", \.tuning.current.cost),
      ResultField("errors", "The number of wrong decisions.", \.tuning.current.all.count),
      gestures("wrong_finish", "Gestures that finish and were meant to cancel.") {
        $0.tuning.current.wrongFinish
      },
      gestures("wrong_cancel", "Gestures that cancel and were meant to finish.") {
        $0.tuning.current.wrongCancel
      },
    ]
  }

  private static var found: [ResultField<TuningResult>] {
    [
      ResultField("best", "The best setting.", best) { $0 },
      ResultField("expected", "The errors on new gestures.", RuleTuning.Expectation.fields) {
        $0.tuning.found?.expected
      },
      ResultField("region", "The ends of each number between which the cost is nearly the best.") {
        $0.tuning.found?.region
      },
      ResultField("better", "The comparison with the settings in use.", better) { $0 },
      ResultField("more_labels", "The number of further labels.", moreLabels) { $0.tuning.found },
      ResultField(list: "rivals", "Other settings that are about as good.", Rival.fields) {
        result in
        result.tuning.found?.rivals.map {
          Rival(release: result.release($0.setting), cost: $0.cost)
        } ?? []
      },
      gestures("perhaps_mislabelled", "Gestures that each good setting decides otherwise.") {
        $0.tuning.found?.perhapsMislabelled ?? []
      },
    ]
  }

  private static var best: [ResultField<TuningResult>] {
    func number(
      _ name: String, _ help: String, _ read: @escaping @Sendable (RuleTuning.Best) -> Double?
    ) -> ResultField<TuningResult> {
      ResultField(name, help) { $0.tuning.found.flatMap { read($0.best) } }
    }
    return [
      ResultField("release", "The setting.", ReleaseParameters.fields) { $0.bestRelease },
      number("cost", "The summed costs of wrong decisions.") { $0.errors.cost },
      gestures("wrong_finish", "Gestures that finish and were meant to cancel.") {
        $0.tuning.found?.best.errors.wrongFinish ?? []
      },
      gestures("wrong_cancel", "Gestures that cancel and were meant to finish.") {
        $0.tuning.found?.best.errors.wrongCancel ?? []
      },
      number("smallest_margin", "The smallest margin of a gesture.", \.smallestMargin),
      number("threshold_margin", "The margin of the threshold.", \.thresholdMargin),
      number(
        "velocity_threshold_margin", "The margin of the velocity's threshold.",
        \.velocityThresholdMargin),
    ]
  }

  private static var better: [ResultField<TuningResult>] {
    [
      ResultField("b", "Gestures that only the best setting decides as meant.") {
        $0.tuning.found?.better.b
      },
      ResultField("c", "Gestures that only the settings in use decide as meant.") {
        $0.tuning.found?.better.c
      }, ResultField("p", "The p of McNemar's test.") { $0.tuning.found?.better.p },
      ResultField("claim", "Whether the best setting is claimed to be better.", \.tuning.isClaimed),
    ]
  }

  private static var moreLabels: [ResultField<RuleTuning.Found>] {
    [
      ResultField("to_claim", "About how many more labels a claim needs.", \.moreToClaim),
      ResultField("to_halve", "About how many more labels halve a region.", \.moreToHalve),
    ]
  }

  private static func gestures(
    _ name: String, _ help: String, _ indices: @escaping @Sendable (TuningResult) -> [Int]
  ) -> ResultField<TuningResult> {
    ResultField(list: name, help, DecidedGesture.names) { result in
      indices(result).map(result.gesture)
    }
  }

  /// A gesture with the numbers that the best setting asks about.
  package func gesture(_ index: Int) -> DecidedGesture {
    let (progress, velocity) = asked(labelled.gestures[index])
    return DecidedGesture(
      gesture: labelled.gestures[index], progress: progress, velocity: velocity,
      isMislabelled: tuning.found?.perhapsMislabelled.contains(index) == true)
  }

  /// A setting that is about as good as the best.
  private struct Rival: ResultRow {
    let release: ReleaseParameters?
    let cost: Double

    static var fields: [ResultField<Rival>] {
      [
        ResultField("release", "The setting.", ReleaseParameters.fields, \.release),
        ResultField("cost", "The summed costs of wrong decisions.", \.cost),
      ]
    }
  }

  /// A labelled gesture that was decided.
  package struct DecidedGesture: ResultRow {
    let gesture: LabelledGestures.Gesture
    let progress: Double
    let velocity: Double?
    let isMislabelled: Bool

    private var meant: ReleaseOutcome { gesture.numbers.isMeantToFinish ? .finish : .cancel }

    /// The fields by which a gesture is found again.
    fileprivate static var names: [ResultField<DecidedGesture>] {
      [
        ResultField("file", "The recording.", \.gesture.file),
        ResultField("session", "The session's number.", \.gesture.session),
        ResultField("uuid", "The session's identity.", \.gesture.uuid),
        ResultField("transition", "The number of the transition in its session.") {
          $0.gesture.transition
        }, ResultField("progress", "The progress that the best rule compares.", \.progress),
        ResultField("velocity", "The velocity that the best rule compares.", \.velocity),
      ]
    }

    /// The fields of a gesture that was decided otherwise than it was meant.
    package static var fields: [ResultField<DecidedGesture>] {
      names.choosing("file", "session", "transition") + [
        ResultField("meant", "The outcome that was meant.", \.meant),
        ResultField("decision", "The outcome with the best setting.") {
          $0.meant == .finish ? ReleaseOutcome.cancel : .finish
        },
      ] + names.choosing("progress", "velocity") + [
        ResultField("note", "Whether the label is perhaps wrong.") {
          $0.isMislabelled ? "perhaps mislabelled" : ""
        }
      ]
    }
  }
}

extension TuningWeights: ResultRow {
  package static var fields: [ResultField<TuningWeights>] {
    [
      ResultField("wrong_finish", "The cost of a finish meant to cancel.", \.wrongFinish),
      ResultField("wrong_cancel", "The cost of a cancel meant to finish.", \.wrongCancel),
    ]
  }
}

extension RuleTuning.Expectation: ResultRow {
  package static let fields: [ResultField<RuleTuning.Expectation>] = [
    ResultField("method", "The method of leaving gestures out.", \.method),
    ResultField("folds", "The number of parts that were left out in turn.", \.foldCount),
    ResultField("cost", "The summed costs of wrong decisions.", \.cost),
    ResultField("errors", "The number of wrong decisions.", \.errorCount),
    ResultField("error_share", "The share of wrong decisions, 0 to 1.", \.errorShare),
    ResultField("low", "The lower end of the 90 % interval.", \.low),
    ResultField("high", "The upper end of the 90 % interval.", \.high),
    ResultField("interval", "The number that has the interval.") {
      ($0.isOfCost ? "cost" : "error_share")
        + ($0.isApproximate ? ", bootstrap, approximate" : "")
    }, ResultField("groups", "The number of groups for the interval.", \.groupCount),
    ResultField("seed", "The seed of the random numbers.", \.seed),
  ]
}

extension RuleTuning.Found {
  /// The ends of each region by name. Those of times in seconds, as a release has them.
  fileprivate var region: FieldValue {
    let ends =
      regions.map { ($0.number.rawValue, $0.range) }
      + timeRegions.map {
        ($0.name, Double($0.nanoseconds.lowerBound) / 1e9...Double($0.nanoseconds.upperBound) / 1e9)
      }
    return .object(ends.map { EventField($0, [$1.lowerBound, $1.upperBound].fieldValue) })
  }
}
