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
  public var viewport: Size
  /// Distance that scrolling leaves around the content, in points.
  public var contentInset: EdgeInsets
  /// Content offset at the start, in points.
  public var contentOffset: Point
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
  /// How the rest of the way runs.
  public var settle: SettleParameters
  /// Estimator and rule at a release.
  public var release: ReleaseParameters
  /// How touches become a transition; nil when there is only a script.
  public var gesture: GesturePlan?
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

  /// How poses are mixed in a transition.
  public struct TransitionStyle: Sendable {
    /// The keys that items follow; nil for a linear transition.
    public var followedKeys: [FollowTransitionLayout.Key]?
    /// How transforms are mixed.
    public var transforms: TransformMixing = .decomposed

    /// The name of the type in a scenario file.
    public var type: String { followedKeys == nil ? "linear" : "follow" }
  }

  /// How touches become a transition.
  public struct GesturePlan: Sendable {
    /// What is recognised, and how its values become progress and keys.
    public var mapping: GestureMapping
    /// The name of the layout it goes to; nil for the other one of two.
    public var to: String?
    /// Points per unit of the touch recording, horizontally and vertically.
    public var scale: Point
    /// Added after the scaling, in points.
    public var offset: Point
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

  /// What a step does.
  public enum Action: Sendable {
    /// Starts an interactive transition to a layout, driving the content offset along when asked.
    case start(to: String, offset: OffsetPlan?)
    /// Sets the progress and invalidates.
    case progress(Double)
    /// Sets an animated key, its targets when given, and invalidates.
    case value(Double, key: String, finishTarget: Double?, cancelTarget: Double?)
    /// Invalidates the layout.
    case invalidate
    /// Finishes the interactive transition.
    case finish
    /// Cancels the interactive transition.
    case cancel
    /// Exchanges the layout, at once or over `duration` seconds.
    case setLayout(to: String, animated: Bool, duration: Double)
    /// Moves the content offset, in points.
    case scroll(to: Point)
    /// Moves the content offset so that an item stands at a position.
    case scrollToItem(IndexPath, position: ScrollPosition)
    /// Leaves a note.
    case mark(String)
  }

  /// Where the content offset goes during a transition.
  public struct OffsetPlan: Sendable {
    /// The items that count.
    public var items: [IndexPath]
    /// Where they shall stand.
    public var placement: Placement
    /// Inset, anchor and the rest of the rule.
    public var options: PlacementOptions
  }
}
