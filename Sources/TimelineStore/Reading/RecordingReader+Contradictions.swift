import TimelineModel

extension RecordingReader {
  /// What is written down of a session beside its rows and is not what these say: the summaries of keys and elements,
  /// and of sealed samples seconds and phases. A session that its recorder cut to a limit has summaries of what was cut,
  /// too, which are not looked at.
  ///
  /// - Returns: each as a phrase, as the summary of the key progress. Empty where nothing is contradicted.
  /// - Throws: ``StoreError``: the rows or what is written down of them cannot be read.
  /// - Complexity: linear in the session's rows.
  package func contradictedSummaries(in session: Int64) throws(StoreError) -> [String] {
    let isCut = try removals().contains { $0.session == session && $0.reason == .limit }
    var found: [String] = []
    if !isCut {
      let keys = try KeySummary.all(of: samples(in: session))
      let written = try rows(of: KeySummaryTable.self, KeySummaryTable.ofSession, [session]).rest()
      let names = try self.keys(in: session)
      let differing = Set(Set(written).symmetricDifference(keys.values).map(\.key))
      for key in differing.sorted(by: { $0.rawValue < $1.rawValue }) where !written.isEmpty {
        found.append(
          "the summary of the key \(names.first { $0.handle == key }?.name ?? "\(key.rawValue)")")
      }
    }
    if !isCut, try schemaVersion() >= 3 {
      let written = try rows(of: ItemSummaryTable.self, ItemSummaryTable.ofSession, [session])
        .rest()
      let items =
        try written.isEmpty ? [] : itemSummaries(of: session, frames: RecordingReader.allFrames)
      let differing = Set(Set(written).symmetricDifference(items).map(\.item.rawValue))
      found += differing.sorted().map { "the summary of the element \($0)" }
    }
    guard mayHaveSealedSamples else { return found }
    return found + (try naming(path, try sealedSamples.contradictions(in: session)))
  }
}
