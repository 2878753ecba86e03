import TimelineStore

/// The pages of a database and of the log beside it, read without SQLite.
struct PageStore: ~Copyable {
  /// The size of a page, in bytes.
  let pageSize: Int
  /// The part of a page that holds rows.
  let usable: Int
  /// How many pages there are, as far as the files reach.
  let pageCount: UInt32
  let log: LogFrames
  /// Whether page 1 begins as an SQLite database does.
  let hasHeader: Bool
  /// The size in pages that the header states. `nil` where it states none that can be trusted.
  let statedCount: UInt32?
  /// Whether the header says that a log belongs to the file (bytes 18 and 19 are 2 then).
  let isInLogMode: Bool
  /// The size of the database file, in bytes.
  let fileBytes: Int

  private let file: PlainFile
  private let logFile: PlainFile?

  /// The sizes that a page may have, those first that recorders of ours write, and wrote once.
  private static let pageSizes = [1_024, 4_096, 512, 2_048, 8_192, 16_384, 32_768, 65_536]
  /// A part of a file that is looked at for the size of its pages, in bytes: whole pages of each size.
  private static let partBytes = 65_536
  /// How many such parts are looked at: so many, up to twice as many, or all of a smaller file.
  private static let partCount = 64

  /// Opens the database and its log. `nil` when the database cannot be opened or is empty.
  ///
  /// - Parameter stopsAtDamage: Whether to read the log no further than SQLite does.
  init?(path: String, stopsAtDamage: Bool = false) {
    guard let file = PlainFile(path), file.count > 0 else { return nil }
    let logFile = PlainFile(path + "-wal")
    let log = LogFrames(path: path + "-wal", stopsAtDamage: stopsAtDamage)
    let first = DatabaseBytes(bytes: file.bytes(at: 0, count: 100) ?? [])
    hasHeader = first.bytes.starts(with: Array("SQLite format 3\0".utf8))
    let said = hasHeader ? first.number16(16).flatMap { PageSize(header: $0)?.bytes } : nil
    isInLogMode = hasHeader && (first.byte(18) == 2 || first.byte(19) == 2)
    pageSize = said ?? Self.likeliestPageSize(of: file) ?? log.pageSize ?? Self.pageSizes[0]
    // At least 480 bytes of a page are usable (section 1.3.4).
    let reserved = hasHeader ? first.byte(20) ?? 0 : 0
    usable = pageSize - reserved >= 480 ? pageSize - reserved : pageSize
    // A count is valid when the change counter equals the version that it is valid for (1.3.8).
    let isCounted = hasHeader && first.number32(24) == first.number32(92)
    let loggedCount = log.pageSize == pageSize ? log.pageCount : nil
    statedCount = loggedCount ?? (isCounted ? first.number32(28) : nil)
    fileBytes = file.count
    let filed = UInt32(clamping: (file.count + pageSize - 1) / pageSize)
    pageCount = max(filed, log.pageSize == pageSize ? log.offsets.keys.max() ?? 0 : 0)
    self.log = log
    self.file = file
    self.logFile = logFile
  }

  /// The size by which most of a file is pages with rows. `nil` if it has no such page. Parts that are spread over the file
  /// are looked at, and all parts only if those have none.
  private static func likeliestPageSize(of file: borrowing PlainFile) -> Int? {
    let parts = (file.count + partBytes - 1) / partBytes
    let step = max(1, parts / partCount)
    return mostPages(of: file, parts: stride(from: 0, to: parts, by: step))
      ?? (step == 1 ? nil : mostPages(of: file, parts: stride(from: 0, to: parts, by: 1)))
  }

  private static func mostPages(
    of file: borrowing PlainFile, parts: StrideTo<Int>
  ) -> Int? {
    var found = pageSizes.map { _ in 0 }
    for part in parts {
      guard let bytes = file.bytes(at: part * partBytes, count: partBytes) else { continue }
      for (index, size) in pageSizes.enumerated() {
        found[index] += bytesOfPages(bytes, size: size, isFirst: part == 0)
      }
      if (found.max() ?? 0) >= partBytes * partCount / 2 { break }
    }
    guard let most = found.max(), most > 0 else { return nil }
    return found.firstIndex(of: most).map { pageSizes[$0] }
  }

  /// How many bytes are of pages with rows, if pages have a size. A page's rows begin at its end, so a smaller page, with
  /// what is after it, does not count. Page 1 begins with the header, and does not count.
  private static func bytesOfPages(_ bytes: [UInt8], size: Int, isFirst: Bool) -> Int {
    var found = 0
    for start in stride(from: isFirst ? size : 0, through: bytes.count - size, by: size)
    where TreePage.Kind(rawValue: Int(bytes[start])) != nil {
      guard let page = TreePage(Array(bytes[start..<start + size]), isFirst: false),
        page.strayCount == 0, let last = page.cells.max(), last >= size / 2
      else { continue }
      found += size
    }
    return found
  }

  /// A page's bytes, the log's before the file's. `nil` beyond the end, where the file was cut off, or
  /// where the system cannot read.
  func page(_ number: UInt32) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
    if log.pageSize == pageSize, let offset = log.offsets[number],
      let bytes = logFile?.bytes(at: offset, count: pageSize), bytes.count == pageSize
    {
      return bytes
    }
    let bytes = file.bytes(at: (Int(number) - 1) * pageSize, count: pageSize)
    return bytes?.count == pageSize ? bytes : nil
  }

  /// The whole record of a cell, its overflow pages followed. `nil` when one of them is missing.
  ///
  /// - Parameter seen: Gets every overflow page.
  func record(of payload: Payload, seen: (UInt32) -> Void) -> [UInt8]? {
    guard var next = payload.overflow else { return payload.local }
    var record = payload.local
    record.reserveCapacity(min(payload.total, Int(pageCount) * pageSize))
    var steps: UInt32 = 0
    while record.count < payload.total {
      guard steps < pageCount, let bytes = page(next),
        let following = DatabaseBytes(bytes: bytes).number32(0)
      else { return nil }
      seen(next)
      record.append(contentsOf: bytes[4..<min(usable, 4 + payload.total - record.count)])
      next = following
      steps += 1
    }
    return record
  }
}
