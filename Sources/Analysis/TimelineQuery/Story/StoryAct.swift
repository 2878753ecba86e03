import TimelineModel
import TimelineStore

/// Something that was done to a session: a finger's way, a click, a key, a transition that code started.
struct StoryAct {
  enum Kind: String {
    case swipe, click, press, hover, transition
    /// Nothing was done: the recording's beginning.
    case load

    /// Whether somebody did it, who waits for an answer.
    var expectsAnswer: Bool { self == .click || self == .press || self == .hover }

    /// What its answer is counted from, in words.
    var instantInWords: String {
      switch self {
      case .swipe: "the lift"
      case .click: "the click"
      case .press: "the key"
      case .hover: "the pointer came"
      case .transition: "the start"
      case .load: "the beginning"
      }
    }
  }

  enum Axis: String {
    case x, y

    var other: Axis { self == .x ? .y : .x }
    var channel: StoryFilm.Channel { self == .x ? .x : .y }
  }

  /// A place of the finger, in points, and when it was there.
  struct Place {
    var time: Double
    var x: Double
    var y: Double
    /// When the page was told of it; nil: not known.
    var heard: Double?

    func along(_ axis: Axis) -> Double { axis == .x ? x : y }
  }

  /// What the page knew of the finger in each frame of a drive, from the landing on, and when the finger was there.
  struct Knowledge {
    var x: [Double]
    var y: [Double]
    var stamps: [Double]

    func along(_ axis: Axis) -> [Double] { axis == .x ? x : y }
  }

  var kind: Kind
  /// The element that it was done to, as recorded; nil: not known.
  var target: String?
  /// What lay over the target; nil: nothing.
  var cover: String?
  var start: Double
  /// When the finger lifted; for other acts the start.
  var lift: Double
  /// When the next act begins.
  var until = Double.infinity
  var places: [Place] = []
  /// As ``places``, of those that touch handlers were told of.
  var touchPlaces: [Place] = []
  /// When the page was told of the lift, or of the click.
  var heardLift: Double?
  /// Whether the browser took the contact to scroll.
  var isNative = false
  /// How many fingers were down together.
  var fingerCount = 1
  /// The number of the contact whose places these are; nil: it was no contact.
  var contact: Int?

  /// How far the finger went, in points.
  var way: (x: Double, y: Double) {
    guard let first = places.first, let last = places.last else { return (0, 0) }
    return (last.x - first.x, last.y - first.y)
  }

  /// The axis along which it went farther.
  var axis: Axis { abs(way.x) > abs(way.y) ? .x : .y }
}

extension StoryFilm {
  /// So much of a way makes a swipe of a contact, in points; less is a click.
  private static let leastSwipe = 8.0
  /// So many acts are told at most.
  static let mostActs = 40

  /// What was done, in the order of time: contacts, acts that the recording names, without either the transitions,
  /// and without those its beginning.
  func acts(_ transitions: [TransitionRecord]) -> [StoryAct] {
    let named = marks.filter { $0.kind == "action" }
    var contacts = contactActs()
    var acts: [StoryAct] = []
    for mark in named {
      let target = mark.fields["item"]?.text ?? mark.fields["target"]?.text
      switch mark.fields["kind"]?.text {
      case "click", "swipe", "drag", "gesture":
        guard !contacts.isEmpty else { continue }
        var act = contacts.removeFirst()
        act.target = target
        act.cover = mark.fields["cover"]?.text
        if mark.fields["kind"]?.text == "click" {
          act.kind = .click
          // A click is told when the contact ends.
          act.start = act.lift
        }
        acts.append(act)
      case "press":
        acts.append(StoryAct(kind: .press, target: mark.fields["key"]?.text, start: mark.time, lift: mark.time))
      case "hover":
        acts.append(StoryAct(kind: .hover, target: target, start: mark.time, lift: mark.time))
      default: continue
      }
    }
    acts += contacts
    if acts.isEmpty {
      acts = transitions.compactMap { transition in
        guard let start = transition.start?.seconds else { return nil }
        let end = transition.release?.seconds ?? start
        return StoryAct(kind: .transition, start: start, lift: max(start, end))
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

  /// One act for each stretch of time in which fingers are down.
  private func contactActs() -> [StoryAct] {
    var acts: [StoryAct] = []
    var down: Set<Int> = []
    var leader: Int?
    for touch in touches {
      let time = touch.time.seconds
      if touch.phase == .began {
        if down.isEmpty {
          leader = touch.contact
          acts.append(StoryAct(kind: .swipe, start: time, lift: time, contact: leader))
        }
        down.insert(touch.contact)
        if let last = acts.indices.last {
          acts[last].fingerCount = max(acts[last].fingerCount, down.count)
        }
      }
      guard let last = acts.indices.last, down.contains(touch.contact) else { continue }
      let place = StoryAct.Place(
        time: time, x: touch.position.x, y: touch.position.y, heard: touch.heard?.seconds)
      if touch.phase == .began || touch.phase == .moved {
        if touch.contact == leader, time >= acts[last].places.last?.time ?? time {
          acts[last].places.append(place)
          if let told = touch.touchHeard?.seconds {
            var heard = place
            heard.heard = told
            acts[last].touchPlaces.append(heard)
          }
        }
      } else {
        down.remove(touch.contact)
        if touch.contact == leader {
          acts[last].lift = max(time, acts[last].start)
          acts[last].heardLift = touch.heard?.seconds
          acts[last].isNative = touch.phase == .cancelled
        }
      }
    }
    for index in acts.indices {
      if let end = acts[index].places.last?.time { acts[index].lift = max(acts[index].lift, end) }
      let places = acts[index].places
      let reach = max(places.map(\.x).extent, places.map(\.y).extent)
      if reach < Self.leastSwipe {
        acts[index].kind = .click
        acts[index].start = acts[index].lift
      }
    }
    return acts.filter { !$0.places.isEmpty }
  }

  /// The frames in which the finger drives: from the last that did not know of the landing to the last that did not know
  /// of the lift; nil: there are fewer than two.
  func drive(of act: StoryAct) -> ClosedRange<Int>? {
    let knows = act.places.first?.heard != nil
    let (landing, lift) =
      knows
      ? (act.places[0].heard ?? act.start, act.heardLift ?? .infinity) : (act.start, act.lift)
    let instants = knows ? began : times
    // An event that is heard as a frame's callbacks begin is known to that frame.
    let first = max(0, instants.partitioningIndex { $0 >= landing } - 1)
    var last = knows ? instants.partitioningIndex { $0 >= lift } - 1 : index(at: lift)
    if act.until < .infinity { last = min(last, index(at: act.until)) }
    last = min(last, times.count - 1)
    return last > first ? first...last : nil
  }

  /// What the page knew of the finger in each frame of a drive, of places that its handlers were told of.
  func knowledge(_ places: [StoryAct.Place], in drive: ClosedRange<Int>) -> StoryAct.Knowledge? {
    let told = places.filter { $0.heard != nil }.sorted {
      ($0.heard ?? 0, $0.time) < ($1.heard ?? 0, $1.time)
    }
    guard told.count > 1, let first = told.first else { return nil }
    let heard = told.compactMap(\.heard)
    var known = StoryAct.Knowledge(x: [], y: [], stamps: [])
    for frame in drive {
      let count = heard.partitioningIndex { $0 > began[frame] }
      let place = count > 0 ? told[count - 1] : first
      known.x.append(place.x - first.x)
      known.y.append(place.y - first.y)
      known.stamps.append(place.time)
    }
    return known
  }
}
