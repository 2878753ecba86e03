import TimelineModel
import TimelineSession

/// Names and numbers of a story.
enum StoryWords {
  /// Subjects of a story's own; an element of such a name stands in quotation marks.
  private static let ownSubjects: Set<String> = ["frames", "page", "did", "and", "no", "story"]

  /// A name that means nothing to a terminal, to Markdown or to whoever reads: as ``ForeignText/shownName(_:)``
  /// has it, and in quotation marks if it has blanks or could be taken for one of a story's own subjects.
  static func name(_ name: String) -> String {
    let text = ForeignText.shownName(name)
    let needsMarks = text.isEmpty || text.contains(" ") || ownSubjects.contains(text)
    return needsMarks ? "'\(text)'" : text
  }

  /// A length with its sign.
  static func signed(_ number: Double) -> String {
    (number < 0 ? "" : "+") + NumberText.whole(number)
  }

  static func milliseconds(_ seconds: Double) -> String { "\(NumberText.whole(seconds * 1000)) ms" }

  static func seconds(_ seconds: Double) -> String { "\(NumberText.fixed(seconds, 3)) s" }

  /// How an opacity changes over some frames, of which it is the same before the first change.
  ///
  /// - Parameter frames: In how many frames after the first one that changes.
  static func fade(_ values: ArraySlice<Double>, takes frames: Int) -> String {
    guard let from = values.first, let to = values.last else { return "fades" }
    func percent(_ share: Double) -> String { NumberText.whole(share * 100) }
    let turn =
      values.max {
        max($0 - max(from, to), min(from, to) - $0) < max($1 - max(from, to), min(from, to) - $1)
      } ?? to
    let (isShown, isGone) = (from < hidden && to >= hidden, from >= hidden && to < hidden)
    let verb = frames > 1 ? "fades" : "goes"
    if max(turn - max(from, to), min(from, to) - turn) >= ElementTrack.Channel.alpha.range {
      let end = percent(from) == percent(to) ? " and back" : ", then to \(percent(to)) %"
      return "\(verb) from \(percent(from)) to \(percent(turn)) % of opacity\(end)"
    }
    if isShown {
      let most = to > 1 - hidden ? "" : " to \(percent(to)) %"
      return (frames > 1 ? "fades in" : "appears") + most
    }
    if isGone {
      let most = from > 1 - hidden ? "" : " from \(percent(from)) %"
      return (frames > 1 ? "fades out" : "disappears") + most
    }
    return "\(verb) from \(percent(from)) to \(percent(to)) % of opacity"
  }

  /// What has less opacity is not seen.
  private static let hidden = 0.02

  /// A point of an element, by its shares of the width and the height, in words.
  static func point(_ x: Double, _ y: Double) -> String {
    func side(_ share: Double, _ names: [String]) -> String? {
      zip([0, 0.5, 1], names).first { abs(share - $0.0) < 0.05 }?.1
    }
    let across = side(x, ["left", "center", "right"])
    let down = side(y, ["top", "center", "bottom"])
    switch (across, down) {
    case ("center", "center"): return "its center"
    case ("center", let down?): return "the middle of its \(down) edge"
    case (let across?, "center"): return "the middle of its \(across) edge"
    case (let across?, let down?): return "its \(down) \(across) corner"
    default: break
    }
    func place(_ share: Double, _ before: String, _ edge: String, _ after: String) -> String {
      let percent = NumberText.whole((share < 0 ? -share : share > 1 ? share - 1 : share) * 100)
      if share < 0 { return "\(percent) % \(before) its \(edge) edge" }
      return share > 1 ? "\(percent) % \(after)" : "\(percent) % from its \(edge) edge"
    }
    return "a point \(place(x, "left of", "left", "right of its right edge")) and "
      + place(y, "above", "top", "below its bottom edge")
  }

  /// Which share of a speed is kept. A share that may as well be 0 has no number of its own.
  static func kept(_ share: Estimated) -> String {
    let ends = ends(share, scale: 100, NumberText.whole)
    guard share.holds(0) else { return "keeps \(NumberText.whole(share.value * 100)) % (\(ends))" }
    return share.high < MotionFault.kept
      ? "keeps none of it (\(ends) %)" : "how much of it is kept cannot be told (\(ends) %)"
  }

  /// The ends of a 90 % interval: `14 to 20`.
  static func ends(_ estimate: Estimated, scale: Double = 1, _ form: (Double) -> String) -> String {
    let (low, high) = (estimate.low * scale, estimate.high * scale)
    return "\(form(min(low, high))) to \(form(max(low, high)))"
  }

  /// Names in the order of people: `r2` stands before `r10`.
  static func inOrder(_ names: [String]) -> [String] {
    let keys = names.map { (parts(of: $0), $0) }
    return keys.sorted { left, right in
      for (one, other) in zip(left.0, right.0) where one != other {
        if let first = Int(one), let second = Int(other) { return first < second }
        return one < other
      }
      return (left.0.count, left.1) < (right.0.count, right.1)
    }.map(\.1)
  }

  /// As many parts as a list of names has.
  private static let mostParts = 4

  /// Several names as the subject of a sentence. Three or more that follow each other are the first `to` the last: nothing
  /// lies between these that is not meant.
  ///
  /// - Parameters:
  ///   - names: The names, in the order of people.
  ///   - all: Every name of the session in that order, these among them.
  static func subject(_ names: [String], among all: [String]) -> String {
    let places = Dictionary(zip(all, all.indices)) { first, _ in first }
    var stretches: [[String]] = []
    for name in names {
      if let latest = stretches.last?.last, let before = places[latest], places[name] == before + 1
      {
        stretches[stretches.count - 1].append(name)
      } else {
        stretches.append([name])
      }
    }
    let parts: [(text: String, count: Int)] = stretches.flatMap { stretch in
      stretch.count > 2
        ? [("\(name(stretch[0])) to \(name(stretch[stretch.count - 1]))", stretch.count)]
        : stretch.map { (name($0), 1) }
    }
    let more = parts.dropFirst(mostParts).reduce(0) { $0 + $1.count }
    return parts.prefix(mostParts).map(\.text).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// A name cut where digits begin and end.
  private static func parts(of name: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = name[...]
    while let first = rest.first {
      let isDigit = ("0"..."9").contains(first)
      let part = rest.prefix { ("0"..."9").contains($0) == isDigit }
      parts.append(part)
      rest = rest.dropFirst(part.count)
    }
    return parts
  }
}
