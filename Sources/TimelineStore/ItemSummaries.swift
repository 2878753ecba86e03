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

  /// Begins a frame.
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
      let place = ItemProgress.Place(words)
      if items[item] == nil {
        items[item] = ItemProgress(place, in: frame)
      } else {
        items[item]?.change(to: place, in: frame)
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
