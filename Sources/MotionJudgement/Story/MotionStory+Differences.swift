import MotionMeasures
package import TimelineModel

/// One thing in which two stories differ.
package struct StoryDifference: Hashable, Sendable {
  /// The element as recorded, or `frames` or `page`.
  package var subject: String
  package var isElement: Bool
  package var kind: StoryFact.Kind
  /// The number in this story and in the other one. `nil`: it has none.
  package var value: Double?
  package var other: Double?
  /// The sentence without the subject.
  package var text: String
  /// Whether a fault of the other story is gone.
  package var isMended = false
  /// Whether the other story has nothing of the kind.
  var isOnlyHere = false
  /// Whether this story has a fault there that the other one has not.
  var isNewFault = false

  /// The line: a mark, the subject, the sentence. A mended fault has no mark.
  package var line: String {
    "\(isMended ? " " : "!") \(isElement ? Wording.name(subject) : subject): \(text)"
  }
}

extension StoryDifference: ResultRow {
  package static let fields = makeFields()

  private static func makeFields() -> [ResultField<StoryDifference>] {
    [
      ResultField("about", "The element's name, or frames or page.", \.subject),
      ResultField("says", "The difference in a sentence.", \.text),
      ResultField("what", "The kind of fact, such as overshoot.", \.kind.rawValue),
      ResultField("value", "The number in this story.", \.value),
      ResultField("other", "The number in the other story.", \.other),
      ResultField("mended", "Whether a fault of the other story is gone.", \.isMended),
    ]
  }
}

extension MotionStory {
  /// How two numbers of a kind are told apart: words before and behind a number, and how far they must be apart beside
  /// that their intervals do not meet.
  private struct Measure {
    var words: String
    var unit: String
    /// The least distance, in the fact's unit.
    var least: Double
    /// The least distance as a share of the larger number. Both must be passed.
    var share = 0.0
    /// Digits that are printed.
    var digits = 4
  }

  private static func measure(of fact: StoryFact) -> Measure? {
    switch fact.kind {
    case .lag, .scrollLag:
      fact.unit == "s"
        ? Measure(words: "lag", unit: " s", least: 0.01, digits: 2)
        : Measure(words: "lag", unit: " frames", least: 0.6, digits: 2)
    case .pickupJump: Measure(words: "jump at pick-up", unit: " \(fact.unit)", least: 2)
    case .axisLeak: Measure(words: "leak", unit: " %", least: 5, digits: 2)
    case .handOver, .interrupted: Measure(words: "keeps", unit: " %", least: 12, digits: 2)
    case .settle: Measure(words: "at rest after", unit: " ms", least: 34, share: 0.12)
    case .overshoot: Measure(words: "overshoot", unit: " %", least: 2, digits: 3)
    case .stiffness: Measure(words: "stiffness", unit: "", least: 0, share: 0.04)
    case .damping: Measure(words: "damping", unit: "", least: 0, share: 0.04, digits: 3)
    case .end, .outcome: Measure(words: "rests at", unit: " \(fact.unit)", least: 2)
    case .scales: Measure(words: "rests at", unit: " times its size", least: 0.02, digits: 3)
    case .itemCount: Measure(words: "items", unit: "", least: 0)
    case .moves: Measure(words: "moves", unit: " \(fact.unit)", least: 2)
    case .start: Measure(words: "starts after", unit: " ms", least: 40, digits: 3)
    case .duration: Measure(words: "lasts", unit: " ms", least: 10)
    case .originX: Measure(words: "origin x", unit: " %", least: 5, digits: 3)
    case .originY: Measure(words: "origin y", unit: " %", least: 5, digits: 3)
    case .stagger: Measure(words: "stagger", unit: " ms", least: 10, digits: 3)
    default: nil
    }
  }

  /// In what this story differs from another one of the same acts: new faults first, then in the order of this one's facts
  /// and of the other's.
  ///
  /// Facts are paired by element, kind and order. Two numbers differ if their intervals do not meet and they are farther
  /// apart than a floor of their kind. A fault or a motion that only one of them has is a difference, too.
  package func differences(from other: MotionStory) -> [StoryDifference] {
    var found: [StoryDifference] = []
    let theirs = MotionStory.numbered(other.facts)
    var isPaired: Set<Pairing> = []
    for (key, fact) in MotionStory.numbered(facts) {
      let match = theirs.first { $0.key == key }?.fact
      isPaired.insert(key)
      if let difference = MotionStory.difference(fact, match) { found.append(difference) }
    }
    for (key, fact) in theirs where !isPaired.contains(key) {
      if let difference = MotionStory.difference(nil, fact) { found.append(difference) }
    }
    // Where something rests is one difference: from where it began, rather than in the content.
    let outcomes = Set(facts.filter { $0.kind == .outcome }.map(\.subject))
      .intersection(other.facts.filter { $0.kind == .outcome }.map(\.subject))
    found.removeAll { $0.kind == .end && outcomes.contains($0.subject) }
    MotionStory.explain(&found)
    // A new fault is why a build fails.
    return found.filter(\.isNewFault) + found.filter { !$0.isNewFault }
  }

  /// Marks that as mended without which a fault could not be: another easing than linear, a motion that answers. An
  /// element that no longer lags has no way left at the lift: it stays there, or rests sooner, at the same place.
  private static func explain(_ found: inout [StoryDifference]) {
    let mended = found.filter(\.isMended)
    let answers = mended.contains { [.noReaction, .noFollower].contains($0.kind) }
    for index in found.indices where !found[index].isMended {
      let one = found[index]
      let isEased =
        one.kind == .easing
        && mended.contains { $0.kind == .linear && $0.subject == one.subject }
      let isCaughtUp =
        mended.contains { $0.kind == .lag && $0.subject == one.subject }
        && !found.contains { [.end, .outcome].contains($0.kind) && $0.subject == one.subject }
      let isSooner =
        one.kind == .stays && one.isOnlyHere
        || one.kind == .settle && one.value ?? .infinity < one.other ?? 0
      guard
        isEased || isCaughtUp && isSooner || answers && one.kind == .moves && one.isOnlyHere
      else { continue }
      found[index].isMended = true
      found[index].text = "mended: \(one.text)"
    }
  }

  /// Whether a fault of another story is known not to be in this one.
  private static func isMended(_ fact: StoryFact?, _ other: StoryFact?) -> Bool {
    guard let other, other.isFault else { return false }
    guard let fact else { return MotionFault.of(other.kind)?.isAlone ?? false }
    return !fact.isFault && (fact.value != nil || other.value == nil)
  }

  /// By this, facts of two stories are paired.
  private struct Pairing: Hashable {
    var subject: String
    var kind: StoryFact.Kind
    /// The number among its like.
    var number: Int
  }

  private static func numbered(_ facts: [StoryFact]) -> [(key: Pairing, fact: StoryFact)] {
    var counts: [Pairing: Int] = [:]
    return facts.map { fact in
      var key = Pairing(subject: fact.subject, kind: fact.kind, number: 0)
      let number = counts[key, default: 0]
      counts[key] = number + 1
      key.number = number
      return (key, fact)
    }
  }

  /// A page's pixels are the points of an app.
  private static func length(_ unit: String) -> String { unit == "px" ? "pt" : unit }

  private static func difference(_ fact: StoryFact?, _ other: StoryFact?) -> StoryDifference? {
    guard let one = fact ?? other else { return nil }
    let isMended = isMended(fact, other)
    func made(_ text: String) -> StoryDifference {
      StoryDifference(
        subject: one.subject, isElement: one.isElement, kind: one.kind, value: fact?.value,
        other: other?.value, text: isMended ? "mended: \(text)" : text, isMended: isMended,
        isOnlyHere: other == nil, isNewFault: fact?.isFault == true && other?.isFault != true)
    }
    if one.kind == .easing {
      guard let fact, let other, fact.text != other.text else { return nil }
      return made("eases \(fact.text), in the other \(other.text)")
    }
    guard let fact, let other else {
      // What cannot be told in one of them is no difference. A fault or a motion is.
      let isMotion = one.kind == .moves || one.kind == .noFollower
      let isEnd = [.stays, .outcome].contains(one.kind) && !one.text.isEmpty
      guard one.isFault || isMotion || isEnd else { return nil }
      let sentence = one.kind == .moves && one.text.isEmpty ? "moves" : one.text
      return made(fact == nil ? "in the other: \(sentence)" : "\(sentence), in the other not")
    }
    if let measure = measure(of: fact), let value = fact.value, let theirs = other.value,
      let low = fact.low, let high = fact.high, let lowest = other.low, let highest = other.high,
      length(fact.unit) == length(other.unit)
    {
      let distance = abs(value - theirs)
      let isApart = low > highest || lowest > high
      guard isApart, distance > measure.least,
        distance > measure.share * max(abs(value), abs(theirs))
      else { return nil }
      let numbers = [value, theirs].map { NumberText.significant($0, digits: measure.digits) }
      // A fault is told by its own sentence.
      return made(
        fact.isFault && !fact.text.isEmpty
          ? "\(fact.text); in the other \(measure.words) \(numbers[1])\(measure.unit)"
          : "\(measure.words) \(numbers[0])\(measure.unit), in the other \(numbers[1])")
    }
    guard fact.isFault != other.isFault else { return nil }
    return made(
      fact.isFault ? "\(fact.text), in the other not" : "in the other: \(other.text)")
  }
}
