extension String {
  /// A sentence without its numbers, and without the point that stays: facts of one shape share a line.
  fileprivate var shape: String {
    var shape = ""
    for letter in self {
      let isNumber = letter.isNumber || "+-.".contains(letter)
      guard !isNumber else {
        if shape.last != "0" { shape.append("0") }
        continue
      }
      shape.append(letter)
    }
    // The point that stays ends its part of the sentence.
    for words in [", grows from ", ", shrinks to "] {
      guard let found = shape.firstRange(of: words) else { continue }
      let rest = shape[found.upperBound...]
      let ends = [":", ",", " in 0 ms", " at once"].compactMap {
        rest.firstRange(of: $0)?.lowerBound
      }
      return String(shape[..<found.lowerBound] + shape[(ends.min() ?? shape.endIndex)...])
    }
    return shape
  }
}

extension MotionStory {
  /// The most bytes of ``text``.
  package static let mostBytes = 2000

  /// What was done, the verdict, and a line for each fact: faults by time, then what the finger drives, then others by time.
  /// What does not fit is counted.
  package var text: String { text(atMost: Self.mostBytes) }

  /// The text in at most so many bytes.
  ///
  /// - Parameter did: What was done, of whoever did it. `nil`: as the recording says it.
  package func text(atMost most: Int, did: String? = nil) -> String {
    MotionStory.fitted(
      Self.cut("did: \(did ?? self.did)", to: min(400, most / 2)) + "\nmotion: \(verdict)\n",
      lines.map(\.text), to: most)
  }

  /// What was done, at most six acts of it.
  package var did: String {
    Wording.did(acts)
  }

  /// `no faults`, or of how many kinds and instants.
  package var verdict: String {
    Wording.verdict(lines.count { $0.fact.isFault })
  }

  /// The kinds of which facts of one shape share a line.
  private static let shared: Set<StoryFact.Kind> = [
    .moves, .settle, .pickupJump, .lag, .handOver, .interrupted,
  ]

  /// One line of a story.
  package struct Line: Hashable, Sendable {
    package var fact: StoryFact
    /// The subject and the sentence.
    package var told: String
    /// The line: a mark, the subject, the sentence, and the instant in seconds of the session.
    package var text: String
  }

  /// The lines of facts, in the order in which they are printed.
  ///
  /// - Parameter all: The names of all elements, in the order of people.
  static func lines(of facts: [StoryFact], among all: [String]) -> [Line] {
    var told: [(fact: StoryFact, subject: String, sentence: String)] = []
    var places: [String: Int] = [:]
    var alike: [Int: [StoryFact]] = [:]
    for fact in facts where fact.rank != .silent {
      let sentence = fact.text
      guard !sentence.isEmpty else { continue }
      if fact.isElement, fact.isFault || MotionStory.shared.contains(fact.kind) {
        let instant = fact.isFault ? fact.time ?? 0 : 0
        let shape = "\(fact.kind.rawValue) \(fact.isFault) \(instant) \(sentence.shape)"
        if let place = places[shape] {
          alike[place, default: []].append(fact)
          continue
        }
        places[shape] = told.count
      }
      told.append((fact, fact.isElement ? Wording.name(fact.subject) : fact.subject, sentence))
    }
    // Faults of one shape and instant share a line, and so do four or more that move alike.
    for (place, others) in alike.sorted(by: { $0.key < $1.key }) {
      let first = told[place].fact
      guard others.count >= (first.isFault ? 1 : 3) else {
        told += others.map { ($0, Wording.name($0.subject), $0.text) }
        continue
      }
      let names = Wording.inOrder(([first] + others).map(\.subject))
      told[place].subject = Wording.subject(names, among: all)
      let sentence = told[place].sentence
      told[place].sentence = Wording.alike(
        names, first.subject, sentence, isSame: others.allSatisfy { $0.text == sentence })
    }
    let order = told.indices.sorted { left, right in
      let (one, other) = (told[left].fact, told[right].fact)
      if one.isFault != other.isFault { return one.isFault }
      if !one.isFault, one.rank != other.rank { return one.rank < other.rank }
      let times = (one.time ?? .infinity, other.time ?? .infinity)
      return times.0 != times.1 ? times.0 < times.1 : left < right
    }
    var seen: Set<String> = []
    return order.compactMap { index in
      let (fact, subject, said) = told[index]
      let sentence = "\(subject): \(said)"
      var text = (fact.isFault ? "! " : "  ") + sentence
      if let time = fact.time, fact.rank < .remark {
        text += " [\(Wording.seconds(time))]"
      }
      return seen.insert(text).inserted ? Line(fact: fact, told: sentence, text: text) : nil
    }
  }

  /// As many lines as fit, and how many do not.
  package static func fitted(_ head: String, _ lines: [String], to most: Int = mostBytes) -> String
  {
    var text = head
    var left = 0
    for line in lines {
      if left > 0 || text.utf8.count + line.utf8.count + 1 > most - 40 {
        left += 1
      } else {
        text += line + "\n"
      }
    }
    return text + (left > 0 ? "and \(left) more, see --json\n" : "")
  }

  /// A line of at most so many bytes.
  private static func cut(_ line: String, to most: Int) -> String {
    guard line.utf8.count > most else { return line }
    var first = line
    while first.utf8.count > most - 3 { first.removeLast() }
    return first + "…"
  }
}
