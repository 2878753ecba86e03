import TimelineModel

/// A transition as it was before its layouts were prepared anew: its ends then, and its progress now.
struct Underlying {
  let layout: TransitionLayout
  /// The content offset at both ends; one point where it was not driven.
  var offsets: (from: Point, to: Point)
  let contentSizes: (from: Size, to: Size)

  init(_ layout: TransitionLayout, offset: Point) {
    self.layout = layout
    offsets = layout.toContentOffset.map { (layout.fromContentOffset, $0) } ?? (offset, offset)
    contentSizes = (layout.currentLayout.contentSize, layout.nextLayout.contentSize)
  }

  var offset: Point { lerp(offsets.from, offsets.to, layout.preparedProgress) }

  var contentSize: Size { lerp(contentSizes.from, contentSizes.to, layout.preparedProgress) }
}
