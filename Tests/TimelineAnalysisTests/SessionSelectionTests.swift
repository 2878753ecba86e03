import MotionMeasures
import TestSupport
import Testing
import TimelineModel
import TimelineStore

@Suite struct SessionSelectionTests {
  let made: HandMade
  let reader: RecordingReader

  init() throws {
    made = try HandMade()
    try made.session("one", uuid: "aaaa0000-0000-4000-8000-000000000001")
    try made.session("twin", uuid: "aaaa0000-0000-4000-8000-000000000002")
    try made.session("twin", uuid: "1bbb0000-0000-4000-8000-000000000003")
    reader = try made.session("aaaa", uuid: "cccc0000-0000-4000-8000-000000000004")
  }

  @Test func `every way to name a session finds it`() throws {
    for (selector, number) in [
      ("last", 4), ("1", 1), ("4", 4), ("one", 1), ("1b", 3), ("CCCC", 4), ("aaaa0000-0", nil),
      // A name wins over the beginning of a uuid.
      ("aaaa", 4),
    ] as [(String, Int64?)] {
      if let number {
        #expect(try reader.session(selectedBy: selector).number == number, "\(selector)")
      } else {
        #expect(throws: QueryError.self) { try reader.session(selectedBy: selector) }
      }
    }
  }

  @Test func `several matches and none are told with what there is`() throws {
    do {
      _ = try reader.session(selectedBy: "twin")
      Issue.record("Two sessions have this name.")
    } catch let error as QueryError {
      #expect(error.message.contains("#2 'twin' (aaaa0000), #3 'twin' (1bbb0000)"))
      #expect(!error.message.contains("#1"))
    }
    for selector in ["", "0", "5", "-1", "nobody", "99999999999999999999"] {
      do {
        _ = try reader.session(selectedBy: selector)
        Issue.record("There is no session '\(selector)'.")
      } catch let error as QueryError {
        #expect(error.message.contains("#1 'one'"), "\(selector)")
      }
    }
  }

  @Test func `of many sessions only the newest are listed`() throws {
    for number in 5...30 { try made.session("s\(number)") }
    let reader = try RecordingReader(path: made.folder.path("run.kymo"))
    do {
      _ = try reader.session(selectedBy: "nobody")
      Issue.record("There is no such session.")
    } catch let error as QueryError {
      #expect(error.message.contains("#30 's30'"))
      #expect(!error.message.contains("#20 "))
      #expect(error.message.contains("20 before them"))
    }
  }
}
