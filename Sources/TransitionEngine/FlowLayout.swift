public import TimelineModel

/// Items in rows, sections one after the other, as UICollectionViewFlowLayout places them.
///
/// Rows are filled greedily and spread to the row's length; the rules are those that the UIKit
/// documentation states, with measured behaviour where it is silent:
///
/// - An item goes into a row as long as it fits at the minimum spacing; a sum that misses the row's length
///   by a billionth of it still fits. Then the free room is shared out between the items.
/// - The last row of a section whose items all have one size keeps the gap of a full row; of different
///   sizes, see ``FlowLayoutParameters/lastRow-swift.property``.
/// - An item alone in its row stands in the middle when no second one like it would fit, else at the
///   start. One that is larger than the row stands at the start, with a warning.
///
/// Nothing is rounded unless ``FlowLayoutParameters/snapsToPixels`` asks for it. A negative size counts as
/// none; lengths over 10^12 points are cut off.
public final class FlowLayout: CollectionViewLayout {
  /// The name that events use.
  public let name: String
  /// What the layout is made from; a change shows after the next ``prepare(in:)``.
  public var parameters: FlowLayoutParameters
  /// Extent of the whole content: the viewport's across, the sum of the sections along.
  public private(set) var contentSize: Size = .zero
  /// Items that are larger than the room for them ("undefined-layout"), at most one per section.
  public private(set) var warnings: [LayoutWarning] = []

  var sections: [FlowSection] = []
  var preparedParameters = FlowLayoutParameters()
  var crossExtent = 0.0
  /// Whether every section ends at or after the end of the section before.
  var sectionsAreOrdered = true

  /// Makes a layout.
  public init(name: String = "FlowLayout", parameters: FlowLayoutParameters = .init()) {
    self.name = name
    self.parameters = parameters
  }

  /// Stacks the sections.
  ///
  /// - Complexity: O(number of sections), and O(number of items) for sections with items of
  ///   different sizes.
  public func prepare(in context: LayoutContext) {
    let axes = FlowAxes(direction: parameters.scrollDirection)
    preparedParameters = parameters
    crossExtent = axes.cross(context.viewport.asExtents)
    sections = []
    warnings = []
    sectionsAreOrdered = true
    var end = 0.0
    for (number, count) in context.itemCounts.enumerated() {
      let section = FlowSection(
        number: number, itemCount: max(0, count), start: end, crossExtent: crossExtent,
        parameters: parameters)
      if section.end < end || section.footerStart < section.start + section.headerExtent {
        sectionsAreOrdered = false
      }
      if let item = section.firstOversizedItem {
        warnings.append(
          LayoutWarning(
            code: "undefined-layout",
            message: """
              Item [\(number), \(item)] of layout \(name) is larger than the room between the \
              section's insets; it stands alone at the start of its row.
              """))
      }
      end = section.end
      sections.append(section)
    }
    contentSize = axes.size(main: max(0, end), cross: crossExtent)
  }
}

/// A layout is changed in place while it prepares; use it from one thread at a time.
@available(*, unavailable)
extension FlowLayout: Sendable {}
