import JSONText
package import MotionMeasures
import MotionPhysics
package import TimelineModel
import TimelineSession
package import TimelineStore
package import TransitionScenarios

/// A recorded session as what can be run again: its scenario and its touches, or without these its values until
/// each release.
package struct RerunSource {
  /// What of a session is run again.
  package enum Way: Sendable, Hashable {
    /// The scenario, by the recorded touches.
    case scenario
    /// Decisions and settles alone. What was recorded until each release stays.
    case releases
  }

  package let session: SessionRecord
  /// What of it is run again.
  package let way: Way
  /// Why the rerun is not of all that happened, or not by what had computed it, a sentence each. Empty: nothing is
  /// in doubt.
  package private(set) var warnings: [String] = []
  /// What a person said that its releases meant, wherever it stands.
  package let labels: [ReleaseLabel]
  /// The reports of contacts in the order recorded.
  let touches: [TouchSample]
  let reader: RecordingReader
  /// What decided and settled the session, by what it says of itself.
  let parameters: MotionParameters

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - sheets: Labels from elsewhere, which override those of the recording.
  /// - Throws: `StoreError` when the file cannot be read.
  package init(
    _ session: SessionRecord, in reader: RecordingReader, sheets: [LabelSheet] = []
  ) throws {
    (self.session, self.reader) = (session, reader)
    let own = try reader.parameters(of: session)
    parameters = MotionParameters(release: own.release, settle: own.settle)
    let touches = try reader.touches(in: session.number).rest()
    self.touches = touches
    let said = try RecordingLabels.asFarAsReadable(
      of: reader, sheets: sheets, sessions: [session])
    labels = said.labels.labels(in: session.number)
    if let trouble = said.trouble { warnings.append(trouble) }
    let isCut = try reader.removals().contains { $0.session == session.number && !$0.isWhole }
    var landed: Set<Int> = []
    let isBegun = touches.allSatisfy {
      if $0.phase == .began { landed.insert($0.contact) }
      return landed.contains($0.contact)
    }
    let scenario = session.description.scenario
    // A script needs no touches.
    let leavesOutTouches =
      session.description.redaction?.contains("touches") == true
      && JSONFields(recorded: scenario)?["gesture"] != nil
    way = scenario != nil && !leavesOutTouches && (isBegun || !isCut) ? .scenario : .releases
    if session.description.redaction != nil {
      warnings.append(
        way == .scenario
          ? "it is redacted, so the new session uses the rest"
          : "it is redacted and lacks its scenario or its touches, so only decisions and settles were computed again"
      )
    }
    if isCut {
      warnings.append(
        way == .scenario
          ? "a part of it was removed, so the new session uses the touches that are left"
          : "its first touches were removed, so only decisions and settles were computed again")
    }
    if !session.isClean {
      warnings.append("it was not closed, so the new session uses the recording so far")
    }
    for loss in try reader.losses(in: session.number) {
      let what = "\(loss.count) of \(loss.what.rawValue)"
      warnings.append(
        way == .scenario && loss.what != .touch
          ? "its recorder lost \(what), which the engine computed again"
          : "its recorder lost \(what), which are missing here as well")
    }
    let engine = session.description.engineVersion
    if way == .scenario, engine != engineVersion {
      warnings.append(
        "it was computed with \(engine.map { "version \($0) of the engine" } ?? "no engine") and run again with version "
          + "\(engineVersion), which may move differently")
    }
  }

  /// The JSON that changes are made to: the scenario, or of a session without one what decides and settles it.
  ///
  /// - Throws: ``ScenarioError``: the scenario in the recording is none.
  package func editable(name: String) throws(ScenarioError) -> ScenarioEdit {
    guard way == .scenario, let text = session.description.scenario else {
      return ScenarioEdit(parameters.json)
    }
    do {
      return ScenarioEdit(try parseJSON(Array(text.utf8)))
    } catch {
      throw ScenarioError(file: name, path: error.path, message: error.message)
    }
  }

  /// The labels that hold for a rerun: a release at the same instant was made by the same hand.
  ///
  /// - Parameter releases: The rerun's releases.
  package func labels(of releases: [ReleaseRecord]) throws -> [ReleaseLabel] {
    guard !labels.isEmpty else { return [] }
    let recorded = try reader.releases(in: session.number).all
    return labels.filter { label in
      let times = [recorded, releases].map { $0.first { $0.transition == label.transition }?.time }
      return times[0] != nil && times[0] == times[1]
    }
  }

  /// What is to be run, checked as a scenario file is.
  ///
  /// - Parameters:
  ///   - edit: What ``editable(name:)`` gave, with its changes.
  ///   - file: The file that the session is in, for the origin.
  ///   - name: What is read, for messages.
  /// - Throws: ``ScenarioError``: a value or a name is none that a scenario can have. ``RerunError``: nothing was released
  ///   that could be decided anew. `StoreError` when the file cannot be read.
  package func rerun(_ edit: ScenarioEdit, from file: String?, name: String) throws -> Rerun {
    let origin = SessionOrigin(
      uuid: session.uuid, file: file, engineVersion: session.description.engineVersion,
      changes: edit.changes)
    guard way == .scenario, let text = session.description.scenario else {
      let changed = try MotionParameters(edit.value, before: parameters, name: name)
      return Rerun(
        source: self,
        plan: .releases(try ReleaseRerun(self, changed, changes: edit.changes), changed),
        origin: origin)
    }
    let recorded = try Scenario.read(Array(text.utf8), name: name)
    // Distances of a touchpad are released in a way of their own where the file names no preset.
    let isOfDeltas =
      recorded.release != recorded.releaseOfDeltas
      && session.description.release == FieldValue.object(recorded.releaseOfDeltas.fields).json
    // What was not changed keeps its text, byte for byte.
    let isSame = edit.changes.isEmpty
    var scenario =
      isSame ? recorded : try Scenario.read(Array(edit.text.utf8), name: name)
    if isOfDeltas { scenario.release = scenario.releaseOfDeltas }
    if let last = touches.map(\.time).max(), !scenario.reaches(last) {
      throw ScenarioError(
        file: name, path: "$.refreshRate",
        message:
          "At this rate the touches span more than \(Scenario.frameLimit) frames, the most that one session may "
          + "take.")
    }
    return Rerun(
      source: self, plan: .scenario(scenario, text: isSame ? text : edit.text),
      origin: origin)
  }
}

/// Not Sendable: its recording's connection belongs to one thread at a time.
@available(*, unavailable)
extension RerunSource: Sendable {}
