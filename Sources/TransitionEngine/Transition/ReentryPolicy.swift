/// What a view does when a transition is asked for while another one is under way.
public enum ReentryPolicy: String, CaseIterable, Sendable {
  /// Refuses with an error; nothing changes. UIKit's own way, and the default.
  case refuse
  /// Takes over what is on the screen, with its velocity: a start begins a new transition from there,
  /// and finish or cancel turn a settle round.
  case retarget
  /// Waits for the completion of the one before.
  case queue
}
