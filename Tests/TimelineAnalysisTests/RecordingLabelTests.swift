import KymographCLibrary
import MotionMeasures
import TestSupport
import Testing
import TimelineModel
import TimelineStore

struct RecordingLabelTests {
  private let made: HandMade
  private var path: String { made.folder.path("run.kymo") }

  init() throws {
    made = try HandMade()
    for uuid in ["first", "second"] {
      try made.session(uuid, uuid: uuid) { recorder in
        recorder.decision(.finish, at: 100, progress: 0.6)
        recorder.decision(.cancel, at: 600, progress: 0.2, transition: 1)
      }
    }
  }

  private func edit(_ changes: [(session: Int64, change: RecordingEditor.LabelChange)]) throws {
    let editor = try RecordingEditor(path: path)
    try editor.label(changes)
    try editor.settleIntoOneFile()
  }

  private func write(_ rows: [LabelSheet.Row], to path: String) throws {
    var sheet = LabelSheet()
    for row in rows { sheet.set(row) }
    try sheet.write(to: path, for: [self.path])
  }

  private static let label = ReleaseLabel(
    transition: 1, meaning: .finish, note: "a \"note\",\n=1", wallClockNanoseconds: 7)

  @Test(
    "a label in the file is read as it was written, replaced and removed, and stands in both views")
  func inTheFile() throws {
    try edit([
      (2, .set(Self.label)), (1, .set(ReleaseLabel(transition: 0, meaning: .unsure))),
    ])
    let reader = try RecordingReader(path: path)
    #expect(try reader.labels(in: 2) == [Self.label])
    let rows = try reader.query("SELECT session, transition, label FROM decisions ORDER BY 1, 2")
      .rest()
    #expect(
      rows.map { $0[2] } == [.text("unsure"), .null, .null, .text("finish")])
    #expect(
      try reader.query("SELECT note FROM labels WHERE session = 2").rest() == [
        [.text("a \"note\",\n=1")]
      ])
    let labels = try RecordingLabels(of: reader)
    #expect(labels[2, 1] == Self.label)
    #expect(labels[1, 1] == nil)
    #expect(labels.count == 2)
    try edit([
      (2, .set(ReleaseLabel(transition: 1, meaning: .cancel))), (1, .remove(0)), (1, .remove(9)),
    ])
    let changed = try RecordingLabels(of: try RecordingReader(path: path))
    #expect(changed[2, 1]?.meaning == .cancel)
    #expect(changed[2, 1]?.note == nil)
    #expect(changed.count == 1)
  }

  @Test("labels of a session that is not there are refused, and none of the others is written")
  func allOrNone() throws {
    #expect(throws: StoreError.self) { try edit([(1, .set(Self.label)), (3, .set(Self.label))]) }
    #expect(try RecordingLabels(of: try RecordingReader(path: path)).count == 0)
  }

  @Test("the sheet beside a recording goes before it, and a named sheet before both")
  func precedence() throws {
    try edit([
      (1, .set(ReleaseLabel(transition: 0, meaning: .finish))),
      (1, .set(ReleaseLabel(transition: 1, meaning: .finish))), (2, .set(Self.label)),
    ])
    try write(
      [
        LabelSheet.Row(uuid: "first", transition: 0, meaning: .cancel, note: "beside"),
        LabelSheet.Row(uuid: "first", transition: 1, meaning: nil),
        LabelSheet.Row(uuid: "gone", transition: 0, meaning: .cancel),
      ], to: LabelSheet.path(beside: path))
    let reader = try RecordingReader(path: path)
    let labels = try RecordingLabels(of: reader)
    #expect(labels[1, 0]?.note == "beside")
    #expect(labels[1, 1] == nil)
    #expect(labels[2, 1] == Self.label)
    #expect(labels.strays.map(\.uuid) == ["gone"])
    var named = LabelSheet()
    named.set(LabelSheet.Row(uuid: "first", transition: 0, meaning: .unsure))
    #expect(try RecordingLabels(of: reader, sheets: [named])[1, 0]?.meaning == .unsure)
    #expect(try RecordingLabels(of: reader, looksBeside: false)[1, 0]?.meaning == .finish)
  }

  @Test("a sheet that is none is refused by its name and line, and harms nothing")
  func brokenSheet() throws {
    let beside = LabelSheet.path(beside: path)
    #expect(
      NewFile.save(Array("uuid,transition,label\nfirst,0,perhaps\n".utf8), at: beside, from: [])
        == 0)
    let reader = try RecordingReader(path: path)
    #expect {
      try RecordingLabels(of: reader)
    } throws: { error in
      (error as? LabelError)?.message.hasPrefix("\(beside):2: unknown label 'perhaps'") == true
    }
    #expect(throws: LabelError.self) { try LabelSheet(path: made.folder.path("none.csv")) }
    #expect(throws: LabelError.self) { try LabelSheet(path: made.folder.path("")) }
  }

  @Test("a sheet may be read by no more people than the recording")
  func permissions() throws {
    #expect(chmod(path, 0o440) == 0)
    let beside = LabelSheet.path(beside: path)
    try write([LabelSheet.Row(uuid: "first", transition: 0, meaning: .cancel)], to: beside)
    var facts = stat()
    #expect(stat(beside, &facts) == 0)
    #expect(facts.st_mode & 0o007 == 0)
    try write([LabelSheet.Row(uuid: "first", transition: 0, meaning: .finish)], to: beside)
    #expect(try RecordingLabels(of: try RecordingReader(path: path))[1, 0]?.meaning == .finish)
  }
}
