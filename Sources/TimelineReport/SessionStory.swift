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
  /// - Complexity: linear in the session's samples and poses; the poses of a session with more than a million are not
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
  /// - Complexity: that of ``storyRows(of:)``.
  public func storyText(of session: SessionRecord) throws -> String {
    try SessionStory(of: session, in: self).text
  }
}

/// A session told in sentences, and its motion in facts.
package struct SessionStory {
  /// What a sentence is about, in a word, and the sentence.
  package typealias Sentence = (about: String, statement: String)

  package private(set) var sentences: [Sentence] = []
  /// What the motion was; nil: the session is too long to look at each pose, or it has no frames.
  package let motion: MotionStory?
  private let digest: SessionDigest
  /// How many things of a sort are told one by one.
  private let most: Int

  /// A bug report's form takes more, a person reads no more.
  static let mostBytes = 2000
  /// The most that the sentences take if a story of the motion follows.
  private static let mostBytesBesideMotion = 1200

  /// As much as the room of ``mostBytes`` allows.
  package init(of session: SessionRecord, in reader: RecordingReader) throws {
    try reader.beginState()
    defer { reader.endState() }
    let digest = try SessionDigest(session, in: reader)
    let motion = digest.isTooLong ? nil : try MotionStory(digest.overview, in: reader)
    let file = reader.path.split(separator: "/").last.map(String.init) ?? ""
    let limit = motion == nil ? Self.mostBytes : Self.mostBytesBesideMotion
    self.init(digest, motion, file: file, most: 4)
    for most in [3, 2, 1, 0] where sentenceText.utf8.count > limit {
      self.init(digest, motion, file: file, most: most)
    }
    while sentenceText.utf8.count > limit { sentences.removeLast() }
  }

  /// The sentences, each on a line of its own behind what it is about, and the story of the motion.
  package var text: String {
    guard let motion else { return sentenceText }
    let room = Self.mostBytes - sentenceText.utf8.count
    return sentenceText + motion.text(atMost: room)
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

  private init(_ digest: SessionDigest, _ motion: MotionStory?, file: String, most: Int) {
    (self.digest, self.motion, self.most) = (digest, motion, most)
    describeSession(file)
    describeContacts()
    describeMotion()
    describeDecisions()
    describeUnusual()
  }

  /// The unit of lengths on the screen.
  private var lengthUnit: String { digest.overview.session.description.lengthUnit }

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
    let session = digest.overview.session
    let description = session.description
    var parts: [String] = []
    if let end = session.end { parts.append(seconds(end)) }
    if let rate = description.refreshRate {
      parts.append("\(NumberText.decimals(rate, most: 3)) Hz")
    }
    parts.append(
      "\(counted(digest.overview.frameCount, "frame")) of \(counted(digest.overview.itemCount, "element"))"
    )
    parts.append("\(counted(digest.sampleCount, "value")) of \(counted(digest.keyCount, "key"))")
    if let outcome = session.outcome { parts.append("outcome \(outcome.rawValue)") }
    let name = description.name.map { " \(plain($0))" } ?? ""
    add(
      "session",
      "\(plain(file)) #\(session.number)\(name) (\(ForeignText.shownName(String(session.uuid.prefix(8))))): "
        + parts.joined(separator: ", ") + "; recorded by \(plain(description.software))"
        + (description.device.map { " of \(plain($0))" } ?? "") + ".")
  }

  private mutating func describeContacts() {
    guard !digest.contacts.isEmpty else { return add("touch", "no contact was recorded.") }
    let unit = digest.touchUnit == "device" ? "units of the device" : digest.touchUnit
    add(
      "touch",
      listed(digest.contacts, "contact") { contact in
        let way = Point2D(
          x: contact.last.x - contact.first.x, y: contact.last.y - contact.first.y)
        let end =
          contact.lift.map { (contact.isCancelled ? "taken away at " : "lifted at ") + seconds($0) }
          ?? "never lifted"
        return "contact \(contact.number) landed at \(seconds(contact.landing)) on "
          + "(\(short(contact.first.x)), \(short(contact.first.y))) and moved by "
          + "(\(short(way.x)), \(short(way.y))) \(unit), \(end)"
      } + ".")
  }

  private mutating func describeMotion() {
    if digest.keys.isEmpty {
      if digest.keyCount > 0 { add("moved", "none of \(counted(digest.keyCount, "key")).") }
    } else {
      add(
        "moved",
        listed(digest.keys, "key") { key in
          let unit = ["", "1"].contains(key.unit) ? "" : " \(plain(key.unit))"
          var text =
            "\(plain(key.name)) from \(short(key.ends.first)) to \(short(key.ends.last))\(unit)"
          if key.range.lowerBound < min(key.ends.first, key.ends.last)
            || key.range.upperBound > max(key.ends.first, key.ends.last)
          {
            text += " (\(short(key.range.lowerBound)) to \(short(key.range.upperBound)))"
          }
          if let times = key.times {
            text += " between \(seconds(times.lowerBound)) and \(seconds(times.upperBound))"
          }
          if let settled = key.metrics?.settle2Seconds, !digest.overview.releases.all.isEmpty {
            text += ", within 2 % \(NumberText.decimals(settled, most: 3)) s after the release"
          }
          if let metrics = key.metrics, let percent = metrics.overshootPercent,
            let time = metrics.overshootTime, percent > Settle.leastPrinted,
            digest.releases.last.map({ time >= $0.time }) ?? true
          {
            text += ", overshoot \(short(percent)) %"
          }
          return text
        } + ".")
    }
    // What elements do is the story's.
    guard motion == nil else { return }
    guard !digest.items.isEmpty else {
      if digest.overview.itemCount > 0, !digest.isTooLong {
        add("moved", "none of \(counted(digest.overview.itemCount, "element")).")
      }
      return
    }
    var text =
      "\(digest.items.count) of \(counted(digest.overview.itemCount, "element")), the farthest: "
    text += listed(digest.items, "element") { item in
      let times = item.times ?? .zero...Instant.zero
      return plain(item.id) + " " + changes(item)
        + " between \(seconds(times.lowerBound)) and \(seconds(times.upperBound))"
    }
    let faded = digest.items.count { $0.furthest[2] != $0.first[2] }
    if faded > 0 { text += "; \(counted(faded, "element")) faded" }
    add("moved", text + ".")
  }

  /// How far an element went, and how it looks otherwise at last, or did for a while.
  private func changes(_ item: SessionDigest.ItemMotion) -> String {
    var changes = item.travelled > 0 ? ["\(short(item.travelled)) \(lengthUnit)"] : []
    let looks = [
      ("size", 100 / max(item.first[0], 1e-9), " %"), ("rotation", 180 / Double.pi, "°"),
      ("opacity", 100, " %"),
    ]
    for (index, (name, scale, unit)) in looks.enumerated() {
      let (last, most) = (
        item.last[index] - item.first[index], item.furthest[index] - item.first[index]
      )
      let change = ((abs(last * scale) < 0.1 ? most : last) * scale * 10).rounded() / 10
      guard change != 0 else { continue }
      let isBack = abs(last * scale) < 0.1 ? " for a while" : ""
      changes.append("\(name) \(change > 0 ? "+" : "")\(short(change))\(unit)\(isBack)")
    }
    return changes.isEmpty ? "a little" : changes.joined(separator: ", ")
  }

  private mutating func describeDecisions() {
    guard !digest.releases.isEmpty else {
      return add("decided", "nothing: it has no release.")
    }
    for release in digest.releases.prefix(max(1, most)) {
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
    let more = digest.releases.count - max(1, most)
    if more > 0 { add("decided", "\(counted(more, "more release")).") }
  }

  private mutating func describeUnusual() {
    var found: [String] = []
    for release in digest.releases {
      guard let decision = release.ruleDecision else { continue }
      let time = seconds(release.time)
      if let sigma = decision.marginSigma, abs(sigma) < 2 {
        found.append(
          "the decision at \(time) was close: its velocity is \(short(abs(sigma))) standard errors from the other outcome"
        )
      } else if let margin = decision.marginProgress, abs(margin) < 0.05 {
        found.append(
          "the decision at \(time) was close: \(short(abs(margin))) of progress from the other outcome"
        )
      }
      if let done = release.decision, done.derived == nil, done.outcome != decision.outcome {
        found.append("the rule would have decided \(decision.outcome.rawValue) at \(time)")
      }
      if release.motions.contains(where: \.estimate.liftArtefactSuspected) {
        found.append(
          "the last step before \(time) is an outlier, as when a finger rolls off the screen")
      }
    }
    let smoothness = digest.smoothness
    if motion == nil, let late = digest.firstLate, let intervals = smoothness.intervals {
      // Without frames the instants of values tell when the display was updated.
      let word = digest.overview.frameCount > 0 ? "late frame" : "late update"
      found.append(
        "\(counted(smoothness.lateFrames.count, word)), the first at \(seconds(late)); longest interval "
          + "\(NumberText.decimals(intervals.longest * 1000, most: 3)) ms, \(NumberText.decimals(smoothness.hitchRatio ?? 0, most: 3)) ms/s of hitches"
          + (smoothness.band.map { " (\($0.rawValue))" } ?? ""))
    }
    if smoothness.duplicateCount + smoothness.backwardCount > 0 {
      found.append(
        "\(smoothness.duplicateCount) \(digest.overview.frameCount > 0 ? "frames" : "updates") "
          + "at the instant of the one before, \(smoothness.backwardCount) before it"
      )
    }
    if !digest.jumps.isEmpty {
      found.append(
        listed(digest.jumps, "jump") { jump, others in
          let unit = jump.measure.hasSuffix("_pt") ? " \(lengthUnit)" : ""
          let step = jump.finding.step ?? 0
          // What hardly moves where its neighbours do did not go far.
          let words =
            step < (jump.value ?? 0) / 4
            ? " stalled"
            : " jumped by "
              + "\(others > 0 ? "up to " : "")\(short(step))\(unit)"
          return plain(jump.subject) + (others > 0 ? " and \(others) more" : "") + words
            + (jump.finding.instant.map { " at \(seconds($0))" } ?? "")
        })
    }
    // What is sealed is no trouble to anybody but other tools.
    found += digest.overview.remarks.filter { !$0.contains("sealed from") }.map(plainSentence)
    if digest.isTooLong {
      found.append("it is too long to look at every value and pose here")
    }
    add(
      "unusual",
      found.isEmpty
        ? "nothing was found."
        : found.prefix(most + 2).joined(separator: "; ")
          + (found.count > most + 2 ? "; and \(found.count - most - 2) more" : "") + ".")
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
