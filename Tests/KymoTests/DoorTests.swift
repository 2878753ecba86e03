import AppTimeline
import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder

/// One drag through every door: files of Linux and Android, a touchpad's distances, a page, an app. All end at one
/// table: releases, keys, items and touches answer to the same commands.
@Suite struct DoorTests {
  let place: Workplace
  /// A finger's drag over 400 pt by which progress passes 0.8, as an Android device reports it.
  private let original = fixture("gestures/drag-flick.getevent.txt")
  private let scenario = fixture("scenarios/\(Scenarios.drag)")

  init() throws { place = try Workplace() }

  @Test func `files of every format make the same recording of a drag`() throws {
    let reference = try record(original, into: "getevent")
    for (format, bytes) in try files() {
      let file = place.path("drag.\(format)")
      try bytes.write(to: URL(fileURLWithPath: file))
      let recording = try record(file, into: format)
      let run = try kymo(
        "compare", reference, recording, "--exact", "--ignore",
        "gesture_source,device,tracking_id,slot")
      #expect(run.code == 0, "\(format): \(run.output)\(run.errors)")
    }
  }

  @Test func `a file, a touchpad, a page and an app answer alike`() throws {
    let reference = try record(original, into: "file")
    let pad = try place.file("pad.txt", try debugEvents())
    let doors = [
      ("file", reference), ("touchpad", try record(pad, into: "touchpad")),
      ("page", try page()), ("app", try app(like: reference)),
    ]
    for (door, path) in doors {
      let release = try #require(
        try answers("sql", path, "SELECT * FROM releases").first, "\(door)")
      #expect(release["outcome"].text == "finish", "\(door)")
      #expect(
        release["derived"].text == (["page", "app"].contains(door) ? "lift" : nil), "\(door)")
      expectNear(release["progress"].number, 0.8025, within: 1e-6, door)

      // The velocity of the original's fit, and the interval within which a repetition would lie.
      let motions = try answers("velocity", path, "--preset", "android", "--estimator", "lsq2")
      let progress = try #require(motions.first { $0["key"].text == "progress" }, "\(door)")
      expectNear(progress["velocity"].number, 6.66, within: 0.22, door)
      let finger = try #require(motions.first { $0["axis"].text == "y" }, "\(door)")
      let scale = finger["unit"].text == "device/s" ? 1.0 / 3 : 1
      expectNear(finger["velocity"].number.map { $0 * scale }, 2665, within: 85, door)

      let again = try #require(try answers("rule try", path, "--rule", "velocity").first, "\(door)")
      #expect(again["decision"].text == "finish", "\(door)")
      #expect(again["flips"] == .bool(false), "\(door)")

      // Their settles differ: a page has a curve of its own.
      let compared = try rows(kymo("compare", reference, path, "--all", "--json").output)
      let decision = try #require(compared.first { $0["row"].text == "decision" }, "\(door)")
      #expect(decision["same"] == .bool(true), "\(door)")
      let key = try #require(
        compared.first { $0["row"].text == "key" && $0["key"].text == "progress" }, "\(door)")
      #expect(key["only_in"] == .null, "\(door): \(key)")
      #expect(key["residual"].number != nil, "\(door): \(key)")

      #expect(try !answers("list touches", path).isEmpty, "\(door)")
      #expect(try !answers("replay", path, "--items").isEmpty, "\(door)")
      let html = place.path("\(door).html")
      let report = try kymo("report", path, reference, "-o", html)
      #expect(report.code == 0, "\(door): \(report.errors)")
      let speeds = try fingerSpeeds(inPage: String(contentsOfFile: html, encoding: .utf8))
      #expect(speeds.count == 2, "\(door)")
      // A touchpad's is judged over the preset's longer window, in which the finger was slower.
      // A session that neither names an estimator nor stores estimates is estimated by lsq-span.
      let own = door == "page" ? 2383.0 : 2665
      let distances = [door == "touchpad" ? 350.0 : 100, 100]
      for ((speed, expected), distance) in zip(zip(speeds, [own, 2665]), distances) {
        expectNear(speed, expected, within: distance, door)
      }
      let cast = try kymo("replay", path, "--cast", "-")
      #expect(cast.code == 0, "\(door): \(cast.errors)")
      #expect(cast.output.contains("finish"), "\(door): \(cast.errors)")
    }
  }

  private func expectNear(
    _ found: Double?, _ expected: Double, within distance: Double, _ door: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      abs((found ?? .nan) - expected) <= distance, "\(door): \(String(describing: found))",
      sourceLocation: location)
  }

  // MARK: Doors

  private func record(_ gesture: String, into name: String) throws -> String {
    let path = place.path("\(name).kymo")
    let run = try kymo("record", "--scenario", scenario, "--gesture", gesture, "--into", path)
    #expect(run.code == 0, "\(name): \(run.errors)")
    return path
  }

  /// What `record.js` kept of a page whose sheet this very drag moved.
  private func page() throws -> String {
    let path = place.path("page.kymo")
    let run = try kymo(
      "record", "--from-ndjson", fixture("pages/sheet.finish.ndjson"), "--into", path)
    #expect(run.code == 0, "\(run.errors)")
    return path
  }

  /// An app that shows what the recording holds, and calls the adapter as its interface would: it knows points, and
  /// says no rule.
  private func app(like recording: String) throws -> String {
    let path = place.path("app.kymo")
    let origin = 86_400.0
    let recorder = try Recorder(
      path: path,
      session: SessionDescription(software: "album 1", clock: "device", name: "album"),
      policy: .wait)
    let timeline = HostTimeline(sink: recorder, clock: HostClock(origin: origin))
    final class Finger {}
    let finger = Finger()
    for line in try kymo("export", "ndjson", recording).output.split(separator: "\n") {
      let line = try parseJSON(Array(line.utf8))
      guard let nanoseconds = line["t_ns"].integer else { continue }
      let time = origin + Double(nanoseconds) / 1e9
      if let phase = line["touch"]["phase"].text.flatMap(TouchPhase.init(rawValue:)) {
        let touch = line["touch"]
        timeline.touch(
          ObjectIdentifier(finger), phase,
          Point2D(x: (touch["x"].number ?? 0) / 3, y: (touch["y"].number ?? 0) / 3), at: time)
      } else if line["key"].text == "progress", let value = line["value"].number {
        timeline.setProgress(value, at: time)
      } else if line["event"].text == "start" {
        timeline.start(from: "grid", to: "detail", at: time)
      } else if line["event"].text == "finish" {
        timeline.release(finish: true, at: time)
      } else if line["event"].text == "completion" {
        timeline.complete(completed: true, finished: true, at: time)
      } else if case .object = line["frame"] {
        let frame = line["frame"]
        timeline.prepared(progress: frame["progress"].number)
        for item in frame["items"].array + frame["changed"].array {
          guard let center = item["center"].numbers, let size = item["size"].numbers else {
            continue
          }
          timeline.place(
            ElementIdentity(category: .cell, id: item["id"].text ?? ""),
            at: ItemIndexPath(section: 0, item: 0),
            Pose(
              center: Point2D(x: center[0], y: center[1]),
              size: Size2D(width: size[0], height: size[1])))
        }
        timeline.showFrame(at: time, next: time + 1.0 / 120)
      }
    }
    let (end, outcome) = timeline.close()
    try recorder.finish(at: end, outcome: outcome)
    return path
  }

  // MARK: Files

  private func touches() throws -> [Row] { try answers("list touches", original) }

  /// The drag in every format, as the kernel's events and as a browser's.
  private func files() throws -> [(format: String, bytes: Data)] {
    let start: Int64 = 1_700_000_000_000_000
    var events: [(time: Int64, type: Int, code: Int, value: Int64)] = []
    for touch in try touches() {
      let time = start + (touch["t_ns"].integer ?? 0) / 1000
      let phase = touch["phase"].text
      if phase == "ended" {
        events += [(time, 3, 57, -1), (time, 1, 330, 0)]
      } else {
        if phase == "began" { events.append((time, 3, 57, 871)) }
        events += [
          (time, 3, 53, touch["x"].integer ?? 0), (time, 3, 54, touch["y"].integer ?? 0),
        ]
        if phase == "began" { events.append((time, 1, 330, 1)) }
      }
      events.append((time, 0, 0, 0))
    }
    var (yaml, evtest) = ("# libinput record\nversion: 1\ndevices:\n- events:\n", "")
    var (wide, narrow) = (Data(), Data())
    func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout Data) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for event in events {
      let (seconds, rest) = event.time.quotientAndRemainder(dividingBy: 1_000_000)
      let stamp = "\(seconds).\(String(rest + 1_000_000).dropFirst())"
      yaml +=
        "  - evdev:\n"
        + "    - [\(seconds), \(rest), \(event.type), \(event.code), \(event.value)]\n"
      evtest +=
        event.type == 0
        ? "Event: time \(stamp), -------------- SYN_REPORT ------------\n"
        : "Event: time \(stamp), type \(event.type) (?), code \(event.code) (?), value \(event.value)\n"
      append(seconds, to: &wide)
      append(rest, to: &wide)
      append(Int32(seconds), to: &narrow)
      append(Int32(rest), to: &narrow)
      for bytes in [UInt16(event.type), UInt16(event.code)] {
        append(bytes, to: &wide)
        append(bytes, to: &narrow)
      }
      append(Int32(event.value), to: &wide)
      append(Int32(event.value), to: &narrow)
    }
    var (csv, pointers) = ("t_ns,id,phase,x,y\n", "")
    let names = ["began": "pointerdown", "moved": "pointermove", "ended": "pointerup"]
    for touch in try touches() {
      let (time, phase) = (touch["t_ns"].integer ?? 0, touch["phase"].text ?? "")
      let (x, y) = (touch["x"].integer ?? 0, touch["y"].integer ?? 0)
      csv += "\(time),0,\(phase),\(x),\(y)\n"
      pointers += """
        {"type": "\(names[phase] ?? "")", "timeStamp": \(Double(time) / 1e6), "pointerId": 1, \
        "pointerType": "touch", "clientX": \(x), "clientY": \(y)}

        """
    }
    return [
      ("libinput-record", Data(yaml.utf8)), ("evtest", Data(evtest.utf8)), ("evdev64", wide),
      ("evdev32", narrow), ("evemu", Data(try kymo("export", "evemu", original).output.utf8)),
      ("csv", Data(csv.utf8)), ("pointer", Data(pointers.utf8)),
    ]
  }

  /// The drag as libinput prints a touchpad's: distances, in times of a millisecond.
  private func debugEvents() throws -> String {
    var (text, last) = ("", (x: 0 as Int64, y: 0 as Int64))
    for touch in try touches() {
      let milliseconds = 2000 + ((touch["t_ns"].integer ?? 0) + 500_000) / 1_000_000
      let time = "+\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())s\t1"
      let (x, y) = (touch["x"].integer ?? 0, touch["y"].integer ?? 0)
      switch touch["phase"].text {
      case "began": text += " event5   GESTURE_SWIPE_BEGIN        \(time)\n"
      case "ended": text += " event5   GESTURE_SWIPE_END          \(time)\n"
      default:
        let way = "\(x - last.x).00/\(y - last.y).00"
        text += " event5   GESTURE_SWIPE_UPDATE       \(time)  \(way) (\(way) unaccelerated)\n"
      }
      last = (x, y)
    }
    return text
  }
}
