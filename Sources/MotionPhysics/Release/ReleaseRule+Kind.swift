extension ReleaseRule {
  /// The comparison of a rule. The raw values are the names in scenario files.
  ///
  /// In the formulas p is the progress, v its velocity per second, T ``ReleaseRule/threshold``, V
  /// ``ReleaseRule/velocityThreshold``, d ``ReleaseRule/decelerationRate`` and D
  /// ``ReleaseRule/distance``.
  public enum Kind: String, CaseIterable, Sendable {
    /// Finishes if p > T, and cancels at p = T. The velocity does not count. T is 0.5.
    case progress
    /// If |v| > V, the sign of v decides. Otherwise p > T finishes. At the tie |v| = V the progress decides,
    /// and at the tie p = T it cancels. V is 0.5 per second, T 0.5.
    case velocity
    /// Finishes if p - v / (1000 ln d) > T, and the tie cancels. A value that keeps d of its speed each
    /// millisecond comes to rest there (the integral of v d^(1000 t)). d is 0.998, T 0.5.
    case projection
    /// Finishes if p + (v / 1000) d / (1 - d) > T, and the tie cancels. This is the same in steps of a
    /// millisecond, as Apple's talk "Designing Fluid Interfaces" (WWDC 2018) projects. It is 0.1 % nearer
    /// than ``projection`` at its d of 0.998. T is 0.5.
    case projectionDiscrete = "projection-discrete"
    /// libadwaita's `adw-swipe-tracker.c`, with snap points at 0 and 1 and the start at 0. w = v D / 1000 is
    /// the speed in points per millisecond. If |w| < V, the nearer point decides: p > T finishes, and the tie
    /// cancels. Otherwise the target is p ± r(|w|), limited to 0 to 1. r(w) is w s with
    /// s = d / (1 - d) / 1000. Above 2 it is the parabola 0.35 (x² - c²) + 2 s with c = s / 0.7 and
    /// x = w - 2 + c. Forwards it finishes if the target is past the start. Backwards it finishes if the
    /// target is still > T. V is 0.3 (a finger), d 0.998, T 0.5.
    ///
    /// The source adds r, which it computes from points, to the progress without a division by D, and so does
    /// this rule. For touchpads GNOME Shell's `swipeTracker.js` has a V of 0.6, a d of 0.997 and a D of 400,
    /// or 300 vertically (`ReleaseRule.init(ofTouchpad:isVertical:)`).
    case gnome
    /// `computeTarget` of Jetpack Compose's `AnchoredDraggable.kt`, with anchors at 0 and 1 and p limited to
    /// the range between them. v = 0 takes the nearer anchor, and p = 0.5 finishes. If |v D| >= V, the
    /// direction decides, except on an anchor: p = 0 cancels, and p = 1 finishes. A slow v > 0 finishes if
    /// p >= T. A slow v < 0 cancels if 1 - p >= T. V is 125 points per second, T 0.5.
    case compose
    /// `dragEnd` of Flutter's `cupertino/route.dart`, whose pages are one progress wide. If |v| >= V, v > 0
    /// finishes and any other v cancels. Otherwise p >= T finishes, because the source keeps the page only if
    /// 1 - p > 0.5. V is 1 per second, T 0.5.
    case flutterCupertino = "flutter-cupertino"
    /// `_handleDragEnd` of Flutter's `widgets/dismissible.dart`. At every velocity, p >= 1 finishes and
    /// p <= 0 cancels. A fling has |v D| >= V and |v D| - |cross| >= 400 points per second, and its direction
    /// decides, also against the drag. But with T >= 1 a fling forwards cancels. Otherwise p > T finishes and
    /// the tie cancels. V is 700 points per second, T 0.4.
    case flutterDismissible = "flutter-dismissible"
    /// `releaseTarget` of OmniWM's `OverviewNativeTransition.swift`. p > 1 finishes and p < 0 cancels. Then
    /// v >= V finishes and v <= -V cancels. Otherwise p + 0.15 v >= T finishes, also at the tie. With a d,
    /// the projection of ``projection`` replaces 0.15 v. V is 0.5 per second, T 0.5.
    case omniwm
    /// niri's switch of workspaces finishes if p - v / (1000 ln d) >= T. It is `projected_end_pos` of
    /// `src/input/swipe_tracker.rs`. The gesture's end in `src/layout/monitor.rs` rounds to the nearest
    /// workspace. d is 0.997, T 0.5, D 300.
    case niri
    /// COSMIC's `end_workspace_swipe` of cosmic-comp's `src/shell/mod.rs`, with the constants of that file.
    /// `src/input/mod.rs` divides the velocity by the output's length. u is v D / W, and W is
    /// ``ReleaseRule/outputLength``. If |u| >= V, u > 0 finishes and any other u cancels. Otherwise p > T
    /// finishes, with p limited to 0 to 1, and the tie cancels. V is 0.02 outputs per second, T 0.5, D 150.
    case cosmic
    /// Hyprland's `CUnifiedWorkspaceSwipeGesture::end` of `UnifiedWorkspaceSwipeGesture.cpp`, for both
    /// directions. |p| D < 2 cancels. Otherwise |p| >= T finishes, and so does s >= S, unless S is 0. s is
    /// the estimate of `step-mean` times D. It grows if the device makes fewer reports a second. T
    /// (`workspace_swipe_cancel_ratio`) is 0.5, S (`workspace_swipe_min_speed_to_force`) 30 points per
    /// report, D (`workspace_swipe_distance`) 300.
    case hyprland
    /// KWin's switch of desktops, for both directions: `gestureReleasedX` of `src/virtualdesktops.cpp`, and
    /// `SwipeGesture` of `src/gestures.h`. min(|p|, 1) >= T finishes. The velocity does not count. T is 0.25,
    /// D 200.
    case kwin
    /// KWin's overview and desktop grid (`src/effect/effecttogglablestate.cpp`): min(p, 1) > T finishes, and the tie
    /// cancels. T is 0.5, D 200, and 500 from a screen's edge.
    case kwinOverview = "kwin-overview"
    /// Wayfire's `vswipe_finish_target` of `vswipe-processing.hpp` and `vswipe.cpp`. p > T finishes, and so
    /// does q > F if p > 0. q is the estimate of `last-two` times D, and depends on the device's report rate
    /// as Hyprland's s does. T (`threshold`) is 0.35, F (`delta_threshold`) 24 points per two reports, D 256.
    case wayfire
  }

  /// The output's length that `cosmic` takes where none is known, in points.
  package static let defaultOutputLength = 1920.0

  /// Hyprland does nothing at a place nearer to the start than this, in points.
  static let hyprlandLeastDistance = 2.0

  /// The seconds by which OmniWM projects: `inertia` of its `OverviewNativeTransition.swift`.
  package static let omniInertiaSeconds = 0.15

  /// By how much a fling must be faster along than across the drag, in points per second:
  /// `_kMinFlingVelocityDelta` of Flutter's `dismissible.dart`.
  package static let dismissibleCrossLead = 400.0
}

extension ReleaseRule.Kind {
  /// The peer's own threshold of the progress.
  package var defaultThreshold: Double {
    switch self {
    case .flutterDismissible: 0.4
    case .kwin: 0.25
    case .wayfire: 0.35
    default: 0.5
    }
  }

  /// How many points a compositor takes for a progress of 1; nil for the others, which leave that to the app.
  package var defaultDistance: Double? {
    switch self {
    case .niri, .hyprland: 300
    case .cosmic: 150
    case .kwin, .kwinOverview: 200
    case .wayfire: 256
    default: nil
    }
  }

  /// The preset with the estimator and the window by which a compositor measures what its rule compares; nil for the
  /// others, and for a rule that asks for no velocity.
  package var preset: EstimationPreset? {
    switch self {
    case .niri: .niri
    case .cosmic: .cosmic
    case .hyprland: .hyprland
    case .wayfire: .wayfire
    case .gnome: .gnome
    default: nil
    }
  }

  /// Whether the compositor's progress is an account of its own, and not the last place of a swipe.
  package var keepsAccount: Bool { preset != nil && self != .gnome }

  /// Whether the rule's thresholds can be held against an estimator's velocities: Hyprland's and Wayfire's only against
  /// their own measure, and that against no other's.
  package func accepts(_ estimator: Estimator) -> Bool {
    switch self {
    case .hyprland: estimator == .stepMean
    case .wayfire: estimator == .lastTwo
    case .progress, .kwin, .kwinOverview: true
    default: !estimator.isPerReport
    }
  }

  /// Whether a negative progress may finish: Hyprland and KWin take its size.
  package var acceptsBothSigns: Bool { self == .hyprland || self == .kwin }

  /// Whether the velocity has a say.
  package var usesVelocity: Bool { ![.progress, .kwin, .kwinOverview].contains(self) }

  /// The unit of velocities of a progress as the rule compares them: "/s", or by reports.
  package var velocityUnit: String { (preset?.estimator ?? .lsq2).velocityUnit(of: "") }

  /// The peer's own threshold of the speed, in ``velocityThresholdUnit``; nil for a kind without one.
  package var defaultVelocityThreshold: Double? {
    switch self {
    case .progress, .projection, .projectionDiscrete, .niri, .kwin, .kwinOverview: nil
    case .velocity, .omniwm: 0.5
    case .cosmic: 0.02
    case .hyprland: 30
    case .wayfire: 24
    case .gnome: 0.3
    case .compose: 125
    case .flutterCupertino: 1
    case .flutterDismissible: 700
    }
  }

  /// The unit of the threshold of the speed; nil for a kind without one.
  package var velocityThresholdUnit: String? {
    switch self {
    case .progress, .projection, .projectionDiscrete, .niri, .kwin, .kwinOverview: nil
    case .velocity, .flutterCupertino, .omniwm: "1/s"
    case .cosmic: "outputs/s"
    case .hyprland: "pt/report"
    case .wayfire: "pt/2 reports"
    case .gnome: "pt/ms"
    case .compose, .flutterDismissible: "pt/s"
    }
  }

  /// Whether the kind can project by a deceleration rate.
  package var takesDecelerationRate: Bool {
    switch self {
    case .projection, .projectionDiscrete, .gnome, .omniwm, .niri: true
    case .progress, .velocity, .compose, .flutterCupertino, .flutterDismissible, .cosmic,
      .hyprland, .kwin, .kwinOverview, .wayfire:
      false
    }
  }

  /// The peer's own deceleration rate: the one that Apple names normal, libadwaita's for fingers, and niri's.
  package var defaultDecelerationRate: Double? {
    switch self {
    case .projection, .projectionDiscrete, .gnome: 0.998
    case .niri: 0.997
    default: nil
    }
  }
}
