import TimelineModel

/// The result of watching a page.
package struct PageVisit: Sendable {
  private let header: FieldValue
  /// Lines that name the elements in the document's order, each once.
  private let declarations: [String]
  private let pageLines: [PageLine]
  /// The actions, each as words.
  package let did: [String]
  /// Events that happened by themselves, each as a sentence.
  package let told: [String]
  /// Sentences about the run: each host of another machine that was refused, and a layout that no phone is meant by.
  package let notes: [String]
  /// The addresses that the actions opened.
  package let opened: [String]
  package let clock: ClockName
  /// Whether all had come to rest at the end.
  package let hasRested: Bool
  /// Whether no line was left out.
  package let isWhole: Bool

  init(
    header: FieldValue, declarations: [String] = [], lines: [PageLine], did: [String],
    told: [String], notes: [String] = [], opened: [String],
    clock: ClockName, hasRested: Bool, isWhole: Bool
  ) {
    var seen: Set<String> = []
    self.declarations = declarations.filter { seen.insert($0).inserted }
    (self.header, self.did, self.told, self.opened) = (header, did, told, opened)
    self.notes = notes
    (self.clock, self.hasRested, self.isWhole) = (clock, hasRested, isWhole)
    // Swift's sort keeps the order of equals.
    pageLines = lines.sorted { $0.time < $1.time }
  }

  /// The recording as lines that `kymo record --from-ndjson` reads, in the order of time.
  package var text: String {
    var text = header.json + "\n"
    for line in declarations { text += line + "\n" }
    for line in pageLines { text += line.json + "\n" }
    return text
  }

  /// The actions and the other events, in one line.
  package var words: String {
    let acts = did.isEmpty ? ["opened the page"] : did
    let more = opened.map { "then opened \(ForeignText.quoted($0))" } + told
    return (acts + more + (hasRested ? [] : ["had not come to rest"])).joined(separator: "; ")
  }
}
