package import TimelineModel
package import TimelineStore

/// What a person said of a recording's transitions, wherever it stands: in the recording, in the sheet beside it,
/// which goes before, and in sheets that are named, which go before both.
package struct RecordingLabels: Hashable, Sendable {
  private var labels: [Int64: [Int: ReleaseLabel]] = [:]
  /// Rows of the sheet beside the recording whose session it does not have.
  package private(set) var strays: [LabelSheet.Row] = []

  /// No label.
  package init() {}

  /// Reads all labels of a recording.
  ///
  /// - Parameters:
  ///   - reader: The recording.
  ///   - sheets: Labels from elsewhere, the last one goes before the others. Rows of other recordings' sessions count
  ///     for nothing.
  ///   - looksBeside: Whether the sheet beside the recording is read.
  ///   - wanted: The sessions whose labels are read. `nil`: all of them.
  /// - Throws: `StoreError` when the recording cannot be read, ``LabelError`` when the sheet beside it cannot.
  package init(
    of reader: RecordingReader, sheets: [LabelSheet] = [], looksBeside: Bool = true,
    sessions wanted: [SessionRecord]? = nil
  ) throws {
    let beside = looksBeside ? try LabelSheet.beside(reader.path) : nil
    let sessions = try wanted ?? reader.sessionRecords()
    for session in sessions {
      var said: [Int: ReleaseLabel] = [:]
      for label in try reader.labels(in: session.number) { said[label.transition] = label }
      for sheet in [beside].compactMap({ $0 }) + sheets {
        for row in sheet.rows(of: session.uuid) { said[row.transition] = row.label }
      }
      if !said.isEmpty { labels[session.number] = said }
    }
    if let beside, wanted == nil {
      let known = Set(sessions.map(\.uuid))
      strays = beside.rows.filter { !known.contains($0.uuid) }
    }
  }

  /// Reads all labels for a listing, which goes on where the sheet beside the recording cannot be read.
  ///
  /// - Parameters:
  ///   - reader: The recording.
  ///   - sheets: Labels from elsewhere, which override those of the recording.
  ///   - sessions: The sessions whose labels are read. `nil`: all of them.
  /// - Returns: the labels, and a sentence on what is wrong with the sheet. `nil`: nothing.
  package static func asFarAsReadable(
    of reader: RecordingReader, sheets: [LabelSheet] = [], sessions: [SessionRecord]? = nil
  ) throws -> (labels: RecordingLabels, trouble: String?) {
    do {
      return (try RecordingLabels(of: reader, sheets: sheets, sessions: sessions), nil)
    } catch let error as LabelError {
      let labels = try RecordingLabels(
        of: reader, sheets: sheets, looksBeside: false, sessions: sessions)
      return (labels, "the labels beside the recording are left out: \(error.message)")
    }
  }

  /// What was said of a transition. `nil`: nothing.
  ///
  /// - Parameters:
  ///   - session: The session's number in the recording.
  ///   - transition: The transition's number in the session.
  package subscript(session: Int64, transition: Int) -> ReleaseLabel? {
    labels[session]?[transition]
  }

  /// What was said of a session's transitions, in the order of their numbers.
  package func labels(in session: Int64) -> [ReleaseLabel] {
    labels[session, default: [:]].values.sorted { $0.transition < $1.transition }
  }

  /// How many transitions have a label.
  package var count: Int { labels.values.reduce(0) { $0 + $1.count } }
}
