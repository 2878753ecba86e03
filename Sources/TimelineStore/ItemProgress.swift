import TimelineModel

/// What an element has done so far.
struct ItemProgress {
  /// Where an element stands, as a crash journal's change says.
  struct Place {
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

  private var place: Place
  private var low: Place
  private var high: Place
  private let first: Instant
  private var last: Instant
  /// The frame in which it came, when it is there.
  private var since: Int64?
  private var framesBefore: Int64 = 0
  private var changes: Int64 = 1
  private var travelled = 0.0

  init(_ place: Place, in frame: FrameRecord) {
    self.place = place
    low = place
    high = place
    first = frame.state.time
    last = frame.state.time
    since = frame.number
  }

  mutating func change(to new: Place, in frame: FrameRecord) {
    if since == nil {
      since = frame.number
    } else {
      let x = new.x - place.x
      let y = new.y - place.y
      travelled += (x * x + y * y).squareRoot()
    }
    place = new
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
        item: item, indexPath: IndexPath(section: 0, item: 0),
        pose: Pose(
          center: Point(x: place.x, y: place.y),
          size: Size(width: place.width, height: place.height), alpha: place.alpha)),
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
