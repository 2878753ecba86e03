package import TimelineModel
package import TimelineSession
import TimelineStore

/// The attributes of elements that change in a session, for a question that names no value of a session whose keys say
/// nothing, such as that of a watched page.
package struct MovingElements: Sendable {
  /// The attributes, the largest change first, elements that change alike once.
  package private(set) var subjects: [MotionSubject] = []
  /// How many more attributes change otherwise.
  package private(set) var leftOutCount = 0

  /// The smallest change that counts, in points, ours: browsers round boxes to sixty-fourths.
  private static let leastChange = 0.5
  /// The points that a change of opacity by 1 is compared with, ours.
  private static let pointsOfOpacity = 100.0

  /// The values of one attribute, counted from the first one.
  private struct Extent {
    let first: Double
    var last: Double
    var low: Double
    var high: Double
    /// The largest half-width of a value's 90 % interval.
    var noise = 0.0

    init(_ value: Double) { (first, last, low, high) = (value, value, value, value) }

    mutating func add(_ value: Double) {
      last = value
      low = min(low, value)
      high = max(high, value)
    }

    /// The change in hundredths, by which elements that change alike are found.
    func change(_ attribute: ItemAttribute) -> [Double] {
      let scale = attribute == .alpha ? MovingElements.pointsOfOpacity : 1
      return [low - first, high - first, last - first].map { ($0 * scale * 100).rounded() }
    }
  }

  /// Which attribute changes by how much.
  private struct Change: Hashable {
    let attribute: ItemAttribute
    let hundredths: [Double]
  }

  /// Whether a key is of the scrolling that the recorder for pages finds by itself: it says nothing of elements.
  package static func isOfScrolling(_ key: String) -> Bool { key.hasPrefix("scroll:") }

  /// Looks for them.
  ///
  /// - Parameters:
  ///   - source: The session.
  ///   - range: The instants of the frames that are looked at, with the frame shown at its beginning.
  ///   - most: How many attributes are wanted.
  /// - Throws: `StoreError` if the file cannot be read.
  /// - Complexity: linear in the poses of these frames.
  package init(
    of source: some SessionSource, during range: ClosedRange<Instant> = RecordingReader.allTime,
    atMost most: Int
  ) throws {
    let attributes = ItemAttribute.numbers
    let items = try source.items()
    let errors = try ElementErrors(source)
    var extents: [[Extent]] = Array(repeating: [], count: items.count)
    try source.forEachPose(of: items, from: range.lowerBound) { state, poses in
      guard state.time <= range.upperBound else { return false }
      for case (let index, let pose?) in zip(poses.indices, poses) {
        let values = attributes.map { $0.values(of: pose)[0] }
        guard values.allSatisfy(\.isFinite) else { continue }
        if extents[index].isEmpty {
          extents[index] = values.map(Extent.init)
        } else {
          for column in values.indices { extents[index][column].add(values[column]) }
        }
        guard !errors.isEmpty else { continue }
        for (column, attribute) in attributes.enumerated() {
          let error = errors.halfWidth(
            of: items[index].identity.id, attribute, pose, at: state.time)
          extents[index][column].noise = max(extents[index][column].noise, error ?? 0)
        }
      }
      return true
    }
    var seen: Set<Change> = []
    var found: [(subject: MotionSubject, size: Double)] = []
    for (item, columns) in zip(items, extents) {
      for (attribute, extent) in zip(attributes, columns) {
        let hundredths = extent.change(attribute)
        let size = (hundredths[1] - hundredths[0]) / 100
        guard size >= Self.leastChange,
          extent.high - extent.low >= 2 * ElementErrors.movingHalfWidths * extent.noise,
          seen.insert(Change(attribute: attribute, hundredths: hundredths)).inserted
        else { continue }
        found.append((.item(item.identity.id, attribute), size))
      }
    }
    // Swift's sort keeps the order of equals, which is that of the elements.
    subjects = found.sorted { $0.size > $1.size }.prefix(max(0, most)).map(\.subject)
    leftOutCount = found.count - subjects.count
  }
}
