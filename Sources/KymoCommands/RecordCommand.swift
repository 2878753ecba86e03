import GestureInput
import MotionMeasures
import MotionPhysics
import TimelineInterchange
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore
import TransitionScenarios

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `kymo record`: a scenario, with touches or without, an app's own lines, or a clip, into a recording.
func recordCommand() -> Command {
  Command(
    name: "record", summary: "Record a scenario, the lines of an app, or a clip of a screen",
    forms: [recordForm(), recordVideoForm(), recordCandidatesForm()],
    examples: [
      "kymo record --scenario grid.json --gesture pinch.evemu --into new-run.kymo",
      "my_app | kymo record --from-ndjson - --into app-run.kymo",
      "kymo record --video clip.mp4 --candidates clip.png",
      "kymo record --video clip.mp4 --track sheet=36,580,320x120 --into clip.kymo",
    ],
    exits: [
      .no:
        "if --strict is given and the engine refused a step or a gesture, or a rectangle has one colour",
      .usage: "if the call is wrong, or the scenario cannot be run",
      .loss:
        "if lines or touches were left out, if a track is lost or the clip ends early, or if the recording is complete "
        + "only together with FILE-wal, because another program reads FILE",
      .interrupted: "if control-C or SIGTERM ends the reading of a clip, and nothing is recorded",
    ],
    discussion: """
      A recording that exists gets one more session. An input of - is standard input. With --uuid
      and --wall-clock the same input gives the same file, byte for byte. The variables KYMO_UUID
      and SOURCE_DATE_EPOCH replace these flags.

      kymo recognizes a gesture file by its content. The formats are evemu, getevent -lt, libinput
      record, libinput debug-events, evtest and the bytes of an event device. CSV with the header
      t_ns,id,phase,x,y works, too, and so do pointer events as NDJSON or a JSON array.

      For libinput debug-events the default preset is gnome. libinput reports the end of a gesture
      about 50 ms late, and android would treat that gap as a stop. A preset in the scenario
      overrides this.

      --video follows elements through a screen recording, which ffmpeg decodes. A track is the outline
      of an element, whole edges included. Mark an element that comes later with @TIME or @end. It is
      then followed both ways.

      A position has a 90 % interval (item.NAME.error_x, error_y), and a picture in which the element
      is not found has no position. The positions of the track finger become touches. --again takes
      the tracks of another recording.

      --candidates marks what changes between the first, the last and other pictures. The boxes are a help:
      compare them with the picture. A box with gaps is an outline in the last picture.

      --precision float32 rounds each number of a pose to 24 bits. 1/1024 rounds lengths to that
      part of a point, and other numbers to 24 bits. exact loses nothing.

      The lines of an app are a header and then one value, frame, touch, event or decision a line.
      Lines may be out of order by up to 200 ms. Without a decision, kymo derives the release from the
      lift and the event finish or cancel. The article "NDJSON lines" lists all fields. A whole
      gesture:
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
    columns: [.file] + SessionRecord.madeFields.described() + [
      ResultColumn("video", .object(VideoRow.fields.described()), "The clip, in JSON."),
      ResultColumn(
        "tracks", .list(.object(VideoTrackRow.fields.described())), "Its tracks, in JSON."),
    ] + CandidateRow.fields.described()
  ) {
    if $0.has(VideoFlags.candidates) { return 2 }
    return $0.has(VideoFlags.video) || $0.asks(forForm: 1) ? 1 : 0
  }
}

private func recordForm() -> CommandForm {
  CommandForm(
    arguments: "(--scenario|--from-ndjson) FILE --into FILE.kymo", argumentCount: 0...0,
    flags: [
      RecordFlags.scenario, RecordFlags.gesture, RecordFlags.fromNdjson,
      Flags.into, Flags.name, Flags.precision,
      Flags.pack.described("pack poses and samples into blocks while recording"),
      RecordFlags.strict, Flags.uuid, Flags.wallClock, Flags.gestureReading,
      Flags.redaction, Flags.limits, Flags.listing,
    ], run: runRecord)
}

/// The flags of `kymo record` alone.
enum RecordFlags {
  static var scenario: Flag<String> {
    .text("scenario", "FILE", "the scenario to run")
  }
  static var gesture: Flag<String> {
    .text("gesture", "FILE", "the touch recording that drives it")
  }
  static var fromNdjson: Flag<String> {
    .text("from-ndjson", "FILE", "the lines of an app: values, frames, touches, events")
  }
  static var strict: Flag<Bool> {
    .toggle("strict", "exit with 1 if the engine refused a step or a gesture")
  }
}

private func runRecord(_ invocation: Invocation) throws -> ExitCode {
  let path = try invocation.requiredValue(Flags.into)
  guard path != "-", !path.isEmpty else {
    throw Failure.usage("--into must be the name of a file (got '\(path)')")
  }
  switch (invocation.text(RecordFlags.scenario), invocation.text(RecordFlags.fromNdjson)) {
  case (let scenario?, nil): return try recordScenario(scenario, into: path, invocation)
  case (nil, let lines?):
    guard !invocation.has(RecordFlags.gesture) else {
      throw Failure.usage("--gesture can only be used with --scenario. The lines contain touches")
    }
    return try recordLines(lines, named: inputName(lines), into: path, invocation)
  case (nil, nil):
    throw Failure.usage("missing --scenario FILE, --from-ndjson FILE or --video FILE")
  default:
    throw Failure.usage("--scenario and --from-ndjson cannot be combined. Remove one of them")
  }
}

private func recordScenario(
  _ scenarioPath: String, into path: String, _ invocation: Invocation
) throws -> ExitCode {
  let gesturePath = invocation.text(RecordFlags.gesture)
  guard scenarioPath != "-" || gesturePath != "-" else {
    throw Failure.usage("--scenario and --gesture cannot both be standard input")
  }
  var (scenario, text) = try invocation.console.readScenario(scenarioPath)
  var session = scenario.sessionDescription(software: programName, text: text)
  var gesture: GestureRecording?
  if let gesturePath {
    guard scenario.gesture != nil else {
      throw Failure.usage(
        "\(inputName(scenarioPath)) has no field 'gesture', so --gesture cannot drive it. Add the field"
      )
    }
    let read = try readGestureFile(gesturePath, invocation)
    guard let last = read.touches.map(\.time).max(), scenario.reaches(last) else {
      throw Failure.unreadable(
        "\(inputName(gesturePath)): the touches span more than \(Scenario.frameLimit) frames at the scenario's "
          + "refresh rate, the limit of a session. Cut the recording")
    }
    if read.deltas != nil, scenario.release != scenario.releaseOfDeltas {
      let isOtherWindow = scenario.release.window != scenario.releaseOfDeltas.window
      scenario.release = scenario.releaseOfDeltas
      session = scenario.sessionDescription(software: programName, text: text)
      if isOtherWindow {
        invocation.note(
          "\(inputName(gesturePath)): \(EstimationPreset.reasonForDeltas(chosenBy: "release.preset in the scenario"))"
        )
      }
    }
    session.device = read.device
    session.gestureSource = read.source(path: gesturePath)
    if let warning = TouchMap(session).warning(of: read.touches.lazy.map(\.position)) {
      invocation.note("\(inputName(gesturePath)): \(warning)")
    }
    gesture = read
  } else if scenario.script.isEmpty {
    throw Failure.usage(
      scenario.gesture == nil
        ? "\(inputName(scenarioPath)) has neither a script nor a gesture, so nothing would happen"
        : "missing --gesture FILE: \(inputName(scenarioPath)) has no script")
  }
  let (recorder, sink, troubles) = try invocation.recorder(into: path, session)
  for loss in gesture?.losses ?? [] {
    sink.record(
      TimelineEvent(time: .zero, kind: .warning, fields: ["code": "gestureLoss", "message": loss]))
  }
  let run = ScenarioRun.perform(scenario, touches: gesture?.touches ?? [], into: sink)
  try troubles.finish { try recorder.finish(at: run.end) }
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
///
/// - Parameter more: Fields that follow those of the session.
func reportRecording(
  _ path: String, _ recorder: Recorder, _ invocation: Invocation, more: [EventField] = []
) throws {
  let reader = try RecordingReader(path: path)
  var session = try reader.sessionRecord(recorder.session)
  session.counts = session.counts ?? RecordCounts()
  try invocation.print([
    EventField.list(["file": path]) + SessionRecord.madeFields.row(of: session) + more
  ])
  for warning in try reader.releases(in: session.number).warnings { invocation.note("\(warning)") }
}
