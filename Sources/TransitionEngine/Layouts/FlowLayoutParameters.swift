public import TimelineModel

/// The parameters of a flow layout. Lengths are in points. The defaults are UIKit's.
public struct FlowLayoutParameters: Hashable, Sendable {
  /// The direction in which the content grows.
  public var scrollDirection: ScrollDirection = .vertical
  /// The size of every item that has none of its own.
  public var itemSize = Size2D(width: 50, height: 50)
  /// Sizes by section and item. An item that the lists do not reach takes ``itemSize``.
  public var itemSizes: [[Size2D]] = []
  /// The distance between rows.
  public var minimumLineSpacing = 10.0
  /// The least distance between neighbours of a row.
  public var minimumInteritemSpacing = 10.0
  /// The free border round the items of a section.
  public var sectionInset = ContentInsets.zero
  /// The header's extent. Only the one along the scroll direction counts, zero makes no header.
  public var headerReferenceSize = Size2D.zero
  /// The footer's extent. Only the one along the scroll direction counts, zero makes no footer.
  public var footerReferenceSize = Size2D.zero
  /// The parameters of single sections, by section number. A list may be shorter.
  public var sections: [FlowSectionParameters] = []
  /// How the last row of a section with items of different sizes is spread.
  package var lastRow: LastRow = .leading
  /// Where items stand in a row that is taller than they are.
  package var rowAlignment: RowAlignment = .center
  /// Whether the view's content insets across the scroll direction make the rows shorter, as UIKit's
  /// own warning about sizes that do not fit says they do.
  package var subtractsContentInset = false
  /// Whether the edges of every frame are moved to the nearest pixel of ``scale``.
  package var snapsToPixels = false
  /// Pixels per point, for ``snapsToPixels``.
  package var scale = 1.0

  /// Makes the default parameters.
  public init() {}

  /// The direction in which the content grows.
  public enum ScrollDirection: String, CaseIterable, Sendable {
    /// Downwards. Rows fill from the left.
    case vertical
    /// To the right. Columns fill from the top.
    case horizontal
  }

  /// How the last row of a section with items of different sizes is spread.
  package enum LastRow: String, CaseIterable, Sendable {
    /// At the start, at the minimum spacing, as UIKit does.
    case leading
    /// As if copies of the last item filled it up, as PSTCollectionView does.
    case justified
  }

  /// Where items stand in a row that is taller than they are.
  package enum RowAlignment: String, CaseIterable, Sendable {
    /// In the middle, as UIKit does.
    case center
    /// At the row's start, as PSTCollectionView does.
    case leading
  }
}

/// The parameters of one section of a flow layout. A field that is nil is the layout's.
public struct FlowSectionParameters: Hashable, Sendable {
  /// The distance between rows, in points.
  public var minimumLineSpacing: Double?
  /// The least distance between neighbours of a row, in points.
  public var minimumInteritemSpacing: Double?
  /// The free border round the items, in points.
  public var sectionInset: ContentInsets?
  /// The header's extent, in points.
  public var headerReferenceSize: Size2D?
  /// The footer's extent, in points.
  public var footerReferenceSize: Size2D?

  /// Makes a section without anything of its own.
  public init() {}
}

extension FlowLayoutParameters {
  /// The kind of the views that a flow layout puts before a section, at `[section, 0]`.
  public static let headerKind = "header"
  /// The kind of the views that a flow layout puts after a section, at `[section, 0]`.
  public static let footerKind = "footer"
}
