/// A call that the engine refused. Nothing has changed. The view records it as an error event too.
public struct TransitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, for programs.
  package enum Code: String, CaseIterable, Sendable {
    /// A transition was started, or a layout set, while one is under way.
    case alreadyInTransition
    /// Finish, cancel or release without a transition that is being driven.
    case notInTransition
    /// A progress or value for a transition that is over.
    case detached
    /// The delegate's transition layout does not join the two layouts, or was used before.
    case wrongTransitionLayout
    /// The data or the layout has no such item.
    case unknownItem
    /// A number that cannot be used where it stands.
    case badValue
    /// The installed layout does not have the requested ability.
    case unsuitableLayout
    /// A gesture has no layout that it could lead to.
    case noDestination
    /// A navigation's root without a view of its own, or with the flag of a pushed controller.
    case wrongRoot
    /// A controller was pushed that does not share its root's view.
    case notSharing
    /// A controller was pushed that is on a stack already.
    case alreadyOnStack
    /// A pop while only the root is left.
    case nothingToPop
    /// A line was to go over to a grid, but the view's layout is not a horizontal flow.
    case notALine
  }

  /// The fault, for programs.
  package let code: Code
  /// The fault and the remedy, for people: one sentence.
  public let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
