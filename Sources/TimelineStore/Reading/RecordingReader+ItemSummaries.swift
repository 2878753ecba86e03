import TimelineModel

extension RecordingReader {
  /// What each element did in some frames of a session, as if the recorder had begun with the first of
  /// them and ended with the last.
  ///
  /// - Parameters:
  ///   - session: The session's number.
  ///   - frames: The frames. Numbers that the session has not are passed over.
  ///   - precision: How the poses are rounded before they are looked at.
  /// - Complexity: linear in the rows of attributes.
  func itemSummaries(
    of session: Int64, frames: ClosedRange<Int64>, precision: SealPrecision = .exact
  ) throws(StoreError) -> [ItemSummary] {
    guard let first = try foldedFrames(in: session, numbers: frames).next() else { return [] }
    var collected = NumberedSummaries(precision: precision)
    collected.summaries.begin(first.frame)
    for element in first.elements { collected.count(.changed(element)) }
    guard first.frame.number < frames.upperBound else { return collected.all }
    let rest = first.frame.number + 1...frames.upperBound
    let cursor = try self.frames(in: session, numbers: rest)
    let changes = try self.changes(in: session, frames: rest)
    var pending = try changes.next()
    while let frame = try cursor.next() {
      collected.summaries.begin(frame)
      while let (number, change) = pending, number <= frame.number {
        guard number == frame.number else {
          throw .damaged(
            path, "the table plain_attribute has rows of a frame \(number) that is missing")
        }
        collected.count(change)
        pending = try changes.next()
      }
    }
    return collected.all
  }
}

/// Summaries of elements whose numbers come from a file and may be any: they are counted anew from 0.
private struct NumberedSummaries {
  var summaries = ItemSummaries()
  private let precision: SealPrecision
  private var indices: [ItemHandle: Int] = [:]
  private var items: [ItemHandle] = []

  init(precision: SealPrecision) { self.precision = precision }

  mutating func count(_ change: AttributeChange) {
    let index = indices[change.item] ?? items.count
    if index == items.count {
      indices[change.item] = index
      items.append(change.item)
    }
    var words = JournalRecord.change(precision.rounded(change)).unchecked
    guard words.count > 1 else { return }
    words[1] = words[1] & ~0xffff_ffff | UInt64(index)
    words.withUnsafeBufferPointer { summaries.count($0) }
  }

  /// In the order of the elements' own numbers.
  var all: [ItemSummary] {
    summaries.summaries.map { summary in
      var summary = summary
      summary.item = items[Int(summary.item.rawValue)]
      return summary
    }.sorted { $0.item.rawValue < $1.item.rawValue }
  }
}
