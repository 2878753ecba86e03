import SQLiteAccess
import TimelineModel

/// The rows of ``SampleTable`` as they lie in the pages of the file, in their order (SQLite's file format, sections 1.6
/// and 2.1).
///
/// It ends at the first thing that no recorder writes, without an error: whoever reads asks SQLite for what is left.
struct SamplePages {
  /// The place of a row in the order of the table.
  struct Place {
    var time: Int64
    var slot: Int64
  }

  /// A page of the tree.
  private struct Page {
    var bytes: [UInt8]
    var isLeaf: Bool
    var cellCount: Int
    /// The cell whose row comes next. In a page with pages below, that of the cell comes before it.
    var next = 0
  }

  /// The last row that was read, or behind which the rows begin.
  private(set) var last: Place
  private let session: Int64
  private let key: KeyHandle?
  private let end: Int64
  private let reader: RecordingReader
  private let pageBytes: Int
  /// Where what belongs to no row begins in each page.
  private let usableBytes: Int
  /// Bytes that were read ahead.
  private var ahead: (offset: Int64, bytes: [UInt8]) = (0, [])
  /// Where the page that was read last ends.
  private var behindLast: Int64 = 0
  /// The pages from the root down to the one that is read. Empty behind the last row.
  private var pages: [Page] = []

  /// The kinds of pages in the tree of a table without rowid.
  private static let interior: UInt8 = 2
  private static let leaf: UInt8 = 10
  /// A tree of more levels would have more rows than a file has bytes.
  private static let mostLevels = 20
  private static let aheadBytes = 1 << 16
  /// Rows are given so many at a time, or a few more.
  private static let rowsAtOnce = 512
  /// A row has at most so many bytes, so that none goes on in another page.
  private static let mostRowBytes = 60

  /// Goes to the first row behind a place. Nobody may write the file until the last row was given.
  ///
  /// - Parameters:
  ///   - key: Whose rows are given. `nil`: those of all keys.
  ///   - root: The number of the tree's first page.
  ///   - end: The last instant of the rows, in nanoseconds.
  /// - Complexity: a read for each level of the tree.
  init(
    of session: Int64, _ key: KeyHandle?, behind place: Place, upTo end: Int64, root: UInt32,
    in reader: RecordingReader
  ) {
    (self.session, self.key, last, self.end, self.reader) = (session, key, place, end, reader)
    let head = reader.connection.fileBytes(at: 0, count: 21) ?? Array(repeating: 0, count: 21)
    // The size of the largest pages is written as 1.
    pageBytes = Int(head[16]) << 8 | Int(head[17]) << 16
    usableBytes = pageBytes - Int(head[20])
    guard open(root) else { return }
    while let page = pages.last {
      var (low, high) = (0, page.cellCount)
      while low < high {
        let middle = (low + high) / 2
        guard let row = row(middle, of: page) else {
          pages = []
          return
        }
        if isBehind(row) { high = middle } else { low = middle + 1 }
      }
      pages[pages.count - 1].next = low
      if page.isLeaf { return }
      guard openChild() else { return }
    }
  }

  /// Adds the next rows to a list. None behind the last row, or where something else follows.
  mutating func addNext(to rows: inout [SampleRecord]) {
    while let page = pages.last, rows.count < Self.rowsAtOnce {
      let bottom = pages.count - 1
      if page.isLeaf {
        for cell in page.next..<page.cellCount {
          guard add(cell, of: page, to: &rows) else {
            pages = []
            return
          }
        }
        pages.removeLast()
      } else if page.next < page.cellCount {
        guard add(page.next, of: page, to: &rows) else {
          pages = []
          return
        }
        pages[bottom].next += 1
        // Down to the first row behind it.
        repeat { guard openChild() else { return } } while pages.last?.isLeaf == false
      } else {
        pages.removeLast()
      }
    }
  }

  // MARK: - Pages

  /// Goes down to the page before the next row of the lowest page.
  private mutating func openChild() -> Bool {
    guard let page = pages.last else { return false }
    let place = page.next < page.cellCount ? cell(page.next, of: page) : 8
    guard let place, place + 4 <= page.bytes.count else {
      pages = []
      return false
    }
    return open(page.bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
  }

  private mutating func open(_ number: UInt32) -> Bool {
    guard pages.count < Self.mostLevels, number > 1, (512...65_536).contains(pageBytes),
      let bytes = bytes(of: number),
      bytes[0] == Self.interior || bytes[0] == Self.leaf
    else {
      pages = []
      return false
    }
    let page = Page(
      bytes: bytes, isLeaf: bytes[0] == Self.leaf, cellCount: Int(bytes[3]) << 8 | Int(bytes[4]))
    pages.append(page)
    return true
  }

  /// A page, and if it lies behind the page before it also those behind itself: so most lie.
  private mutating func bytes(of number: UInt32) -> [UInt8]? {
    let offset = Int64(number - 1) * Int64(pageBytes)
    defer { behindLast = offset + Int64(pageBytes) }
    if offset == behindLast, offset >= ahead.offset + Int64(ahead.bytes.count),
      let bytes = reader.connection.fileBytes(
        at: offset, count: max(pageBytes, Self.aheadBytes))
    {
      ahead = (offset, bytes)
    }
    let start = Int(offset - ahead.offset)
    if start >= 0, start + pageBytes <= ahead.bytes.count {
      return Array(ahead.bytes[start..<start + pageBytes])
    }
    return reader.connection.fileBytes(at: offset, count: pageBytes)
  }

  /// Where a cell of a page begins. `nil` if that is outside of the page.
  private func cell(_ index: Int, of page: Page) -> Int? {
    let place = (page.isLeaf ? 8 : 12) + 2 * index
    guard place + 2 <= page.bytes.count else { return nil }
    return Int(page.bytes[place]) << 8 | Int(page.bytes[place + 1])
  }

  // MARK: - Rows

  private typealias Row = (session: Int64, place: Place, value: Double)

  private func isBehind(_ row: Row) -> Bool {
    (row.session, row.place.time, row.place.slot) > (session, last.time, last.slot)
  }

  /// The row of a cell. `nil` if it is none that a recorder writes.
  @inline(__always)
  private func row(_ index: Int, of page: Page) -> Row? {
    guard let cell = cell(index, of: page) else { return nil }
    return page.bytes.withUnsafeBytes { bytes in
      let start = cell + (page.isLeaf ? 0 : 4)
      // The length of the row, that of its head, and the four types, each a byte.
      guard start >= 8, start + 6 <= usableBytes, bytes[start] <= Self.mostRowBytes,
        bytes[start + 1] == 5
      else { return nil }
      let end = start + 1 + Int(bytes[start])
      guard end <= usableBytes else { return nil }
      var place = start + 6
      guard let session = bytes.whole(bytes[start + 2], at: &place, before: end),
        let time = bytes.whole(bytes[start + 3], at: &place, before: end),
        let slot = bytes.whole(bytes[start + 4], at: &place, before: end)
      else { return nil }
      let value: Double
      if bytes[start + 5] == 7 {
        guard place + 8 <= end else { return nil }
        value = Double(
          bitPattern: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        )
      } else {
        guard let whole = bytes.whole(bytes[start + 5], at: &place, before: end) else { return nil }
        value = Double(whole)
      }
      return (session, Place(time: time, slot: slot), value)
    }
  }

  /// Adds the row of a cell. False if it is none that a recorder writes, not behind the last one, or beyond the end.
  @inline(__always)
  private mutating func add(_ index: Int, of page: Page, to rows: inout [SampleRecord]) -> Bool {
    guard let row = row(index, of: page), row.session == session, row.place.time <= end,
      (row.place.time, row.place.slot) > (last.time, last.slot), row.place.slot >= 0,
      row.value.isFinite
    else { return false }
    let phase: MotionPhase
    switch SampleSlot.phase(row.place.slot) {
    case 0: phase = .idle
    case 1: phase = .driving
    case 2: phase = .settling
    default: return false
    }
    last = row.place
    let key = KeyHandle(rawValue: SampleSlot.key(row.place.slot))
    guard key == self.key ?? key else { return true }
    rows.append(
      SampleRecord(
        key: key,
        sample: Sample(time: Instant(nanoseconds: row.place.time), value: row.value), phase: phase,
        ordinal: SampleSlot.ordinal(row.place.slot)))
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// A whole number of a row, behind which the place is then. `nil` if it is of another type, or does not fit.
  @inline(__always)
  fileprivate func whole(_ type: UInt8, at place: inout Int, before end: Int) -> Int64? {
    // The two that have no bytes.
    if type == 8 || type == 9 { return Int64(type) - 8 }
    guard type > 0, type < 7 else { return nil }
    let size = Int(type < 5 ? type : type == 5 ? 6 : 8)
    guard place + size <= end else { return nil }
    // The eight bytes that end with it, since a row begins behind the head of its page.
    let bits = UInt64(
      bigEndian: loadUnaligned(fromByteOffset: place + size - 8, as: UInt64.self))
    place += size
    let rest = Int64(64 - 8 * size)
    return (Int64(bitPattern: bits) << rest) >> rest
  }
}
