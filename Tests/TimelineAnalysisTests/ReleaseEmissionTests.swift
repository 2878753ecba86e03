import MotionPhysics
import TestSupport
import Testing

@testable import RunStudies

/// What a compositor is configured by, or is built with, from the best setting that was found.
@Suite struct ReleaseEmissionTests {
  private func release(_ rule: ReleaseRule) -> ReleaseParameters {
    var release = ReleaseParameters()
    if let preset = rule.kind.definition.preset {
      release.estimator = preset.estimator
      release.window = preset.window(for: preset.estimator)
    }
    release.rule = rule
    return release
  }

  /// The sentence with which an emission is refused; nil where it is not.
  private func refusal(_ emission: ReleaseEmission, _ rule: ReleaseRule) -> String? {
    do throws(ReleaseEmission.Refusal) {
      _ = try emission.text(of: release(rule))
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `Hyprland's settings are three lines of its configuration`() throws {
    let rule = ReleaseRule(
      kind: .hyprland, threshold: 0.35, velocityThreshold: 22, distance: 400)
    let text = try ReleaseEmission.hyprland.text(of: release(rule))
    #expect(text.hasPrefix("# For hyprland.conf."))
    #expect(text.contains("per report"))
    #expect(
      text.contains(
        """
        gestures {
            workspace_swipe_distance = 400
            workspace_swipe_cancel_ratio = 0.35
            workspace_swipe_min_speed_to_force = 22
        }

        """))
    let own = try ReleaseEmission.hyprland.text(of: release(ReleaseRule(kind: .hyprland)))
    #expect(own.contains("workspace_swipe_distance = 300\n"))
    #expect(own.contains("to_force = 30\n"))
    for (change, word) in [
      (ReleaseRule(kind: .hyprland, velocityThreshold: 22.5), "in steps of 1"),
      (ReleaseRule(kind: .hyprland, distance: 300.5), "workspace_swipe_distance"),
      (ReleaseRule(kind: .hyprland, threshold: 1.5), "workspace_swipe_cancel_ratio"),
      (ReleaseRule(kind: .hyprland, minimumVelocity: 0.1), "minimumVelocity"),
      (ReleaseRule(kind: .velocity), "hyprland"),
    ] {
      #expect(refusal(.hyprland, change)?.contains(word) == true, "\(change)")
    }
  }

  @Test func `niri's and GNOME's numbers are built in, and come only where they are the best`()
    throws
  {
    let niri = try ReleaseEmission.niri.text(of: release(ReleaseRule(kind: .niri)))
    #expect(niri.contains("Built in, not a setting; velocities by mean-steps over 150 ms."))
    #expect(niri.contains("const DECELERATION_TOUCHPAD: f64 = 0.997;"))
    #expect(niri.contains("const WORKSPACE_GESTURE_MOVEMENT: f64 = 300.;"))
    #expect(refusal(.niri, ReleaseRule(kind: .niri, distance: 300)) == nil)
    for change in [
      ReleaseRule(kind: .niri, threshold: 0.4), ReleaseRule(kind: .niri, distance: 200),
      ReleaseRule(kind: .niri, decelerationRate: 0.998),
      ReleaseRule(kind: .niri, maximumVelocity: 9), ReleaseRule(kind: .projection),
    ] {
      #expect(refusal(.niri, change) != nil, "\(change)")
    }
    let touch = try ReleaseEmission.gnome.text(
      of: release(ReleaseRule(kind: .gnome, distance: 390)))
    #expect(touch.contains("Built in, not a setting"))
    #expect(!touch.contains("BASE_WIDTH"))
    #expect(touch.contains("VELOCITY_THRESHOLD_TOUCH = 0.3;"))
    #expect(touch.contains("DECELERATION_TOUCH = 0.998;"))
    func touchpad(_ distance: Double?, _ rate: Double = 0.997) -> ReleaseRule {
      ReleaseRule(
        kind: .gnome, velocityThreshold: 0.6, decelerationRate: rate, distance: distance)
    }
    let pad = try ReleaseEmission.gnome.text(of: release(touchpad(400)))
    #expect(pad.contains("VELOCITY_THRESHOLD_TOUCHPAD = 0.6;"))
    #expect(pad.contains("TOUCHPAD_BASE_WIDTH = 400;"))
    #expect(refusal(.gnome, touchpad(300)) == nil)
    #expect(refusal(.gnome, touchpad(nil)) == nil)
    #expect(refusal(.gnome, touchpad(390))?.contains("TOUCHPAD_BASE_WIDTH") == true)
    #expect(refusal(.gnome, touchpad(400, 0.998))?.contains("DECELERATION_TOUCHPAD") == true)
    #expect(refusal(.gnome, ReleaseRule(kind: .gnome, threshold: 0.3)) != nil)
    #expect(refusal(.gnome, ReleaseRule(kind: .gnome, velocityThreshold: 0.4)) != nil)
  }

  @Test func `a scenario gets back what a compositor's rule was found with`() throws {
    for kind in ReleaseRule.Kind.allCases where kind.definition.preset != nil {
      let text = try ReleaseEmission.scenario.text(of: release(ReleaseRule(kind: kind)))
      #expect(text.contains("\"rule\": \"\(kind.rawValue)\""))
      #expect(text.contains("\"preset\": \"\(kind.definition.preset?.rawValue ?? "")\""))
    }
  }
}
