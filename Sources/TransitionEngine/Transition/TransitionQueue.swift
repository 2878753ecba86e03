import MotionPhysics
import TimelineModel

/// The answer of a view when a transition is asked for while another one is under way.
public enum ReentryPolicy: String, CaseIterable, Sendable {
  /// Refuses with an error. Nothing changes. UIKit's own way, and the default.
  case refuse
  /// Takes over the picture on the screen, with its velocity: a start begins a new transition from there,
  /// and finish or cancel turn a settle round.
  case retarget
  /// Waits for the completion of the one before.
  case queue
}

/// How a transition is run.
enum TransitionStyle {
  /// By a caller, to its release.
  case driven
  /// By itself, as if driven.
  case timed(seconds: Double, easing: Easing)
  /// As an exchange of layouts that no caller drives. At 0 seconds at once.
  case exchanged(seconds: Double, easing: Easing)
}

/// The transitions that wait for the one under way, the next one first.
struct TransitionQueue {
  /// A transition that waits.
  struct Element {
    var style: TransitionStyle
    var layout: TransitionLayout
    var completion: TransitionCompletion
    /// How it was released while it waited: the outcome, nil for the rule's, and who decided.
    var release: (outcome: ReleaseOutcome?, decidedBy: DecisionSource)?

    /// Whether it is for callers to drive and release.
    var isOpen: Bool {
      if case .driven = style { release == nil } else { false }
    }
  }

  private var waiting: [Element] = []
  private let log: EventLog

  init(log: EventLog) { self.log = log }

  var isEmpty: Bool { waiting.isEmpty }

  /// The layout of the last one that is for callers to drive.
  var openLayout: TransitionLayout? { waiting.last(where: \.isOpen)?.layout }

  /// The layout that the last one leads to. One that was not released yet is taken to finish.
  var lastLayout: (any CollectionViewLayout)? {
    waiting.last { $0.release?.outcome != .cancel }?.layout.nextLayout
  }

  func contains(_ layout: TransitionLayout) -> Bool { waiting.contains { $0.layout === layout } }

  /// Whether a transition waits and was not released.
  func isWaiting(_ layout: TransitionLayout) -> Bool {
    waiting.contains { $0.layout === layout && $0.release == nil }
  }

  mutating func append(_ element: Element) {
    waiting.append(element)
    record(element, what: "start")
  }

  mutating func removeFirst() -> Element { waiting.removeFirst() }

  /// Lets a release wait with a transition, or with the last one that is for callers to drive.
  ///
  /// - Returns: Whether there is one.
  mutating func release(
    _ layout: TransitionLayout? = nil, as outcome: ReleaseOutcome?, decidedBy: DecisionSource
  ) -> Bool {
    let found =
      layout.map { layout in waiting.firstIndex { $0.layout === layout && $0.release == nil } }
      ?? waiting.lastIndex(where: \.isOpen)
    guard let found else { return false }
    waiting[found].release = (outcome, decidedBy)
    record(waiting[found], what: outcome?.rawValue ?? "release")
    return true
  }

  /// Runs the completions that a gone view leaves.
  func abandon() { for element in waiting { element.completion(false, false) } }

  private func record(_ element: Element, what: String) {
    log.record(
      .queued, ["what": what, "to": element.layout.nextLayout.name, "waiting": waiting.count])
  }
}
