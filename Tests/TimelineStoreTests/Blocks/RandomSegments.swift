import TestSupport
import TimelineModel

@testable import TimelineStore

/// Segments with everything in them that can be hard to keep.
enum RandomSegments {
  /// How a segment is made.
  struct Shape {
    var items = 8
    var frames = 40
    /// One row in so many has a transform in space; 0: none.
    var spatialEvery = 5
    /// The first frame's number.
    var firstFrame: Int64 = 0
  }

  /// A number out of all that a recorder takes.
  static func number(_ generator: inout SplitMix) -> Double {
    switch generator.next() % 9 {
    case 0: 0
    case 1: -0.0
    case 2: .leastNonzeroMagnitude
    case 3: -.greatestFiniteMagnitude
    case 4: Double(Int64(generator.next() % 4_000) - 2_000) / 8
    case 5:
      Double(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next() >> 33) & 0x7f7f_ffff))
    case 6: 1.0 / 3
    default: finite(Double(bitPattern: generator.next()))
    }
  }

  private static func finite(_ number: Double) -> Double { number.isFinite ? number : 1 }

  static func pose(_ generator: inout SplitMix, _ shape: Shape) -> Pose {
    let transform: ElementTransform
    if shape.spatialEvery > 0, generator.next() % UInt64(shape.spatialEvery) == 0 {
      transform =
        Transform3D(components: (0..<16).map { _ in number(&generator) }).map(
          ElementTransform.spatial)
        ?? .identity
    } else if generator.next() % 2 == 0 {
      transform = .identity
    } else {
      transform = .flat(
        Transform2D(
          a: number(&generator), b: number(&generator), c: number(&generator),
          d: number(&generator), tx: number(&generator), ty: number(&generator)))
    }
    let whole: [Int] = [0, 1, -1, .max, .min, 5_000_000_000]
    return Pose(
      center: Point2D(x: number(&generator), y: number(&generator)),
      size: Size2D(width: number(&generator), height: number(&generator)), transform: transform,
      alpha: number(&generator), zIndex: whole.randomElement(using: &generator) ?? 0,
      isHidden: generator.next() % 4 == 0)
  }

  /// Rows frame by frame: elements appear, vanish, come back, change, and rest.
  static func changes(
    _ generator: inout SplitMix, _ shape: Shape
  ) -> [(frame: Int64, change: AttributeChange)] {
    var rows: [(frame: Int64, change: AttributeChange)] = []
    var present: [Int: ElementRecord] = [:]
    for frame in 0..<shape.frames {
      for number in 0..<shape.items {
        let item = ItemHandle(rawValue: Int32(number * 3))
        let number64 = shape.firstFrame + Int64(frame)
        switch (present[number], generator.next() % 6) {
        case (nil, 0...2), (.some, 0...1):
          let element = ElementRecord(
            item: item,
            indexPath: ItemIndexPath(
              section: Int(generator.next() % 3), item: Int(generator.next() % 90)),
            pose: pose(&generator, shape))
          present[number] = element
          rows.append((number64, .changed(element)))
        case (.some, 2):
          present[number] = nil
          rows.append((number64, .gone(item)))
        case (let element?, _) where frame == 0: rows.append((number64, .same(element)))
        default: break
        }
      }
    }
    return rows
  }

  static func segment(
    _ rows: [(frame: Int64, change: AttributeChange)], frames: ClosedRange<Int64>
  ) -> SegmentRows {
    var open = OpenSegment(firstFrame: frames.lowerBound)
    var rest = rows[...]
    for frame in frames {
      open.add(frame: frame)
      while let row = rest.first, row.frame == frame {
        open.add(row.change)
        rest.removeFirst()
      }
    }
    return open.sorted()
  }

  /// A segment and its row.
  static func make(_ seed: UInt64, _ shape: Shape = Shape()) -> (SegmentRows, SegmentRecord) {
    var generator = SplitMix(seed: seed)
    let rows = segment(
      changes(&generator, shape),
      frames: shape.firstFrame...shape.firstFrame + Int64(shape.frames) - 1)
    return (rows, record(of: rows))
  }

  static func record(of rows: SegmentRows) -> SegmentRecord {
    SegmentRecord(
      firstFrame: rows.firstFrame, lastFrame: rows.lastFrame, rowCount: Int64(rows.rowCount),
      precision: .exact)
  }

  /// A spring's way, as 120 frames a second see it: smooth, and in all bits of a double.
  static func spring(count: Int) -> [UInt64] {
    var value = 100.0
    var velocity = 0.0
    return (0..<count).map { _ in
      velocity += (-(value - 300) * 320 - velocity * 25) / 120
      value += velocity / 120
      return value.bitPattern
    }
  }
}
