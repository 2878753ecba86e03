/// Which page of a database belongs to what, found by walking from the schema down.
struct DatabaseMap {
  /// Something in the schema that has pages.
  struct Tree {
    /// The table's name, or the index's.
    var name: String
    var isTable: Bool
    var root: UInt32
    /// Leaf pages that hold its rows, in the order of the keys. An index's are not kept.
    var leaves: [UInt32] = []
    /// Interior pages, which hold rows too in a table without rowid.
    var interiors: [UInt32] = []
  }

  /// A page that could not be read as what it should be.
  struct Damage: Equatable {
    var page: UInt32
    /// The tree that leads to it. `nil` for the freelist and the schema.
    var tree: String?
  }

  /// The tables and indexes that the schema names. Empty when the schema's page is lost.
  private(set) var trees: [Tree] = []
  /// Pages that are damaged, in the order found.
  private(set) var damages: [Damage] = []
  /// Leaf pages that no tree leads to, and that are not free: the page above them was damaged.
  private(set) var orphans: [UInt32] = []
  /// Whether the schema could be read.
  private(set) var hasSchema = false
  /// How many pages are free.
  private(set) var freeCount = 0
  /// The schema's version as the header says (`user_version`).
  private(set) var userVersion: UInt32?

  /// Pages seen so far, by number.
  private var isSeen: [Bool]

  /// Walks everything that can be reached.
  ///
  /// - Complexity: linear in the pages. Each is read at most twice.
  init(_ store: borrowing PageStore) {
    isSeen = Array(repeating: false, count: Int(store.pageCount) + 1)
    readSchema(store)
    walkFreelist(store)
    for index in trees.indices {
      var tree = trees[index]
      walk(&tree, store)
      trees[index] = tree
    }
    findOrphans(store)
  }

  /// Marks a page. False when it was seen before, or is none.
  private mutating func mark(_ page: UInt32) -> Bool {
    guard page >= 1, Int(page) < isSeen.count, !isSeen[Int(page)] else { return false }
    isSeen[Int(page)] = true
    return true
  }

  /// The schema is a table at page 1 (section 2.6): type, name, tbl_name, rootpage, sql.
  private mutating func readSchema(_ store: borrowing PageStore) {
    guard store.hasHeader, let bytes = store.page(1) else {
      damages.append(Damage(page: 1, tree: nil))
      _ = mark(1)
      return
    }
    userVersion = DatabaseBytes(bytes: bytes).number32(60)
    var schema = Tree(name: "sqlite_schema", isTable: true, root: 1)
    let before = damages.count
    walk(&schema, store)
    hasSchema = damages.count == before
    for leaf in schema.leaves {
      for row in rows(of: leaf, store).rows {
        guard row.values.count == 5, let type = row.values[0].string,
          type == "table" || type == "index", let name = row.values[1].string,
          let root = row.values[3].integer, let page = UInt32(exactly: root), page > 1
        else { continue }
        trees.append(Tree(name: name, isTable: type == "table", root: page))
      }
    }
  }

  /// Free pages hang in a list of trunk pages (section 1.5).
  private mutating func walkFreelist(_ store: borrowing PageStore) {
    guard store.hasHeader, let first = store.page(1),
      var trunk = DatabaseBytes(bytes: first).number32(32)
    else { return }
    while trunk != 0 {
      guard mark(trunk), let bytes = store.page(trunk) else {
        damages.append(Damage(page: trunk, tree: nil))
        return
      }
      let content = DatabaseBytes(bytes: bytes)
      freeCount += 1
      guard let next = content.number32(0), let count = content.number32(4),
        Int(count) <= store.usable / 4 - 2
      else {
        damages.append(Damage(page: trunk, tree: nil))
        return
      }
      for index in 0..<Int(count) {
        if let page = content.number32(8 + 4 * index), mark(page) { freeCount += 1 }
      }
      trunk = next
    }
  }

  private mutating func walk(_ tree: inout Tree, _ store: borrowing PageStore) {
    // From the last child to the first, since the newest on the stack comes next.
    var stack = [tree.root]
    while let number = stack.popLast() {
      guard mark(number), let bytes = store.page(number),
        let page = TreePage(bytes, isFirst: number == 1), page.strayCount == 0
      else {
        damages.append(Damage(page: number, tree: tree.name))
        continue
      }
      if page.kind.isInterior {
        tree.interiors.append(number)
        if let right = page.rightChild { stack.append(right) }
        stack.append(contentsOf: page.cells.reversed().compactMap(page.child(of:)))
      } else {
        tree.leaves.append(number)
      }
      markOverflow(of: page, number, in: tree.name, store)
    }
  }

  private mutating func markOverflow(
    of page: TreePage, _ number: UInt32, in tree: String, _ store: borrowing PageStore
  ) {
    guard page.kind != .tableInterior else { return }
    var isWhole = true
    for cell in page.cells {
      guard let payload = page.payload(of: cell, usable: store.usable) else {
        isWhole = false
        continue
      }
      guard payload.overflow != nil else { continue }
      var pages: [UInt32] = []
      if store.record(of: payload, seen: { pages.append($0) }) == nil { isWhole = false }
      for overflow in pages where !mark(overflow) { isWhole = false }
    }
    if !isWhole { damages.append(Damage(page: number, tree: tree)) }
  }

  /// Everything that is left and looks like rows.
  private mutating func findOrphans(_ store: borrowing PageStore) {
    // Pages after the end that the header states do not belong to the database any more, as after VACUUM with
    // a reader, or a power cut that took the cut of the file's end. Unless it is the header that errs.
    let stated = min(store.statedCount ?? .max, store.pageCount)
    let isTrue = damages.isEmpty && !isSeen[(Int(stated) + 1)...].contains(true)
    let last = isTrue ? stated : store.pageCount
    guard last > 0 else { return }
    for number in 1...last where !isSeen[Int(number)] {
      guard let bytes = store.page(number), let page = TreePage(bytes, isFirst: number == 1),
        !page.cells.isEmpty, page.kind != .tableInterior
      else { continue }
      orphans.append(number)
    }
  }

  /// The rows of a page, in the order of its cells, and how many of its cells could not be read.
  ///
  /// An interior page of a table without rowid has rows too.
  func rows(
    of number: UInt32, _ store: borrowing PageStore
  ) -> (rows: [SalvagedRow], unreadable: Int) {
    guard let bytes = store.page(number), let page = TreePage(bytes, isFirst: number == 1),
      page.kind != .tableInterior
    else { return ([], 0) }
    var rows: [SalvagedRow] = []
    rows.reserveCapacity(page.cells.count)
    for cell in page.cells {
      guard let payload = page.payload(of: cell, usable: store.usable),
        let record = store.record(of: payload, seen: { _ in }),
        let row = SalvagedRow(record: record, rowid: payload.rowid)
      else { continue }
      rows.append(row)
    }
    return (rows, page.cells.count + page.strayCount - rows.count)
  }

  /// Whether a page belongs to a table with rowids. `nil` for a page that is none of a tree.
  static func isOfTable(_ number: UInt32, _ store: borrowing PageStore) -> Bool? {
    store.page(number).flatMap { TreePage($0, isFirst: number == 1)?.kind.isTable }
  }
}
