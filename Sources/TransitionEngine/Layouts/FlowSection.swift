import TimelineModel

/// One section of a flow layout: header, inset, rows, inset, footer, one after the other.
struct FlowSection {
  enum Arrangement {
    case grid(FlowGrid)
    case rows(FlowRows, sizes: [(main: Double, cross: Double)])
  }

  var number: Int
  var start: Double
  var headerExtent: Double
  var footerStart: Double
  var footerExtent: Double
  var end: Double
  var arrangement: Arrangement

  /// Stacks a section at a place along the scroll direction.
  ///
  /// - Complexity: O(1) when all items have one size, else O(number of items).
  init(
    number: Int, itemCount: Int, start: Double, crossExtent: Double,
    parameters: FlowLayoutParameters
  ) {
    let axes = FlowAxes(direction: parameters.scrollDirection)
    let own =
      parameters.sections.indices.contains(number)
      ? parameters.sections[number] : FlowSectionParameters()
    let insets = (own.sectionInset ?? parameters.sectionInset).asLengths
    self.number = number
    self.start = start
    headerExtent = axes.main(
      (own.headerReferenceSize ?? parameters.headerReferenceSize).asExtents)
    footerExtent = axes.main(
      (own.footerReferenceSize ?? parameters.footerReferenceSize).asExtents)
    let bounds = FlowBounds(
      mainStart: start + headerExtent + axes.mainStart(insets),
      crossStart: axes.crossStart(insets),
      inner: crossExtent - axes.crossStart(insets) - axes.crossEnd(insets),
      spacing: (own.minimumInteritemSpacing ?? parameters.minimumInteritemSpacing).asLength,
      lineSpacing: (own.minimumLineSpacing ?? parameters.minimumLineSpacing).asLength)

    let rowsEnd: Double
    if let size = FlowSection.commonSize(number, itemCount, parameters) {
      let grid = FlowGrid(
        bounds: bounds, mainExtent: axes.main(size), crossExtent: axes.cross(size), count: itemCount
      )
      arrangement = .grid(grid)
      rowsEnd = grid.end
    } else {
      let listed = parameters.itemSizes[number]
      let sizes = (0..<itemCount).map { item in
        let size = (item < listed.count ? listed[item] : parameters.itemSize).asExtents
        return (main: axes.main(size), cross: axes.cross(size))
      }
      let rows = FlowRows(bounds: bounds, sizes: sizes, lastRow: parameters.lastRow)
      arrangement = .rows(rows, sizes: sizes)
      rowsEnd = rows.end
    }
    footerStart = rowsEnd + axes.mainEnd(insets)
    end = footerStart + footerExtent
  }

  /// The one size of all items of a section. `nil` when they differ.
  private static func commonSize(
    _ number: Int, _ itemCount: Int, _ parameters: FlowLayoutParameters
  ) -> Size2D? {
    guard parameters.itemSizes.indices.contains(number),
      let first = parameters.itemSizes[number].first, itemCount > 0
    else { return parameters.itemSize.asExtents }
    let listed = parameters.itemSizes[number].prefix(itemCount)
    guard listed.allSatisfy({ $0 == first }) else { return nil }
    return listed.count == itemCount || first == parameters.itemSize ? first.asExtents : nil
  }

  var itemCount: Int {
    switch arrangement {
    case .grid(let grid): grid.count
    case .rows(_, let sizes): sizes.count
    }
  }

  /// The first item that is larger than the room for it.
  var firstOversizedItem: Int? {
    switch arrangement {
    case .grid(let grid): grid.isOversized ? 0 : nil
    case .rows(let rows, _): rows.oversized.first
    }
  }

  /// Where an item stands.
  func placement(
    of item: Int, in row: FlowRows.Row? = nil, alignment: FlowLayoutParameters.RowAlignment
  ) -> (main: Double, cross: Double, mainExtent: Double, crossExtent: Double) {
    switch arrangement {
    case .grid(let grid):
      return (
        grid.mainStart(of: item), grid.crossStart(of: item), grid.mainExtent, grid.crossExtent
      )
    case .rows(let rows, let sizes):
      let row = row ?? rows.rows[rows.row(of: item)]
      let size = sizes[item]
      let slack = alignment == .center ? (row.extent - size.main) / 2 : 0
      return (row.start + slack, rows.crossStarts[item], size.main, size.cross)
    }
  }
}
