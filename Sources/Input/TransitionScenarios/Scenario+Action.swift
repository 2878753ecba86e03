public import MotionPhysics
public import TimelineModel
public import TransitionEngine

extension Scenario {
  /// What a step does. Durations are in seconds.
  public enum Action: Sendable {
    /// Starts an interactive transition.
    case start(TransitionPlan)
    /// Runs an interactive transition by itself.
    case animate(TransitionPlan, Timing)
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
    /// Cancels it and leaves everything where it is.
    case cancelInPlace
    /// Exchanges the layout, at once without a timing.
    case setLayout(TransitionPlan, Timing?)
    /// Changes data, and with it the layout where one is named.
    case update(UpdatePlan, Timing)
    /// Changes the viewport's extent.
    case bounds(Size2D, Timing)
    /// Changes the content insets.
    case contentInset(ContentInsets)
    /// Pushes a controller with a layout onto the navigation stack, at once without a timing.
    case push(layout: String, Timing?)
    /// Pops the controller on top, at once without a timing.
    case pop(Timing?)
    /// Begins to pop the controller on top, for steps or a gesture to drive.
    case interactivePop
    /// Resizes the item between two touches, in points of the viewport, of a pinch layout.
    case pinch(Point2D, Point2D)
    /// Lets that item go back.
    case endPinch(Timing)
    /// Moves the content offset, in points.
    case scroll(to: Point2D)
    /// Moves the content offset so that an item stands at a position.
    case scrollToItem(ItemIndexPath, position: ItemScrollPosition)
    /// Leaves a note.
    case mark(String)
  }

  /// A transition to a layout.
  public struct TransitionPlan: Sendable {
    /// The layout's name.
    public var layout: String
    /// Where the content offset goes; nil leaves it to the view.
    public var offset: OffsetPlan?
    /// How transforms are mixed; nil: as in the other transitions.
    public var transforms: TransformMixing?
  }

  /// How long something takes, and how its time becomes its way.
  public struct Timing: Sendable {
    /// In seconds.
    public var duration: Double
    /// The curve.
    public var easing: Easing
  }

  /// Where the content offset goes during a transition.
  public struct OffsetPlan: Sendable {
    /// The offset itself, in points; nil: as the items are placed.
    public var target: Point2D?
    /// The items that count; nil: those that are visible at the start.
    public var items: [ItemIndexPath]?
    /// Where they shall stand.
    public var placement = Placement.center
    /// Inset, anchor and the rest of the rule.
    public var options = PlacementOptions()
  }

  /// A batch update.
  public struct UpdatePlan: Sendable {
    /// What changes, in the order written.
    public var changes: [Change]
    /// The layout that is exchanged with it.
    public var layout: String?
    /// The item counts per section that the data reports afterwards; nil: those that the changes lead to.
    public var reportedCounts: [Int]?

    /// One change, with what it brings.
    public struct Change: Sendable {
      /// The operation.
      public var operation: UpdateOperation
      /// The id of an inserted item; nil makes one up.
      public var id: String?
      /// The inserted section.
      public var section: CollectionData.Section?
    }
  }
}
