import TimelineModel
import TimelineStore

extension RecordingExamination {
  /// The values in the rows of each session.
  static func sessions(_ reader: RecordingReader, isDeep: Bool) -> [FileFinding] {
    let sessions: [SessionRecord]
    let removals: [RemovalRecord]
    do {
      sessions = try reader.sessionRecords()
      removals = try reader.removals()
    } catch {
      return [unreadable(error, reader.path, session: nil)]
    }
    var findings = removals.map(removed)
    for session in sessions {
      let cuts = removals.filter { $0.session == session.number && !$0.isWhole }
      findings += marks(session, cuts, reader)
      var asked = questions(about: session.number, cuts, reader)
      if (try? reader.isPartLost(in: session.number)) == true {
        // Whoever brought the rest back has said so. Holes are expected then.
        for index in asked.indices where asked[index].what != "unreadable" {
          asked[index].severity = .note
        }
      }
      findings += asked
      if let frame = try? reader.firstSealedFrame(in: session.number) {
        findings.append(
          FileFinding(
            .note, "sealed", session: session.number,
            "its poses are packed from frame \(frame) on: \(reader.sightOfSealedPoses)",
            advice: "kymo file unpack \(reader.path) \(session.number), for such a tool"))
      }
      if let first = try? reader.firstSealedSample(in: session.number) {
        findings.append(
          FileFinding(
            .note, "sealedSamples", session: session.number,
            "its samples are packed from \(Instant(nanoseconds: first).seconds) s on: "
              + RecordingReader.sightOfSealedSamples,
            advice: "kymo file unpack \(reader.path) \(session.number), for such a tool"))
      }
      if isDeep {
        let damaged = blocks(of: session.number, reader)
        // Rows that cannot be read contradict nothing.
        findings += damaged.isEmpty ? summaries(of: session.number, reader) : damaged
      }
    }
    return findings
  }

  /// Rows that were taken out on purpose, not by damage.
  private static func removed(_ removal: RemovalRecord) -> FileFinding {
    let what =
      removal.isWhole
      ? "the whole session was"
      : "\(removal.rowCount) \(removal.rowCount == 1 ? "row of it was" : "rows of it were")"
    return FileFinding(
      .note, "removed", session: removal.session,
      "\(what) removed on purpose (\(removal.reason.rawValue)), from \(removal.first.seconds) s to "
        + "\(removal.last.seconds) s")
  }

  /// The clean-close mark, compared with the rows that are there. A recorder that keeps within a size
  /// marks the sessions that it took in. Rows that it took out again are in the removal, in one number.
  private static func marks(
    _ session: SessionRecord, _ cuts: [RemovalRecord], _ reader: RecordingReader
  ) -> [FileFinding] {
    guard let marked = session.counts else {
      // Its fate is reported where its crash journal is looked at.
      if (try? reader.recoveredRowCount(in: session.number)) != nil { return [] }
      return [
        FileFinding(
          .warning, "notClosed", session: session.number,
          "it is still being recorded, or its recorder was ended before it could finish",
          advice: "all accepted rows are there, and nothing needs to be done")
      ]
    }
    let counts = [marked.samples, marked.frames, marked.attributes, marked.touches, marked.events]
    let names = ["samples", "frames", "rows of attributes", "touches", "events"]
    var findings: [FileFinding] = []
    do {
      let there = try SalvageTexts.counts.map { text throws(StoreError) in
        try answer(text, session: session.number, reader).count
      }
      if RemovalRecord.isCutShort(counts, there, by: cuts) { return [] }
      for (index, found) in there.enumerated() where found != counts[index] {
        findings.append(
          FileFinding(
            .damage, "count", session: session.number,
            "\(found) \(names[index]) are there, but the clean-close mark has \(counts[index])",
            advice: advice(.recover, reader.path)))
      }
    } catch {
      findings.append(unreadable(error, reader.path, session: session.number))
    }
    return findings
  }

  private static func questions(
    about session: Int64, _ cuts: [RemovalRecord], _ reader: RecordingReader
  ) -> [FileFinding] {
    var findings: [FileFinding] = []
    let questions = DoctorTexts.questions(
      isCut: !cuts.isEmpty, isTrimmed: cuts.contains { $0.reason == .trim },
      attributes: reader.plainAttributes)
    for question in questions
    where question.what != "transitions" || !reader.derivesTransitions {
      do {
        let (count, location) = try answer(question.text, session: session, reader)
        guard count > 0 else { continue }
        findings.append(
          FileFinding(
            question.severity, question.what, session: session,
            "\(count) \(question.detail)" + (location.map { " \($0)" } ?? ""),
            advice: advice(question.advice, reader.path)))
      } catch {
        // The same page may stop many questions. Each is asked, and said once.
        let finding = unreadable(error, reader.path, session: session)
        if !findings.contains(finding) { findings.append(finding) }
      }
    }
    return findings
  }

  /// Compares the record of a session with its rows.
  private static func summaries(of session: Int64, _ reader: RecordingReader) -> [FileFinding] {
    do {
      return try reader.contradictedSummaries(in: session).map {
        FileFinding(
          .damage, "summary", session: session, "\($0) contradicts the rows",
          advice: advice(.recover, reader.path))
      }
    } catch {
      return [unreadable(error, reader.path, session: session)]
    }
  }

  /// Decodes every sealed segment.
  private static func blocks(of session: Int64, _ reader: RecordingReader) -> [FileFinding] {
    var findings: [FileFinding] = []
    func damaged(_ error: StoreError) {
      findings.append(
        FileFinding(
          .damage, "block", session: session, error.message,
          advice: advice(.recover, reader.path)))
    }
    do {
      guard try reader.schemaVersion() >= firstSealedVersion else { return [] }
    } catch {
      return [unreadable(error, reader.path, session: session)]
    }
    do {
      try reader.sealedSegments.checkBlocks(of: session, path: reader.path) { damaged($1) }
      if reader.mayHaveSealedSamples {
        try reader.sealedSamples.checkSegments(of: session, path: reader.path) { damaged($2) }
      }
    } catch {
      damaged(error)
    }
    return findings
  }

  /// The first schema version with sealed segments.
  private static let firstSealedVersion: Int64 = 3
}
