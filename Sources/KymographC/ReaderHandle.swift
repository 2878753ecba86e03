import KymographCHeader
import KymographCLibrary
import TimelineModel
import TimelineStore

/// The object behind a `kymograph_reader`.
final class ReaderHandle {
  let reader: RecordingReader
  private let process = getpid()
  let sessions: [SessionRecord]
  private var keys: [Int64: [KeyRecord]] = [:]
  private var texts: [String: kymograph_text] = [:]
  /// The session whose values are there. 0: none.
  private(set) var loaded: Int64 = 0
  private var columns: [LoadedColumn] = []
  /// The column of a key's number. -1: none.
  private var columnOfKey: [Int32] = []
  /// The columns of numbers beyond that list, which no recorder of ours gives out.
  private var columnOfOtherKey: [Int32: Int32] = [:]

  /// Numbers of keys that are looked up in a list: more than a session has.
  private static let mostListed: Int32 = 1 << 20

  init(path: String) throws(StoreError) {
    if FileFacts(of: path) == .other { throw .isNotAFile(path) }
    let reader = try RecordingReader(path: path)
    self.reader = reader
    try reader.beginState()
    sessions = try reader.sessionRecords()
    reader.endState()
  }

  /// Whether this is a copy in a child process that `fork` made. Its connection's descriptors may be those of other files
  /// there.
  var isInForkedChild: Bool { getpid() != process }

  deinit {
    for text in texts.values { text.utf8.deallocate() }
    for column in columns { column.free() }
  }

  /// A text that lives as long as the reader.
  func text(_ string: String?) -> kymograph_text {
    guard var string else { return kymograph_text(utf8: nil, length: 0) }
    if let text = texts[string] { return text }
    let copy = string.withUTF8 { bytes in
      let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
      _ = copy.initialize(from: bytes.lazy.map { CChar(bitPattern: $0) })
      copy[bytes.count] = 0
      return copy
    }
    let text = kymograph_text(utf8: copy.baseAddress, length: copy.count - 1)
    texts[string] = text
    return text
  }

  /// The keys of a session, as they were when they were first asked for or the session was loaded.
  func keys(in session: Int64) throws(StoreError) -> [KeyRecord] {
    if let known = keys[session] { return known }
    _ = try reader.sessionRecord(session)
    let found = try reader.keys(in: session)
    keys[session] = found
    return found
  }

  /// The loaded values of a key. `nil` if it has none.
  func column(of key: Int32) -> LoadedColumn? {
    let column = place(of: key)
    return column < 0 ? nil : columns[column]
  }

  @inline(__always)
  private func place(of key: Int32) -> Int {
    let number = Int(key)
    if columnOfKey.indices.contains(number) { return Int(columnOfKey[number]) }
    return Int(columnOfOtherKey[key] ?? -1)
  }

  /// Reads all values of a session.
  func load(_ session: Int64) throws(StoreError) {
    unload()
    // Keys and values are of one state of the file.
    try reader.beginState()
    defer { reader.endState() }
    keys[session] = nil
    try reader.requireHeld(session)
    let numbers = try keys(in: session).map(\.handle.rawValue)
    let listed = numbers.filter { $0 >= 0 && $0 < ReaderHandle.mostListed }
    columnOfKey = Array(repeating: -1, count: Int(listed.max() ?? -1) + 1)
    for (column, number) in numbers.enumerated() {
      if columnOfKey.indices.contains(Int(number)) {
        columnOfKey[Int(number)] = Int32(truncatingIfNeeded: column)
      } else {
        columnOfOtherKey[number] = Int32(truncatingIfNeeded: column)
      }
    }
    columns = Array(repeating: LoadedColumn(), count: numbers.count)
    do throws(StoreError) {
      try reader.forEachSample(in: session) { key, time, value, phase in
        let column = place(of: key.rawValue)
        if column >= 0 { columns[column].append(time, value, phase.headerCode) }
      }
    } catch {
      unload()
      throw error
    }
    loaded = session
  }

  private func unload() {
    for column in columns { column.free() }
    (loaded, columns, columnOfKey, columnOfOtherKey) = (0, [], [], [:])
  }
}

@available(*, unavailable, message: "it belongs to one thread at a time")
extension ReaderHandle: Sendable {}

/// The values of a key, in arrays whose addresses a caller gets.
struct LoadedColumn {
  private(set) var count = 0
  private var capacity = 0
  private(set) var times: UnsafeMutablePointer<Int64>?
  private(set) var values: UnsafeMutablePointer<Double>?
  private(set) var phases: UnsafeMutablePointer<UInt8>?

  /// The number of values that have room at first.
  private static let firstCapacity = 1_024

  @inline(__always)
  mutating func append(_ time: Int64, _ value: Double, _ phase: UInt8) {
    if count == capacity { grow() }
    times.unsafelyUnwrapped[count] = time
    values.unsafelyUnwrapped[count] = value
    phases.unsafelyUnwrapped[count] = phase
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let size = max(LoadedColumn.firstCapacity, capacity * 2)
    func move<Element>(_ old: inout UnsafeMutablePointer<Element>?) {
      let new = UnsafeMutablePointer<Element>.allocate(capacity: size)
      if let old {
        new.moveInitialize(from: old, count: count)
        old.deallocate()
      }
      old = new
    }
    move(&times)
    move(&values)
    move(&phases)
    capacity = size
  }

  func free() {
    times?.deallocate()
    values?.deallocate()
    phases?.deallocate()
  }
}

@available(*, unavailable, message: "its memory is the reader's")
extension LoadedColumn: Sendable {}
