extension ReleaseRule {
  /// What a rule compares. The raw values are the names in scenario files.
  ///
  /// In the formulas p is the progress, v its velocity per second, T ``ReleaseRule/threshold``, V
  /// ``ReleaseRule/velocityThreshold``, d ``ReleaseRule/decelerationRate`` and D
  /// ``ReleaseRule/distance``.
  public enum Kind: String, CaseIterable, Sendable {
    /// Finishes when p > T, and cancels at p = T. The velocity has no say. T is 0.5.
    case progress
    /// When |v| > V the sign of v decides; else p > T finishes. Both ties go on to the next question:
    /// |v| = V asks for the progress, and p = T cancels. V is 0.5 per second, T 0.5.
    case velocity
    /// Finishes when p - v / (1000 ln d) > T; the tie cancels. This is where a value that keeps d of
    /// its speed each millisecond comes to rest (the integral of v d^(1000 t)). d is 0.998, T 0.5.
    case projection
    /// Finishes when p + (v / 1000) d / (1 - d) > T; the tie cancels. The same in steps of a
    /// millisecond, as Apple's talk "Designing Fluid Interfaces" (WWDC 2018) projects; 0.1 % nearer
    /// than ``projection`` at its d of 0.998. T is 0.5.
    case projectionDiscrete = "projection-discrete"
    /// libadwaita's `adw-swipe-tracker.c`, with snap points at 0 and 1 and the start at 0. With
    /// w = v D / 1000 points per millisecond: when |w| < V the nearer point, p > T (the tie cancels).
    /// Else the rest place is p ± r(|w|), kept within 0 to 1, where r(w) = w s with
    /// s = d / (1 - d) / 1000, and above 2 the parabola 0.35 (x² - c²) + 2 s with c = s / 0.7 and
    /// x = w - 2 + c. Forwards it finishes wherever the rest place is past the start; backwards it
    /// finishes when the rest place is still > T. V is 0.3 (a finger), d 0.998, T 0.5.
    ///
    /// The source adds r, which it gets from points, to the progress without dividing by D; so does this.
    /// For touchpads GNOME Shell's `swipeTracker.js` has a V of 0.6, a d of 0.997 and a D of 400, or 300 vertically
    /// (`ReleaseRule.init(ofTouchpad:isVertical:)`).
    case gnome
    /// `computeTarget` of Jetpack Compose's `AnchoredDraggable.kt`, with anchors at 0 and 1 and p kept
    /// between them. v = 0 takes the nearer anchor (half way: finish). When |v D| >= V the direction
    /// decides, but not on an anchor (p = 0 cancels, p = 1 finishes). A slow v > 0 finishes when
    /// p >= T; a slow v < 0 cancels when 1 - p >= T. V is 125 points per second, T 0.5.
    case compose
    /// `dragEnd` of Flutter's `cupertino/route.dart`, whose pages are one progress wide. When |v| >= V,
    /// v > 0 finishes and any other cancels; else p >= T finishes (the source keeps the page when
    /// 1 - p > 0.5, so that half way leaves it). V is 1 per second, T 0.5.
    case flutterCupertino = "flutter-cupertino"
    /// `_handleDragEnd` of Flutter's `widgets/dismissible.dart`. p >= 1 finishes and p <= 0 cancels,
    /// whatever the velocity. A fling, |v D| >= V and |v D| - |cross| >= 400 points per second, goes
    /// its way, against the drag too; but with T >= 1 a fling forwards cancels. Else p > T finishes
    /// and the tie cancels. V is 700 points per second, T 0.4.
    case flutterDismissible = "flutter-dismissible"
    /// `releaseTarget` of OmniWM's `OverviewNativeTransition.swift`. p > 1 finishes and p < 0 cancels;
    /// v >= V finishes and v <= -V cancels; else p + 0.15 v >= T finishes, the tie too. With a d, the
    /// projection of ``projection`` stands in for 0.15 v. V is 0.5 per second, T 0.5.
    case omniwm
    /// niri's switch of workspaces (`projected_end_pos` of `src/input/swipe_tracker.rs`, and the gesture's end in
    /// `src/layout/monitor.rs`, which rounds to the nearest workspace): finishes when p - v / (1000 ln d) >= T.
    /// d is 0.997, T 0.5, D 300.
    case niri
    /// COSMIC's (`end_workspace_swipe` of cosmic-comp's `src/shell/mod.rs`; the constants stand there, and the velocity
    /// is divided by the output's length in `src/input/mod.rs`). With u = v D / W and W
    /// ``ReleaseRule/outputLength``: when |u| >= V, u > 0 finishes and any other cancels; else p > T finishes, with p
    /// kept within 0 to 1, and the tie cancels. V is 0.02 outputs per second, T 0.5, D 150.
    case cosmic
    /// Hyprland's (`CUnifiedWorkspaceSwipeGesture::end` of `UnifiedWorkspaceSwipeGesture.cpp`), either way: |p| D < 2
    /// cancels; else |p| >= T finishes, and so does s >= S, unless S is 0. s is what `step-mean` tells, times D: its
    /// swipes are the faster to it the fewer reports a second the device makes. T (`workspace_swipe_cancel_ratio`) is
    /// 0.5, S (`workspace_swipe_min_speed_to_force`) 30 points per report, D (`workspace_swipe_distance`) 300.
    case hyprland
    /// KWin's switch of desktops (`gestureReleasedX` of `src/virtualdesktops.cpp`, `SwipeGesture` of
    /// `src/gestures.h`), either way: min(|p|, 1) >= T finishes. The velocity has no say. T is 0.25, D 200.
    case kwin
    /// KWin's overview and desktop grid (`src/effect/effecttogglablestate.cpp`): min(p, 1) > T finishes, and the tie
    /// cancels. T is 0.5, D 200, and 500 from a screen's edge.
    case kwinOverview = "kwin-overview"
    /// Wayfire's (`vswipe_finish_target` of `vswipe-processing.hpp`, `vswipe.cpp`): p > T finishes, and so does q > F
    /// when p > 0. q is what `last-two` tells, times D, and depends on the device's report rate as Hyprland's s does.
    /// T (`threshold`) is 0.35, F (`delta_threshold`) 24 points per two reports, D 256.
    case wayfire
  }

  /// The output's length that `cosmic` takes where none is known, in points.
  public static let defaultOutputLength = 1920.0

  /// Hyprland does nothing at a place nearer to the start than this, in points.
  static let hyprlandLeastDistance = 2.0

  /// The seconds by which OmniWM projects: `inertia` of its `OverviewNativeTransition.swift`.
  public static let omniInertiaSeconds = 0.15

  /// By how much a fling must be faster along than across the drag, in points per second:
  /// `_kMinFlingVelocityDelta` of Flutter's `dismissible.dart`.
  public static let dismissibleCrossLead = 400.0
}

extension ReleaseRule.Kind {
  /// The peer's own threshold of the progress.
  public var defaultThreshold: Double {
    switch self {
    case .flutterDismissible: 0.4
    case .kwin: 0.25
    case .wayfire: 0.35
    default: 0.5
    }
  }

  /// How many points a compositor takes for a progress of 1; nil for the others, which leave that to the app.
  public var defaultDistance: Double? {
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

  /// Whether the velocity has a say.
  package var usesVelocity: Bool { ![.progress, .kwin, .kwinOverview].contains(self) }

  /// The unit of velocities of a progress as the rule compares them: "/s", or by reports.
  package var velocityUnit: String { (preset?.estimator ?? .lsq2).velocityUnit(of: "") }

  /// The peer's own threshold of the speed, in ``velocityThresholdUnit``; nil for a kind without one.
  public var defaultVelocityThreshold: Double? {
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
  public var velocityThresholdUnit: String? {
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
  public var takesDecelerationRate: Bool {
    switch self {
    case .projection, .projectionDiscrete, .gnome, .omniwm, .niri: true
    case .progress, .velocity, .compose, .flutterCupertino, .flutterDismissible, .cosmic,
      .hyprland, .kwin, .kwinOverview, .wayfire:
      false
    }
  }

  /// The peer's own deceleration rate: the one that Apple names normal, libadwaita's for fingers, and niri's.
  public var defaultDecelerationRate: Double? {
    switch self {
    case .projection, .projectionDiscrete, .gnome: 0.998
    case .niri: 0.997
    default: nil
    }
  }
}
