import SQLiteAccess
import TimelineSchema
import TimelineStore

/// Sessions that have rows in a salvaged recording and whose own row is lost.
enum NamelessSessions {
  /// Writes a row for each of them, so that its rest can be read.
  ///
  /// A crash journal that lies beside the damaged file knows whose it is, and so gives the session its
  /// identity back and can be folded in after this.
  ///
  /// - Parameters:
  ///   - connection: The new recording, of the newest schema, without a transaction.
  ///   - recording: The full path of the damaged file.
  /// - Returns: The sentence about each, by number.
  static func add(
    to connection: borrowing Connection, beside recording: String
  ) throws(SQLiteError) -> [Int64: String] {
    var numbers: [Int64] = []
    let nameless = try connection.prepare(SalvageTexts.namelessSessions)
    while try nameless.step() { numbers.append(nameless.int64(at: 0)) }
    guard !numbers.isEmpty else { return [:] }
    var taken: Set<String> = []
    let known = try connection.prepare(SalvageTexts.identities)
    while try known.step() { taken.insert(known.text(at: 0) ?? "") }
    let withJournal = Set(CrashJournal.sessions(beside: recording))
    var remarks: [Int64: String] = [:]
    let row = try connection.prepare(SalvageTexts.addSession)
    for number in numbers {
      var remark = "its own row is lost, so its name and start are made up"
      var uuid = madeUp(number, taken)
      if withJournal.contains(number),
        let header = JournalScan.header(at: CrashJournal.path(of: recording, session: number)),
        header.session == number, !taken.contains(header.uuid)
      {
        uuid = header.uuid
        remark += ", and its uuid is that of its crash journal"
      }
      taken.insert(uuid)
      try row.run(number, uuid, Int64(Schema.version))
      remarks[number] = remark
    }
    return remarks
  }

  /// An identity for a session whose own is lost: version 8 of RFC 9562, the number at its end and before
  /// it how many of that number there were.
  private static func madeUp(_ number: Int64, _ taken: Set<String>) -> String {
    func padded(_ value: Int64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let end = padded(number & 0xffff_ffff_ffff, 12)
    var before: Int64 = 0
    while taken.contains("\(padded(before, 8))-0000-8000-8000-\(end)") { before += 1 }
    return "\(padded(before, 8))-0000-8000-8000-\(end)"
  }
}
