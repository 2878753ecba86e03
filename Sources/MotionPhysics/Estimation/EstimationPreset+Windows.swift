/// One millisecond in nanoseconds.
private let millisecond: Int64 = 1_000_000

/// How far back the recursive filters start. They have no horizon of their own, but what lies a second
/// back hardly weighs: in `int1` and `int2` less than the rounding of a number, in the speed of the 1
/// euro filter, whose time constant is 0.16 s, 0.2 percent.
private let filterHorizon = 1000 * millisecond

/// How many samples the recursive filters look at: a second at 1000 Hz.
private let filterHistory = 1000

/// Which samples count for a peer's least squares: with fewer it answers 0 (minSampleSize in
/// Flutter's and React Native Gesture Handler's sources, the same in Compose's).
private let samplesOfAFit = 3

extension EstimationPreset {
  /// The peer's window for an estimator, with the peer's own values where it has the estimator and
  /// the values of its other estimators where it has not.
  ///
  /// Under `android`, too few samples give no velocity. The other peers answer 0 then, and so does
  /// their window. `flutter` clamps to the limits of its drag recognizers. Elsewhere they are the
  /// caller's. `mean-steps`, `step-mean` and `last-two` have their compositor's window under every preset, `mean-steps`
  /// niri's but under `cosmic`. `lsq-span` looks at 640 samples if others look at 20.
  package func window(for estimator: Estimator) -> EstimationWindow {
    let definition = estimator.definition
    if definition.family.measuresReports { return reportWindow(for: estimator) }
    var window = ownWindow(for: estimator)
    if let most = definition.mostSamples,
      window.historyLimit == EstimationWindow.android.historyLimit
    {
      window.historyLimit = most
    }
    return window
  }

  private func ownWindow(for estimator: Estimator) -> EstimationWindow {
    switch self {
    case .android: androidWindow(for: estimator)
    case .flutter: flutterWindow(for: estimator)
    case .compose: composeWindow(for: estimator)
    case .chromium: chromiumWindow(for: estimator)
    case .firefox: firefoxWindow
    case .gnome: gnomeWindow
    case .swiftui: swiftUIWindow
    case .rngh: gestureHandlerWindow(for: estimator)
    case .niri, .cosmic: reportWindow(for: .meanSteps)
    case .hyprland, .wayfire: reportWindow(for: .stepMean)
    }
  }

  /// The samples of compositors, whoever else is named: all reports of a swipe, or those at most 150 ms old
  /// (HISTORY_LIMIT of niri and of COSMIC) and the place before them, from which the oldest one's step counts. niri's
  /// age counts to the lift, COSMIC's to the newest report. Both drop a report that is earlier than the one before,
  /// movement and all. Hyprland and Wayfire look at no time.
  private func reportWindow(for estimator: Estimator) -> EstimationWindow {
    var window = EstimationWindow(
      name: rawValue, horizonNanoseconds: EstimationWindow.unlimited,
      stopGapNanoseconds: EstimationWindow.unlimited, historyLimit: .max)
    window.answerForTooFew = .zero
    window.duplicates = .keep
    window.backward = .keep
    if self == .flutter { window.clamp = .flutterFling }
    guard estimator == .meanSteps else { return window }
    window.horizonNanoseconds = 150 * millisecond
    window.ageMeasure = .segmentEnd
    window.ageOrigin = self == .cosmic ? .newestSample : .lift
    window.backward = .leaveOutMovement
    return window
  }

  /// 100 ms, a stop after more than 40 ms, 20 samples. `legacy` looks 200 ms back (its HORIZON), and
  /// the integrating filters keep their state from the gesture's start.
  private func androidWindow(for estimator: Estimator) -> EstimationWindow {
    var window = EstimationWindow.android
    window.name = rawValue
    if estimator == .legacy { window.horizonNanoseconds = 200 * millisecond }
    if estimator.definition.family.isRecursive { window.reachBackForFilters() }
    return window
  }

  /// 100 ms, a stop after more than 40 ms, 20 samples, doubled and backward times kept. Too few samples, which a fit
  /// has up to two, are a velocity of 0.
  private func keepingWindow(for estimator: Estimator) -> EstimationWindow {
    var window = EstimationWindow.android
    window.name = rawValue
    window.answerForTooFew = .zero
    window.duplicates = .keep
    window.backward = .keep
    window.minimumSamples = estimator.definition.family.isPolynomial ? samplesOfAFit : 2
    return window
  }

  /// 100 ms, a stop after more than 40 ms, 20 samples, doubled and backward times kept. The
  /// three-segment blends look at the newest places whatever their times are. Only the rest before
  /// the lift stops them (`_sinceLastSample`).
  private func flutterWindow(for estimator: Estimator) -> EstimationWindow {
    var window = keepingWindow(for: estimator)
    if estimator == .ios3 || estimator == .macos3 {
      window.horizonNanoseconds = EstimationWindow.unlimited
      window.stopGapNanoseconds = EstimationWindow.unlimited
      window.liftGapNanoseconds = 40 * millisecond
    }
    window.clamp = .flutterFling
    return window
  }

  /// 100 ms, a stop after more than 40 ms, 20 samples. For `impulse` the 40 ms count from the newest
  /// sample, which makes them its horizon.
  private func composeWindow(for estimator: Estimator) -> EstimationWindow {
    var window = keepingWindow(for: estimator)
    if estimator == .impulse || estimator == .impulse2017 {
      window.horizonNanoseconds = 40 * millisecond
    }
    return window
  }

  /// 100 ms, 20 samples, a stop from 40 ms on between places (kAssumePointerMoveStoppedTimeMs) and
  /// from 80 ms on before the lift (kAssumePointerUpStoppedTimeMs). The integrating filters wait for
  /// 2 microseconds where Android's wait for 2 ms.
  private func chromiumWindow(for estimator: Estimator) -> EstimationWindow {
    var window = EstimationWindow.android
    window.name = rawValue
    window.stopGapIncludesItsEnd = true
    window.liftGapNanoseconds = 80 * millisecond
    window.answerForTooFew = .zero
    window.duplicates = .keep
    window.backward = .keep
    window.filterStepNanoseconds = 2000
    if estimator.definition.family.isRecursive { window.reachBackForFilters() }
    return window
  }

  /// The newest five segments that end less than 100 ms before the lift
  /// (apz.max_velocity_queue_size, apz.velocity_relevance_time_ms). Places up to 5 ms after the last
  /// one that counts are merged into the next (MIN_VELOCITY_SAMPLE_TIME).
  private var firefoxWindow: EstimationWindow {
    var window = EstimationWindow(
      name: rawValue, horizonNanoseconds: 100 * millisecond,
      stopGapNanoseconds: EstimationWindow.unlimited, historyLimit: 6)
    window.horizonIncludesItsEnd = false
    window.ageOrigin = .lift
    window.ageMeasure = .segmentEnd
    window.answerForTooFew = .zero
    window.duplicates = .merge(nanoseconds: 5 * millisecond)
    return window
  }

  /// Everything up to 150 ms before the lift (EVENT_HISTORY_THRESHOLD_MS), as many places as there are.
  private var gnomeWindow: EstimationWindow {
    var window = EstimationWindow(
      name: rawValue, horizonNanoseconds: 150 * millisecond,
      stopGapNanoseconds: EstimationWindow.unlimited, historyLimit: .max)
    window.ageOrigin = .lift
    window.answerForTooFew = .zero
    window.duplicates = .keep
    return window
  }

  /// The newest three places whatever their times are. A rest keeps 0.998 of the velocity per
  /// millisecond, and ends it after two seconds.
  private var swiftUIWindow: EstimationWindow {
    var window = EstimationWindow(
      name: rawValue, horizonNanoseconds: EstimationWindow.unlimited,
      stopGapNanoseconds: EstimationWindow.unlimited, historyLimit: 3)
    window.liftGapNanoseconds = 2000 * millisecond
    window.stopGapIncludesItsEnd = true
    window.idleDecayPerMillisecond = 0.998
    window.answerForTooFew = .zero
    return window
  }

  /// 300 ms (horizonMilliseconds), a stop after more than 40 ms, 20 samples.
  private func gestureHandlerWindow(for estimator: Estimator) -> EstimationWindow {
    var window = keepingWindow(for: estimator)
    window.horizonNanoseconds = 300 * millisecond
    return window
  }
}

extension EstimationWindow {
  fileprivate mutating func reachBackForFilters() {
    horizonNanoseconds = filterHorizon
    historyLimit = filterHistory
  }
}
