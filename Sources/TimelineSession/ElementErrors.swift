package import TimelineModel
import TimelineStore

/// How exactly elements were measured: half-widths of intervals that hold the true position in 90 of 100 cases.
///
/// A session that was read from pictures has the keys `item.ID.error_x` and `item.ID.error_y` beside an element, in points.
/// They and two more keys describe how the element was found, and are not motion.
package struct ElementErrors: Sendable {
  /// The half-widths of one element along both axes.
  private struct Axes {
    var x: Curve?
    var y: Curve?
  }

  private var axes: [String: Axes] = [:]

  /// The last parts of the names of such keys.
  private static let (errorX, errorY) = ("error_x", "error_y")
  /// All keys that describe how an element was found: also the match of the pictures and the share that is visible.
  private static let descriptions = [errorX, errorY, "match", "seen"]
  /// The half-width of an opacity, measured on clips of known opacity. No unit, ours.
  private static let opacity = 0.03
  /// The least change of an opacity that was not noise. No unit, ours.
  static let leastFade = 0.12
  /// A measured value moves if it leaves its rest by so many half-widths, and does so by noise in one of 10¹⁰ cases.
  package static let movingHalfWidths = 4.0
  /// The error of a size beside that of a position, of pixels that are spread evenly: √12.
  private static let ofSize = 3.4641

  /// Of elements that have no such keys.
  package init() {}

  /// Reads a session's.
  ///
  /// - Throws: `StoreError` if the recording cannot be read.
  /// - Complexity: linear in the values of these keys.
  package init(_ source: some SessionSource) throws {
    for key in try source.keys() where Self.describes(key.name) {
      let rest = key.name.dropFirst(MotionSubject.itemPrefix.count)
      for (end, column) in [(Self.errorX, \Axes.x), (Self.errorY, \Axes.y)]
      where rest.hasSuffix(".\(end)") {
        var curve = Curve([])
        try source.forEachSample(of: key.handle, in: RecordingReader.allTime) { all in
          for series in all where series.key == key.handle.rawValue { curve.append(series) }
          return true
        }
        axes[String(rest.dropLast(end.count + 1)), default: Axes()][keyPath: column] = curve
      }
    }
  }

  /// Whether a key describes how an element was found, so that its values are not motion.
  package static func describes(_ key: String) -> Bool {
    key.hasPrefix(MotionSubject.itemPrefix) && descriptions.contains { key.hasSuffix(".\($0)") }
  }

  /// Whether no element has errors.
  package var isEmpty: Bool { axes.isEmpty }

  /// The half-widths of an element's position, by its key `item.ID.center.x` or `.y`. `nil`: it was not measured.
  package func halfWidths(ofKey key: String) -> Curve? {
    guard case .item(let id, let attribute) = MotionSubject(key), let own = axes[id] else {
      return nil
    }
    switch attribute {
    case .centerX: return own.x
    case .centerY: return own.y
    default: return nil
    }
  }

  /// The half-width of the interval of an element's number at an instant, in its unit. `nil`: it was not measured.
  ///
  /// Only positions have keys. That of a size follows from them: pixels that determine a position to e determine the
  /// width of what is w × h to √12 e w / √(w² + h²). Opacities have one number.
  ///
  /// - Parameter pose: How the element is shown.
  package func halfWidth(
    of id: String, _ attribute: ItemAttribute, _ pose: Pose, at time: Instant
  ) -> Double? {
    guard let own = axes[id] else { return nil }
    func held(_ curve: Curve?) -> Double? {
      curve.flatMap { $0.heldValue(at: time) ?? $0.values.first }.map { max(0, $0) }
    }
    switch attribute {
    case .centerX: return held(own.x)
    case .centerY: return held(own.y)
    case .width, .height:
      let (width, height) = (pose.size.width, pose.size.height)
      let diagonal = (width * width + height * height).squareRoot()
      guard diagonal > 0, let error = [held(own.x), held(own.y)].compactMap({ $0 }).max() else {
        return nil
      }
      return Self.ofSize * error * (attribute == .width ? width : height) / diagonal
    case .alpha: return Self.opacity
    case .center: return [held(own.x), held(own.y)].compactMap { $0 }.max()
    case .frame:
      // An edge is off by the position, and by half of the size.
      let sides = [(held(own.x), ItemAttribute.width), (held(own.y), .height)]
      return sides.compactMap { half, side in
        half.map { $0 + (halfWidth(of: id, side, pose, at: time) ?? 0) / 2 }
      }.max()
    }
  }

  /// By how much the worst of many measured numbers of an element may be off, in their unit. 0: they are exact.
  ///
  /// - Parameters:
  ///   - key: The element's number, such as `item.ID.center.y`.
  ///   - values: The number, or those of a center or of a frame's edges.
  package func noise(ofKey key: String, _ values: [Double], at time: Instant) -> Double {
    guard !isEmpty, case .item(let id, let attribute) = MotionSubject(key) else { return 0 }
    let size =
      switch attribute {
      case .frame where values.count == 4:
        Size2D(width: abs(values[2] - values[0]), height: abs(values[3] - values[1]))
      // Without the other side, as if there were none: it is off by no more.
      case .width: Size2D(width: 1, height: 0)
      default: Size2D(width: 0, height: 1)
      }
    let pose = Pose(center: .zero, size: size)
    return Self.movingHalfWidths * (halfWidth(of: id, attribute, pose, at: time) ?? 0)
  }
}
