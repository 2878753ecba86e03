package import MotionPhysics
import TimelineModel

/// A release as the text that another system is configured by.
package enum ReleaseEmission: String, CaseIterable, Sendable {
  /// The object `release` of a scenario.
  case scenario
  /// Swift that decides at a gesture's end.
  case uikit
  /// `dismissThresholds` of Flutter's `Dismissible`.
  case flutter
  /// `positionalThreshold` of Jetpack Compose's `AnchoredDraggableState`.
  case compose
  /// The settings of Hyprland's workspace swipe.
  case hyprland
  /// The constants of niri's source.
  case niri
  /// The constants of GNOME Shell's source.
  case gnome

  /// Why a release has no such text: one sentence without its full stop.
  package struct Refusal: Error, Hashable, Sendable {
    /// What does not fit.
    package var message: String
  }

  /// The text, with sentences in comments above it. A scenario is JSON, which has no comments.
  ///
  /// - Parameter comments: Sentences without their full stops.
  /// - Throws: ``Refusal`` where the rule is not the system's own, or a number differs that it fixes.
  package func text(
    of release: ReleaseParameters, comments: [String]
  ) throws(Refusal) -> String {
    let text = try text(of: release)
    guard self != .scenario else { return text }
    let mark = self == .hyprland ? "#" : "//"
    return comments.map { "\(mark) \($0).\n" }.joined() + text
  }

  /// The text.
  ///
  /// - Throws: ``Refusal`` where the rule is not the system's own, or a number differs that it fixes.
  package func text(of release: ReleaseParameters) throws(Refusal) -> String {
    switch self {
    case .scenario: return ReleaseEmission.scenario(release)
    case .uikit: return try ReleaseEmission.swift(release)
    case .flutter:
      let rule = release.rule
      try require(rule, is: .flutterDismissible, "Dismissible")
      try requireOwnNumbers(of: rule, "_kMinFlingVelocity")
      return """
        // For the constructor of Dismissible; \(ReleaseEmission.velocities(release)).
        dismissThresholds: const {DismissDirection.horizontal: \(number(rule.threshold))},

        """
    case .compose:
      let rule = release.rule
      try require(rule, is: .compose, "AnchoredDraggableState")
      try requireOwnNumbers(of: rule, "the velocityThreshold, 125 dp,")
      return """
        // For AnchoredDraggableState; \(ReleaseEmission.velocities(release)).
        positionalThreshold = { distance: Float -> distance * \(number(rule.threshold))f },

        """
    case .hyprland: return try hyprland(release)
    case .niri: return try niri(release)
    case .gnome: return try gnome(release)
    }
  }

  // MARK: Compositors

  private func hyprland(_ release: ReleaseParameters) throws(Refusal) -> String {
    let rule = release.rule
    try require(rule, is: .hyprland, "Hyprland")
    try requireNoLimits(of: rule)
    let numbers = [
      ("workspace_swipe_distance", rule.points, 1...Double(UInt32.max)),
      ("workspace_swipe_min_speed_to_force", rule.velocityThreshold ?? 0, 0...Double(Int32.max)),
    ]
    for (name, value, range) in numbers {
      guard value.rounded() == value, range.contains(value) else {
        let hint =
          name.hasSuffix("force") ? ". Search release.velocityThreshold in steps of 1" : ""
        throw Refusal(
          message: "\(name) must be a whole number (the best setting has \(number(value)))\(hint)")
      }
    }
    guard 0...1 ~= rule.threshold else {
      throw Refusal(
        message:
          "workspace_swipe_cancel_ratio must be within 0 and 1 (the best setting has \(number(rule.threshold)))"
      )
    }
    return """
      # For hyprland.conf. The speed is in pixels per report: it holds for devices that report as often as those of the
      # recordings.
      gestures {
          workspace_swipe_distance = \(number(rule.points))
          workspace_swipe_cancel_ratio = \(number(rule.threshold))
          workspace_swipe_min_speed_to_force = \(number(rule.velocityThreshold ?? 0))
      }

      """
  }

  private func niri(_ release: ReleaseParameters) throws(Refusal) -> String {
    let rule = release.rule
    try require(rule, is: .niri, "niri")
    try requireConstants(of: rule, [("its rounding to the nearest workspace", rule.threshold, 0.5)])
    try requireConstants(
      of: rule,
      [
        ("DECELERATION_TOUCHPAD", rule.decelerationRate ?? 0, 0.997),
        ("WORKSPACE_GESTURE_MOVEMENT", rule.points, 300),
      ])
    return """
      // Built in, not a setting; \(ReleaseEmission.velocities(release)).
      // src/input/swipe_tracker.rs
      const HISTORY_LIMIT: Duration = Duration::from_millis(150);
      const DECELERATION_TOUCHPAD: f64 = 0.997;
      // src/layout/monitor.rs
      const WORKSPACE_GESTURE_MOVEMENT: f64 = 300.;

      """
  }

  /// GNOME Shell has two sets of numbers, for touchpads and for touch screens. The distance of a touch is the
  /// monitor's.
  private func gnome(_ release: ReleaseParameters) throws(Refusal) -> String {
    let rule = release.rule
    try require(rule, is: .gnome, "GNOME")
    try requireConstants(of: rule, [("the nearest snap point", rule.threshold, 0.5)])
    let isTouchpad = rule.velocityThreshold == 0.6
    let device = isTouchpad ? "TOUCHPAD" : "TOUCH"
    try requireConstants(
      of: rule,
      [
        ("VELOCITY_THRESHOLD_\(device)", rule.velocityThreshold ?? 0, isTouchpad ? 0.6 : 0.3),
        ("DECELERATION_\(device)", rule.decelerationRate ?? 0, isTouchpad ? 0.997 : 0.998),
      ])
    if isTouchpad, let distance = rule.distance, distance != 300 {
      try requireConstants(of: rule, [("TOUCHPAD_BASE_WIDTH", distance, 400)])
    }
    let base =
      isTouchpad
      ? "const TOUCHPAD_BASE_HEIGHT = 300;\nconst TOUCHPAD_BASE_WIDTH = 400;\n" : ""
    return """
      // js/ui/swipeTracker.js. Built in, not a setting; \(ReleaseEmission.velocities(release)).
      const EVENT_HISTORY_THRESHOLD_MS = 150;
      const VELOCITY_THRESHOLD_\(device) = \(isTouchpad ? "0.6" : "0.3");
      const DECELERATION_\(device) = \(isTouchpad ? "0.997" : "0.998");
      const VELOCITY_CURVE_THRESHOLD = 2;
      const DECELERATION_PARABOLA_MULTIPLIER = 0.35;
      \(base)
      """
  }

  /// What a peer's source fixes is as it is there.
  private func requireConstants(
    of rule: ReleaseRule, _ constants: [(name: String, value: Double, peers: Double)]
  ) throws(Refusal) {
    for (name, value, peers) in constants where value != peers {
      throw Refusal(
        message:
          "\(rawValue) fixes \(name) at \(number(peers)), but the best setting has \(number(value))"
      )
    }
    try requireNoLimits(of: rule)
  }

  private func require(
    _ rule: ReleaseRule, is kind: ReleaseRule.Kind, _ peer: String
  ) throws(Refusal) {
    guard rule.kind != kind else { return }
    throw Refusal(
      message: "\(peer) decides with the rule '\(kind.rawValue)', but the best rule is "
        + "'\(rule.kind.rawValue)'. Search with --set release.rule=\(kind.rawValue)")
  }

  /// A peer fixes everything but the threshold.
  private func requireOwnNumbers(of rule: ReleaseRule, _ constant: String) throws(Refusal) {
    let peers = ReleaseRule(kind: rule.kind)
    guard rule.velocityThreshold == peers.velocityThreshold else {
      throw Refusal(
        message:
          "\(rawValue) fixes \(constant) at \(number(peers.velocityThreshold ?? 0)), but the best setting has "
          + number(rule.velocityThreshold ?? 0))
    }
    try requireNoLimits(of: rule)
  }

  private func requireNoLimits(of rule: ReleaseRule) throws(Refusal) {
    guard rule.minimumVelocity == 0, rule.maximumVelocity == nil else {
      throw Refusal(
        message:
          "\(rawValue) has no minimumVelocity or maximumVelocity, but the best setting has one")
    }
  }

  /// How the velocities were estimated that the numbers go with.
  private static func velocities(_ release: ReleaseParameters) -> String {
    "velocities by \(release.estimator.rawValue) over \(milliseconds(release.window.horizonNanoseconds))"
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    nanoseconds == EstimationWindow.unlimited
      ? "the whole gesture" : number(Double(nanoseconds) / 1e6) + " ms"
  }

  private static func number(_ value: Double) -> String { FieldValue.jsonNumber(value) }

  private func number(_ value: Double) -> String { ReleaseEmission.number(value) }

  // MARK: Scenario

  /// The fields by which a scenario gets the same release.
  private static func scenario(_ release: ReleaseParameters) -> String {
    var fields: [EventField] = []
    let preset = EstimationPreset(rawValue: release.window.name)
    if let preset { fields += EventField.list(["preset": preset.rawValue]) }
    fields += EventField.list(["estimator": release.estimator.rawValue])
    let usual = (preset ?? .android).window(for: release.estimator)
    let window = release.window
    if window.horizonNanoseconds != usual.horizonNanoseconds {
      fields += EventField.list(["window": Double(window.horizonNanoseconds) / 1e9])
    }
    if window.stopGapNanoseconds != usual.stopGapNanoseconds {
      fields += EventField.list(["stopGap": Double(window.stopGapNanoseconds) / 1e9])
    }
    if window.historyLimit != usual.historyLimit, window.historyLimit <= Int(Int32.max) {
      fields += EventField.list(["history": window.historyLimit])
    }
    // What a rule does not have is null among its fields, and no field of a scenario.
    fields += release.rule.fields.filter { field in
      field.value != .null && !(field.name == "minimumVelocity" && field.value == .number(0))
        && !(field.name == "crossVelocity" && field.value == .number(0))
    }
    let lines = fields.map { "    \(FieldValue.text($0.name).json): \($0.value.json)" }
    return "{\n  \"release\": {\n" + lines.joined(separator: ",\n") + "\n  }\n}\n"
  }

  // MARK: UIKit

  /// A function that decides as the rule does, for the rules that need no peer's constants.
  private static func swift(_ release: ReleaseParameters) throws(Refusal) -> String {
    let rule = release.rule
    var velocity = "velocity"
    var lines: [String] = []
    if rule.minimumVelocity > 0 {
      lines.append("let velocity = abs(velocity) < \(number(rule.minimumVelocity)) ? 0 : velocity")
    }
    if let maximum = rule.maximumVelocity {
      lines.append(
        "let limited = min(max(\(velocity), -\(number(maximum))), \(number(maximum)))")
      velocity = "limited"
    }
    guard let own = rule.kind.definition.swift else {
      let names = ReleaseRule.Kind.allCases.filter { $0.definition.swift != nil }.map(\.rawValue)
      throw Refusal(
        message: "UIKit has no rule '\(rule.kind.rawValue)', which is the best. Search the rules "
          + names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])")
    }
    if rule.kind.definition.velocity == .unused { lines = [] }
    lines += own(rule, velocity)
    // The logarithm alone is not Swift's own.
    let imports = lines.contains { $0.contains("log(") } ? "import Foundation\n\n" : ""
    return """
      \(imports)/// Whether a released transition finishes; the velocity is progress per second, towards the new layout,
      /// by \(release.estimator.rawValue) over \(milliseconds(release.window.horizonNanoseconds)).
      func finishes(progress: Double, velocity: Double) -> Bool {
        \(lines.joined(separator: "\n  "))
      }

      """
  }
}
