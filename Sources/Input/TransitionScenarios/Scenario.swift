public import MotionPhysics
public import TimelineModel
public import TransitionEngine

/// A transition that can be tried without a device: the data, the layouts, and what happens when.
///
/// The JSON form is documented by `scenario.schema.json`; ``read(_:name:)`` makes the value.
public struct Scenario: Sendable {
  /// A name for people.
  public var name: String?
  /// Extent of the viewport, in points.
  public var viewport: Size2D
  /// Distance that scrolling leaves around the content, in points.
  public var contentInset: ContentInsets
  /// Content offset at the start, in points.
  public var contentOffset: Point2D
  /// Frames per second of the virtual display.
  public var refreshRate: Double
  /// Pixels per point; used where a layout snaps to pixels.
  public var scale: Double
  /// Sections and items with their stable ids.
  public var data: CollectionData
  /// The layouts by name, in the order of their names.
  public var layouts: [NamedLayout]
  /// The name of the layout that is installed at the start.
  public var initialLayout: String
  /// How poses are mixed.
  public var transition: TransitionStyle
  /// Whether every call of a layout's hooks is an event.
  public var traceLayoutCalls: Bool
  /// How the rest of the way runs.
  public var settle: SettleParameters
  /// Estimator and rule at a release.
  public var release: ReleaseParameters
  /// The same for touches that are sums of distances, as `libinput debug-events` prints them. Their lift comes 46 to 50 ms
  /// after the last distance, which the stop gap of ``release`` would take for a stop; so where the file names no preset,
  /// it is `gnome`, which has none.
  package var releaseOfDeltas: ReleaseParameters
  /// How touches become a transition; nil when there is only a script.
  public var gesture: GesturePlan?
  /// Whether a step changes the data, so that an item may be there that was not at the start.
  let changesData: Bool
  /// The timed steps, in the order in which they happen.
  public var script: [Step]
}

extension Scenario {
  /// A layout under its name.
  public struct NamedLayout: Sendable {
    /// The name that steps and events use.
    public let name: String
    /// The name of its type in the scenario file ("flow").
    public let type: String
    /// The parameters as JSON text with sorted fields, for the recording.
    public let json: String
    /// Makes it, under a name.
    let make: LayoutType.Maker
  }

  /// How poses are mixed in a transition, and what happens when one meets another.
  public struct TransitionStyle: Sendable {
    /// Which transition layout mixes.
    public var kind: Kind = .linear
    /// How transforms are mixed, unless a step says otherwise.
    public var transforms: TransformMixing = .decomposed
    /// What happens when a transition is asked for while another one is under way.
    public var reentry: ReentryPolicy = .refuse

    /// Which transition layout mixes.
    public enum Kind: Sendable {
      /// The plain one.
      case linear
      /// One whose elements follow animated keys.
      case follow([FollowTransitionLayout.Key])
      /// One in which only what is visible at the start takes part, unless arriving elements are
      /// included.
      case snapshot(includesArriving: Bool)
    }

    /// The name of the type in a scenario file.
    public var type: String {
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
  public struct GesturePlan: Sendable {
    /// What is recognised, and how its values become progress and keys.
    public var mapping: GestureMapping
    /// The name of the layout it goes to; nil for the other one of two.
    public var to: String?
    /// Points per unit of the touch recording, horizontally and vertically.
    public var scale: Point2D
    /// Added after the scaling, in points.
    public var offset: Point2D
    /// Where the content offset goes during its transitions; nil leaves it to the view.
    public var contentOffset: OffsetPlan?
    /// Whether touches resize an item of a pinch layout in place of driving a transition, and how long it
    /// takes to go back, in seconds.
    public var pinchesItem: Double?
  }

  /// One step of the script.
  public struct Step: Sendable {
    /// When it happens.
    public var time: Instant
    /// What it does.
    public var action: Action
    /// Where it stands in the file ("$.script[3]"), for messages.
    public var path: String
  }
}
