package import MotionJudgement
import MotionMeasures
import MotionPhysics
package import TimelineModel
import TimelineRendering
import TimelineSession
public import TimelineStore

extension RecordingReader {
  /// The rows that `kymo show FILE#SESSION` prints: one for each sentence and one for each fact of the motion.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the session's samples and poses. The poses of a session with more than a million are not
  ///   read.
  package func storyRows(of session: SessionRecord) throws -> [[EventField]] {
    try SessionStory(of: session, in: self).rows
  }

  /// The text that `kymo show FILE#SESSION` prints: the same sentences and the story of the motion, at most 2,000 bytes.
  ///
  /// Times in it are in seconds, and lengths in the session's unit. Names are harmless in a terminal, in Markdown and
  /// in HTML.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the samples, frames and poses of the session.
  public func storyText(of session: SessionRecord) throws -> String {
    try SessionStory(of: session, in: self).text()
  }
}

/// A session told in sentences, and its motion in facts.
package struct SessionStory {
  /// What a sentence is about, in a word, and the sentence.
  package typealias Sentence = (about: String, statement: String)

  package private(set) var sentences: [Sentence] = []
  /// What the motion was. `nil`: the session is too long to look at each pose, or it has no frames.
  package let motion: MotionStory?
  private let session: SessionRecord
  private let overview: SessionOverview
  private let sampleCount: Int
  private let keyCount: Int
  /// The contacts that landed, in the order of landing.
  private let contacts: [Contact]
  /// The releases, with the velocities of the session's own estimator and what its rule says.
  private let releases: [VelocityReport.Release]
  /// Whether there are too many values and poses to look at each.
  private let isTooLong: Bool
  /// How many things of a sort are told one by one.
  private var most = 4

  /// A bug report's form takes more, a person reads no more.
  static let mostBytes = 2000
  /// So many values of keys, or rows of poses, are looked at: a second of work.
  private static let mostValues: Int64 = 1_000_000
  /// So many releases of what is longer are told with all that is known of them.
  private static let mostWholeReleases = 4
  /// The most that the sentences take if a story of the motion follows.
  private static let mostBytesBesideMotion = 1200

  /// As much as the room of ``mostBytes`` allows.
  package init(of session: SessionRecord, in reader: RecordingReader) throws {
    try reader.beginState()
    defer { reader.endState() }
    self.session = session
    overview = try SessionOverview(session, in: reader)
    let source = FileSource(session, in: reader)
    let values = try source.summaries().reduce(Int64(0)) { sum, summary in
      let (total, overflow) = sum.addingReportingOverflow(max(0, summary.sampleCount))
      return overflow ? .max : total
    }
    sampleCount = Int(clamping: values)
    keyCount = try source.keys().count { $0.name != Frames.displayIntervalKey }
    contacts = try Contacts(source).all.filter { $0.landing != nil }.sorted {
      ($0.landing ?? .zero, $0.number) < ($1.landing ?? .zero, $1.number)
    }
    isTooLong = max(values, overview.poseCount) > Self.mostValues
    var question = VelocityQuestion()
    question.contacts = []
    if isTooLong {
      releases = try VelocitySource.releases(
        of: source, asking: question, wholeUpTo: Self.mostWholeReleases)
    } else {
      releases =
        overview.releases.all.isEmpty
        ? [] : try VelocityReport(of: session, in: reader, asking: question).releases
    }
    motion = isTooLong ? nil : try MotionStory(overview, in: reader)
    let file = reader.path.split(separator: "/").last.map(String.init) ?? ""
    let limit = motion == nil ? Self.mostBytes : Self.mostBytesBesideMotion
    for most in [4, 3, 2, 1, 0] where sentences.isEmpty || sentenceText.utf8.count > limit {
      (self.most, sentences) = (most, [])
      describeSession(file)
      describeContacts()
      describeDecisions()
      describeRecording()
    }
    while sentenceText.utf8.count > limit { sentences.removeLast() }
  }

  /// The sentences, each on a line of its own behind what it is about, and the story of the motion.
  ///
  /// - Parameter isWhole: Whether all lines of the motion are given, however many there are.
  package func text(isWhole: Bool = false) -> String {
    guard let motion else { return sentenceText }
    let room = Self.mostBytes - sentenceText.utf8.count
    return sentenceText + motion.text(atMost: room, isWhole: isWhole)
  }

  /// A row for each sentence, and one for each fact of the motion.
  package var rows: [[EventField]] {
    let columns = StoryFact.columns
    let told = allSentences.map { sentence in
      columns.map { name in
        switch name {
        case "about": EventField(name, .text(sentence.about))
        case "says": EventField(name, .text(sentence.statement))
        default: EventField(name, .null)
        }
      }
    }
    return told + (motion?.facts.map(\.row) ?? [])
  }

  /// The sentences, and those of the motion: what was done, and how many faults there are.
  package var allSentences: [Sentence] {
    sentences + (motion.map { [("did", $0.did), ("motion", $0.verdict)] } ?? [])
  }

  private var sentenceText: String {
    sentences.map { "\($0.about): \($0.statement)\n" }.joined()
  }

  private mutating func add(_ about: String, _ statement: String) {
    sentences.append((about, statement))
  }

  /// Some of many, and how many more there are.
  private func listed<Thing>(_ things: [Thing], _ word: String, _ describe: (Thing) -> String)
    -> String
  {
    let shown = things.prefix(most).map(describe)
    let more = things.count - shown.count
    if shown.isEmpty { return counted(more, word) }
    return shown.joined(separator: "; ")
      + (more > 0 ? "; and \(counted(more, "more \(word)"))" : "")
  }
}

// MARK: - What is said

extension SessionStory {
  private mutating func describeSession(_ file: String) {
    let description = session.description
    var parts: [String] = []
    if let end = session.end { parts.append(seconds(end)) }
    if let rate = description.refreshRate {
      parts.append("\(NumberText.decimals(rate, most: 3)) Hz")
    }
    parts.append(
      "\(counted(overview.frameCount, "frame")) of \(counted(overview.itemCount, "element"))"
    )
    parts.append("\(counted(sampleCount, "value")) of \(counted(keyCount, "key"))")
    if let outcome = session.outcome { parts.append("outcome \(outcome.rawValue)") }
    let name = description.name.map { " \(plain($0))" } ?? ""
    add(
      "session",
      "\(plain(file)) #\(session.number)\(name) (\(ForeignText.shownName(String(session.uuid.prefix(8))))): "
        + parts.joined(separator: ", ") + "; recorded by \(plain(description.software))"
        + (description.device.map { " of \(plain($0))" } ?? "") + ".")
  }

  private mutating func describeContacts() {
    guard !contacts.isEmpty else { return add("touch", "no contact was recorded.") }
    let map = TouchMap(session.description)
    let unit =
      map.unit == "device"
      ? "units of the device" : map.unit == "pt" ? session.description.lengthUnit : map.unit
    add(
      "touch",
      listed(contacts, "contact") { contact in
        let ends = (
          contact.samples.first?.position ?? .zero, contact.samples.last?.position ?? .zero
        )
        let way = Point2D(x: ends.1.x - ends.0.x, y: ends.1.y - ends.0.y)
        let end =
          contact.lift.map { (contact.isCancelled ? "taken away at " : "lifted at ") + seconds($0) }
          ?? "never lifted"
        return "contact \(contact.number) landed at \(seconds(contact.landing ?? .zero)) on "
          + "(\(short(ends.0.x)), \(short(ends.0.y))) and moved by "
          + "(\(short(way.x)), \(short(way.y))) \(unit), \(end)"
      } + ".")
  }

  private mutating func describeDecisions() {
    guard !releases.isEmpty else {
      return add("decided", "nothing: it has no release.")
    }
    for release in releases.prefix(max(1, most)) {
      var release = release
      if let decision = release.decision, decision.decidedBy != .app {
        release.decision?.decidedBy = DecisionSource(plain(decision.decidedBy.description))
      }
      if let rule = release.decision?.recorded?.rule, rule.kind == nil {
        release.decision?.recorded?.rule = RuleName(plain(rule.description))
      }
      var text = decisionText(release, VelocityQuestion())
        .split(separator: "\n").joined(separator: " ")
      let progress = release.motions.first {
        if case .key(let key) = $0.subject { key.role == .progress } else { false }
      }
      if let estimate = progress?.estimate, let velocity = estimate.velocity {
        let unit = estimate.estimator.estimator?.definition.measure.unit(of: "") ?? "/s"
        text +=
          " The progress moved at \(short(velocity))\(unit) by \(plain(estimate.estimator.description))"
        if let low = estimate.low, let high = estimate.high {
          text += ", 90 % interval \(short(low)) to \(short(high))"
        }
        text += ", of \(counted(estimate.sampleCount, "value"))."
      }
      add("decided", text)
    }
    let more = releases.count - max(1, most)
    if more > 0 { add("decided", "\(counted(more, "more release")).") }
  }

  /// What is doubtful about the recording.
  private mutating func describeRecording() {
    // What is packed is no trouble to anybody but other tools.
    var found = overview.remarks.filter { !$0.contains("packed from") }.map(plainSentence)
    if isTooLong { found.append("it is too long to look at every value and pose here") }
    guard !found.isEmpty else { return }
    add("recording", listed(found, "remark") { $0 } + ".")
  }
}

// MARK: - Words

extension SessionStory {
  private func plain(_ name: String) -> String { "'\(ForeignText.shownName(name))'" }

  private func plainSentence(_ text: String) -> String {
    DisplayText.harmless(String(text.prefix(200)))
  }

  private func seconds(_ time: Instant) -> String {
    "\(NumberText.decimals(time.seconds, most: 3)) s"
  }

  /// A number in four digits.
  private func short(_ number: Double) -> String {
    number != 0 && abs(number) < 1e-4 ? "about 0" : NumberText.short(number)
  }
}
