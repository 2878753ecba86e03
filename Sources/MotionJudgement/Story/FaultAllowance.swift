import TimelineModel

/// A known fault that is excused: `slow rest`, or of one element alone `slow rest:#sheet`.
package struct FaultAllowance: Hashable, Sendable {
  /// The words as given.
  package let words: String
  /// What is excused.
  package let fault: MotionFault
  /// Of which element, by its name or its id as a selector. `nil`: of all.
  let subject: String?

  /// Reads the id or the name of a fault, and behind a colon an element.
  ///
  /// - Returns: nil if no fault has that name.
  package init?(_ words: String) {
    let parts = words.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.trimmed(parts[0])
    guard let fault = MotionFault.all.first(where: { $0.id == name || $0.name == name }) else {
      return nil
    }
    self.words = words
    self.fault = fault
    let element = parts.count > 1 ? Self.trimmed(parts[1]) : ""
    subject = element.isEmpty ? nil : element
  }

  private static func trimmed(_ text: Substring) -> String {
    let first = text.drop { $0.isWhitespace }
    return String(first.prefix(first.count - first.reversed().prefix { $0.isWhitespace }.count))
  }

  /// Whether it is a fact's excuse.
  func excuses(_ fact: StoryFact) -> Bool {
    guard fact.fault == fault else { return false }
    guard let subject else { return true }
    let own = subject.hasPrefix("#") ? String(subject.dropFirst()) : subject
    return [fact.subject, Wording.name(fact.subject)].contains { $0 == own || $0 == subject }
  }
}

extension MotionStory {
  /// Excuses known faults: they are told, and are faults no more.
  ///
  /// - Returns: the allowances that excuse nothing here.
  package mutating func excuse(_ allowances: [FaultAllowance]) -> [FaultAllowance] {
    guard !allowances.isEmpty else { return [] }
    var used: Set<FaultAllowance> = []
    for index in facts.indices {
      let found = allowances.filter { $0.excuses(facts[index]) }
      guard !found.isEmpty else { continue }
      used.formUnion(found)
      facts[index].excuse()
    }
    tellLines()
    return allowances.filter { !used.contains($0) }
  }
}
