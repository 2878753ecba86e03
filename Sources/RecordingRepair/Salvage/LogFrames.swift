import TimelineStore

/// The content of a write-ahead log, read without SQLite (file format, section 4).
///
/// SQLite itself stops at the first frame whose checksum fails, so that one flipped bit takes all that
/// follows with it. The checksum of a frame begins with the one stored in the frame before, so that the
/// frames behind a damaged one can still be checked: for salvage they count.
struct LogFrames {
  /// Where the newest valid content of a page lies in the log, in bytes.
  private(set) var offsets: [UInt32: Int] = [:]
  /// Frames with a valid checksum, up to the last one that ends a transaction.
  private(set) var validCount = 0
  /// Frames of this log whose checksum fails.
  private(set) var damagedCount = 0
  /// Valid frames after the last end of a transaction: never committed, and left out.
  private(set) var uncommittedCount = 0
  /// Valid frames behind a damaged one, which SQLite does not read.
  private(set) var behindDamageCount = 0
  /// Whether only the end is damaged, with no whole transaction behind: as a power cut or a commit that
  /// failed leaves it, and then nothing of it may ever have been committed.
  private(set) var isTorn = false
  /// Size of the database in pages after the last transaction.
  private(set) var pageCount: UInt32?
  /// The size of a page, as the log says. `nil` when its header is damaged.
  private(set) var pageSize: Int?

  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  /// The two magic numbers differ in the byte order of the checksums.
  private static let littleMagic: UInt32 = 0x377f_0682
  private static let bigMagic: UInt32 = 0x377f_0683

  private typealias Sum = (UInt32, UInt32)

  /// Reads through a log. One that is missing or no log holds nothing.
  ///
  /// - Parameter stopsAtDamage: Whether to read no further than SQLite does.
  init(path: String, stopsAtDamage: Bool = false) {
    guard let file = PlainFile(path), let start = file.bytes(at: 0, count: Self.headerBytes) else {
      return
    }
    let header = DatabaseBytes(bytes: start)
    guard let magic = header.number32(0), let size = header.number32(8),
      let first = header.number32(24), let second = header.number32(28),
      magic == Self.littleMagic || magic == Self.bigMagic,
      let pageSize = PageSize(Int(size))?.bytes
    else { return }
    let isBig = magic == Self.bigMagic
    guard Self.sum(start[0..<24], (0, 0), isBig) == (first, second) else {
      isTorn = file.count > Self.headerBytes
      damagedCount = isTorn && !stopsAtDamage ? 1 : 0
      return
    }
    self.pageSize = pageSize
    read(file, salt: Array(start[16..<24]), seed: (first, second), isBig, stopsAtDamage)
  }

  private mutating func read(
    _ file: borrowing PlainFile, salt: [UInt8], seed: Sum, _ isBig: Bool, _ stopsAtDamage: Bool
  ) {
    guard let pageSize else { return }
    var sum = seed
    var open: [UInt32: Int] = [:]
    var openCount = 0
    var isBehindDamage = false
    var isDamaged = false
    var offset = Self.headerBytes
    let step = Self.frameHeaderBytes + pageSize
    while offset <= file.count - step, let bytes = file.bytes(at: offset, count: step),
      bytes.count == step
    {
      let frame = DatabaseBytes(bytes: bytes)
      guard let page = frame.number32(0), let size = frame.number32(4),
        let first = frame.number32(16), let second = frame.number32(20)
      else { return }
      // The log is used again from its start, so that old frames follow the newest: other salt.
      let isOurs = bytes[8..<16].elementsEqual(salt)
      let computed = Self.sum(bytes[24...], Self.sum(bytes[0..<8], sum, isBig), isBig)
      if isOurs, computed == (first, second), page > 0 {
        open[page] = offset + Self.frameHeaderBytes
        openCount += 1
        if isBehindDamage { behindDamageCount += 1 }
        if size > 0 {
          offsets.merge(open) { $1 }
          validCount += openCount
          pageCount = size
          open = [:]
          openCount = 0
          if !isDamaged { isTorn = false }
          isDamaged = false
        }
      } else if !isOurs || stopsAtDamage {
        break
      } else {
        damagedCount += 1
        isTorn = isTorn || !isBehindDamage
        isBehindDamage = true
        isDamaged = true
      }
      sum = (first, second)
      offset += step
    }
    uncommittedCount = openCount
  }

  /// The checksum of section 4.2 over whole pairs of 32-bit words.
  private static func sum(_ bytes: ArraySlice<UInt8>, _ seed: Sum, _ isBig: Bool) -> Sum {
    var (first, second) = seed
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset + 8 <= raw.count {
        let one = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let two = raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first = first &+ (isBig ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
        second = second &+ (isBig ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
        offset += 8
      }
    }
    return (first, second)
  }
}

/// A size of a page that SQLite knows: a power of two from 512 to 65,536 bytes.
struct PageSize {
  let bytes: Int

  init?(_ bytes: Int) {
    guard (512...65_536).contains(bytes), bytes & (bytes - 1) == 0 else { return nil }
    self.bytes = bytes
  }

  /// As the database's header says it, where 1 stands for 65,536.
  init?(header value: Int) { self.init(value == 1 ? 65_536 : value) }
}
