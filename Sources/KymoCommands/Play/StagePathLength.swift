import TimelineModel
import TimelineStore

/// How far the elements of the stage have come from frame to frame.
struct StagePathLength {
  /// The instants of the frames, rising.
  private(set) var times: [Instant] = []
  /// For each frame, the points travelled up to it: of every element that was there in the frame before, the mean of
  /// its corners' way in the viewport, and how much its opacity changed times its mean extent.
  private(set) var distances: [Double] = []

  /// Reads the frames of a session within a stretch of time.
  ///
  /// - Parameter progress: Is told how much of the stretch is read, 0 to 1.
  init(
    _ source: SessionArgument, in range: ClosedRange<Instant>, progress: (Double) -> Void
  ) throws {
    let (reader, number) = (source.reader, source.session.number)
    guard let last = try reader.frame(shownAt: range.upperBound, in: number) else { return }
    let first = try reader.frame(shownAt: range.lowerBound, in: number)?.number ?? 0
    guard first <= last.number else { return }
    let length = max(1e-9, range.upperBound.seconds(since: range.lowerBound))
    let frames = try reader.foldedFrames(in: number, numbers: first...last.number)
    var before: [ItemHandle: Corners] = [:]
    var travelled = 0.0
    while let frame = try frames.next() {
      let state = frame.frame.state
      var now: [ItemHandle: Corners] = [:]
      for element in frame.elements where !element.pose.isHidden && element.pose.isFinite {
        let corners = Corners(element.pose, state.contentOffset)
        now[element.item] = corners
        travelled += before[element.item].map(corners.distance) ?? 0
      }
      before = now
      times.append(max(state.time, range.lowerBound))
      distances.append(travelled)
      progress(state.time.seconds(since: range.lowerBound) / length)
    }
  }

  /// What is left of the way after this share of it is a spring that creeps, which nobody sees.
  private static let shown = 0.999

  /// Instants between which the stage travels equally far, from the last frame before anything moves to the first after
  /// which nothing does. `nil` where nothing moves.
  func instants(_ count: Int) -> [Instant]? {
    guard let total = distances.last, total > 0, total.isFinite else { return nil }
    let start = (distances.firstIndex { $0 > 0 } ?? 1) - 1
    var frames = (0..<count).map { number -> Int in
      guard number > 0, count > 1 else { return max(0, start) }
      let target = total * StagePathLength.shown * Double(number) / Double(count - 1)
      return distances.partitioningIndex { $0 >= target }
    }
    // A jump may hold several steps: each is a picture of its own where there are frames for it.
    for index in frames.indices.dropFirst() where frames[index] <= frames[index - 1] {
      frames[index] = frames[index - 1] + 1
    }
    return frames.filter { $0 < times.count }.map { times[$0] }
  }

  private struct Corners {
    private let center: Point2D
    private let size: Size2D
    private let alpha: Double

    init(_ pose: Pose, _ offset: Point2D) {
      let middle = pose.transform.applied(to: Point2D(x: 0, y: 0))
      let corner = pose.transform.applied(
        to: Point2D(x: pose.size.width / 2, y: pose.size.height / 2))
      center = Point2D(
        x: pose.center.x + middle.x - offset.x, y: pose.center.y + middle.y - offset.y)
      size = Size2D(width: 2 * (corner.x - middle.x), height: 2 * (corner.y - middle.y))
      alpha = pose.alpha
    }

    func distance(from other: Corners) -> Double {
      let way = hypotenuse(center.x - other.center.x, center.y - other.center.y)
      let growth = hypotenuse(size.width - other.size.width, size.height - other.size.height) / 2
      let extent = (abs(size.width) + abs(size.height)) / 2
      return way + growth + abs(alpha - other.alpha) * extent
    }

    private func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
  }
}
