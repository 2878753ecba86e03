import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStore

/// Something that was done to a session: a finger's way, a click, a key, a transition that code started.
struct StoryAct {
  enum Kind: String, Sendable {
    case swipe, click, tap
    case longPress = "long press"
    case wheel, press, hover, transition
    /// Nothing was done: the recording's beginning.
    case load

    /// Whether somebody did it, who waits for an answer.
    var expectsAnswer: Bool {
      switch self {
      case .click, .tap, .press, .hover: true
      // A long press is answered while it lasts, and the wheel turns in vain at an end.
      case .swipe, .longPress, .wheel, .transition, .load: false
      }
    }
  }

  var kind: Kind
  /// The element that it was done to, as recorded. `nil`: not known.
  var target: String?
  /// What lay over the target. `nil`: nothing.
  var cover: String?
  var start: Double
  /// When the button or finger of a click or tap went down. `nil` for other acts.
  var landing: Double?
  /// When the finger lifted. For other acts the start.
  var lift: Double
  /// When the next act begins.
  var until = Double.infinity
  /// When a transition ended. `nil`: it did not, or it was none.
  var completion: Double?
  /// The contact whose way it is. `nil`: it was none.
  var contact: Contact?
  /// How many fingers were down together.
  var fingerCount = 1
  /// How far two fingers were apart, and how they moved. `nil`: two were never down together.
  var spread: FingerSpread?
  /// How far the finger was sent. `nil`: its places tell it.
  var givenWay: (x: Double, y: Double)?

  /// When something can answer it at the earliest.
  var begin: Double { landing ?? start }

  /// How far the finger went, in points.
  var way: (x: Double, y: Double) {
    if let givenWay { return givenWay }
    let path = contact?.path.map(\.position) ?? []
    guard let first = path.first, let last = path.last else { return (0, 0) }
    return (last.x - first.x, last.y - first.y)
  }

  /// Whether the browser took the contact to scroll.
  var isNative: Bool { contact?.isCancelled ?? false }

  /// What its settle is counted from.
  var settleInstant: StoryInstant {
    kind == .transition && lift > start ? .release : .act(kind)
  }

  /// Makes a press of it, which counts from its lift.
  mutating func press(as kind: Kind) {
    self.kind = kind
    landing = contact?.landing?.seconds ?? start
    start = lift
  }

  /// Whether two fingers pinched: their distance changed clearly, and more than they went together.
  var isPinch: Bool { fingerCount == 2 && spread?.isPinch == true }

  /// The axis along which it went farther.
  var axis: FingerAxis { abs(way.x) > abs(way.y) ? .x : .y }
}

/// How far two fingers were apart when the second one landed, when they were last down together, and in between.
struct FingerSpread {
  private typealias Pair = (one: Point2D, other: Point2D)

  private let from: Pair
  private var to: Pair
  /// The two when their distance had changed most.
  private var farthest: Pair

  /// So much of a change of distance makes a pinch, as a share of the larger distance. Less is the hand's unrest.
  private static let leastChange = 0.1

  init(_ one: Point2D, _ other: Point2D) {
    from = (one, other)
    (to, farthest) = (from, from)
  }

  mutating func move(_ one: Point2D, _ other: Point2D) {
    to = (one, other)
    if change(to) > change(farthest) { farthest = to }
  }

  var first: Double { Self.distance(from.one, from.other) }
  var last: Double { Self.distance(to.one, to.other) }
  /// The distance in between from which the fingers went back clearly. `nil`: they did not.
  var turn: Double? {
    let most = Self.distance(farthest.one, farthest.other)
    return abs(most - last) > Self.leastChange * max(most, last) ? most : nil
  }

  fileprivate var isPinch: Bool {
    let change = change(farthest)
    let together = Self.distance(Self.middle(from), Self.middle(farthest))
    return change >= StoryFilm.leastSwipe && change >= together
      && change > Self.leastChange * max(first, Self.distance(farthest.one, farthest.other))
  }

  private func change(_ pair: Pair) -> Double {
    abs(Self.distance(pair.one, pair.other) - first)
  }

  private static func distance(_ one: Point2D, _ other: Point2D) -> Double {
    let (x, y) = (other.x - one.x, other.y - one.y)
    return (x * x + y * y).squareRoot()
  }

  private static func middle(_ pair: Pair) -> Point2D {
    Point2D(x: (pair.one.x + pair.other.x) / 2, y: (pair.one.y + pair.other.y) / 2)
  }
}

extension StoryFilm {
  /// So much of a way makes a swipe of a contact, in points. Less is a click.
  fileprivate static let leastSwipe = 8.0
  /// So many acts are told at most.
  static let mostActs = 40

  /// What was done, in the order of time: contacts, acts that the recording names, without either the transitions,
  /// and without those its beginning.
  func acts(_ transitions: [TransitionRecord]) -> [StoryAct] {
    let named = marks.filter { $0.kind == "action" }
    var contacts = contactActs()
    var acts: [StoryAct] = []
    for mark in named {
      let target = mark.fields["item"]?.asText ?? mark.fields["target"]?.asText
      switch mark.fields["kind"]?.asText {
      case "click", "tap", "long-press", "swipe", "drag", "pinch", "gesture":
        guard !contacts.isEmpty else { continue }
        var act = contacts.removeFirst()
        act.target = target
        act.cover = mark.fields["cover"]?.asText
        switch mark.fields["kind"]?.asText {
        case "click": act.press(as: .click)
        case "tap": act.press(as: .tap)
        case "long-press":
          act.kind = .longPress
          act.start = act.contact?.landing?.seconds ?? act.start
          act.lift = act.start
        default:
          act.kind = .swipe
          act.start = act.contact?.landing?.seconds ?? act.start
          // Of a contact that the browser takes to scroll, only the action knows the rest.
          if act.isNative {
            act.lift = max(act.lift, mark.fields["end_ns"]?.asNumber.map { $0 / 1e9 } ?? act.lift)
            let way = (mark.fields["way"]?.asList ?? []).compactMap(\.asNumber)
            if way.count == 2 { act.givenWay = (way[0], way[1]) }
          }
        }
        acts.append(act)
      case "press":
        acts.append(
          StoryAct(
            kind: .press, target: mark.fields["key"]?.asText, start: mark.time, lift: mark.time))
      case "hover":
        acts.append(StoryAct(kind: .hover, target: target, start: mark.time, lift: mark.time))
      case "wheel":
        acts.append(StoryAct(kind: .wheel, target: target, start: mark.time, lift: mark.time))
      default: continue
      }
    }
    acts += contacts
    if acts.isEmpty {
      acts = transitions.compactMap { transition in
        guard let start = transition.start?.seconds else { return nil }
        let next = transitions.compactMap { $0.start?.seconds }.filter { $0 > start }.min()
        let asked = marks.first {
          ["finish", "cancel"].contains($0.kind) && $0.time >= start && $0.time < next ?? .infinity
        }?.time
        // Where no decision was recorded, the end that was asked for first releases what goes on, or ends what is at rest.
        let released = asked.flatMap { goesOn(after: $0, from: start, until: next) ? $0 : nil }
        let end = transition.release?.seconds ?? released ?? start
        var act = StoryAct(kind: .transition, start: start, lift: max(start, end))
        act.completion = transition.completion?.seconds ?? (released == nil ? asked : nil)
        return act
      }
    }
    if acts.isEmpty, let first = times.first {
      acts = [StoryAct(kind: .load, start: first, lift: first)]
    }
    acts.sort { $0.start < $1.start }
    acts = Array(acts.prefix(Self.mostActs))
    for index in acts.indices.dropLast() { acts[index].until = acts[index + 1].start }
    return acts
  }

  /// Whether anything moves after the end of a transition was asked for, by more than what is taken for rest.
  private func goesOn(after asked: Double, from start: Double, until next: Double?) -> Bool {
    let end = next.map { next in times.partitioningIndex { $0 >= next } } ?? times.count
    // The first frame behind it may show what was set before it.
    let after = times.partitioningIndex { $0 > asked }..<end
    let whole = max(0, times.partitioningIndex { $0 >= start } - 1)..<end
    guard after.count > 1 else { return false }
    return items.contains { item in
      ElementTrack.Channel.allCases.contains { channel in
        let values = item.values(channel)
        let rest = Settle.usualPercent / 100 * values[whole].extent
        return values[after].extent >= max(channel.range, rest)
      }
    }
  }

  /// One act for each stretch of time in which fingers are down.
  private func contactActs() -> [StoryAct] {
    var acts: [StoryAct] = []
    var down: Set<Int> = []
    var places: [Int: Point2D] = [:]
    var leader: Int?
    // The two that were last down alone together, and when the first of them lifted.
    var pair: (contacts: [Int], until: Double) = ([], -.infinity)
    for touch in touches {
      let time = touch.time.seconds
      if touch.phase == .began {
        if down.isEmpty {
          leader = touch.contact
          acts.append(
            StoryAct(
              kind: .swipe, start: time, lift: time, contact: Contact(number: touch.contact)))
        }
        down.insert(touch.contact)
        if let last = acts.indices.last {
          acts[last].fingerCount = max(acts[last].fingerCount, down.count)
        }
      }
      guard let last = acts.indices.last, down.contains(touch.contact) else { continue }
      let isPlaced = touch.reportsPosition(after: places[touch.contact])
      if isPlaced {
        places[touch.contact] = touch.position
        // Two that lift at one instant lift together.
        if down.count == 2 { pair = (down.sorted(), .infinity) }
        if down.count == 2 || pair.until == time && pair.contacts.contains(touch.contact),
          let one = places[pair.contacts[0]], let other = places[pair.contacts[1]]
        {
          if acts[last].spread == nil { acts[last].spread = FingerSpread(one, other) }
          acts[last].spread?.move(one, other)
        }
      }
      if touch.contact == leader { acts[last].contact?.take(touch) }
      if touch.phase != .began, touch.phase != .moved {
        down.remove(touch.contact)
        if down.count == 1 { pair.until = min(pair.until, time) }
        if touch.contact == leader { acts[last].lift = max(time, acts[last].start) }
      }
    }
    for index in acts.indices {
      acts[index].contact?.take(lifts)
      let path = acts[index].contact?.path ?? []
      if let end = path.last?.time.seconds { acts[index].lift = max(acts[index].lift, end) }
      let reach = max(path.map(\.position.x).extent, path.map(\.position.y).extent)
      // Of a pinch one finger may rest.
      if reach < Self.leastSwipe, !acts[index].isPinch {
        acts[index].press(as: .click)
      }
    }
    return acts.filter { $0.contact?.samples.isEmpty == false }
  }

  /// The drive of an act's contact along its axis. `nil`: it is in fewer than two frames.
  func drive(of act: StoryAct) -> Drive? {
    let end = act.until < .infinity ? Instant(seconds: act.until) : nil
    let drive = act.contact.flatMap { Drive($0, along: act.axis, until: end, in: read) }
    return drive?.frames == nil ? nil : drive
  }

  /// What elements or scrollers show, frame by frame.
  func shown(_ values: [Double], noise: Double = DispatchedFollow.noise) -> Drive.Shown {
    Drive.Shown(times: instants, values: values, noise: noise)
  }
}

extension FingerAxis {
  var other: FingerAxis { self == .x ? .y : .x }
  var channel: ElementTrack.Channel { self == .x ? .x : .y }
}
