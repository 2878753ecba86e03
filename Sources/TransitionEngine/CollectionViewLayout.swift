public import TimelineModel

/// What a layout knows of the view when it prepares.
public struct LayoutContext: Hashable, Sendable {
  /// Extent of the viewport, in points.
  public var viewport: Size
  /// The view's content insets, in points.
  public var contentInset: EdgeInsets
  /// Content coordinates of the viewport's corner, in points.
  public var contentOffset: Point
  /// How many items each section has.
  public var itemCounts: [Int]

  /// Makes a context; insets and offset default to zero.
  public init(
    viewport: Size, contentInset: EdgeInsets = .zero, contentOffset: Point = .zero,
    itemCounts: [Int]
  ) {
    self.viewport = viewport
    self.contentInset = contentInset
    self.contentOffset = contentOffset
    self.itemCounts = itemCounts
  }
}

/// Something doubtful that a layout met while it prepared; the view records it as a warning event.
public struct LayoutWarning: Hashable, Sendable {
  /// A stable code ("undefined-layout").
  public var code: String
  /// What, and where, as one sentence.
  public var message: String

  /// Makes a warning.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}

/// Places elements. The hooks carry UIKit's names, so that a layout of an app reads the same here.
///
/// A layout answers after ``prepare(in:)`` and until the next one gives the same answers again.
public protocol CollectionViewLayout: AnyObject {
  /// The name that events use. Default: the type's name.
  var name: String { get }

  /// Computes whatever the other questions need.
  func prepare(in context: LayoutContext)

  /// What was doubtful in the last ``prepare(in:)``. Default: nothing.
  var warnings: [LayoutWarning] { get }

  /// Extent of the whole content, in points.
  var contentSize: Size { get }

  /// The elements whose frames share area with a rectangle in content coordinates, hidden ones too.
  func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes]

  /// Every element: per section header, cells and footer, then decoration.
  func layoutAttributesForAllElements() -> [LayoutAttributes]

  /// One item's attributes; nil for an item that the layout does not place.
  func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes?

  /// One supplementary view's attributes. Default: nil.
  func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: IndexPath
  ) -> LayoutAttributes?

  /// One decoration view's attributes. Default: nil.
  func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: IndexPath
  ) -> LayoutAttributes?

  /// Where the viewport shall rest when this layout is installed. Default: the proposal.
  func targetContentOffset(forProposedContentOffset proposal: Point) -> Point

  /// Sent to the outgoing layout before a transition. Default: nothing.
  func prepareForTransition(to next: any CollectionViewLayout)

  /// Sent to the incoming layout before a transition. Default: nothing.
  func prepareForTransition(from old: any CollectionViewLayout)

  /// Sent to both layouts, the outgoing first, when a transition is over and its poses were gathered.
  /// Default: nothing.
  func finalizeLayoutTransition()
}

extension CollectionViewLayout {
  /// The type's name.
  public var name: String { String(describing: type(of: self)) }

  /// Nothing is doubtful.
  public var warnings: [LayoutWarning] { [] }

  /// The elements of the whole content that meet the rectangle.
  public func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
    layoutAttributesForAllElements().filter { $0.frame.intersects(rect) }
  }

  /// No supplementary views.
  public func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: IndexPath
  ) -> LayoutAttributes? { nil }

  /// No decoration views.
  public func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: IndexPath
  ) -> LayoutAttributes? { nil }

  /// The proposal itself.
  public func targetContentOffset(forProposedContentOffset proposal: Point) -> Point { proposal }

  /// Does nothing.
  public func prepareForTransition(to next: any CollectionViewLayout) {}

  /// Does nothing.
  public func prepareForTransition(from old: any CollectionViewLayout) {}

  /// Does nothing.
  public func finalizeLayoutTransition() {}

  /// The attributes at a path of any category; nil for an element that the layout does not place.
  public func layoutAttributes(at path: ElementPath) -> LayoutAttributes? {
    switch path.category {
    case .cell:
      layoutAttributesForItem(at: path.indexPath)
    case .supplementary:
      layoutAttributesForSupplementaryView(ofKind: path.elementKind ?? "", at: path.indexPath)
    case .decoration:
      layoutAttributesForDecorationView(ofKind: path.elementKind ?? "", at: path.indexPath)
    }
  }
}
