import TimelineModel

/// Items of one size at one pitch, such as the slides of a carousel: what the recorder of a page saw of an element's
/// children when the recording ended.
struct StoryRow {
  /// The element whose children they are.
  var parent: String
  var axis: FingerAxis
  var count: Int
  /// From one item to the next, in points. It is positive.
  var pitch: Double
  /// Where the first item begins, and where its middle is, from the edge and the middle of what clips the row.
  var edge: Double
  var middle: Double
  /// After so many items the row shows the same again. `nil`: it does not, or that is not known.
  var period: Int?
  /// Whether no item is the copy of another one, as endless carousels have them.
  var isDistinct: Bool
  /// The items that moved by themselves.
  var moving: [String]

  /// A row of which more items are in view, as a multiple of the pitch, rests on none of them.
  private static let mostInView = 1.6
  /// So far from a whole pitch a row still rests on an item, in points, and as a share of the pitch.
  private static let (near, nearShare) = (2.0, 0.02)

  /// Reads a mark. `nil`: it is none of a row, or its numbers are no row's.
  init?(_ mark: StoryFilm.Mark) {
    guard mark.kind == "row", let parent = mark.fields["of"]?.asText,
      let count = mark.fields["count"]?.asNumber, (2...100_000).contains(count)
    else { return nil }
    guard let axis = mark.fields["axis"]?.asText.flatMap(FingerAxis.init),
      let pitch = mark.fields["pitch"]?.asNumber, pitch > 1, pitch.isFinite
    else { return nil }
    guard let edge = mark.fields["edge"]?.asNumber, let middle = mark.fields["middle"]?.asNumber,
      abs(edge) < 1e9, abs(middle) < 1e9
    else { return nil }
    (self.parent, self.axis, self.count, self.pitch) = (parent, axis, Int(count), pitch)
    (self.edge, self.middle) = (edge, middle)
    period = (mark.fields["period"]?.asNumber).flatMap { (1...1e6).contains($0) ? Int($0) : nil }
    isDistinct = mark.fields["distinct"] == .flag(true)
    moving = (mark.fields["items"]?.asList ?? []).compactMap(\.asText)
  }

  /// How many items a way goes on. `nil`: it is no whole number of them.
  ///
  /// - Parameter way: How far the items went, in points. Items that go towards smaller coordinates go on.
  func steps(_ way: Double) -> Int? {
    whole(-way).flatMap { abs($0) <= 100_000 ? $0 : nil }
  }

  /// The number of the item that a row rests on, from 1. `nil`: it rests between items, or an item has copies.
  ///
  /// - Parameter way: How far the row is from where it was when the recording ended, in points.
  func number(at way: Double) -> Int? {
    // Of several in view nobody knows which one is meant.
    let length = pitch + 2 * (edge - middle)
    guard isDistinct, length < Self.mostInView * pitch,
      let steps = whole(-(edge + way)) ?? whole(-(middle + way))
    else { return nil }
    return (0..<count).contains(steps) ? steps + 1 : nil
  }

  private func whole(_ way: Double) -> Int? {
    let steps = (way / pitch).rounded()
    guard abs(steps) < 1e6, abs(way - steps * pitch) <= max(Self.near, Self.nearShare * pitch)
    else { return nil }
    return Int(steps)
  }
}
