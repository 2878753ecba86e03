import TimelineModel

@testable import TransitionEngine

/// A view on a virtual clock with two layouts and a timeline that keeps everything.
struct Stage {
  let timeline = RecordedTimeline()
  let clock: DisplayClock
  let view: CollectionView
  let from: any CollectionViewLayout
  let to: any CollectionViewLayout

  init(
    viewport: Size2D = Size2D(width: 320, height: 480), contentOffset: Point2D = .zero,
    contentInset: ContentInsets = .zero, items: [Int] = [7], refreshRate: Double = 60,
    from: any CollectionViewLayout = grid("grid"),
    to: any CollectionViewLayout = grid("detail", Size2D(width: 300, height: 200))
  ) throws {
    clock = try DisplayClock(refreshRate: refreshRate)
    view = CollectionView(
      viewport: viewport, contentInset: contentInset, contentOffset: contentOffset,
      data: CollectionData(
        sections: items.enumerated().map { .init(id: "s\($0.offset)", count: $0.element) }),
      layout: from, clock: clock, sink: timeline)
    self.from = from
    self.to = to
  }

  /// TLLayoutTransitioning's resize example: 200 items, small ones of 128 and large ones of 336.
  static func resize(contentOffset: Point2D = .zero) throws -> Stage {
    try Stage(
      viewport: Size2D(width: 768, height: 1024), contentOffset: contentOffset, items: [200],
      from: resizeLayout("small", 128), to: resizeLayout("large", 336))
  }

  func at(_ seconds: Double) { clock.advance(before: instant(seconds)) }

  func through(_ seconds: Double) { clock.advance(through: instant(seconds)) }

  var lastFrame: RecordedTimeline.Frame { timeline.frames[timeline.frames.count - 1] }
}

func instant(_ seconds: Double) -> Instant { Instant(seconds: seconds) ?? .zero }

func grid(
  _ name: String = "grid", _ size: Size2D = Size2D(width: 50, height: 50),
  _ change: (inout FlowLayoutParameters) -> Void = { _ in }
) -> FlowLayout {
  var parameters = FlowLayoutParameters()
  parameters.itemSize = size
  change(&parameters)
  return FlowLayout(name: name, parameters: parameters)
}

func resizeLayout(_ name: String, _ side: Double) -> FlowLayout {
  grid(name, Size2D(width: side, height: side)) {
    $0.sectionInset = ContentInsets(top: 10, left: 10, bottom: 10, right: 10)
  }
}

/// A layout of one section with these frames.
func fixed(_ name: String = "fixed", _ frames: [Rect2D], contentSize: Size2D? = nil) -> FixedLayout
{
  FixedLayout(
    name: name, contentSize: contentSize ?? Size2D(width: 400, height: 400),
    items: [frames.map(Pose.init(frame:))])
}

func prepared(
  _ layout: FlowLayout, width: Double = 320, height: Double = 480, items: [Int]
) -> FlowLayout {
  layout.prepare(
    in: LayoutContext(viewport: Size2D(width: width, height: height), itemCounts: items))
  return layout
}

extension CollectionViewLayout {
  func frame(_ item: Int, _ section: Int = 0) -> Rect2D? {
    layoutAttributesForItem(at: ItemIndexPath(section: section, item: item))?.frame
  }

  func frame(_ kind: String, _ section: Int = 0) -> Rect2D? {
    layoutAttributesForSupplementaryView(
      ofKind: kind, at: ItemIndexPath(section: section, item: 0))?.frame
  }
}

/// Whether two numbers agree to a tolerance, absolute, in their own unit.
func near(_ value: Double?, _ expected: Double, _ tolerance: Double = 1e-6) -> Bool {
  value.map { abs($0 - expected) <= tolerance } ?? false
}

func near(_ rect: Rect2D?, _ expected: Rect2D, _ tolerance: Double = 1e-6) -> Bool {
  guard let rect else { return false }
  return near(rect.minX, expected.minX, tolerance) && near(rect.minY, expected.minY, tolerance)
    && near(rect.size.width, expected.size.width, tolerance)
    && near(rect.size.height, expected.size.height, tolerance)
}

func near(_ point: Point2D?, _ expected: Point2D, _ tolerance: Double = 1e-6) -> Bool {
  near(point?.x, expected.x, tolerance) && near(point?.y, expected.y, tolerance)
}
