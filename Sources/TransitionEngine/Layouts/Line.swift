import TimelineModel

/// The arithmetic of ``LineLayout``: where the n-th item of the line stands, and which stand where.
struct Line {
  let axes: FlowAxes
  let itemSize: Size2D
  /// How far the n-th item's center is along the line, and how far all of them are across it.
  private let firstCenter: Double
  private let crossCenter: Double
  /// From one item's center to the next, not negative.
  private let step: Double
  private let extent: Double
  private let inset: ContentInsets
  private let zoomFactor: Double
  private let activeDistance: Double

  init(_ parameters: LineLayoutParameters, viewport: Size2D) {
    axes = FlowAxes(direction: parameters.scrollDirection)
    itemSize = parameters.itemSize.asExtents
    inset = parameters.inset.asLengths
    extent = axes.main(itemSize)
    step = max(0, extent + parameters.spacing.asLength)
    firstCenter = axes.mainStart(inset) + extent / 2
    let start = axes.crossStart(inset)
    crossCenter = start + (axes.cross(viewport) - start - axes.crossEnd(inset)) / 2
    zoomFactor = max(-1, parameters.zoomFactor.asLength)
    activeDistance = parameters.activeDistance.asExtent
  }

  /// How long the line is with its border.
  func length(of count: Int) -> Double {
    let items = count == 0 ? 0 : Double(count - 1) * step + extent
    return max(0, axes.mainStart(inset) + items + axes.mainEnd(inset))
  }

  func center(of number: Int) -> Point2D {
    let main = mainCenter(of: number)
    return axes.direction == .vertical
      ? Point2D(x: crossCenter, y: main) : Point2D(x: main, y: crossCenter)
  }

  /// By how much an item is scaled. `nil` for one that is too far from the middle.
  func zoom(of number: Int, middle: Double) -> Double? {
    let distance = abs(mainCenter(of: number) - middle)
    return distance < activeDistance ? 1 + zoomFactor * (1 - distance / activeDistance) : nil
  }

  /// The center of an item that is nearest to a place.
  func nearestCenter(to position: Double, count: Int) -> Double {
    mainCenter(of: step > 0 ? Int((position - firstCenter) / step + 0.5, in: 0...(count - 1)) : 0)
  }

  /// The items that can meet a window. Its borders are taken wide, the caller looks closely.
  func items(from low: Double, to high: Double, middle: Double, count: Int) -> [Int] {
    // Without extent nothing shares area with anything.
    guard count > 0, itemSize.width > 0, itemSize.height > 0 else { return [] }
    let plain = centers(from: low - extent / 2, to: high + extent / 2, count: count)
    // A zoomed item reaches further than its place.
    let reach = extent / 2 * (1 + max(0, zoomFactor))
    let zoomed = centers(
      from: max(low - reach, middle - activeDistance),
      to: min(high + reach, middle + activeDistance), count: count)
    return (Array(plain) + zoomed.filter { !plain.contains($0) }).sorted()
  }

  private func mainCenter(of number: Int) -> Double { firstCenter + Double(number) * step }

  /// The items whose centers lie in a stretch of the line.
  private func centers(from low: Double, to high: Double, count: Int) -> Range<Int> {
    guard low <= high else { return 0..<0 }
    guard step > 0 else { return 0..<count }
    let first = Int((low - firstCenter) / step, in: 0...(count - 1))
    let last = Int((high - firstCenter) / step + 1, in: 0...(count - 1))
    return first..<(last + 1)
  }
}
