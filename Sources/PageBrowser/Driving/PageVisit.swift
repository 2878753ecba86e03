import TimelineModel

/// What has come of watching a page.
package struct PageVisit: Sendable {
  private let header: FieldValue
  private let pageLines: [PageLine]
  /// What was done, each as words.
  package let did: [String]
  /// What happened by itself, each as a sentence.
  package let told: [String]
  /// The addresses that the actions opened.
  package let opened: [String]
  package let clock: ClockName
  /// Whether all had come to rest at the end.
  package let hasRested: Bool
  /// Whether no line was left out.
  package let isWhole: Bool

  init(
    header: FieldValue, lines: [PageLine], did: [String], told: [String], opened: [String],
    clock: ClockName, hasRested: Bool, isWhole: Bool
  ) {
    (self.header, self.did, self.told, self.opened) = (header, did, told, opened)
    (self.clock, self.hasRested, self.isWhole) = (clock, hasRested, isWhole)
    // Swift's sort keeps the order of equals.
    pageLines = lines.sorted { $0.time < $1.time }
  }

  /// The recording as lines that `kymo record --from-ndjson` reads, in the order of time.
  package var text: String {
    var text = header.json + "\n"
    for line in pageLines { text += line.json + "\n" }
    return text
  }

  /// What was done and what else happened, in one line.
  package var words: String {
    let acts = did.isEmpty ? ["opened the page"] : did
    let more = opened.map { "then opened \(ForeignText.quoted($0))" } + told
    return (acts + more + (hasRested ? [] : ["had not come to rest"])).joined(separator: "; ")
  }
}
