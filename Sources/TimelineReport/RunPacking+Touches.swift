import TimelineModel
import TimelineSession
import TimelineStore

/// The most reports of contacts that a page holds: a quarter of an hour of one finger at 120 Hz.
private let touchLimit = 100_000

/// Touches take at most this share of what a session may take, and one block more. No unit.
private let touchShare = 0.1

extension RunPacking {
  /// Packs the touches, in points where the scenario says how device units become points.
  mutating func packTouches(byteLimit: Int) throws {
    let end = text.bytes.count + Int(touchShare * Double(byteLimit))
    var waiting: [TouchSample] = []
    var count = 0
    try FileSource(session, in: reader).forEachTouch(endsAlone: false) { touch in
      guard count < touchLimit, text.bytes.count <= end else {
        leftOutTouches += 1
        return
      }
      count += 1
      waiting.append(touch)
      if waiting.count == PageScale.blockRows { append(&waiting) }
    }
    append(&waiting)
  }

  private mutating func append(_ touches: inout [TouchSample]) {
    guard !touches.isEmpty else { return }
    var bits = BitWriter()
    bits.append(column: touches.map { clock.ticks($0.time) })
    bits.append(column: touches.map { PageScale.whole($0.contact) })
    bits.append(column: touches.map(\.phase.pageNumber))
    bits.append(column: touches.map { PageScale.steps($0.position.x, PageScale.length) })
    bits.append(column: touches.map { PageScale.steps($0.position.y, PageScale.length) })
    touchBlocks.append(text.append(bits, rows: touches.count))
    touches.removeAll(keepingCapacity: true)
  }
}

extension TouchPhase {
  /// The phase as the page numbers them; from 2 on the contact is gone.
  fileprivate var pageNumber: Int64 {
    switch self {
    case .began: 0
    case .moved: 1
    case .ended: 2
    case .cancelled: 3
    }
  }
}
