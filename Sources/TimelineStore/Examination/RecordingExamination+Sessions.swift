extension RecordingExamination {
  /// What the rows of each session say.
  static func sessions(_ reader: RecordingReader, isDeep: Bool) -> [Finding] {
    let sessions: [SessionRecord]
    do {
      sessions = try reader.sessions()
    } catch {
      return [unreadable(error, reader.path, session: nil)]
    }
    var findings: [Finding] = []
    for session in sessions {
      findings += marks(session, reader)
      findings += questions(about: session.number, reader)
      if isDeep { findings += blocks(of: session.number, reader) }
    }
    return findings
  }

  /// The clean-close mark, held against the rows that are there.
  private static func marks(_ session: SessionRecord, _ reader: RecordingReader) -> [Finding] {
    guard let marked = session.counts else {
      return [
        Finding(
          .warning, "notClosed", session: session.number,
          "it is still being recorded, or its recorder was ended before it could finish",
          advice: "what was accepted is there; nothing needs to be done")
      ]
    }
    let counts = [marked.samples, marked.frames, marked.attributes, marked.touches, marked.events]
    let names = ["samples", "frames", "rows of attributes", "touches", "events"]
    var findings: [Finding] = []
    do {
      for (index, text) in SalvageTexts.counts.enumerated() {
        let found = try answer(text, session: session.number, reader).count
        guard found != counts[index] else { continue }
        findings.append(
          Finding(
            .damage, "count", session: session.number,
            "\(found) \(names[index]) are there; the clean-close mark says \(counts[index])",
            advice: advice(.recover, reader.path)))
      }
    } catch {
      findings.append(unreadable(error, reader.path, session: session.number))
    }
    return findings
  }

  private static func questions(about session: Int64, _ reader: RecordingReader) -> [Finding] {
    var findings: [Finding] = []
    for question in DoctorTexts.questions {
      do {
        let (count, place) = try answer(question.text, session: session, reader)
        guard count > 0 else { continue }
        findings.append(
          Finding(
            question.severity, question.what, session: session,
            "\(count) \(question.detail)" + (place.map { " \($0)" } ?? ""),
            advice: advice(question.advice, reader.path)))
      } catch {
        // The same page may stop many questions; each is asked, and said once.
        let finding = unreadable(error, reader.path, session: session)
        if !findings.contains(finding) { findings.append(finding) }
      }
    }
    return findings
  }

  /// Decodes every sealed segment.
  private static func blocks(of session: Int64, _ reader: RecordingReader) -> [Finding] {
    var findings: [Finding] = []
    func damaged(_ error: SealedRowsError) {
      let error = error.storeError(reader.path)
      findings.append(
        Finding(
          .damage, "block", session: session, error.message,
          advice: advice(.recover, reader.path)))
    }
    do {
      guard try reader.schemaVersion() >= firstSealedVersion else { return [] }
      let segments = try reader.sealedSegments.segments(of: session, frames: Int64.min...Int64.max)
      while let segment = try segments.next() {
        do throws(SealedRowsError) {
          _ = try reader.sealedSegments.rows(of: segment)
        } catch {
          damaged(error)
        }
      }
    } catch let error as SealedRowsError {
      damaged(error)
    } catch {
      findings.append(
        Finding(
          .damage, "unreadable", session: session, "\(error)",
          advice: advice(.recover, reader.path)))
    }
    return findings
  }

  /// The first schema version with sealed segments.
  private static let firstSealedVersion: Int64 = 3
}
