import GestureInput
import MotionPhysics
import TimelineInterchange
import TimelineModel
import TimelineQuery
import TimelineRecorder
import TimelineStore
import TransitionScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `kymo record`: a scenario, with touches or without, or an app's own lines, into a recording.
func recordCommand() -> Command {
  Command(
    name: "record", summary: "record a scenario, or an app's own lines",
    arguments: "--into FILE.kymo", argumentCount: 0...0,
    examples: [
      "kymo record --scenario grid.json --gesture pinch.evemu --into pinch.kymo",
      "my-app | kymo record --from-ndjson - --into app.kymo",
    ],
    discussion: """
      A recording that exists gets one more session. A gesture file is recognised by its
      content (evemu, getevent -lt, libinput record or debug-events, evtest, an event device's
      bytes, CSV with t_ns,id,phase,x,y, pointer events as NDJSON or a JSON array);
      - is standard input. Distances of libinput debug-events are released by the scenario's
      preset, or by gnome where it names none: android's would take its late end for a stop. --precision other than exact rounds poses as they are
      written, to save space: float32 to 24 bits of each number, 1/1024 lengths to that
      part of a point and all else to 24 bits. With --uuid and --wall-clock (or KYMO_UUID and
      SOURCE_DATE_EPOCH) the same input gives the same file, byte for byte.
      An app's own lines are a header and then a value, frame, touch, event or decision a line,
      sorted by t_ns where they are out of order by up to 200 ms.
      Without a decision the release is derived from the lift and finish or cancel. A decision
      line has {"t_ns": …, "decision": {…}} with these fields, the first four required:
      \(NDJSONReader.decisionFields.joined(separator: ", ")).
      The article "Record an app" lists frames and every other field. A whole gesture:
      """,
    sample: """
      {"kymograph": 1, "name": "sheet", "refreshRate": 60}
      {"t_ns": 0, "event": "start", "to": "open"}
      {"t_ns": 0, "touch": {"contact": 0, "phase": "began", "x": 9, "y": 800}}
      {"t_ns": 0, "key": "progress", "value": 0, "unit": "1"}
      {"t_ns": 16000000, "touch": {"contact": 0, "phase": "moved", "x": 9, "y": 700}}
      {"t_ns": 16000000, "key": "progress", "value": 0.2}
      {"t_ns": 32000000, "touch": {"contact": 0, "phase": "moved", "x": 9, "y": 600}}
      {"t_ns": 32000000, "key": "progress", "value": 0.4}
      {"t_ns": 33000000, "touch": {"contact": 0, "phase": "ended", "x": 9, "y": 600}}
      {"t_ns": 35000000, "event": "finish"}
      {"t_ns": 48000000, "key": "progress", "value": 0.8, "phase": "settling"}
      {"t_ns": 64000000, "key": "progress", "value": 1, "phase": "settling"}
      """,
    flags: [
      RecordFlags.scenario, RecordFlags.gesture, RecordFlags.fromNdjson,
      Flags.into, Flags.name, Flags.precision,
      Flags.pack, RecordFlags.strict, Flags.uuid, Flags.wallClock, Flags.gestureReading,
      Flags.redaction, Flags.limits, Flags.listing,
    ], run: runRecord)
}

/// The flags of `kymo record` alone.
enum RecordFlags {
  static var scenario: Flag<String> {
    .text("scenario", "FILE", "the scenario to run")
  }
  static var gesture: Flag<String> {
    .text("gesture", "FILE", "recorded touches that drive it")
  }
  static var fromNdjson: Flag<String> {
    .text("from-ndjson", "FILE", "an app's own keyed values, frames, touches and events")
  }
  static var strict: Flag<Bool> {
    .toggle("strict", "end with 1 when the engine refused a step or a gesture")
  }
}

private func runRecord(_ invocation: Invocation) throws -> ExitCode {
  let path = try invocation.requiredValue(Flags.into)
  guard path != "-", !path.isEmpty else {
    throw Failure.usage("a recording is a file; --into expects its name")
  }
  switch (invocation.text(RecordFlags.scenario), invocation.text(RecordFlags.fromNdjson)) {
  case (let scenario?, nil): return try recordScenario(scenario, into: path, invocation)
  case (nil, let lines?): return try recordLines(lines, into: path, invocation)
  default: throw Failure.usage("kymo record takes either --scenario FILE or --from-ndjson FILE")
  }
}

private func recordScenario(
  _ scenarioPath: String, into path: String, _ invocation: Invocation
) throws -> ExitCode {
  let gesturePath = invocation.text(RecordFlags.gesture)
  guard scenarioPath != "-" || gesturePath != "-" else {
    throw Failure.usage("only one of --scenario and --gesture can be standard input")
  }
  var (scenario, text) = try invocation.console.readScenario(scenarioPath)
  var session = scenario.sessionDescription(software: programName, text: text)
  var gesture: GestureRecording?
  if let gesturePath {
    guard scenario.gesture != nil else {
      throw Failure.usage(
        "\(scenarioPath) says nothing about gestures, so --gesture has nothing to drive; add the field "
          + "\"gesture\"")
    }
    let read = try readGestureFile(gesturePath, invocation)
    guard let last = read.touches.map(\.time).max(), scenario.reaches(last) else {
      throw Failure.unreadable(
        "\(gesturePath): at the scenario's refresh rate the touches span more than "
          + "\(Scenario.frameLimit) frames, the most that one run may take; cut the recording")
    }
    if read.deltas != nil, scenario.release != scenario.releaseOfDeltas {
      let isOtherWindow = scenario.release.window != scenario.releaseOfDeltas.window
      scenario.release = scenario.releaseOfDeltas
      session = scenario.sessionDescription(software: programName, text: text)
      if isOtherWindow {
        invocation.note(
          "\(inputName(gesturePath)): \(EstimationPreset.reasonForDeltas(chosenBy: "a preset in the scenario"))"
        )
      }
    }
    session.device = read.device
    let name = gesturePath == "-" ? "-" : URL(fileURLWithPath: gesturePath).lastPathComponent
    let deltas = read.deltas.map { ", \($0.rawValue) deltas" } ?? ""
    session.gestureSource = "\(name) (\(read.format.rawValue)\(deltas))"
    if let warning = TouchMap(session).warning(of: read.touches.lazy.map(\.position)) {
      invocation.note("\(inputName(gesturePath)): \(warning)")
    }
    gesture = read
  } else if scenario.script.isEmpty {
    throw Failure.usage(
      scenario.gesture == nil
        ? "\(scenarioPath) has neither a script nor a gesture, so nothing would happen"
        : "\(scenarioPath) has no script; give the touches with --gesture FILE")
  }
  let (recorder, sink, troubles) = try invocation.recorder(into: path, session)
  for loss in gesture?.losses ?? [] {
    sink.record(
      TimelineEvent(time: .zero, kind: .warning, fields: ["code": "gestureLoss", "message": loss]))
  }
  let run = ScenarioRun.perform(scenario, touches: gesture?.touches ?? [], into: sink)
  try recorder.finish(at: run.end)
  try reportRecording(path, recorder, invocation)
  for refusal in run.refusals { invocation.note("refused: \(refusal)") }
  if invocation.has(RecordFlags.strict), !run.refusals.isEmpty { return .no }
  return gesture?.losses.isEmpty ?? true ? troubles.code : .loss
}

extension Invocation {
  /// Makes a recorder as it was asked for, and what redacts on the way to it.
  func recorder(
    into path: String, _ session: SessionDescription
  ) throws -> (Recorder, RedactingTimeline<Recorder>, RecorderTroubles) {
    let redaction = try redaction()
    var session = redaction.redacted(session)
    try session.identify(by: self)
    let troubles = RecorderTroubles(console)
    let recorder = try Recorder(
      path: path, session: session, policy: .wait, settings: try recorderSettings(),
      onTrouble: troubles.report)
    return (recorder, RedactingTimeline(redaction, into: recorder), troubles)
  }
}

extension SessionDescription {
  /// Takes name, uuid and wall clock from the flags or the environment.
  mutating func identify(by invocation: Invocation) throws {
    name = invocation.text(Flags.name) ?? name
    if let given = try invocation.value(Flags.uuid, or: "KYMO_UUID") {
      uuid = given.uuidString.lowercased()
    }
    if let time = try invocation.value(Flags.wallClock, or: "SOURCE_DATE_EPOCH") {
      wallClockStartNanoseconds = time
    }
  }
}

/// Prints the session that was made.
func reportRecording(
  _ path: String, _ recorder: Recorder, _ invocation: Invocation
) throws {
  let reader = try RecordingReader(path: path)
  var session = try reader.session(recorder.session)
  session.counts = session.counts ?? RecordCounts()
  try invocation.print([
    EventField.list(["file": path]) + SessionRecord.madeFields.row(of: session)
  ])
  for warning in try reader.releases(in: session.number).warnings { invocation.note("\(warning)") }
}
