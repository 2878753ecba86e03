import Foundation
import RecordingRepair
import TimelineModel
import TimelineStore

extension FuzzTarget {
  /// The first byte chooses: edits of the journal's bytes, or records whose checks are right and whose
  /// words are any, so that what is behind the check is reached too.
  func takeJournal(_ bytes: [UInt8]) {
    guard var files = KilledRecording.whole, let choice = bytes.first else { return }
    if choice % 2 == 0 {
      let start = files.database.count + files.log.count
      files.change(by: Self.edits(bytes.dropFirst(), offset: start, files.journal.count))
    } else {
      files.journal = Self.journal(like: files.journal, holding: bytes.dropFirst())
    }
    guard let path = try? KilledRecording.folder().appendingPathComponent("journal.kymo").path,
      (try? files.write(to: path)) != nil
    else { return }
    let before = try? Data(contentsOf: URL(fileURLWithPath: path))
    let shown = DamagedRecording.count(path)
    precondition(
      (try? Data(contentsOf: URL(fileURLWithPath: path))) == before, "Reading changed the file.")
    // The rows that a reader showed are those that folding in brings; none comes twice.
    guard let editor = try? RecordingEditor(path: path) else { return }
    _ = try? editor.settleIntoOneFile()
    let folded = DamagedRecording.count(path)
    guard let shown, let folded else { return }
    precondition(shown == folded, "\(shown) rows were shown and \(folded) were folded in.")
  }

  /// What is wrong is found, or the file is refused.
  func takeDoctor(_ bytes: [UInt8]) {
    guard let path = Self.damaged(bytes, "doctor.kymo") else { return }
    _ = try? RecordingExamination.examine(path, isDeep: true)
  }

  /// What is saved is a recording that can be read and does not contradict itself.
  func takeRecover(_ bytes: [UInt8]) {
    guard let path = Self.damaged(bytes, "damaged.kymo") else { return }
    let output = path + ".out"
    guard (try? RecordingSalvage.recover(path, into: output, replacing: true)) != nil else {
      return
    }
    do {
      let findings = try RecordingExamination.examine(output, isDeep: true)
      if let damage = findings.first(where: { $0.severity == .damage }) {
        fatalError("A recovered recording is damaged: \(damage.what), \(damage.detail)")
      }
    } catch {
      fatalError("A recovered recording cannot be read: \(error)")
    }
  }

  private static func damaged(_ bytes: [UInt8], _ name: String) -> String? {
    guard var files = KilledRecording.whole else { return nil }
    files.change(by: bytes[...])
    guard let path = try? KilledRecording.folder().appendingPathComponent(name).path,
      (try? files.write(to: path)) != nil
    else { return nil }
    return path
  }

  /// Edits whose places all lie in one of the files.
  private static func edits(
    _ bytes: ArraySlice<UInt8>, offset: Int, _ count: Int
  ) -> ArraySlice<UInt8> {
    var edits = Array(bytes)
    for start in stride(from: 0, to: edits.count - 4, by: 5) {
      let number = (0..<4).reduce(0) { $0 | Int(edits[start + $1]) << (8 * $1) }
      let place = offset + number % max(1, count)
      for byte in 0..<4 { edits[start + byte] = UInt8(truncatingIfNeeded: place >> (8 * byte)) }
    }
    return edits[...]
  }

  /// A journal whose first lane holds records made of any words, from where its reader begins.
  private static func journal(like whole: [UInt8], holding bytes: ArraySlice<UInt8>) -> [UInt8] {
    var words = stride(from: 0, to: whole.count - 7, by: 8).map { start in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(whole[start + $1]) << UInt64(8 * $1) }
    }
    guard let header = JournalHeader(words) else { return whole }
    let page = header.offset(ofLane: 0) / 8
    let ring = page + header.pageBytes / 8
    guard ring + header.laneWords <= words.count else { return whole }
    var position = words[page + JournalFormat.headWord]
    var input = FuzzBytes(Array(bytes))
    var room = header.laneWords / 2
    while !input.isAtEnd, room > 0 {
      var record = [input.word()]
      guard let count = JournalRecord.length(record[0]), count >= 1, count <= min(room, 64) else {
        continue
      }
      while record.count < count { record.append(input.word()) }
      let lead = UInt32(truncatingIfNeeded: record[0])
      record[0] = record.withUnsafeBufferPointer { words in
        words.baseAddress.map {
          JournalFormat.firstWord(
            lead, of: $0, count: count, at: position, salt: header.salt)
        } ?? 0
      }
      for (index, word) in record.enumerated() {
        words[ring + Int((position &+ UInt64(index)) % UInt64(header.laneWords))] = word
      }
      position &+= UInt64(count)
      room -= count
    }
    words[page + JournalFormat.headWord] = position
    return words.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }
}

extension DamagedRecording {
  /// How many rows a reader gives of everything; nil when it refuses some of it.
  static func count(_ path: String) -> Int? {
    do {
      let reader = try RecordingReader(path: path)
      var count = 0
      for session in try reader.sessionRecords() {
        let number = session.number
        count += try reader.keys(in: number).count + reader.items(in: number).count
        count += try reader.samples(in: number).rest().count
        count += try reader.touches(in: number).rest().count
        count += try reader.events(in: number).rest().count
        count += try reader.decisions(in: number).count + reader.estimates(in: number).count
        count += try reader.losses(in: number).count
        count += try reader.frames(in: number).rest().count
        _ = try reader.foldedFrames(in: number).rest()
      }
      return count
    } catch {
      return nil
    }
  }
}
