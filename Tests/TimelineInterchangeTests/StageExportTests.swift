import Foundation
import JSONText
import Testing
import TimelineInterchange
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Lottie, Web Animations and SVG.
@Suite struct StageExportTests {
  let run: HandMadeRun
  static let formats: [ExportFormat] = [.lottie, .waapi, .svg]

  init() throws { run = try HandMadeRun() }

  private func layers(_ options: ExportOptions = ExportOptions()) throws -> [JSONValue] {
    try run.document(.lottie, options).root["layers"].list
  }

  @Test func `a layer moves straight from keyframe to keyframe`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(10, 20, 30, 40))])
      recorder.frame(10, [("a", pose(20, 20, 30, 40, alpha: 0.5))])
      recorder.frame(25, [("a", pose(20, 60, 30, 40, alpha: 0.5))])
    }
    let root = try run.document(.lottie).root
    #expect(root["fr"].number == 100)
    #expect(root["w"].number == 300)
    #expect(root["op"].number == 3.5)
    let layer = root["layers"][0]
    #expect(layer["nm"].text == "a")
    #expect(layer["ks"]["s"]["k"].numbers == [30, 40, 100])
    #expect(layer["ks"]["s"]["a"].number == 0)
    let keyframes = layer["ks"]["p"]["k"].list
    #expect(keyframes.map { $0["t"].number } == [0, 1, 2.5])
    #expect(keyframes.map { $0["s"].numbers } == [[10, 20, 0], [20, 20, 0], [20, 60, 0]])
    #expect(keyframes[0]["o"]["x"].numbers == [0])
    #expect(keyframes[0]["i"]["y"].numbers == [1])
    #expect(keyframes[2]["o"] == .null)
    #expect(layer["ks"]["o"]["k"].list.map { $0["s"].numbers } == [[100], [50], [50]])
  }

  @Test func `what a straight line gives back within the tolerance is left out`() throws {
    try run.record { recorder in
      for frame in 0..<100 {
        let time = Double(frame) / 100
        recorder.frame(Int64(frame) * 10, [("a", pose(time * time * 100, Double(frame)))])
      }
    }
    func positions(_ tolerance: Double) throws -> [(time: Double, x: Double)] {
      var options = ExportOptions()
      options.tolerance = tolerance
      return try layers(options)[0]["ks"]["p"]["k"].list.map {
        ($0["t"].number ?? -1, $0["s"][0].number ?? -1)
      }
    }
    let all = try positions(0)
    #expect(all.count == 100)
    for tolerance in [0.05, 0.5, 5] {
      let kept = try positions(tolerance)
      #expect(kept.count < all.count)
      var next = 0
      for point in all {
        while kept[next + 1].time < point.time { next += 1 }
        let (before, after) = (kept[next], kept[next + 1])
        let share = (point.time - before.time) / (after.time - before.time)
        let x = before.x + (after.x - before.x) * share
        #expect(abs(x - point.x) <= tolerance + 0.0001, "\(tolerance) at \(point.time)")
      }
    }
    #expect(try positions(0.05).count > positions(0.5).count)
    #expect(try positions(5).count <= 5)
  }

  @Test func `the content offset moves what stands still in the content`() throws {
    try run.record { recorder in
      recorder.frame(0, offset: Point2D(x: 0, y: 0), [("a", pose(10, 20))])
      recorder.frame(10, offset: Point2D(x: 5, y: 100), [("a", pose(10, 20))])
    }
    #expect(
      try layers()[0]["ks"]["p"]["k"].list.map { $0["s"].numbers } == [[10, 20, 0], [5, -80, 0]])
  }

  @Test func `a change of the drawing order begins a new layer, the nearest first`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(1, 1, z: 1)), ("b", pose(2, 2))])
      recorder.frame(10, [("a", pose(1, 1, z: 1)), ("b", pose(2, 2, z: 2))])
      recorder.frame(20, [("a", pose(1, 1, z: 1)), ("b", pose(2, 2, z: 2))])
    }
    let layers = try layers()
    #expect(layers.map { $0["nm"].text } == ["b", "a", "b"])
    #expect(layers.map { $0["ip"].number } == [1, 0, 0])
    #expect(layers.map { $0["op"].number } == [3, 3, 1])
    let keyframes = try run.document(.waapi).root["items"][1]["keyframes"].list
    #expect(keyframes.map { $0["zIndex"].number } == [0, 2, 2])
    #expect(keyframes[0]["easing"].text == "step-end")
    let picture = try run.export(.svg).text
    let order = picture.split(separator: "data-z=\"").dropFirst().compactMap { $0.first }
    #expect(order == ["0", "1", "2"])
  }

  @Test func `what is hidden or gone is not there`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(1, 1))])
      recorder.frame(10, [("a", pose(1, 1, hidden: true))])
      recorder.frame(20, [("a", pose(7, 1))])
      recorder.frame(30, [])
    }
    let (root, report) = try run.document(.lottie)
    #expect(report.losses == [])
    let layers = root["layers"].list
    #expect(layers.map { $0["ip"].number } == [2, 0])
    #expect(layers.map { $0["op"].number } == [3, 1])
    let keyframes = try run.document(.waapi).root["items"][0]["keyframes"].list
    #expect(keyframes.map { $0["offset"].number } == [0, 0.25, 0.5, 0.75, 1])
    #expect(keyframes.map { $0["opacity"].number } == [1, 0, 1, 0, 0])
  }

  @Test func `a turn takes the short way and a mirror stays a mirror`() throws {
    func turned(_ degrees: Double) -> [Double] {
      let angle = degrees * .pi / 180
      return [cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0]
    }
    try run.record { recorder in
      for (frame, degrees) in [170.0, 190, 350, 370].enumerated() {
        recorder.frame(Int64(frame) * 10, [("a", pose(1, 1, transform: turned(degrees)))])
      }
      recorder.frame(40, [("b", pose(1, 1, 20, 10, transform: [-1, 0, 0, 2, 3, 4]))])
    }
    let layers = try layers()
    #expect(
      layers[1]["ks"]["r"]["k"].list.compactMap { $0["s"][0].number?.rounded() } == [
        170, 190, 350, 370,
      ])
    // A mirrored x is half a turn and a mirrored y.
    #expect(layers[0]["ks"]["r"]["k"].number == 180)
    #expect(layers[0]["ks"]["s"]["k"].numbers == [20, -20, 100])
    #expect(layers[0]["ks"]["p"]["k"].numbers == [4, 5, 0])
  }

  @Test func `transforms in space and skews are told where they are lost`() throws {
    var deep = [Double](repeating: 0, count: 16)
    for place in [0, 5, 10, 15] { deep[place] = 1 }
    deep[3] = 0.002
    try run.record { recorder in
      recorder.frame(
        0,
        [
          ("deep", pose(50, 50, transform: deep)),
          ("skew", pose(9, 9, transform: [1, 0, 0.5, 1, 0, 0])),
        ]
      )
      recorder.frame(
        10,
        [
          ("deep", pose(60, 50, transform: deep)),
          ("skew", pose(9, 9, transform: [1, 0, 0.6, 1, 0, 0])),
        ]
      )
    }
    #expect(try run.export(.lottie).report.losses.map(\.kind) == [.depth, .skew])
    #expect(try run.export(.lottie).report.losses.map(\.count) == [1, 1])
    #expect(try run.export(.svg).report.losses.map(\.kind) == [.depth])
    let (root, report) = try run.document(.waapi)
    #expect(report.losses == [])
    #expect(
      root["items"][0]["keyframes"][0]["transform"].text
        == "translate(40px,45px) matrix3d(1,0,0,0.002,0,1,0,0,0,0,1,0,0,0,0,1)")
    #expect(
      root["items"][1]["keyframes"][0]["transform"].text
        == "translate(-1px,4px) rotate(0deg) skewX(26.5651deg) scale(1,1)")
    for loss in try run.export(.lottie).report.losses {
      #expect(loss.sentence.contains("1 element "))
    }
  }

  @Test func `a pause stands still and then jumps`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(0, 0))])
      recorder.frame(10, [("a", pose(1, 0))])
      recorder.frame(500, [("a", pose(9, 0))])
      recorder.frame(510, [("a", pose(9, 0))])
    }
    let keyframes = try layers()[0]["ks"]["p"]["k"].list
    #expect(keyframes.map { $0["t"].number } == [0, 1, 50])
    #expect(keyframes[1]["h"].number == 1)
    #expect(keyframes[1]["o"] == .null)
    let steps = try run.document(.waapi).root["items"][0]["keyframes"].list.map {
      $0["easing"].text
    }
    #expect(steps[1] == "step-end")
  }

  @Test func `frames that are not later than the one before are told`() throws {
    try run.record { recorder in
      recorder.frame(0, [("a", pose(0, 0))])
      recorder.frame(20, [("a", pose(1, 0))])
      recorder.frame(20, [("a", pose(2, 0))])
      recorder.frame(10, [("a", pose(3, 0))])
      recorder.frame(30, [("a", pose(4, 0))])
    }
    let (root, report) = try run.document(.lottie)
    #expect(report.losses.map(\.kind) == [.time])
    #expect(report.losses[0].count == 2)
    let keyframes = root["layers"][0]["ks"]["p"]["k"].list
    #expect(keyframes.map { $0["t"].number } == [0, 2, 3])
    #expect(keyframes.map { $0["s"][0].number } == [0, 2, 4])
  }

  @Test(arguments: ExportFormat.allCases)
  func `a session with nothing in it, or one frame, is a whole file`(format: ExportFormat) throws {
    try self.run.record(rate: nil, viewport: nil)
    let empty = try self.run.export(format)
    #expect(empty.report.losses == [])
    #expect(!empty.text.isEmpty)
    let run = try HandMadeRun()
    try run.record(rate: nil, viewport: nil) { recorder in
      recorder.frame(5, [("only", pose(40, 30, 20, 10))])
    }
    let one = try run.export(format)
    #expect(one.report.losses == [])
    #expect(try run.export(format).text == one.text)
    if format == .lottie || format == .chrome || format == .waapi {
      _ = try parseJSON(Array(empty.text.utf8))
      _ = try parseJSON(Array(one.text.utf8))
    }
    if format == .svg { #expect(one.text.contains("viewBox=\"0 0 50 35\"")) }
  }

  @Test(arguments: ExportFormat.allCases)
  func `a recording that was never closed is written as far as it goes`(format: ExportFormat) throws
  {
    try run.record(closes: false) { recorder in
      recorder.frame(5, [("only", pose(40, 30))])
      recorder.record(
        1, for: recorder.keyHandle(for: "k", role: .custom, unit: "pt"), at: at(5), phase: .idle)
    }
    let (text, report) = try run.export(format)
    #expect(report.losses == [])
    #expect(text.contains(format == .csv ? ",k,1,idle," : "only"))
  }

  @Test(arguments: formats)
  func `names that would be markup are only names`(format: ExportFormat) throws {
    let hostile = "</title><script>alert(1)</script>\"'&\u{1}\u{2028}"
    try run.record(name: hostile) { recorder in
      recorder.frame(0, [(hostile, pose(1, 1))])
      recorder.record(TimelineEvent(time: at(1), kind: .mark, fields: []))
    }
    let (text, report) = try run.export(format)
    if format == .svg {
      #expect(!text.contains("<script"))
      #expect(text.contains("data-id=\"&lt;/title&gt;&lt;script&gt;"))
      #expect(report.losses.map(\.kind) == [.characters])
      #expect(!text.unicodeScalars.contains("\u{1}"))
    } else {
      let root = try parseJSON(Array(text.utf8))
      #expect((root["layers"][0]["nm"].text ?? root["items"][0]["id"].text) == hostile)
    }
  }

  @Test func `decisions and marks are markers of Lottie`() throws {
    try run.record { recorder in
      recorder.frame(100, [("a", pose(0, 0))])
      recorder.frame(150, [("a", pose(1, 0))])
      recorder.record(TimelineEvent(time: at(90), kind: .mark, fields: []))
      recorder.record(TimelineEvent(time: at(120), kind: .mark, fields: []))
      recorder.record(TimelineEvent(time: at(130), kind: .invalidate, fields: []))
    }
    let markers = try run.document(.lottie).root["markers"].list
    #expect(markers.map { $0["cm"].text } == ["mark"])
    #expect(markers.map { $0["tm"].number } == [2])
  }

  @Test func `output that takes no more ends the export`() throws {
    struct Full: Error {}
    try run.record { recorder in
      let key = recorder.keyHandle(for: "k", role: .custom, unit: "pt")
      for time in 0..<20_000 {
        recorder.record(0.5, for: key, at: at(Int64(time)), phase: .driving)
      }
    }
    let reader = try RecordingReader(path: run.path)
    let export = try SessionExport(try #require(try reader.lastSessionRecord()), in: reader)
    var pieces = 0
    #expect(throws: Full.self) {
      _ = try export.write(.csv) { _ in
        pieces += 1
        throw Full()
      }
    }
    #expect(pieces == 1)
  }
}
