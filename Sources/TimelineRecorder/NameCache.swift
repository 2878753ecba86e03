import TimelineModel

/// Keys by the name that one thread gives, so that a name costs no lock and no memory after its first
/// time. Two ways in: the address of a name that is part of the program, and the bytes of any other.
///
/// Not safe from two threads at once: each lane has its own.
struct NameCache {
  /// A name with its key. The bytes belong to the cache.
  private struct Entry {
    var hash: UInt64
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: Int
    var role: UInt8
    var handle: Int32
  }

  /// An address with its key.
  private struct Literal {
    var address: UInt
    var count: Int
    var role: UInt8
    var handle: Int32
  }

  /// How many addresses are kept. A new one takes the place of one that falls on the same bucket. 256
  /// are more names than an app records, and 8 KB.
  private static let literalSlots = 1 << 8
  /// How many buckets the table of bytes begins with. It doubles when half of them are taken.
  private static let firstBucketCount = 256

  private var literals: UnsafeMutablePointer<Literal>?
  private var entries: UnsafeMutablePointer<Entry>?
  private var bucketCount = 0
  private var used = 0

  /// The key of a name in the program's own text. `nil` when it was not kept before.
  @inline(__always)
  func key(at address: UInt, count: Int, role: KeyRole) -> KeyHandle? {
    guard let literals else { return nil }
    let literal = literals + NameCache.bucket(of: address)
    guard literal.pointee.address == address, literal.pointee.count == count,
      literal.pointee.role == role.code
    else { return nil }
    return KeyHandle(rawValue: literal.pointee.handle)
  }

  /// Keeps the key of a name in the program's own text.
  mutating func keep(_ key: KeyHandle, at address: UInt, count: Int, role: KeyRole) {
    let literals = literals ?? NameCache.makeLiterals()
    self.literals = literals
    literals[NameCache.bucket(of: address)] = Literal(
      address: address, count: count, role: role.code, handle: key.rawValue)
  }

  /// The key of a name by its bytes. `nil` when it was not kept before.
  @inline(__always)
  func key(_ name: UnsafeBufferPointer<UInt8>, role: KeyRole) -> KeyHandle? {
    guard let entries else { return nil }
    let hash = NameCache.hash(name)
    var bucket = Int(truncatingIfNeeded: hash) & (bucketCount - 1)
    while entries[bucket].count >= 0 {
      if entries[bucket].hash == hash, entries[bucket].count == name.count,
        entries[bucket].role == role.code, NameCache.isSame(entries[bucket], name)
      {
        return KeyHandle(rawValue: entries[bucket].handle)
      }
      bucket = (bucket + 1) & (bucketCount - 1)
    }
    return nil
  }

  /// Keeps the key of a name that is not in the cache.
  mutating func keep(_ key: KeyHandle, _ name: UnsafeBufferPointer<UInt8>, role: KeyRole) {
    if used * 2 >= bucketCount { grow() }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, name.count))
    if let start = name.baseAddress { bytes.update(from: start, count: name.count) }
    insert(
      Entry(
        hash: NameCache.hash(name), bytes: bytes, count: name.count, role: role.code,
        handle: key.rawValue))
    used += 1
  }

  func free() {
    literals?.deallocate()
    for bucket in 0..<bucketCount { entries?[bucket].bytes?.deallocate() }
    entries?.deallocate()
  }
}

extension NameCache {
  @inline(__always)
  private static func bucket(of address: UInt) -> Int {
    // Fibonacci hashing: the upper bits of a product with 2^64 over the golden ratio.
    Int(truncatingIfNeeded: (UInt64(address) &* 0x9e37_79b9_7f4a_7c15) >> 56)
  }

  private static func makeLiterals() -> UnsafeMutablePointer<Literal> {
    let literals = UnsafeMutablePointer<Literal>.allocate(capacity: literalSlots)
    literals.initialize(
      repeating: Literal(address: 0, count: -1, role: 0, handle: 0), count: literalSlots)
    return literals
  }

  private mutating func grow() {
    let old = entries
    let oldCount = bucketCount
    bucketCount = max(NameCache.firstBucketCount, bucketCount * 2)
    let new = UnsafeMutablePointer<Entry>.allocate(capacity: bucketCount)
    new.initialize(
      repeating: Entry(hash: 0, bytes: nil, count: -1, role: 0, handle: 0), count: bucketCount)
    entries = new
    for bucket in 0..<oldCount {
      if let entry = old?[bucket], entry.count >= 0 { insert(entry) }
    }
    old?.deallocate()
  }

  private func insert(_ entry: Entry) {
    guard let entries else { return }
    var bucket = Int(truncatingIfNeeded: entry.hash) & (bucketCount - 1)
    while entries[bucket].count >= 0 { bucket = (bucket + 1) & (bucketCount - 1) }
    entries[bucket] = entry
  }

  /// Eight bytes at a time, mixed by a multiplication each (the manner of FxHash, Firefox).
  @inline(__always)
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = name.baseAddress else { return 0 }
    let bytes = UnsafeRawPointer(start)
    var hash = UInt64(truncatingIfNeeded: name.count)
    var offset = 0
    while offset &+ 8 <= name.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = (hash << 5 | hash >> 59) ^ word
      hash = hash &* 0x9e37_79b9_7f4a_7c15
      offset &+= 8
    }
    while offset < name.count {
      hash = (hash << 5 | hash >> 59) ^ UInt64(start[offset])
      hash = hash &* 0x9e37_79b9_7f4a_7c15
      offset &+= 1
    }
    return hash ^ hash >> 32
  }

  @inline(__always)
  private static func isSame(_ entry: Entry, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let kept = entry.bytes, let given = name.baseAddress else { return name.isEmpty }
    let one = UnsafeRawPointer(kept)
    let two = UnsafeRawPointer(given)
    var offset = 0
    while offset &+ 8 <= name.count {
      if one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != two.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset &+= 8
    }
    while offset < name.count {
      if kept[offset] != given[offset] { return false }
      offset &+= 1
    }
    return true
  }
}

extension KeyRole {
  /// A number for each role.
  @inline(__always)
  var code: UInt8 {
    switch self {
    case .progress: 0
    case .animated: 1
    case .custom: 2
    }
  }
}
