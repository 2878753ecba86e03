import TimelineModel

/// Collects what each element of a session does, frame by frame, as a recorder writes it down at the end.
///
/// A recorder counts the changes that it writes, and whoever cuts or rounds a session counts those that
/// are left, so that both come to the same numbers.
package struct ItemSummaries: Sendable {
  private var items: [ItemProgress?] = []
  private var frame: FrameRecord?
  private var frameBefore = Instant.zero

  /// Begins with no element.
  package init() {}

  package mutating func begin(_ frame: FrameRecord) {
    if let old = self.frame { frameBefore = old.state.time }
    self.frame = frame
  }

  /// Counts a change of the frame.
  ///
  /// - Parameter words: A change as a crash journal holds it. Elements are numbered from 0 without large
  ///   gaps, as each number below takes room.
  package mutating func count(_ words: UnsafeBufferPointer<UInt64>) {
    guard let frame, words.count >= 2 else { return }
    let item = Int(UInt32(truncatingIfNeeded: words[1]))
    let code = words[1] >> 32 & 3
    if item >= items.count {
      items.append(contentsOf: repeatElement(nil, count: item + 1 - items.count))
    }
    switch code {
    case 0 where words.count >= 10:
      let extent = ItemProgress.Extent(words)
      if items[item] == nil {
        items[item] = ItemProgress(extent, in: frame)
      } else {
        items[item]?.change(to: extent, in: frame)
      }
    case 2: items[item]?.leave(frame, before: frameBefore)
    default: break
    }
  }

  /// The summaries of the elements, in the order of their numbers.
  package var summaries: [ItemSummary] {
    items.enumerated().compactMap { number, item in
      item?.summary(of: ItemHandle(rawValue: Int32(number)), last: frame)
    }
  }
}

/// What an element has done so far.
struct ItemProgress {
  /// Where an element stands, as a crash journal's change says.
  struct Extent {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var alpha: Double

    /// - Parameter words: A change that is no leave: ten words at least.
    init(_ words: UnsafeBufferPointer<UInt64>) {
      x = Double(bitPattern: words[4])
      y = Double(bitPattern: words[5])
      width = Double(bitPattern: words[6])
      height = Double(bitPattern: words[7])
      alpha = Double(bitPattern: words[8])
    }
  }

  private var extent: Extent
  private var low: Extent
  private var high: Extent
  private let first: Instant
  private var last: Instant
  /// The frame in which it came, when it is there.
  private var since: Int64?
  private var framesBefore: Int64 = 0
  private var changes: Int64 = 1
  private var travelled = 0.0

  init(_ extent: Extent, in frame: FrameRecord) {
    self.extent = extent
    low = extent
    high = extent
    first = frame.state.time
    last = frame.state.time
    since = frame.number
  }

  mutating func change(to new: Extent, in frame: FrameRecord) {
    if since == nil {
      since = frame.number
    } else {
      let x = new.x - extent.x
      let y = new.y - extent.y
      travelled += (x * x + y * y).squareRoot()
    }
    extent = new
    changes += 1
    low.x = min(low.x, new.x)
    low.y = min(low.y, new.y)
    low.width = min(low.width, new.width)
    low.height = min(low.height, new.height)
    low.alpha = min(low.alpha, new.alpha)
    high.x = max(high.x, new.x)
    high.y = max(high.y, new.y)
    high.width = max(high.width, new.width)
    high.height = max(high.height, new.height)
    high.alpha = max(high.alpha, new.alpha)
  }

  /// Lets it go in a frame.
  ///
  /// - Parameter before: The instant of the frame before, the last that it was in.
  mutating func leave(_ frame: FrameRecord, before: Instant) {
    guard let since else { return }
    framesBefore += frame.number - since
    self.since = nil
    last = before
  }

  /// - Parameter frame: The session's last frame.
  func summary(of item: ItemHandle, last frame: FrameRecord?) -> ItemSummary {
    var summary = ItemSummary(
      ElementRecord(
        item: item, indexPath: ItemIndexPath(section: 0, item: 0),
        pose: Pose(
          center: Point2D(x: extent.x, y: extent.y),
          size: Size2D(width: extent.width, height: extent.height), alpha: extent.alpha)),
      at: first)
    summary.frameCount = framesBefore
    summary.last = last
    if let since, let frame {
      summary.frameCount += frame.number - since + 1
      summary.last = frame.state.time
    }
    summary.changeCount = changes
    summary.centerX = low.x...high.x
    summary.centerY = low.y...high.y
    summary.width = low.width...high.width
    summary.height = low.height...high.height
    summary.alpha = low.alpha...high.alpha
    // A sum beyond the largest double is no number that a table takes.
    summary.travelled = min(travelled, .greatestFiniteMagnitude)
    return summary
  }
}
