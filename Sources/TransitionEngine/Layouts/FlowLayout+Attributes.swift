import TimelineModel

extension FlowLayout {
  final func elements(in rect: Rect2D) -> [LayoutAttributes] {
    let axes = FlowAxes(direction: preparedParameters.scrollDirection)
    // Snapping moves an edge by less than a pixel.
    let slack = preparedParameters.snapsToPixels ? 1 / pixelScale : 0
    var main = axes.mainSpan(rect)
    var cross = axes.crossSpan(rect)
    main = (main.low - slack, main.high + slack)
    cross = (cross.low - slack, cross.high + slack)

    var found: [LayoutAttributes] = []
    func keep(_ attributes: consuming LayoutAttributes) {
      if attributes.frame.intersects(rect) { found.append(attributes) }
    }
    for section in sections[firstSection(reaching: main.low)...] {
      if sectionsAreOrdered, section.start > main.high { break }
      if let header = header(of: section) { keep(header) }
      switch section.arrangement {
      case .grid(let grid):
        let items = grid.items(mainSpan: main, crossSpan: cross)
        if found.isEmpty { found.reserveCapacity(items.count) }
        for item in items { keep(cell(item, of: section)) }
      case .rows(let rows, _):
        for row in rows.rows(meeting: main) {
          for item in row.firstItem..<(row.firstItem + row.count) {
            keep(cell(item, of: section, in: row))
          }
        }
      }
      if let footer = footer(of: section) { keep(footer) }
    }
    return found
  }

  private func firstSection(reaching low: Double) -> Int {
    sectionsAreOrdered ? sections.firstOrdered { !($0.end < low) } : 0
  }

  final func cell(
    _ item: Int, of section: FlowSection, in row: FlowRows.Row? = nil
  ) -> LayoutAttributes {
    let placement = section.placement(of: item, in: row, alignment: preparedParameters.rowAlignment)
    let axes = FlowAxes(direction: preparedParameters.scrollDirection)
    let frame = axes.rect(
      main: placement.main, cross: placement.cross, mainExtent: placement.mainExtent,
      crossExtent: placement.crossExtent)
    return LayoutAttributes(
      path: .cell(ItemIndexPath(section: section.number, item: item)), pose: pose(frame))
  }

  final func header(of section: FlowSection) -> LayoutAttributes? {
    band(
      FlowLayoutParameters.headerKind, of: section, start: section.start,
      extent: section.headerExtent)
  }

  final func footer(of section: FlowSection) -> LayoutAttributes? {
    band(
      FlowLayoutParameters.footerKind, of: section, start: section.footerStart,
      extent: section.footerExtent)
  }

  private func band(
    _ kind: String, of section: FlowSection, start: Double, extent: Double
  ) -> LayoutAttributes? {
    guard extent > 0 else { return nil }
    let axes = FlowAxes(direction: preparedParameters.scrollDirection)
    let frame = axes.rect(main: start, cross: 0, mainExtent: extent, crossExtent: crossExtent)
    return LayoutAttributes(
      path: ElementPath(
        category: .supplementary, elementKind: kind,
        indexPath: ItemIndexPath(section: section.number, item: 0)),
      pose: pose(frame))
  }

  /// Pixels per point. A scale that is not a positive number counts as 1.
  private var pixelScale: Double {
    let scale = preparedParameters.scale
    return scale.isFinite && scale > 0 ? scale : 1
  }

  private func pose(_ frame: Rect2D) -> Pose {
    guard preparedParameters.snapsToPixels else { return Pose(frame: frame) }
    func snap(_ length: Double) -> Double {
      let snapped = (length * pixelScale).rounded() / pixelScale
      return snapped.isFinite ? snapped : length
    }
    let (left, top) = (snap(frame.minX), snap(frame.minY))
    return Pose(
      frame: Rect2D(
        x: left, y: top, width: snap(frame.maxX) - left, height: snap(frame.maxY) - top))
  }
}
