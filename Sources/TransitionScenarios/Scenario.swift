package import MotionPhysics
public import TimelineModel
package import TransitionEngine

/// A transition that can be tried without a device: the data, the layouts, and what happens when.
///
/// The JSON form is documented by `scenario.schema.json`. ``read(_:name:)`` makes the value.
public struct Scenario: Sendable {
  /// A name for people.
  public var name: String?
  /// Extent of the viewport, in points.
  public var viewport: Size2D
  /// Distance that scrolling leaves around the content, in points.
  package var contentInset: ContentInsets
  /// Content offset at the start, in points.
  package var contentOffset: Point2D
  /// Frames per second of the virtual display.
  public var refreshRate: Double
  /// Pixels per point. Used where a layout snaps to pixels.
  package var scale: Double
  /// Sections and items with their stable ids.
  package var data: CollectionData
  /// The layouts by name, in the order of their names.
  package var layouts: [NamedLayout]
  /// The name of the layout that is installed at the start.
  package var initialLayout: String
  /// How poses are mixed.
  package var transition: TransitionStyle
  /// Whether every call of a layout's hooks is an event.
  package var traceLayoutCalls: Bool
  /// How the rest of the motion runs.
  package var settle: SettleParameters
  /// Estimator and rule at a release.
  package var release: ReleaseParameters
  /// The same for touches that are sums of distances, as `libinput debug-events` prints them. Their lift comes 46 to 50 ms
  /// after the last distance, which the stop gap of ``release`` would take for a stop. So where the file names no preset,
  /// it is `gnome`, which has none.
  package var releaseOfDeltas: ReleaseParameters
  /// How touches become a transition. `nil` when there is only a script.
  package var gesture: GesturePlan?
  /// Whether a step changes the data, so that an item may be there that was not at the start.
  let changesData: Bool
  /// The timed steps, in the order in which they happen.
  package var script: [Step]
}

extension Scenario {
  /// A layout under its name.
  package struct NamedLayout: Sendable {
    /// The name that steps and events use.
    package let name: String
    /// The name of its type in the scenario file ("flow").
    package let type: String
    /// The parameters as JSON text with sorted fields, for the recording.
    package let json: String
    /// Makes it, under a name.
    let make: LayoutType.Maker
  }

  /// How poses are mixed in a transition, and what happens when one meets another.
  package struct TransitionStyle: Sendable {
    /// Which transition layout mixes.
    package var kind: Kind = .linear
    /// How transforms are mixed, unless a step says otherwise.
    package var transforms: TransformMixing = .decomposed
    /// The answer when a transition is asked for while another one is under way.
    package var reentry: ReentryPolicy = .refuse

    /// Which transition layout mixes.
    package enum Kind: Sendable {
      case linear
      /// One whose elements follow animated keys.
      case follow([FollowTransitionLayout.Key])
      /// One in which only the visible elements of the start take part, unless arriving elements are
      /// included.
      case snapshot(includesArriving: Bool)
    }

    /// The name of the type in a scenario file.
    package var type: String {
      switch kind {
      case .linear: "linear"
      case .follow: "follow"
      case .snapshot: "snapshot"
      }
    }

    /// The names of the keys that are followed.
    var followedKeys: [String] {
      if case .follow(let keys) = kind { keys.map(\.name) } else { [] }
    }
  }

  /// How touches become a transition.
  package struct GesturePlan: Sendable {
    /// The recognised gesture, and how its values become progress and keys.
    package var mapping: GestureMapping
    /// The name of the layout it goes to. `nil` for the other one of two.
    package var to: String?
    /// Points per unit of the touch recording, horizontally and vertically.
    package var scale: Point2D
    /// Added after the scaling, in points.
    package var offset: Point2D
    /// Where the content offset goes during its transitions. `nil` leaves it to the view.
    package var contentOffset: OffsetPlan?
    /// Whether touches resize an item of a pinch layout in place of driving a transition, and how long it
    /// takes to go back, in seconds.
    package var pinchesItem: Double?
  }

  package struct Step: Sendable {
    /// When it happens.
    package var time: Instant
    package var action: Action
    /// Where it stands in the file ("$.script[3]"), for messages.
    package var path: String
  }
}
