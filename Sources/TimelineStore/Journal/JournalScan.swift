#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A crash journal that somebody left behind, read with plain reads and trusted in nothing.
package struct JournalScan: ~Copyable {
  /// What lies at a journal's place.
  package enum State: Hashable, Sendable {
    /// Nothing.
    case absent
    /// Its recorder lives, or somebody is folding it in.
    case alive
    /// Its recorder is dead; what it holds can be read.
    case dead
    /// No journal of this session; the text says why.
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
    /// Words between there and the head that are no whole records; 0 in a journal that is sound.
    package var unread: UInt64
  }

  /// The file.
  package let path: String
  /// Whose it is.
  package let header: JournalHeader
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
      if isUnfinished(file) {
        // Its recorder was killed while it made the file, so it had taken nothing in.
        let header = JournalHeader(
          pageBytes: JournalFormat.mostPageBytes, laneWords: JournalFormat.mostPageBytes / 8,
          laneCount: 1, session: session, uuid: uuid)
        return Opening(.dead, JournalScan(path: path, header: header, laneCount: 0, file: file))
      }
      return Opening(.unusable("its header is damaged or of another version"))
    }
    guard header.session == session, header.uuid == uuid else {
      return Opening(
        .unusable("it belongs to session \(header.session) with the uuid \(header.uuid)"))
    }
    if first[JournalFormat.suspendedWord] != 0, isLiving(first[JournalFormat.processWord]) {
      return Opening(.alive)
    }
    return Opening(
      .dead,
      JournalScan(
        path: path, header: header, laneCount: header.lanes(inBytes: file.count), file: file))
  }

  /// Whether a journal without a header never had one: it is empty, or one page in which at most a part
  /// of a header stands. Lanes come behind that page, and counts of losses behind the header.
  private static func isUnfinished(_ file: borrowing PlainFile) -> Bool {
    guard file.count <= JournalFormat.mostPageBytes,
      let words = file.words(at: 0, count: JournalFormat.mostPageBytes / 8)
    else { return false }
    return
      (words.prefix(JournalHeader.words).allSatisfy { $0 == 0 }
      || words.first == JournalFormat.magic)
      && words.dropFirst(JournalHeader.words).allSatisfy { $0 == 0 }
  }

  /// Whose journal it is, without a lock; nil where nothing is that can be read.
  static func header(at path: String) -> JournalHeader? {
    guard let file = PlainFile(path), let words = file.words(at: 0, count: JournalHeader.words)
    else {
      return nil
    }
    return JournalHeader(words)
  }

  private init(path: String, header: JournalHeader, laneCount: Int, file: consuming PlainFile) {
    self.path = path
    self.header = header
    self.laneCount = laneCount
    self.file = file
  }

  /// A recorder that is suspended has let go of its lock.
  private static func isLiving(_ process: UInt64) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return false }
    // Signal 0 only asks. A process of somebody else may not be asked, and is there all the same.
    return kill(process, 0) == 0 || errno == EPERM
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

  /// Reads every lane, the first first.
  ///
  /// - Parameters:
  ///   - consumed: Up to which word each lane is in the tables already, by the lane's number.
  ///   - take: Is given the records in order. A frame is given only when all of its changes are whole;
  ///     they follow it.
  /// - Returns: What was read of each lane.
  package func read(
    from consumed: [Int64: UInt64], _ take: (JournalRecord) throws(StoreError) -> Void
  ) throws(StoreError) -> [Lane] {
    var lanes: [Lane] = []
    for number in 0..<laneCount {
      var reader = JournalLaneReader(
        file, header, lane: number, start: consumed[Int64(number)] ?? 0)
      while let group = reader.next(file) {
        for record in group { try take(record) }
      }
      lanes.append(reader.lane)
    }
    return lanes
  }
}
