import KymographCLibrary

/// A crash journal that somebody left behind, read with plain reads and trusted in nothing.
package struct JournalScan: ~Copyable {
  /// What lies at a journal's place.
  package enum State: Hashable, Sendable {
    case absent
    /// Its recorder lives, or somebody is folding it in.
    case alive
    /// Its recorder is dead. What it holds can be read.
    case dead
    /// No journal of this session. The text says why.
    case unusable(String)
  }

  /// One lane, from the position that the tables have to the last record that is whole.
  package struct Lane: Hashable, Sendable {
    /// Its number, counted from 0.
    package var number: Int
    /// Where reading began, in words.
    package var start: UInt64
    /// Where it stopped.
    package var end: UInt64
    /// Words between there and the head that are no whole records. 0 in a journal that is sound.
    package var unread: UInt64
  }

  package let path: String
  /// Whose it is.
  package let header: JournalHeader
  /// Words behind a header that was never on the disk, of which nobody knows what they are.
  private let nameless: UInt64
  private let file: PlainFile
  private let laneCount: Int

  /// Opens the journal of a session under a lock, which is kept as long as the value lives.
  ///
  /// - Parameters:
  ///   - path: The journal.
  ///   - session: The session that it must be of.
  ///   - uuid: The session's identity.
  ///   - isExclusive: Whether to keep readers out too, as folding it in wants it.
  /// - Returns: The journal where it can be read, and what was found in any case.
  package static func open(
    _ path: String, session: Int64, uuid: String, isExclusive: Bool
  ) -> Opening {
    if FileFacts(of: path) == .absent { return Opening(.absent) }
    guard let file = PlainFile(path) else { return Opening(.unusable("it cannot be opened")) }
    guard file.lock(isExclusive: isExclusive), file.isAt(path) else { return Opening(.alive) }
    guard let first = file.words(at: 0, count: JournalFormat.suspendedWord + 1) else {
      return Opening(.unusable("it cannot be read"))
    }
    guard first.count > JournalFormat.suspendedWord, let header = JournalHeader(first) else {
      let hasNoHeader = first.prefix(JournalHeader.words).allSatisfy { $0 == 0 }
      if hasNoHeader || isUnfinished(file) {
        // Its recorder was killed while it made the file, so it had taken nothing in, or a power cut took
        // what the disk did not have.
        let header = JournalHeader(
          pageBytes: JournalFormat.mostPageBytes, laneWords: JournalFormat.mostPageBytes / 8,
          laneCount: 1, session: session, uuid: uuid)
        return Opening(
          .dead,
          JournalScan(
            path: path, header: header, laneCount: 0, nameless: hasNoHeader ? usedWords(file) : 0,
            file: file))
      }
      return Opening(.unusable("its header is damaged or of another version"))
    }
    guard header.session == session, header.uuid == uuid else {
      return Opening(
        .unusable("it belongs to session \(header.session) with the uuid \(header.uuid)"))
    }
    // A recorder that is suspended has let go of its lock.
    if first[JournalFormat.suspendedWord] != 0, FileFacts.isLiving(first[JournalFormat.processWord])
    {
      return Opening(.alive)
    }
    return Opening(
      .dead,
      JournalScan(
        path: path, header: header, laneCount: header.lanes(inBytes: file.count), nameless: 0,
        file: file))
  }

  /// Whether a journal is one page in which a part of a header stands and nothing else. Lanes come behind
  /// that page, and counts of losses behind the header.
  private static func isUnfinished(_ file: borrowing PlainFile) -> Bool {
    guard file.count <= JournalFormat.mostPageBytes,
      let words = file.words(at: 0, count: JournalFormat.mostPageBytes / 8)
    else { return false }
    return words.first == JournalFormat.magic
      && words.dropFirst(JournalHeader.words).allSatisfy { $0 == 0 }
  }

  /// How many words are not 0.
  private static func usedWords(_ file: borrowing PlainFile) -> UInt64 {
    var count: UInt64 = 0
    for start in stride(from: 0, to: file.count, by: JournalFormat.mostPageBytes) {
      let words = file.words(at: start, count: JournalFormat.mostPageBytes / 8) ?? []
      count += UInt64(words.count { $0 != 0 })
    }
    return count
  }

  /// Whose journal it is, without a lock. `nil` where nothing is that can be read.
  package static func header(at path: String) -> JournalHeader? {
    guard let file = PlainFile(path), let words = file.words(at: 0, count: JournalHeader.words)
    else {
      return nil
    }
    return JournalHeader(words)
  }

  private init(
    path: String, header: JournalHeader, laneCount: Int, nameless: UInt64,
    file: consuming PlainFile
  ) {
    self.path = path
    self.header = header
    self.laneCount = laneCount
    self.nameless = nameless
    self.file = file
  }
}

/// What came of opening a journal.
package struct JournalOpening: ~Copyable {
  /// What lies there.
  package let state: JournalScan.State
  /// The journal, where it can be read.
  package var scan: JournalScan?

  fileprivate init(_ state: JournalScan.State, _ scan: consuming JournalScan? = nil) {
    self.state = state
    self.scan = scan
  }
}

extension JournalScan {
  package typealias Opening = JournalOpening

  /// What its recorder had counted as lost since the session's start, in the tables or not.
  var losses: [LossRecord] {
    JournalLosses.read(file.words(at: 0, count: JournalLosses.endWord) ?? [], salt: header.salt)
  }

  /// Words that no record could be made of. None where all was read before a power cut took the file's pages.
  ///
  /// - Parameters:
  ///   - lanes: What ``read(from:_:)`` has returned.
  ///   - consumed: Up to which word each lane was in the tables before.
  func unread(_ lanes: [Lane], _ consumed: [Int64: UInt64]) -> UInt64 {
    let isKnown = consumed[JournalTable.recoveredLane] != nil
    return lanes.reduce(isKnown ? 0 : nameless) { $0 &+ $1.unread }
  }

  /// What waits in a session's journal: its state, how many rows the tables do not have yet, and how many
  /// words hold no record. Both 0 where it cannot be read.
  ///
  /// - Parameter consumed: Up to which word each lane is in the tables. Asked under the journal's lock.
  package static func waiting(
    at path: String, session: Int64, uuid: String,
    after consumed: @autoclosure () throws(StoreError) -> [Int64: UInt64]
  ) throws(StoreError) -> (state: State, rows: Int64, unreadWords: UInt64) {
    let opening = open(path, session: session, uuid: uuid, isExclusive: false)
    guard case .some(let scan) = opening.scan else { return (opening.state, 0, 0) }
    let consumed = try consumed()
    var rows: Int64 = 0
    let lanes = try scan.read(from: consumed) { record in
      switch record {
      case .key, .item: break
      default: rows += 1
      }
    }
    return (opening.state, rows, scan.unread(lanes, consumed))
  }

  /// Reads every lane, the first first.
  ///
  /// - Parameters:
  ///   - consumed: Up to which word each lane is in the tables already, by the lane's number.
  ///   - isReadable: Whether a record can be taken. A lane ends before the first that cannot.
  ///   - take: Is given the records in order. A frame is given only when all of its changes are whole;
  ///     they follow it.
  /// - Returns: What was read of each lane.
  package func read(
    from consumed: [Int64: UInt64], while isReadable: (JournalRecord) -> Bool = { _ in true },
    _ take: (JournalRecord) throws(StoreError) -> Void
  ) throws(StoreError) -> [Lane] {
    var lanes: [Lane] = []
    for number in 0..<laneCount {
      var reader = JournalLaneReader(
        file, header, lane: number, start: consumed[Int64(number)] ?? 0)
      while let group = reader.next(file, while: isReadable) {
        for record in group { try take(record) }
      }
      lanes.append(reader.lane)
    }
    return lanes
  }
}
