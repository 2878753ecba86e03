package import TimelineModel
package import TimelineStore

extension RecordingEditor {
  /// Carries a session over with its labels, those in the sheet beside its recording too.
  ///
  /// - Parameters:
  ///   - number: The session's number in its recording.
  ///   - reader: That recording.
  ///   - labels: Its labels where a sheet is beside it, as ``RecordingLabels/beside(_:)`` reads them.
  ///   - redaction: What is left out.
  /// - Returns: the session's number in this recording.
  /// - Throws: `StoreError`, as `copySession` does.
  package func copyLabelledSession(
    _ number: Int64, from reader: RecordingReader, _ labels: RecordingLabels?,
    redaction: Redaction = Redaction()
  ) throws(StoreError) -> Int64 {
    let copy = try copySession(number, from: reader, redaction: redaction)
    // Those in the recording are rows of the session.
    guard let labels else { return copy }
    let kept = labels.labels(in: number)
    let gone = try reader.labels(in: number).filter { own in
      !kept.contains { $0.transition == own.transition }
    }
    try label(
      gone.map { (copy, .remove($0.transition)) }
        + kept.map { (copy, .set(redaction.redacted($0))) })
    return copy
  }
}

extension RecordingLabels {
  /// The labels of a recording that has a sheet beside it. `nil` where there is none.
  package static func beside(_ reader: RecordingReader) throws -> RecordingLabels? {
    try LabelSheet.beside(reader.path) == nil ? nil : RecordingLabels(of: reader)
  }
}
