import MotionMeasures
import TestSupport
import Testing
import TimelineModel

struct LabelSheetTests {
  private static let uuid = "2545f491-ed10-4c3a-9d1e-6b1f7a6f4c55"
  private static let header = "uuid,transition,label,note,at\n"

  private func read(_ text: String) throws -> LabelSheet {
    try LabelSheet(Array(text.utf8), name: "l.csv")
  }

  private func refusal(_ bytes: [UInt8]) -> String? {
    do {
      _ = try LabelSheet(bytes, name: "l.csv")
      return nil
    } catch {
      return error.message
    }
  }

  private func refusal(_ text: String) -> String? { refusal(Array(text.utf8)) }

  @Test(
    "a note comes back as it was, whatever stands in it",
    arguments: [
      "plain", "one, two", "she said \"no\"", "two\nlines", "CR LF\r\nand CR\rtoo",
      "<script>alert(1)</script>",
      "=HYPERLINK(\"http://x\")", "+1", "-2", "@SUM(A1)", "'=1", "''+1", "'quoted'", "\ttab",
      " blank at both ends ",
      "ünï 🙂", "'", "\u{feff}mark", "none", ",", "\"",
    ])
  func noteComesBack(note: String) throws {
    var sheet = LabelSheet()
    let row = LabelSheet.Row(
      uuid: Self.uuid, transition: 3, meaning: .cancel, note: note,
      wallClockNanoseconds: 1_767_225_600_123_000_000)
    sheet.set(row)
    sheet.set(LabelSheet.Row(uuid: "=uuid,\"x\"", transition: 0, meaning: nil))
    let back = try read(sheet.text)
    #expect(back.row(of: Self.uuid, transition: 3)?.label == row.label)
    #expect(back.row(of: "=uuid,\"x\"", transition: 0)?.meaning == nil)
    #expect(back.rows.count == 2)
    #expect(back.text == sheet.text)
  }

  @Test("no cell of the text begins as a formula does")
  func formulas() throws {
    var sheet = LabelSheet()
    for (number, note) in ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1"].enumerated() {
      sheet.set(LabelSheet.Row(uuid: "@u", transition: number, meaning: .finish, note: note))
    }
    for line in sheet.text.split(separator: "\n").dropFirst() {
      let note = try #require(line.split(separator: ",").dropFirst(3).first)
      #expect(line.hasPrefix("'@u,"))
      #expect(note.drop { $0 == "\"" }.hasPrefix("'"))
    }
  }

  @Test("lines may end in LF, CR LF or CR, begin with a byte order mark, and be empty")
  func lineEnds() throws {
    let lines = ["uuid,transition,label,note,at", "a,0,finish,,", "", "b,1,unsure,\"x\",", ",,,,"]
    let plain = try read(lines.joined(separator: "\n"))
    #expect(plain.rows.map(\.line) == [2, 4])
    for end in ["\n", "\r\n", "\r"] {
      for tail in ["", end] {
        let text = lines.joined(separator: end) + tail
        #expect(try read(text) == plain)
        #expect(try LabelSheet([0xEF, 0xBB, 0xBF] + Array(text.utf8), name: "") == plain)
      }
    }
  }

  @Test("columns may stand in any order, and note and time may be missing")
  func columns() throws {
    let sheet = try read("label,uuid,transition\ncancel,a,2\n")
    #expect(sheet.row(of: "a", transition: 2)?.meaning == .cancel)
    #expect(sheet.text == Self.header + "a,2,cancel,,\n")
  }

  @Test("what is not as it must be is refused by its line")
  func refusals() throws {
    let note = String(repeating: "x", count: ReleaseLabel.longestNoteBytes + 1)
    let wrong: [(text: String, line: Int, word: String)] = [
      ("", 1, "empty"), ("\n\n", 1, "empty"), ("uuid;transition;label\n", 1, "semicolons"),
      ("uuid,transition\n", 1, "missing column 'label'"),
      ("uuid,transition,label,why\n", 1, "'why'"),
      ("uuid,uuid,transition,label\n", 1, "twice"),
      (Self.header + "a,0,finish,,\na,1,maybe,,\n", 3, "'maybe'"),
      (Self.header + "a,0,Finish,,\n", 2, "'Finish'"),
      (Self.header + "a,0,finish\n", 2, "(got 3)"),
      (Self.header + "a,0,finish,,,\n", 2, "(got 6)"), (Self.header + ",0,finish,,\n", 2, "uuid"),
      (Self.header + "a,1.0,finish,,\n", 2, "'1.0'"), (Self.header + "a,+1,finish,,\n", 2, "'+1'"),
      (Self.header + "a,99999999999999999999,finish,,\n", 2, "whole number"),
      (Self.header + "a,0,finish,\"open,\n\n", 2, "no partner"),
      (Self.header + "a,0,finish,\"x\"y,\n", 2, "after a closing"),
      (Self.header + "a,0,finish,x\"y,\n", 2, "within a field"),
      (Self.header + "a,0,finish,\"1\n2\n3\",\na,1,finish,,soon\n", 5, "'soon'"),
      (Self.header + "a,0,finish,,2026-02-30T00:00:00Z\n", 2, "2026-02-30"),
      (Self.header + "a,0,finish,,\n\na,0,finish,,\n", 4, "line 2"),
      (Self.header + "a,0,finish,\(note),\n", 2, "\(ReleaseLabel.longestNoteBytes) bytes"),
      (Self.header + "a,0,finish,a\u{0}b,\n", 2, "code 0"),
    ]
    for (text, line, word) in wrong {
      let message = try #require(refusal(text), "\(text.prefix(80))")
      #expect(message.hasPrefix("l.csv:\(line): "), "\(message)")
      #expect(message.contains(word), "\(message)")
      #expect(message.hasSuffix("."))
      #expect(message.count < 300)
    }
  }

  @Test("what is not UTF-8 is refused by its line")
  func otherEncodings() {
    #expect(
      refusal(Array((Self.header + "a,0,finish,").utf8) + [0xE9, 0x0A])?.contains(
        ":2: the text is not UTF-8") == true)
    #expect(refusal([0xFF, 0xFE] + Array("u\0u\0".utf8))?.contains("UTF-16") == true)
  }

  @Test("cut at every byte, text is read up to a whole line or refused, never misread")
  func cuts() throws {
    let text =
      Self.header
      + "a,0,finish,\"one, \"\"two\"\"\nthree\",2026-05-04T12:30:00.250Z\r\nb,12,unsure,ünï,\n"
      + "b,13,none,,2026-05-04T12:30:00Z\n"
    let bytes = Array(text.utf8)
    let whole = try read(text)
    var readable = 0
    for count in bytes.indices {
      guard let sheet = try? LabelSheet(Array(bytes[..<count]), name: "cut") else { continue }
      readable += 1
      for row in sheet.rows {
        var expected = try #require(whole.row(of: row.uuid, transition: row.transition))
        // Cut between the last comma and the time, a line is one that says no time.
        if row.wallClockNanoseconds == nil { expected.wallClockNanoseconds = nil }
        #expect(row == expected, "cut at \(count)")
      }
    }
    #expect(readable > 3)
  }

  @Test("random bytes are read or refused")
  func randomBytes() {
    var generator = SplitMix(seed: 20)
    let pieces = [
      "uuid,transition,label,note,at", "\n", "\r", "\"", ",", "a", "0", "finish", "none", "'", "=",
      "\u{feff}", "é",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int(generator.next() % 24)).map { _ in
        pieces[Int(generator.next() % UInt64(pieces.count))]
      }
      .joined()
      var bytes = Array((generator.next() % 2 == 0 ? Self.header + text : text).utf8)
      if generator.next() % 4 == 0, !bytes.isEmpty {
        bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(
          truncatingIfNeeded: generator.next())
      }
      if let sheet = try? LabelSheet(bytes, name: "r") {
        #expect((try? LabelSheet(Array(sheet.text.utf8), name: "r"))?.text == sheet.text)
      }
    }
  }

  @Test("a time is read as RFC 3339 says, and written again")
  func times() {
    let times: [(String, Int64?)] = [
      ("1970-01-01T00:00:00Z", 0), ("2026-05-04T12:30:00.250Z", 1_777_897_800_250_000_000),
      ("2026-05-04T14:30:00.25+02:00", 1_777_897_800_250_000_000),
      ("2026-05-04 12:30:00.250z", 1_777_897_800_250_000_000),
      ("2000-02-29T23:59:59.999999999Z", 951_868_799_999_999_999),
      ("1969-12-31T23:59:59.999Z", -1_000_000), ("2262-04-11T23:47:16.854775807Z", .max),
      ("1677-09-21T00:12:43.145224192Z", .min), ("2262-04-11T23:47:16.854775808Z", nil),
      ("1677-09-21T00:12:43.145224191Z", nil), ("9999-12-31T23:59:59Z", nil),
      ("2026-05-04T12:30:00", nil), ("2026-05-04", nil), ("2026-13-01T00:00:00Z", nil),
      ("1900-02-29T00:00:00Z", nil),
      ("2026-05-04T24:00:00Z", nil), ("2026-05-04T12:30:00.Z", nil), ("", nil),
      ("2026-05-04T12:30:00Zx", nil),
    ]
    for (text, nanoseconds) in times {
      #expect(UTCText.nanoseconds(text) == nanoseconds, "\(text)")
      if let nanoseconds { #expect(UTCText.nanoseconds(UTCText.text(nanoseconds)) == nanoseconds) }
    }
    #expect(UTCText.text(1_777_897_800_250_000_000) == "2026-05-04T12:30:00.250Z")
    #expect(UTCText.text(.min) == "1677-09-21T00:12:43.145224192Z")
  }
}
