import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// What one element changes after an act beside its geometry.
  struct Look {
    var item: String
    var what: [String]
    /// The instants of the frames that show a change, rising, in seconds of the session.
    var times: [Double]
    /// The animation that was declared for it.
    var declared: DeclaredAnimation?
    /// Whether it answers the act. What a press alone shows, and a focus, does not.
    var isAnswer: Bool

    /// When it begins.
    var start: Double {
      declared.map { ($0.start ?? $0.time) + $0.delay } ?? times.first ?? 0
    }
  }

  /// The most elements that change after an act and are told of.
  private static let mostLooks = 8
  /// A style that was not read before it changed: whether it shows anything is not known.
  private static let unread = "unread"

  /// Whether all that may answer an act can be read.
  func canBeRead(_ act: StoryAct) -> Bool {
    let hasCanvas = film.marks.contains {
      $0.kind == "uncovered" && ($0.fields["canvas"]?.asNumber ?? 0) > 0
    }
    let isFrame = act.target?.hasPrefix("iframe") == true
    let span = act.start - StoryTeller.early..<act.until
    let isUnread = film.marks.contains {
      $0.kind == "change" && $0.fields["what"]?.asText == Self.unread && span.contains($0.time)
    }
    return !hasCanvas && !isFrame && !isUnread
  }

  /// A frame's own time may be so much before an instant that it shows, in seconds.
  private static let early = 0.005

  /// What changes after an act beside geometry, also while a finger presses, in the order of time.
  func looks(after number: Int) -> [Look] {
    let act = acts[number]
    let press = act.kind == .click ? act.contact?.landing?.seconds ?? act.start : act.start
    let begin = act.kind == .swipe ? film.times[framesAfter(number).lowerBound] : press
    guard act.kind != .load else { return [] }
    let span = begin - Self.early..<max(begin, act.until)
    var found: [Look] = []
    var pressed: Set<String> = []
    for mark in film.marks where mark.kind == "change" && span.contains(mark.time) {
      guard let item = mark.fields["item"]?.asText, let what = mark.fields["what"]?.asText,
        what != Self.unread, !ambient.contains(item)
      else { continue }
      let isOfPress = item == act.target && (what == "outline" || mark.time < act.start)
      if isOfPress { pressed.insert(what) }
      let isAnswer = item != act.target || !pressed.contains(what)
      if let place = found.firstIndex(where: { $0.item == item }) {
        if !found[place].what.contains(what) { found[place].what.append(what) }
        if found[place].times.last != mark.time { found[place].times.append(mark.time) }
        if isAnswer, !found[place].isAnswer { found[place].isAnswer = true }
      } else {
        found.append(Look(item: item, what: [what], times: [mark.time], isAnswer: isAnswer))
      }
    }
    let moving = Set((answers[number] ?? []).map(\.item.name))
    let running = film.declared.filter {
      $0.isFinite && span.contains($0.time) && $0.duration > 0 && !moving.contains($0.item)
    }
    for animation in running {
      let names = animation.properties.filter { !$0.isEmpty }
      if let place = found.firstIndex(where: { $0.item == animation.item }) {
        let isOf = !Set(names).isDisjoint(with: found[place].what)
        if found[place].declared == nil, isOf || names.isEmpty {
          found[place].declared = animation
          found[place].what += names.filter { !found[place].what.contains($0) }
        }
      } else if !Self.isGeometry(names) {
        found.append(
          Look(
            item: animation.item, what: names, times: [animation.time], declared: animation,
            isAnswer: true))
      }
    }
    return found.sorted { $0.start < $1.start }
  }

  /// Whether an animation moves what it animates, which its frames tell of.
  private static func isGeometry(_ names: [String]) -> Bool {
    names.isEmpty
      || names.allSatisfy {
        ["transform", "translate", "scale", "rotate", "opacity", "width", "height"].contains($0)
      }
  }

  /// Tells what changes after an act beside geometry.
  mutating func tell(_ looks: [Look], _ number: Int) {
    let act = acts[number]
    for look in looks.prefix(Self.mostLooks) {
      let last = max(0, (look.times.last ?? act.start) - act.start)
      var told = StoryDetail.LookChange(
        what: look.what, end: .atOnce, after: .act(act.kind))
      if let animation = look.declared {
        told.end = .declared(animation)
        let duration = animation.duration * 1000
        add(
          StoryFact(
            look.item, .duration, Estimated(duration, low: duration - 2, high: duration + 2),
            unit: "ms", rank: .silent))
        add(StoryFact(look.item, .easing, saying: .easing(animation), rank: .silent))
      } else if look.times.count > 1 {
        told.end = .frames(look.times.count, last: last)
      }
      add(
        StoryFact(
          look.item, .changes, at: look.start, saying: .changes(told),
          rank: look.declared != nil || look.times.count > 2 ? .motion : .detail))
    }
    let more = looks.count - Self.mostLooks
    if more > 0 {
      add(.about("page", .changes, at: act.start, saying: .moreChange(more), rank: .detail))
    }
  }
}
