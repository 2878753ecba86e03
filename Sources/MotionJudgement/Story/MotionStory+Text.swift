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
  /// - Parameters:
  ///   - did: What was done, of whoever did it. `nil`: as the recording says it.
  ///   - isWhole: Whether all lines are given, however many there are.
  package func text(atMost most: Int, did: String? = nil, isWhole: Bool = false) -> String {
    let head =
      Self.cut("did: \(did ?? self.did)", to: min(400, most / 2)) + "\nmotion: \(verdict)\n"
    let texts = lines.map(\.text)
    guard !isWhole else { return head + texts.map { $0 + "\n" }.joined() }
    return MotionStory.fitted(
      head, texts, to: most, lines: Self.mostLines * max(1, acts.count))
  }

  /// So many lines are told of one act.
  private static let mostLines = 12

  /// What was done, at most six acts of it.
  package var did: String {
    Wording.did(acts)
  }

  /// `no faults`, or of how many kinds and instants.
  package var verdict: String {
    let known = lines.count { $0.fact.isExcused }
    return Wording.verdict(lines.count { $0.fact.isFault })
      + (known > 0 ? ", \(known) excused" : "")
  }

  /// The kinds of which facts of one shape or of one body share a line.
  private static let shared: Set<StoryFact.Kind> = [
    .moves, .changes, .settle, .pickupJump, .lag, .handOver, .interrupted, .start, .stays, .end,
    .lift,
    .outcome,
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
  /// - Parameters:
  ///   - all: The names of all elements, in the order of people.
  ///   - bodies: What moves together, which is told once.
  static func lines(
    of facts: [StoryFact], among all: [String], bodies: StoryBodies = StoryBodies()
  ) -> [Line] {
    var told: [(fact: StoryFact, subject: String, sentence: String)] = []
    var places: [String: Int] = [:]
    var alike: [Int: [StoryFact]] = [:]
    var counts: [String: Int] = [:]
    for fact in facts where fact.rank != .silent {
      let sentence = fact.text
      guard !sentence.isEmpty else { continue }
      if fact.isElement, fact.isFault || MotionStory.shared.contains(fact.kind) {
        let instant = fact.isFault ? fact.time ?? 0 : 0
        var shape = "\(fact.kind.rawValue) \(fact.isFault) \(instant) \(sentence.shape)"
        if let body = bodies.number(of: fact.subject) {
          let own = "\(fact.kind.rawValue) \(fact.isFault) \(fact.subject)"
          shape = "\(fact.kind.rawValue) \(fact.isFault) \(counts[own, default: 0]) of \(body)"
          counts[own, default: 0] += 1
        }
        if let place = places[shape] {
          alike[place, default: []].append(fact)
          continue
        }
        places[shape] = told.count
      }
      let name = fact.isElement ? bodies.name(of: fact.subject) ?? Wording.name(fact.subject) : nil
      told.append((fact, name ?? fact.subject, sentence))
    }
    // Faults of one shape and instant share a line, and so do four or more that move alike.
    for (place, others) in alike.sorted(by: { $0.key < $1.key }) {
      let first = told[place].fact
      let body = bodies.number(of: first.subject)
      guard others.count >= (first.isFault || body != nil ? 1 : 3) else {
        told += others.map { ($0, Wording.name($0.subject), $0.text) }
        continue
      }
      let names = Wording.inOrder(([first] + others).map(\.subject))
      let sentence = told[place].sentence
      if body != nil {
        let leader = StoryBodies.leader(of: names)
        let fact = ([first] + others).first { $0.subject == leader } ?? first
        let own = bodies.name(of: names[0])
        let isSame = others.allSatisfy { $0.text == sentence }
        if own != nil || !isSame {
          told[place] = (fact, own ?? Wording.body(names, leader: fact.subject), fact.text)
          continue
        }
      }
      told[place].subject = Wording.subject(names, among: all)
      told[place].sentence = Wording.alike(
        names, first.subject, sentence, isSame: others.allSatisfy { $0.text == sentence })
    }
    let order = told.indices.sorted { left, right in
      let (one, other) = (told[left].fact, told[right].fact)
      let isFirst = (one.rank == .outcome, other.rank == .outcome)
      if isFirst.0 != isFirst.1 { return isFirst.0 }
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
  package static func fitted(
    _ head: String, _ lines: [String], to most: Int = mostBytes, lines limit: Int = .max
  ) -> String {
    var text = head
    var left = 0
    for (number, line) in lines.enumerated() {
      // One line more takes the place of the count.
      let isBeyond = number >= limit && lines.count > limit + 1
      if left > 0 || isBeyond || text.utf8.count + line.utf8.count + 1 > most - 40 {
        left += 1
      } else {
        text += line + "\n"
      }
    }
    return text + (left > 0 ? "and \(left) more: --all\n" : "")
  }

  /// A line of at most so many bytes.
  private static func cut(_ line: String, to most: Int) -> String {
    guard line.utf8.count > most else { return line }
    var first = line
    while first.utf8.count > most - 3 { first.removeLast() }
    return first + "…"
  }
}
