import KymographCLibrary
package import TimelineModel
package import TimelineStore

/// The values of many keys, taken in the order of time and read key by key, in a few megabytes of memory.
///
/// Each key has a chunk in memory. A full chunk goes to a temporary file without a name, and knows the chunk before it.
/// Keys that are sampled together share the instants of a chunk there.
package final class SpilledValues: Sendable {
  private let file: TemporaryBytes?
  private let chunks: HeldChunks
  private let positions: IndexByNumber

  fileprivate init(_ file: TemporaryBytes?, _ chunks: HeldChunks, _ positions: IndexByNumber) {
    (self.file, self.chunks, self.positions) = (file, chunks, positions)
  }

  /// How many samples a key has.
  package func count(of key: KeyHandle) -> Int {
    let position = positions[key.rawValue]
    return position >= 0 ? chunks.counts[position] : 0
  }

  /// Adds the samples of a key to a curve, by its rules.
  ///
  /// - Throws: ``StoreError`` if the temporary file cannot be read.
  /// - Complexity: linear in the key's samples.
  package func add(_ key: KeyHandle, to curve: inout Curve) throws(StoreError) {
    let position = positions[key.rawValue]
    guard position >= 0 else { return }
    if let file {
      var found: [(values: Int, times: Int, count: Int)] = []
      var place = chunks.latest[position]
      while place >= 0 {
        let head = try file.numbers(at: place, count: SpillWriter.headCount, Int64.self)
        found.append((place + SpillWriter.headCount * 8, Int(head[1]), Int(head[2])))
        place = Int(head[0])
      }
      for chunk in found.reversed() {
        curve.append(
          try file.numbers(at: chunk.times, count: chunk.count, Int64.self),
          try file.numbers(at: chunk.values, count: chunk.count, Double.self))
      }
    } else {
      let range = chunks.range(of: position)
      curve.append(Array(chunks.times[range]), Array(chunks.values[range]))
    }
  }
}

/// The chunks of all keys in memory, one behind the other.
private struct HeldChunks: Sendable {
  /// How many samples a chunk has room for.
  let room: Int
  var times: [Int64]
  var values: [Double]
  /// How many samples each key has in its chunk.
  var filled: [Int32]
  /// How many samples each key has in all.
  var counts: [Int]
  /// Where each key's latest chunk begins in the file. -1 without one.
  var latest: [Int]

  init(keys: Int, room: Int) {
    self.room = room
    times = Array(repeating: 0, count: keys * room)
    values = Array(repeating: 0, count: keys * room)
    filled = Array(repeating: 0, count: keys)
    counts = Array(repeating: 0, count: keys)
    latest = Array(repeating: -1, count: keys)
  }

  /// Where the samples of a key are.
  func range(of position: Int) -> Range<Int> {
    position * room..<position * room + Int(filled[position])
  }

  /// Gives the memory of the samples back.
  mutating func forgetSamples() { (times, values, filled) = ([], [], []) }
}

/// Takes the values of keys in the order of time.
package struct SpillWriter {
  /// The numbers before the values of a chunk: the place of the chunk before it, that of its instants, and their count.
  fileprivate static let headCount = 3
  /// The memory for the chunks of all keys, in bytes. Of very many keys it is more.
  package static let usualBytes = 1 << 22
  private static let mostOfChunk = 1 << 14

  private var chunks: HeldChunks
  private let positions: IndexByNumber
  private var file: TemporaryBytes?
  private var failure: StoreError?
  /// The instants that were written last, and their place.
  private var written: (times: [Int64], place: Int) = ([], -1)

  /// Begins without a value.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - heldBytes: The memory for the chunks of all keys, in bytes.
  package init(_ keys: [KeyHandle], heldBytes: Int = SpillWriter.usualBytes) {
    let room = heldBytes / 16 / max(1, keys.count)
    chunks = HeldChunks(keys: keys.count, room: max(4, min(room, Self.mostOfChunk)))
    positions = IndexByNumber(keys.enumerated().map { ($1.rawValue, $0) })
  }

  /// Takes the next value of a key.
  ///
  /// - Parameters:
  ///   - time: Nanoseconds of the session.
  ///   - value: The value, in the key's unit.
  ///   - position: The key's place among the keys.
  @inline(__always)
  package mutating func add(_ time: Int64, _ value: Double, at position: Int) {
    if Int(chunks.filled[position]) == chunks.room { write(position) }
    let place = position * chunks.room + Int(chunks.filled[position])
    chunks.times[place] = time
    chunks.values[place] = value
    chunks.filled[position] += 1
    chunks.counts[position] += 1
  }

  private mutating func write(_ position: Int) {
    let range = chunks.range(of: position)
    chunks.filled[position] = 0
    guard failure == nil else { return }
    do throws(StoreError) {
      var file = if let file { file } else { try TemporaryBytes() }
      self.file = nil
      if !chunks.times[range].elementsEqual(written.times) {
        written = (Array(chunks.times[range]), file.count)
        try file.append(written.times)
      }
      let place = file.count
      try file.append([Int64(chunks.latest[position]), Int64(written.place), Int64(range.count)])
      try file.append(Array(chunks.values[range]))
      chunks.latest[position] = place
      self.file = file
    } catch {
      failure = error
    }
  }

  /// All values that were taken.
  ///
  /// - Throws: ``StoreError``: there is no room for the temporary file.
  package consuming func finish() throws(StoreError) -> SpilledValues {
    if file != nil {
      for position in chunks.filled.indices where chunks.filled[position] > 0 { write(position) }
      chunks.forgetSamples()
    }
    if let failure { throw failure }
    try file?.flush()
    return SpilledValues(file, chunks, positions)
  }
}

/// A temporary file without a name, which is gone with its last owner.
private struct TemporaryBytes: Sendable {
  private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
  }

  /// Bytes that wait until it is worth a call of the system.
  private static let mostWaiting = 1 << 18

  private let folder: String
  private let descriptor: Descriptor
  private var waiting: [UInt8] = []
  private var writtenCount = 0

  /// How many bytes there are.
  var count: Int { writtenCount + waiting.count }

  init() throws(StoreError) {
    folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array((folder + "/kymo-XXXXXX").utf8CString)
    let opened = mkstemp(&name)
    guard opened >= 0 else { throw StoreError.noTemporaryFile(folder) }
    unlink(name)
    descriptor = Descriptor(opened)
  }

  /// Adds numbers at the end, which ``flush()`` may have to write.
  mutating func append(_ numbers: [some BitwiseCopyable]) throws(StoreError) {
    numbers.withUnsafeBytes { waiting.append(contentsOf: $0) }
    if waiting.count >= Self.mostWaiting { try flush() }
  }

  /// Writes the bytes that wait.
  mutating func flush() throws(StoreError) {
    var done = 0
    while done < waiting.count {
      let put = waiting.withUnsafeBytes {
        write(descriptor.number, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if put < 0, errno == EINTR { continue }
      guard put > 0 else { throw StoreError.noTemporaryFile(folder) }
      done += put
    }
    writtenCount += done
    waiting.removeAll(keepingCapacity: true)
  }

  /// Numbers that were written.
  func numbers<Number: BitwiseCopyable & Numeric>(
    at place: Int, count: Int, _ type: Number.Type
  ) throws(StoreError) -> [Number] {
    let size = count * MemoryLayout<Number>.stride
    var done = 0
    let numbers = [Number](unsafeUninitializedCapacity: count) { buffer, filled in
      let room = UnsafeMutableRawBufferPointer(buffer)
      while done < size {
        let got = pread(
          descriptor.number, room.baseAddress.map { $0 + done }, size - done, off_t(place + done))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        done += got
      }
      filled = done / MemoryLayout<Number>.stride
    }
    guard done == size else { throw StoreError.noTemporaryFile(folder) }
    return numbers
  }
}

extension StoreError {
  fileprivate static func noTemporaryFile(_ folder: String) -> StoreError {
    StoreError(
      .full, path: folder,
      "No temporary file can be written in \(folder). Make room there, or set TMPDIR to another folder."
    )
  }
}
