/// A peer whose way of telling velocities can be asked for by name. The raw values are those of
/// `--preset`.
public enum EstimationPreset: String, CaseIterable, Hashable, Sendable {
  /// Android's VelocityTracker (frameworks/native, libs/input/VelocityTracker.cpp).
  case android
  /// Flutter's gesture velocity trackers (gestures/velocity_tracker.dart).
  case flutter
  /// Jetpack Compose (androidx.compose.ui.input.pointer.util.VelocityTracker).
  case compose
  /// Chromium's velocity tracker (ui/events/velocity_tracker).
  case chromium
  /// Firefox's asynchronous panning (gfx/layers/apz, SimpleVelocityTracker.cpp).
  case firefox
  /// GNOME's swipe tracker (libadwaita's adw-swipe-tracker.c, GNOME Shell's swipeTracker.js).
  case gnome
  /// SwiftUI's velocity sampler, after the public twin in OpenSwiftUI.
  case swiftui
  /// React Native Gesture Handler on the web (src/web/tools/VelocityTracker.ts).
  case rngh
  /// niri's swipe tracker (src/input/swipe_tracker.rs), which adds a step of 0 at the lift.
  case niri
  /// COSMIC's gesture state (cosmic-comp, src/input/gestures/mod.rs), which adds none.
  case cosmic
  /// Hyprland's workspace swipe (UnifiedWorkspaceSwipeGesture.cpp).
  case hyprland
  /// Wayfire's viewport swipe (plugins/single_plugins/vswipe.cpp).
  case wayfire

  /// The estimator that the peer uses by itself.
  public var estimator: Estimator {
    switch self {
    case .android, .flutter, .compose, .chromium, .rngh: .lsq2
    case .firefox: .mean5
    case .gnome: .mean
    case .swiftui: .swiftui
    case .niri, .cosmic: .meanSteps
    case .hyprland: .stepMean
    case .wayfire: .lastTwo
    }
  }
}
