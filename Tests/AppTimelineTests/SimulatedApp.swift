import AppTimeline
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A finger: an object that stands for one contact.
final class Finger {}

/// An app as UIKit calls it: events, layout, frame, in that order, frame by frame, with touches that were measured
/// before they are delivered.
final class SimulatedApp {
  /// A device that has been on for a day.
  static let origin = 86_400.25

  let timeline: HostTimeline
  let path: String
  private let folder: TemporaryFolder
  private let recorder: Recorder
  private(set) var now = origin
  /// Seconds that the display gives a frame.
  var interval = 1 / 120.0
  /// How many elements the layout places.
  var elementCount = 6

  init(
    viewport: Size2D = Size2D(width: 390, height: 844), redaction: Redaction? = nil
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path("app.kymo")
    var session = SessionDescription(software: "tests 1", clock: "device", name: "simulated")
    session.wallClockStartNanoseconds = 0
    session.viewport = viewport
    recorder = try Recorder(
      path: path, session: redaction?.redacted(session) ?? session, policy: .wait)
    var sink: any TimelineSink = recorder
    if let redaction { sink = recorder.redacting(redaction) }
    timeline = HostTimeline(
      sink: sink, clock: HostClock(origin: SimulatedApp.origin), distance: viewport.width)
  }

  /// The instant of the session now.
  var instant: Instant { Instant(seconds: now - SimulatedApp.origin) ?? .zero }

  /// Lets time pass.
  func wait(_ seconds: Double) { now += seconds }

  /// One pass of the layout: prepared, then asked for its elements this many times.
  func layOut(_ progress: Double, asking times: Int = 1) {
    timeline.prepared(progress: progress)
    for _ in 0..<times {
      for item in 0..<elementCount { place(item, progress) }
    }
  }

  func place(_ item: Int, _ progress: Double) {
    timeline.place(
      ElementIdentity(category: .cell, id: "photo\(item)"),
      at: ItemIndexPath(section: 0, item: item),
      Pose(
        center: Point2D(x: Double(item) * 10 + progress * 100, y: progress * 400),
        size: Size2D(width: 50, height: 50)))
  }

  /// The frame is shown, and the next one's turn comes.
  func show(missing frames: Int = 0) {
    timeline.showFrame(at: now + 0.008, next: now + 0.008 + interval)
    now += interval * Double(1 + frames)
  }

  /// Sets the progress as an app does and shows a frame of it.
  func drive(_ progress: Double) {
    timeline.setProgress(progress, at: now)
    layOut(progress)
    show()
  }

  func touch(_ finger: Finger, _ phase: TouchPhase, y: Double, ago: Double = 0) {
    timeline.touch(ObjectIdentifier(finger), phase, Point2D(x: 100, y: y), at: now - ago)
  }

  /// The system moves the rest by itself, as the layout is read back, and completes.
  func rest(from progress: Double, to end: Double, frames: Int = 20) {
    for frame in 1...frames {
      let share = Double(frame) / Double(frames)
      drive(progress + (end - progress) * share * (2 - share))
    }
    timeline.complete(completed: true, finished: end == 1, at: now)
    while timeline.needsFrame { show() }
  }

  /// A whole drag by one finger; its progress follows the finger and speeds up.
  ///
  /// - Parameters:
  ///   - frames: How long it is held.
  ///   - appFirst: Whether the app asks for the end before the lift is seen.
  ///   - finish: What the app asks for, or what its widget decides.
  ///   - isDecidedLater: Whether a widget decides by itself and says so at its completion.
  ///   - end: How the finger leaves.
  func drag(
    frames: Int = 30, appFirst: Bool = false, finish: Bool = true, end: TouchPhase = .ended,
    isRecordingTouches: Bool = true, isDecidedLater: Bool = false, keys: [String] = []
  ) {
    let asked = isDecidedLater ? nil : finish
    let finger = Finger()
    timeline.start(from: "grid", to: "detail", at: now)
    if isRecordingTouches { touch(finger, .began, y: 700, ago: 0.005) }
    var progress = 0.0
    for frame in 1...frames {
      progress = 0.7 * Double(frame * frame) / Double(frames * frames)
      if isRecordingTouches { touch(finger, .moved, y: 700 - 400 * progress, ago: 0.004) }
      for (place, key) in keys.enumerated() {
        timeline.setValue(progress * Double(100 + place), forKey: key, at: now)
      }
      drive(progress)
    }
    if appFirst { timeline.release(finish: asked, at: now) }
    if isRecordingTouches { touch(finger, end, y: 700 - 400 * progress, ago: 0.006) }
    if !appFirst { timeline.release(finish: asked, at: now) }
    show()
    rest(from: progress, to: finish ? 1 : 0)
  }

  /// Ends the session; the recording is examined to its last page.
  ///
  /// - Parameter allowed: What may be found, and need not be.
  func finish(
    findings expected: [String] = [], besides allowed: Set<String> = []
  ) throws -> RecordingReader {
    let (end, outcome) = timeline.close()
    try recorder.finish(at: end, outcome: outcome)
    let findings = try RecordingExamination.examine(path, isDeep: true)
    #expect(findings.map(\.what).filter { !allowed.contains($0) } == expected, "\(findings)")
    return try RecordingReader(path: path)
  }
}

extension RecordingReader {
  /// The events of the only session, as their names, with the code of those that have one.
  func eventNames() throws -> [String] {
    try events(in: 1).rest().map { event in
      guard case .object(let fields)? = FieldValue(json: event.fieldsJSON.utf8),
        case .text(let code)? = fields.first(where: { $0.name == "code" })?.value
      else { return event.kind.rawValue }
      return event.kind.rawValue + " " + code
    }
  }

  /// The values of a key of the only session.
  func values(of name: String) throws -> [SampleRecord] {
    guard let key = try keys(in: 1).first(where: { $0.name == name }) else { return [] }
    return try samples(of: key.handle, in: 1).rest()
  }
}
