import Foundation
import Testing
import TimelineInterchange
import TimelineModel
import TimelineRecorder

@Suite struct CSVExportTests {
  let run: HandMadeRun

  init() throws { run = try HandMadeRun() }

  private func csv(_ table: ExportTable = .samples, wide: Bool = false) throws -> [String] {
    var options = ExportOptions()
    options.table = table
    options.isWide = wide
    let text = try run.export(.csv, options).text
    #expect(text.hasSuffix("\r\n"))
    return text.components(separatedBy: "\r\n").dropLast()
  }

  @Test func `values stand in long rows with all their digits`() throws {
    try run.record { recorder in
      let a = recorder.keyHandle(for: "a", role: .custom, unit: "pt")
      let progress = recorder.keyHandle(for: "progress", role: .progress, unit: "1")
      recorder.record(0.1 + 0.2, for: a, at: at(1), phase: .driving)
      recorder.record(-0.0, for: progress, at: at(1), phase: .settling)
      recorder.record(Double.leastNonzeroMagnitude, for: a, at: at(1), phase: .idle)
    }
    #expect(
      try csv() == [
        "session,t_ns,key,value,phase,unit,role,ordinal",
        "1,1000000,a,0.30000000000000004,driving,pt,custom,0",
        "1,1000000,progress,-0.0,settling,1,progress,0",
        "1,1000000,a,5e-324,idle,pt,custom,1",
      ])
  }

  @Test func `a wide table has a column for each key and makes nothing up`() throws {
    try run.record { recorder in
      let a = recorder.keyHandle(for: "a", role: .custom, unit: "pt")
      let b = recorder.keyHandle(for: "b", role: .custom, unit: "pt")
      let c = recorder.keyHandle(for: "t_ns", role: .custom, unit: "pt")
      recorder.record(1, for: a, at: at(1), phase: .driving)
      recorder.record(2, for: b, at: at(1), phase: .driving)
      recorder.record(3, for: a, at: at(1), phase: .driving)
      recorder.record(4, for: c, at: at(2), phase: .driving)
    }
    #expect(
      try csv(wide: true) == [
        "session,t_ns,a,b,t_ns_2", "1,1000000,1,2,", "1,1000000,3,,", "1,2000000,,,4",
      ])
  }

  @Test func `names with commas, quotes and line ends stay one cell`() throws {
    try run.record { recorder in
      for name in ["a,b", "say \"x\"", "two\nlines", "cr\r\nlf", " blank", "plain"] {
        recorder.record(
          1, for: recorder.keyHandle(for: name, role: .custom, unit: ""), at: at(1), phase: .idle)
      }
    }
    let text = try run.export(.csv).text
    for cell in [
      ",\"a,b\",", ",\"say \"\"x\"\"\",", ",\"two\nlines\",", ",\"cr\r\nlf\",", ",\" blank\",",
      ",plain,",
    ] {
      #expect(text.contains(cell), "\(cell)")
    }
    // No unit is an empty text, which is not the same as none.
    #expect(text.contains(",idle,\"\",custom,0\r\n"))
  }

  @Test func `what a spreadsheet would take for a formula is told, or gets an apostrophe`() throws {
    try run.record { recorder in
      let key = recorder.keyHandle(for: "=1+1", role: .custom, unit: "@u")
      recorder.record(-1, for: key, at: at(1), phase: .driving)
    }
    let plain = try run.export(.csv)
    #expect(plain.text.contains(",=1+1,-1,driving,@u,"))
    #expect(plain.report.formulaCount == 2)
    #expect(plain.report.losses == [])
    var options = ExportOptions()
    options.guardsFormulas = true
    let safe = try run.export(.csv, options)
    #expect(safe.text.contains(",'=1+1,-1,driving,'@u,"))
    #expect(safe.report.formulaCount == 0)
  }

  @Test func `frames and attributes say what changed`() throws {
    let turned = [0.0, 1, -1, 0, 3, 4]
    var deep = [Double](repeating: 0, count: 16)
    for place in [0, 5, 10, 15] { deep[place] = 1 }
    deep[11] = -0.002
    try run.record { recorder in
      recorder.frame(
        0, offset: Point2D(x: 0, y: 5), progress: 0.5,
        [("a", pose(10, 20)), ("b", pose(50, 60, transform: turned))])
      recorder.frame(10, [("b", pose(50, 60, transform: deep))])
    }
    #expect(
      try csv(.frames) == [
        "session,frame,t_ns,phase,progress,content_offset_x,content_offset_y,content_width,"
          + "content_height,is_key_frame,began_ns,unread",
        "1,0,0,driving,0.5,0,5,300,600,1,,0", "1,1,10000000,driving,,0,0,300,600,0,,0",
      ])
    let rows = try csv(.attributes)
    #expect(rows.count == 5)
    #expect(rows[1] == "1,0,0,cell,,a,changed,0,0,10,20,20,10,1,0,0,1,0,0,1,0,0,,0")
    #expect(rows[2] == "1,0,0,cell,,b,changed,0,1,50,60,20,10,1,0,0,0,1,-1,0,3,4,,1")
    #expect(rows[3] == "1,1,10000000,cell,,a,gone,,,,,,,,,,,,,,,,,0")
    #expect(rows[4].hasSuffix(",,,,,,,\"[1,0,0,0,0,1,0,0,0,0,1,-0.002,0,0,0,1]\",1"))
    for row in rows {
      #expect(
        row.contains("\"")
          || row.split(separator: ",", omittingEmptySubsequences: false).count == 24)
    }
  }

  @Test func `touches, events and decisions have tables of their own`() throws {
    try run.record { recorder in
      recorder.record(
        TouchSample(
          time: at(1), contact: 0, slot: 3, phase: .began, position: Point2D(x: 1.5, y: 2),
          heard: at(2), touchHeard: at(3)))
      recorder.record(
        TimelineEvent(time: at(2), kind: .mark, fields: EventField.list(["text": "a,\"b\""])))
      recorder.record(
        ReleaseDecision(
          transition: 0, time: at(3), outcome: .cancel, decidedBy: "rule", rule: "progress",
          ruleOutcome: .cancel, threshold: 0.5, progress: 0.25, progressVelocity: nil,
          marginProgress: 0.25))
    }
    #expect(try csv(.touches)[1] == "1,1000000,0,3,,began,1.5,2,0,2000000,3000000")
    #expect(
      try csv(.events)[1] == #"1,2000000,mark,"{""text"":""a,\""b\""""}",0"#)
    #expect(
      try csv(.decisions)[1].hasPrefix(
        "1,3000000,0,cancel,rule,progress,cancel,0.5,0.25,,0.25,"))
  }

  @Test func `filters choose keys, items and time`() throws {
    try run.record { recorder in
      for name in ["a", "b"] {
        let key = recorder.keyHandle(for: name, role: .custom, unit: "pt")
        for time in 0..<4 {
          recorder.record(Double(time), for: key, at: at(Int64(time)), phase: .driving)
        }
      }
      recorder.frame(0, [("x", pose(1, 1)), ("y", pose(2, 2))])
    }
    var options = ExportOptions()
    options.keys = ["b"]
    options.range = at(1)...at(2)
    #expect(
      try run.export(.csv, options).text.components(separatedBy: "\r\n").dropFirst() == [
        "1,1000000,b,1,driving,pt,custom,0", "1,2000000,b,2,driving,pt,custom,0", "",
      ])
    options = ExportOptions()
    options.table = .attributes
    options.items = ["y"]
    let rows = try run.export(.csv, options).text.components(separatedBy: "\r\n")
    #expect(rows.count == 3)
    #expect(rows[1].contains(",y,changed,"))
  }
}
