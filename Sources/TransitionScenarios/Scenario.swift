package import MotionPhysics
public import TimelineModel
public import TransitionEngine

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

/// The elements of a layout, or of a mixture of two: every element with its identity.
public struct LayoutSnapshot: Sendable {
  /// The elements in the layout's own order.
  public var elements: [LayoutAttributes]
  /// Extent of the content, in points.
  public var contentSize: Size2D
  /// Where the viewport's corner stands in it, in points.
  public var contentOffset: Point2D
  /// The doubts of the layouts.
  public var warnings: [LayoutWarning]
}

extension Scenario {
  /// Makes one of the scenario's layouts, not yet prepared. `nil` for a name that it does not have.
  package func makeLayout(_ name: String) -> (any CollectionViewLayout)? {
    layouts.first { $0.name == name }.map { $0.make(name) }
  }

  /// All elements of a layout. `nil` for a name that the scenario does not have.
  public func snapshot(of name: String) -> LayoutSnapshot? {
    guard let layout = makeLayout(name) else { return nil }
    layout.prepare(in: context)
    return LayoutSnapshot(
      elements: layout.layoutAttributesForAllElements(), contentSize: layout.contentSize,
      contentOffset: contentOffset, warnings: layout.warnings)
  }

  /// All elements of two layouts mixed at a progress, which may leave 0 to 1, as a run of the scenario
  /// shows them. `nil` for a name that the scenario does not have.
  ///
  /// Where the script starts a transition to the same layout with an offset, the content offset is
  /// driven along as in the run.
  public func snapshot(from: String, to: String, progress: Double) -> LayoutSnapshot? {
    guard let current = makeLayout(from), let next = makeLayout(to) else { return nil }
    let mixture: TransitionLayout
    let view: CollectionView
    do {
      view = CollectionView(
        viewport: viewport, contentInset: contentInset, contentOffset: contentOffset, data: data,
        layout: current, clock: try DisplayClock(refreshRate: 60), sink: DiscardingTimeline())
      view.transforms = transition.transforms
      mixture = try view.startInteractiveTransition(to: next)
    } catch {
      preconditionFailure("A view that is idle starts a transition: \(error).")
    }
    if let plan = plannedOffset(to: to) {
      mixture.toContentOffset = view.toContentOffset(
        for: mixture, items: plan.items ?? view.itemsVisible(atStartOf: mixture),
        placement: plan.placement, options: plan.options)
    }
    mixture.transitionProgress = progress
    view.invalidateLayout()
    view.layoutIfNeeded()
    return LayoutSnapshot(
      elements: mixture.layoutAttributesForAllElements(), contentSize: view.contentSize,
      contentOffset: view.contentOffset, warnings: mixture.warnings)
  }

  private func plannedOffset(to name: String) -> OffsetPlan? {
    for step in script {
      switch step.action {
      case .start(let plan) where plan.layout == name && plan.offset != nil: return plan.offset
      case .animate(let plan, _) where plan.layout == name && plan.offset != nil:
        return plan.offset
      default: continue
      }
    }
    return nil
  }

  private var context: LayoutContext {
    LayoutContext(
      viewport: viewport, contentInset: contentInset, contentOffset: contentOffset,
      itemCounts: data.itemCounts)
  }
}

/// The version of the engine's behaviour. It changes when the same scenario gives other numbers.
public let engineVersion = "2"

extension Scenario {
  /// The most frames that steps and touches of one run may span: four and a half hours at 60 Hz, far
  /// above any transition. A guard against a mistyped time, which would fill the disk.
  public static let frameLimit = 1_000_000

  /// Whether a run may go on until a moment without passing ``frameLimit``.
  package func reaches(_ time: Instant) -> Bool {
    time.seconds * refreshRate <= Double(Scenario.frameLimit)
  }

  /// The description of a recording of this scenario before its first value.
  ///
  /// - Parameters:
  ///   - software: The program that records, with its version.
  ///   - text: The scenario file's text.
  public func sessionDescription(software: String, text: String?) -> SessionDescription {
    var session = SessionDescription(software: software, clock: "virtual", name: name)
    session.refreshRate = refreshRate
    session.viewport = viewport
    session.scenario = text
    session.engineVersion = engineVersion
    session.layouts = layouts.map {
      LayoutDescription(name: $0.name, type: $0.type, parameters: $0.json)
    }
    session.transition =
      FieldValue.object(named: [
        "type": transition.type, "transforms": transition.transforms.rawValue,
        "keys": transition.followedKeys, "reentry": transition.reentry.rawValue,
      ]).json
    session.settle = FieldValue.object(settle.fields).json
    session.release = FieldValue.object(release.fields).json
    return session
  }
}
