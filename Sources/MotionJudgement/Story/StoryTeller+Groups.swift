import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// What many elements do alike: staggers, and one that goes at once while the others take their time.
  mutating func tellGroups() {
    for number in acts.indices {
      let found = answers[number] ?? []
      var groups: [(stem: String, members: [Member])] = []
      for own in Self.byElement(found) {
        guard let item = own.first?.item, let begin = own.map(\.first).min(),
          let last = own.map(\.last).max()
        else { continue }
        let start = onset(of: own, number)
        let member = Member(
          item: item, start: start.time, isDeclared: start.isDeclared, frames: last - begin)
        let stem = stem(of: item)
        if let place = groups.firstIndex(where: { $0.stem == stem }) {
          groups[place].members.append(member)
        } else {
          groups.append((stem, [member]))
        }
      }
      for group in groups where group.members.count >= 3 {
        tell(group.members, isOrdered: acts[number].kind != .swipe)
      }
    }
  }

  /// Starts that are nearer to each other are at one time, in seconds.
  private static let exactStart = 0.004

  private struct Member {
    var item: ElementTrack
    var start: Double
    var isDeclared: Bool
    /// How many frames it took.
    var frames: Int
  }

  /// What elements have in common that belong together: what carries them, and their size.
  private func stem(of item: ElementTrack) -> String {
    func step(_ values: [Double]) -> Int { Int(((values.last ?? 0) / 4).rounded().clamped) }
    return "\(item.carrier ?? "")|\(step(item.width))|\(step(item.height))"
  }

  /// Starts that are farther from each other belong to motions of their own, in seconds.
  private static let longestGap = 0.5

  private mutating func tell(_ members: [Member], isOrdered: Bool) {
    let slow = members.filter { $0.frames >= 6 }
    let names = Wording.inOrder(members.map(\.item.name))
    let ordered = names.compactMap { name in members.first { $0.item.name == name } }
    for member in ordered where member.frames < 2 && slow.count >= 2 {
      let way = max(member.item.x.extent, member.item.y.extent)
      guard way > 8 else { continue }
      let others = Wording.inOrder(slow.map(\.item.name)).prefix(4)
      let longest = Double(slow.map(\.frames).max() ?? 0) * film.frame
      add(
        StoryFact(
          member.item.name, .atOnce, at: member.start, Estimated(way, low: way - 1, high: way + 1),
          unit: film.unit,
          saying: .atOnce(way: way, others: Array(others), take: longest)))
    }
    let gaps = zip(ordered.dropFirst(), ordered).map { $0.start - $1.start }
    let isExact = ordered.allSatisfy(\.isDeclared)
    // Code that waits for a time shows what it does with the next frame.
    let slack = isExact ? Self.exactStart : film.frame
    guard let least = gaps.min(), let most = gaps.max() else { return }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let subject = Wording.subject(names, among: film.names)
    func fact(_ kind: StoryFact.Kind, _ value: Double, _ detail: StoryDetail) -> StoryFact {
      .about(
        subject, kind, at: members.map(\.start).min(),
        Estimated(value, low: value - Onset.margin, high: value + Onset.margin).scaled(by: 1000),
        unit: "ms", saying: detail, rank: .motion)
    }
    if max(abs(least), abs(most)) < Self.exactStart
      || abs(mean) < Onset.margin && most - least < slack
    {
      add(fact(.stagger, 0, .startTogether(members.count)))
    } else if most - least > 2 * slack + 0.15 * abs(mean) {
      // What goes by another way need not start with the others.
      let ways = ordered.map { max($0.item.x.extent, $0.item.y.extent) }
      guard isExact || ways.max() ?? 0 < 2 * (ways.min() ?? 0) else { return }
      var uneven = fact(.unevenStagger, most - least, .startUnevenly(gaps: Array(gaps.prefix(8))))
      // What starts in no order, or as a finger passes it, is not meant to start one after the other.
      uneven.isJudged = isOrdered && max(-least, most) < Self.longestGap
      add(uneven)
    } else {
      add(fact(.stagger, mean, .startEvenly(gap: mean)))
    }
  }

  /// Pairs that turn round in mid-motion.
  mutating func tellOrders() {
    var told: Set<[String]> = []
    // One pair that turns is a slip. Many that turn are a design in depth, as is what a finger carries over others.
    let pairs = Set(
      film.marks.filter { $0.kind == "order" }.map {
        [$0.fields["item"]?.asText ?? "", $0.fields["other"]?.asText ?? ""].sorted()
      })
    let carried = followers.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for mark in film.marks where mark.kind == "order" {
      guard let name = mark.fields["item"]?.asText, let other = mark.fields["other"]?.asText,
        told.insert([name, other].sorted()).inserted,
        let item = items.first(where: { $0.name == name })
      else { continue }
      let frame = film.times.partitioningIndex { $0 >= mark.time }
      guard frame >= 2, frame + 2 < film.times.count,
        max(item.x[(frame - 2)...(frame + 2)].extent, item.y[(frame - 2)...(frame + 2)].extent)
          > 1
      else { continue }
      let start = acts.last { $0.start <= mark.time }?.start ?? zero
      let since = mark.time - start
      let time = Estimated(since, low: since - film.frame, high: since + film.frame)
      let isAbove = mark.fields["above"] == .flag(true)
      add(
        StoryFact(
          name, .order, at: mark.time, time.scaled(by: 1000), unit: "ms",
          saying: .order(isAbove: isAbove, other: other, since: since),
          isJudged: pairs.count <= Self.mostTurning && carried.isDisjoint(with: [name, other])
            && !isDepthDeclared(at: mark.time)))
    }
  }

  /// Whether a declared animation of an order in depth is on its way at a time.
  private func isDepthDeclared(at time: Double) -> Bool {
    film.declared.contains { animation in
      animation.properties.contains("zIndex")
        && (animation.time - film.frame...(animation.end ?? .infinity) + film.frame).contains(time)
    }
  }

  /// So many pairs that turn in depth may be slips.
  private static let mostTurning = 2

  /// An animation that runs again without another act.
  mutating func tellRepeats() {
    let runs = film.declared.filter { $0.isFinite && $0.kind != "CSSTransition" }
    var seen: [String] = []
    for (place, run) in runs.enumerated() {
      let key = "\(run.item)|\(run.name)|\(run.properties)"
      guard !seen.contains(key), items.contains(where: { $0.name == run.item }),
        let again = runs[(place + 1)...].first(where: {
          $0.item == run.item && $0.name == run.name && $0.properties == run.properties
        })
      else { continue }
      let wait = again.time - run.time
      guard wait < run.duration + 0.4,
        !acts.contains(where: { run.time + 0.02 < $0.start && $0.start <= again.time + 0.001 })
      else { continue }
      seen.append(key)
      let isRemade = film.marks.contains {
        $0.kind == "remade" && $0.fields["item"]?.asText == run.item
      }
      // The new run's first frame is its beginning, not a jump of its own.
      remove {
        $0.subject == run.item && ($0.kind == .jump || $0.kind == .flash)
          && abs(($0.time ?? 0) - again.time) < 0.04
      }
      let time = Estimated(wait, low: wait - film.frame, high: wait + film.frame)
      add(
        StoryFact(
          run.item, .runsTwice, at: again.time, time.scaled(by: 1000), unit: "ms",
          saying: .runsAgain(wait: wait, name: run.name, isRemade: isRemade)))
    }
  }

  /// The least part of a frame that the page's own work fills.
  private static let filled = 0.9

  /// Frames that came late, and whose work it was where the recording says that.
  mutating func tellFrames() {
    // What held the page when it was acted on counts, so the last frame before that belongs to these.
    let first = max(0, film.clock.times.partitioningIndex { $0.seconds > zero } - 1)
    let clock = film.clock.keeping(first..<film.clock.times.count)
    let times = clock.times.map(\.seconds)
    let tasks = film.marks.filter { $0.kind == "task" }
    let knowsTasks =
      !tasks.isEmpty
      || film.marks.contains {
        $0.kind == "action" && $0.fields["clock"]?.asText == "real"
      }
    var others: [Double] = []
    var told = 0
    for index in FrameMetrics(clock).lateFrames {
      let gap = times[index] - times[index - 1]
      // How long the machine let a task wait is not the page's work.
      let own = tasks.filter { task in
        let (length, used) = (
          task.fields["duration_ms"]?.asNumber ?? 0, task.fields["cpu_ms"]?.asNumber ?? 0
        )
        return task.time < times[index] + 0.002
          && task.time + length / 1000 > times[index - 1] - 0.002
          && used / 1000 >= max(Self.filled * film.frame, MotionFault.ownWork * gap)
      }
      let named = own.filter { $0.fields["function"]?.asText?.isEmpty == false }
      let longest = (named.isEmpty ? own : named).max {
        ($0.fields["duration_ms"]?.asNumber ?? 0) < ($1.fields["duration_ms"]?.asNumber ?? 0)
      }
      guard let task = longest else {
        others.append(gap)
        continue
      }
      told += 1
      guard told <= 2 else { continue }
      let file = task.fields["url"]?.asText?.split(separator: "/").last.map(String.init)
      let what = task.fields["function"]?.asText ?? task.fields["name"]?.asText ?? "a task"
      let time = Estimated(gap, low: gap - film.frame, high: gap + film.frame)
      add(
        .about(
          "frames", .lateFrame, at: times[index], time.scaled(by: 1000), unit: "ms",
          saying: .lateFrame(
            gap: gap, what: what, file: file, line: task.fields["line"]?.asNumber,
            held: (task.fields["duration_ms"]?.asNumber ?? 0) / 1000)))
    }
    let count = times.count { $0 >= zero }
    if !others.isEmpty {
      add(
        .about(
          "frames", .frames,
          saying: .lateFrames(
            others.count, of: count, longest: others.max() ?? 0, isMachine: knowsTasks)))
    } else if told == 0 {
      add(.about("frames", .frames, saying: .noLateFrame(of: count)))
    }
  }

  /// The pictures of a clip, and the stretches in which an element was not found in them.
  mutating func tellPictures() {
    let times = film.clock.times.map(\.seconds)
    let gaps = FrameMetrics(film.clock).lateFrames.filter { index in
      let (before, after) = (film.index(at: times[index - 1]), film.index(at: times[index]))
      guard before >= 0, after > before else { return false }
      return film.items.contains { item in
        ElementTrack.Channel.allCases.contains { channel in
          let values = item.values(channel)
          return abs(values[after] - values[before]) > channel.step
        }
      }
    }.map { times[$0] - times[$0 - 1] }
    add(
      .about(
        "frames", .frames,
        saying: .pictures(
          StoryDetail.Pictures(
            count: times.count, repeated: film.marks.count { $0.kind == "video.repeated" },
            held: film.marks.count { $0.kind == "video.held" }, gaps: gaps.count,
            longestGap: gaps.max() ?? 0))))
    for mark in film.marks where mark.kind == "video.lost" {
      guard let name = mark.fields["item"]?.asText else { continue }
      let found = film.marks.first {
        $0.kind == "video.found" && $0.fields["item"]?.asText == name && $0.time > mark.time
      }?.time
      add(
        StoryFact(
          name, .lost, at: mark.time,
          saying: .lost(from: mark.time, to: found, reason: mark.fields["reason"]?.asText),
          rank: .remark))
    }
    // Nobody knows where something comes to rest that was lost on its way.
    let cut = film.items.filter { item in
      guard let last = item.lastSeen, last >= 3, last < film.times.count - 1 else { return false }
      return ElementTrack.Channel.allCases.contains { channel in
        item.values(channel)[(last - 2)...last].extent > 2 * channel.step
      }
    }.map(\.name)
    let ends: Set<StoryFact.Kind> = [
      .settle, .overshoot, .stiffness, .damping, .end, .linear, .duration, .jump,
    ]
    remove { cut.contains($0.subject) && ends.contains($0.kind) }
  }

  /// So many elements are named that something covers.
  private static let mostCovered = 3

  /// What the recording says of itself.
  mutating func tellRest() {
    func number(_ kind: String, _ field: String) -> Int {
      let found = film.marks.last { $0.kind == kind }?.fields[field]?.asNumber ?? 0
      return Int(found.clamped)
    }
    if film.marks.contains(where: {
      $0.kind == "action" && $0.fields["rested"] == .flag(false)
    }) {
      add(
        .about(
          "page", .unrest, saying: .unrest, rank: .subject))
    }
    if !ambient.isEmpty {
      add(
        .about(Wording.some(Wording.inOrder(Array(ambient))), .ambient, saying: .ambient))
    }
    tellSmall()
    for name in Wording.inOrder(Array(covers.keys)).prefix(Self.mostCovered) {
      add(
        StoryFact(name, .unseen, saying: .covered(by: covers[name] ?? "page"), rank: .remark))
    }
    let (skipped, elements) = (number("uncovered", "skipped"), number("uncovered", "elements"))
    if skipped > 0 {
      add(
        .about("page", .unseen, saying: .unlooked(skipped, of: elements + skipped)))
    }
    if skippedCurves > 0 {
      add(
        .about(
          "page", .unseen, saying: .unfitted(skippedCurves)))
    }
    let (movers, frames) = (number("uncovered", "movers"), number("uncovered", "iframes"))
    if movers > 0 { add(.about("page", .unseen, saying: .moreMove(movers))) }
    if frames > 0 {
      add(.about("page", .unseen, saying: .otherPages(frames)))
    }
    if number("uncovered", "canvas") > 0 {
      add(.about("page", .unseen, saying: .canvas))
    }
    if let error = film.marks.first(where: { $0.kind == "error" }),
      let text = error.fields["message"]?.asText
    {
      add(
        .about(
          "page", .error, at: error.time, saying: .scriptError(text), rank: .subject))
    }
  }
}

extension StoryTeller {
  /// So many elements are named that change too little.
  private static let mostSmall = 3

  /// What changes by less than is told of, and by how much.
  fileprivate mutating func tellSmall() {
    var names: [String] = []
    for change in film.small where !ambient.contains(change.name) && names.last != change.name {
      names.append(change.name)
    }
    for name in names.prefix(Self.mostSmall) {
      let changes = film.small.filter { $0.name == name }
      add(
        StoryFact(
          name, .small, saying: .small(changes.map { .init(channel: $1, change: $2) }),
          rank: .remark))
    }
    let more = names.count - Self.mostSmall
    if more > 0 { add(.about("page", .small, saying: .moreSmall(more))) }
  }
}

extension Double {
  /// The number within what an Int holds. 0 of none.
  fileprivate var clamped: Double { isFinite ? Swift.min(Swift.max(self, -1e15), 1e15) : 0 }
}
