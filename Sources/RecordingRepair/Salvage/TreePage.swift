/// A page of a b-tree, its places checked against its size (file format, section 1.6).
struct TreePage {
  enum Kind: Int {
    /// Keys of an index or of a table without rowid, with pages below.
    case indexInterior = 2
    case tableInterior = 5
    /// Rows of a table without rowid, or entries of an index.
    case indexLeaf = 10
    case tableLeaf = 13

    var isInterior: Bool { self == .indexInterior || self == .tableInterior }
    var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  let kind: Kind
  let content: DatabaseBytes
  /// The places of the cells, in order. Those that lead outside the page are left out.
  let cells: [Int]
  /// Cells whose places lead outside the page.
  let strayCount: Int
  /// The page below with the largest keys. `nil` in a leaf.
  let rightChild: UInt32?

  /// Reads a page's header. `nil` when the page is none of a b-tree.
  ///
  /// - Parameters:
  ///   - bytes: The whole page.
  ///   - isFirst: Whether it is page 1, which begins with the header of the file.
  init?(_ bytes: [UInt8], isFirst: Bool) {
    content = DatabaseBytes(bytes: bytes)
    let start = isFirst ? 100 : 0
    guard let kind = content.byte(start).flatMap(Kind.init), let count = content.number16(start + 3)
    else { return nil }
    self.kind = kind
    let array = start + (kind.isInterior ? 12 : 8)
    guard array + 2 * count <= bytes.count else { return nil }
    rightChild = kind.isInterior ? content.number32(start + 8) : nil
    var cells: [Int] = []
    cells.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = content.number16(array + 2 * index) else { return nil }
      if offset >= array + 2 * count, offset < bytes.count { cells.append(offset) }
    }
    self.cells = cells
    strayCount = count - cells.count
  }

  /// The page below a cell of an interior page.
  func child(of cell: Int) -> UInt32? { kind.isInterior ? content.number32(cell) : nil }

  /// The data of a cell about its row: how long it is, its rowid, and the part that lies in this page.
  func payload(of cell: Int, usable: Int) -> Payload? {
    var offset = cell + (kind.isInterior ? 4 : 0)
    guard kind != .tableInterior, let (size, afterSize) = content.varint(offset), size >= 0,
      let total = Int(exactly: size), total <= Payload.limitBytes
    else { return nil }
    offset = afterSize
    var rowid: Int64?
    if kind == .tableLeaf {
      guard let (value, end) = content.varint(offset) else { return nil }
      rowid = value
      offset = end
    }
    let local = Payload.localBytes(total, usable: usable, isTable: kind.isTable)
    guard offset + local + (local < total ? 4 : 0) <= content.bytes.count else { return nil }
    let overflow = local < total ? content.number32(offset + local) : nil
    return Payload(
      total: total, rowid: rowid, local: Array(content.bytes[offset..<offset + local]),
      overflow: overflow)
  }
}

/// The beginning of a row in its page, and where the rest lies.
struct Payload {
  let total: Int
  let rowid: Int64?
  let local: [UInt8]
  /// The first page of the rest. `nil` when all of it is here.
  let overflow: UInt32?

  /// Longer than any row of ours: a scenario's text is the longest thing in one. A size beyond it is
  /// damage, and would only take memory.
  static let limitBytes = 256 << 20

  /// How much of a row lies in the page itself (file format, section 1.6).
  static func localBytes(_ total: Int, usable: Int, isTable: Bool) -> Int {
    let largest = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    if total <= largest { return total }
    let smallest = (usable - 12) * 32 / 255 - 23
    let fitting = smallest + (total - smallest) % (usable - 4)
    return fitting <= largest ? fitting : smallest
  }
}
