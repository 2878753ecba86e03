import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession

/// A jump of an endless row back to where its picture is the same.
struct StoryWrap: Hashable, Sendable {
  var item: String
  var axis: FingerAxis
  /// The frame that shows it first.
  var frame: Int
  /// How far, in the session's unit.
  var way: Double
}

extension StoryFilm {
  /// A wrap may be off a row's distances by so much, in points, and the step beside it off its neighbours by as much.
  private static let slack = 2.0
  /// A step of less is no wrap, in points.
  private static let leastWrap = 16.0
  /// What wraps moved within so many frames before: half a second at 60 Hz.
  private static let framesBefore = 36
  /// The fewest elements that make a row.
  private static let fewestInRow = 3

  /// Takes out the jumps of endless rows: each goes on as its picture does.
  mutating func takeOutWraps() {
    var found: [StoryWrap] = []
    for item in items {
      for axis in [FingerAxis.x, .y] where item.values(axis.channel).extent >= Self.leastWrap {
        found += wraps(of: item, along: axis)
      }
    }
    for wrap in found { take(out: wrap) }
  }

  private func wraps(of item: ElementTrack, along axis: FingerAxis) -> [StoryWrap] {
    let values = item.values(axis.channel)
    guard values.count > 3 else { return [] }
    return (1..<values.count).compactMap { frame in
      let step = values[frame] - values[frame - 1]
      guard abs(step) >= Self.leastWrap, item.isShown[frame], item.isShown[frame - 1] else {
        return nil
      }
      // What gets another size then shows another picture.
      guard !isResized(item, frame) else { return nil }
      let before = frame > 1 ? values[frame - 1] - values[frame - 2] : 0
      let after = frame + 1 < values.count ? values[frame + 1] - values[frame] : 0
      // A step like its neighbours is none.
      let usual = min(0, before, after) - Self.slack...max(0, before, after) + Self.slack
      guard !usual.contains(step) else { return nil }
      // A row that shows nothing before its jump is no endless one.
      if let row = row(of: item.name, along: axis), row.parent == item.name,
        let shown = countInWindow(row, item, frame - 1), shown == 0
      {
        return nil
      }
      let way =
        wayInRow(item, axis, frame, step: step, usual: usual)
        ?? wayAmongSiblings(item, axis, frame, step: step, usual: usual)
        ?? wayOfRiders(item, axis, frame, step: step, usual: usual)
        ?? wayOfPages(item, axis, frame, step: step)
      return way.map { StoryWrap(item: item.name, axis: axis, frame: frame, way: $0) }
    }
  }

  /// Whether an element has another size than in the frame before.
  private func isResized(_ item: ElementTrack, _ frame: Int) -> Bool {
    [item.width, item.height].contains { abs($0[frame] - $0[frame - 1]) > Self.slack }
  }

  /// The row that an element carries, or is in.
  func row(of name: String, along axis: FingerAxis) -> StoryRow? {
    rows.first { $0.axis == axis && ($0.parent == name || $0.moving.contains(name)) }
  }

  /// The way of a jump by whole distances of an element's own row.
  private func wayInRow(
    _ item: ElementTrack, _ axis: FingerAxis, _ frame: Int, step: Double,
    usual: ClosedRange<Double>
  ) -> Double? {
    guard let row = row(of: item.name, along: axis) else {
      return nil
    }
    let count = (step / row.pitch).rounded()
    let way = count * row.pitch
    guard isShownAlike(row, item, frame, way) else { return nil }
    if let period = row.period {
      // Whole rounds are no chance, so what is left may be several frames of its course.
      return abs(count) >= 1 && Int(count) % period == 0 ? way : nil
    }
    guard usual.contains(step - way) else { return nil }
    // Whether the picture is the same is not known: it goes several back, after it went the other way.
    let values = item.values(axis.channel)
    let moved = values[frame - 1] - values[max(0, frame - Self.framesBefore)]
    return abs(count) >= 2 && moved * way < 0 ? way : nil
  }

  /// Whether as many items of a row are in the window before a way as behind it, and some.
  private func isShownAlike(
    _ row: StoryRow, _ item: ElementTrack, _ frame: Int, _ way: Double
  ) -> Bool {
    guard let now = countInWindow(row, item, frame - 1, behind: way) else { return true }
    return now > 0 && now == countInWindow(row, item, frame - 1)
  }

  /// How many items of a row are in the window in a frame, or would be if the row had gone on by a way. `nil`: the window
  /// is not known.
  private func countInWindow(
    _ row: StoryRow, _ item: ElementTrack, _ frame: Int, behind way: Double = 0
  ) -> Int? {
    let values = item.values(row.axis.channel)
    guard let window, let last = values.last else { return nil }
    let length = row.axis == .x ? window.width : window.height
    return (0..<min(row.count, 1000)).count { index in
      let begin = row.edge + Double(index) * row.pitch + values[frame] + way - last
      return begin > Self.slack - row.pitch && begin < length - Self.slack
    }
  }

  /// The way of a jump from one end of a row of elements to its other end.
  private func wayAmongSiblings(
    _ item: ElementTrack, _ axis: FingerAxis, _ frame: Int, step: Double,
    usual: ClosedRange<Double>
  ) -> Double? {
    func isAlike(_ other: ElementTrack) -> Bool {
      other.carrier == item.carrier && abs(other.width[frame] - item.width[frame]) < Self.slack
        && abs(other.height[frame] - item.height[frame]) < Self.slack && other.isShown[frame - 1]
    }
    func edge(_ other: ElementTrack) -> Double {
      axis == .x ? other.left[frame - 1] : other.top[frame - 1]
    }
    let places = items.filter(isAlike).map(edge).sorted()
    guard places.count >= Self.fewestInRow else { return nil }
    let gaps = zip(places.dropFirst(), places).map { $0 - $1 }
    // Those out of view may not have been read, so a gap may be several distances.
    guard let pitch = gaps.min(), pitch > Self.leastWrap,
      gaps.allSatisfy({ abs($0 - ($0 / pitch).rounded() * pitch) < Self.slack })
    else { return nil }
    let count = ((places[places.count - 1] - places[0]) / pitch).rounded() + 1
    let way = (step < 0 ? -1 : 1) * pitch * count
    guard abs(step) > abs(way) / 2 else { return nil }
    // What is left of its step is its own course, or that of another one.
    let isWithOthers = items.contains { other in
      let values = other.values(axis.channel)
      return other.name != item.name && isAlike(other)
        && abs(values[frame] - values[frame - 1] - (step - way)) < Self.slack
    }
    return isWithOthers || usual.contains(step - way) ? way : nil
  }

  /// The fewest pages by which an element wraps of which only the way is known, and the shortest page in points.
  private static let (fewestPages, leastPage) = (2.0, 40.0)
  /// How near a jump must be to whole pages, in points, and how many frames behind the end of a declared animation.
  private static let (exact, framesBehind) = (1.5, 4.0)

  /// The way of a jump back by several whole pages, at rest, as a declared animation of one page has ended.
  private func wayOfPages(
    _ item: ElementTrack, _ axis: FingerAxis, _ frame: Int, step: Double
  ) -> Double? {
    let values = item.values(axis.channel)
    let isAtRest = [frame - 1, frame + 1].allSatisfy {
      $0 < 1 || $0 >= values.count || abs(values[$0] - values[$0 - 1]) < 0.5
    }
    let ended = declared.last {
      $0.item == item.name && $0.movesElement
        && (-0.01...Self.framesBehind * self.frame).contains(times[frame] - ($0.end ?? .infinity))
    }
    guard isAtRest, let ended else { return nil }
    // The page may have been dragged a part of its way.
    let before = touches.filter { $0.phase == .began && $0.time.seconds < ended.time }
    let start = before.last?.time.seconds ?? ended.time
    let home = values[max(0, times.partitioningIndex { $0 >= start } - 1)]
    let page = values[frame - 1] - home
    let count = (step / page).rounded()
    guard abs(page) >= Self.leastPage, count <= -Self.fewestPages,
      abs(step - count * page) <= Self.exact
    else { return nil }
    return step
  }

  /// The way of a jump that what rides on the element, or carries it, goes back by, so that nothing is seen.
  private func wayOfRiders(
    _ item: ElementTrack, _ axis: FingerAxis, _ frame: Int, step: Double,
    usual: ClosedRange<Double>
  ) -> Double? {
    let partners = items.filter { $0.carrier == item.name || $0.name == item.carrier }
    for partner in partners {
      guard !isResized(partner, frame) else { continue }
      let values = partner.values(axis.channel)
      let way = -(values[frame] - values[frame - 1])
      if abs(way) >= Self.leastWrap, usual.contains(step - way) { return way }
    }
    return nil
  }
}
