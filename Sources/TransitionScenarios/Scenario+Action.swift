package import MotionPhysics
package import TimelineModel
package import TransitionEngine

extension Scenario {
  /// The action of a step. Durations are in seconds.
  package enum Action: Sendable {
    case start(TransitionPlan)
    /// Runs an interactive transition by itself.
    case animate(TransitionPlan, Timing)
    /// Sets the progress and invalidates.
    case progress(Double)
    /// Sets an animated key, its targets when given, and invalidates.
    case value(Double, key: String, finishTarget: Double?, cancelTarget: Double?)
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
  package struct TransitionPlan: Sendable {
    /// The layout's name.
    package var layout: String
    /// Where the content offset goes. `nil` leaves it to the view.
    package var offset: OffsetPlan?
    /// How transforms are mixed. `nil`: as in the other transitions.
    package var transforms: TransformMixing?
  }

  /// How long something takes, and how its time becomes its way.
  package struct Timing: Sendable {
    package var duration: Double
    package var easing: Easing
  }

  /// Where the content offset goes during a transition.
  package struct OffsetPlan: Sendable {
    /// The offset itself, in points. `nil`: as the items are placed.
    package var target: Point2D?
    /// The items that count. `nil`: those that are visible at the start.
    package var items: [ItemIndexPath]?
    /// Where they shall stand.
    package var placement = Placement.center
    /// Inset, anchor and the rest of the rule.
    package var options = PlacementOptions()
  }

  package struct UpdatePlan: Sendable {
    /// The changes, in the order written.
    package var changes: [Change]
    /// The layout that is exchanged with it.
    package var layout: String?
    /// The item counts per section that the data reports afterwards. `nil`: those that the changes lead to.
    package var reportedCounts: [Int]?

    /// One change, with its items.
    package struct Change: Sendable {
      package var operation: UpdateOperation
      /// The id of an inserted item. `nil` makes one up.
      package var id: String?
      package var section: CollectionData.Section?
    }
  }
}
