import KymographCLibrary
import TimelineModel
import TimelineStore

/// What a session showed, frame by frame: the input of ``MotionStory``.
struct StoryFilm {
  /// What one element showed. All arrays have a number for each frame that was read.
  struct Item {
    /// Its name as recorded.
    let name: String
    /// How far its center is from where its carrier would have put it, in points.
    var x: [Double] = []
    var y: [Double] = []
    /// Its size, scale included, in points.
    var width: [Double] = []
    var height: [Double] = []
    /// How it is turned, in radians, without a step of a whole turn.
    var angle: [Double] = []
    /// Its opacity; 0 while it is not shown.
    var alpha: [Double] = []
    var isSeen: [Bool] = []
    /// Its left and top edge in the content, in points.
    var left: [Double] = []
    var top: [Double] = []
    /// The name of what it rides on; nil: nothing that moves.
    var carrier: String?
    /// The first frame in which it is, hidden or not; nil: none.
    var firstRecorded: Int?
    /// Whether it was seen until now.
    fileprivate var wasSeen = false
    /// The first frame in which it is seen.
    var firstSeen = 0

    /// The numbers of a channel.
    func values(_ channel: Channel) -> [Double] {
      switch channel {
      case .x: x
      case .y: y
      case .width: width
      case .height: height
      case .angle: angle
      case .alpha: alpha
      }
    }
  }

  enum Channel: Hashable, CaseIterable {
    case x, y, width, height, angle, alpha

    /// Whether its numbers are lengths.
    var isLength: Bool { self != .angle && self != .alpha }

    /// The least step between two frames that counts as motion.
    var step: Double {
      switch self {
      case .x, .y: 0.15
      case .width, .height: 0.3
      case .angle: 0.002
      case .alpha: 0.004
      }
    }

    /// The least range that counts as motion.
    var range: Double {
      switch self {
      case .x, .y: 1.5
      case .width, .height: 2
      case .angle: 0.02
      case .alpha: 0.03
      }
    }
  }

  /// A declared animation: of a style sheet, or of a script that hands it to the browser.
  struct Declared {
    var item: String
    /// `CSSTransition`, `CSSAnimation` or `Animation`.
    var kind: String
    /// What runs: a property, an animation's name; empty: it has no name.
    var name: String
    var properties: [String]
    /// Seconds.
    var duration: Double
    var delay: Double
    var easing: String
    /// nil: it never ends.
    var iterations: Double?
    /// When it was first seen, in seconds of the session.
    var time: Double
    /// When it began; nil: not yet.
    var start: Double?
  }

  /// Something that the recorder saw happen: an element made anew, an order that turned round, a script's error.
  struct Mark {
    var time: Double
    var kind: String
    var fields: FieldValue
  }

  private let session: SessionRecord
  /// The unit of lengths.
  let unit: String
  /// The unit of the finger's places: as ``unit``, or the device's own.
  let touchUnit: String
  /// The frames that were read, rising.
  private(set) var instants: [Instant] = []
  /// The same in seconds of the session.
  private(set) var times: [Double] = []
  /// When the callbacks of each of them ran; the frame's own time where that is not known.
  private(set) var began: [Double] = []
  /// All frames, also those that were over before they could be read.
  private(set) var clock: FrameClock
  /// The time from one frame to the next, in seconds.
  private(set) var frame = 1.0 / 60
  /// The names of all elements, in the order of people.
  private(set) var names: [String] = []
  /// The elements that changed, in the order of their numbers.
  private(set) var items: [Item] = []
  /// Changes that are too small to be told of, in the order of elements and channels.
  private(set) var small: [SmallChange] = []
  /// What scrolled, by name: its offsets by frame, in points.
  private(set) var scrolls: [(name: String, x: [Double], y: [Double])] = []
  private(set) var declared: [Declared] = []
  private(set) var marks: [Mark] = []
  private(set) var touches: [TouchSample] = []
  /// Where `heard` says what the page knew of the finger.
  private(set) var knowsHeard = false

  /// Reads a session.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in frames, poses, touches and events, in time and memory.
  init(_ session: SessionRecord, in reader: RecordingReader) throws {
    self.session = session
    clock = FrameClock(
      source: .frames, times: [], isMoving: [], refreshRate: session.description.refreshRate)
    clock.displayInterval = try FrameClock.displayInterval(of: session, in: reader)
    let map = TouchMap(session.description)
    unit = session.description.lengthUnit
    touchUnit = map.unit == "device" ? "units of the device" : unit
    let reports = try reader.touches(in: session.number)
    while var touch = try reports.next() {
      touch.position = map.point(of: touch.position)
      // A lift ends its contact wherever it was.
      let isEnd = touch.phase == .ended || touch.phase == .cancelled
      guard touch.position.isFinite || isEnd else { continue }
      touches.append(touch)
    }
    knowsHeard = touches.contains { $0.heard != nil }
    try readMarks(reader)
    try readFrames(reader)
    try readScrolls(reader)
    frame = min(max(clock.interval ?? frame, 1e-3), 0.5)
  }

  /// Whether the recorder found the elements by their motion: one that is not in the first frames had not moved until then.
  private var findsItems: Bool { marks.contains { $0.kind == "uncovered" } }

  /// The newest frame at or before an instant; -1: none.
  func index(at time: Double) -> Int { clock.times.isEmpty ? -1 : times.index(atOrBefore: time) }

  private mutating func readMarks(_ reader: RecordingReader) throws {
    let events = try reader.events(in: session.number)
    while let event = try events.next() {
      guard let value = FieldValue(json: event.fieldsJSON.utf8) else { continue }
      let mark = Mark(time: event.time.seconds, kind: event.kind.rawValue, fields: value)
      if mark.kind == "animation", let animation = Declared(mark) {
        declared.append(animation)
      } else {
        marks.append(mark)
      }
    }
  }

  private mutating func readFrames(_ reader: RecordingReader) throws {
    let identities = try reader.items(in: session.number)
    var places: [ItemHandle: Int] = [:]
    var all: [Item] = []
    for record in identities {
      places[record.handle] = all.count
      all.append(Item(name: record.identity.id))
    }
    var seen: Set<String> = []
    names = StoryWords.inOrder(all.map(\.name).filter { seen.insert($0).inserted })
    var offsets: (x: [Double], y: [Double]) = ([], [])
    let frames = try reader.foldedFrames(in: session.number)
    while let folded = try frames.next() {
      let state = folded.frame.state
      let time = state.time.seconds
      guard state.time > clock.times.last ?? Instant(nanoseconds: .min) else { continue }
      clock.times.append(state.time)
      clock.isMoving.append(state.phase != .idle)
      guard !state.isUnread else { continue }
      instants.append(state.time)
      times.append(time)
      began.append(state.began?.seconds ?? time)
      offsets.x.append(state.contentOffset.x)
      offsets.y.append(state.contentOffset.y)
      var isPresent = [Bool](repeating: false, count: all.count)
      for element in folded.elements {
        guard let place = places[element.item] else { continue }
        isPresent[place] = true
        all[place].take(element.pose, frame: times.count - 1)
      }
      for place in all.indices where !isPresent[place] {
        all[place].take(nil, frame: times.count - 1)
      }
    }
    if findsItems { for place in all.indices { all[place].wasThereBefore() } }
    ride(&all, offsets)
    items = all.filter { item in
      Channel.allCases.contains { item.values($0).extent > $0.range / 3 }
    }
    small = StoryFilm.small(all, isScrolled: max(offsets.x.extent, offsets.y.extent) > 0)
    if max(offsets.x.extent, offsets.y.extent) > 0 {
      scrolls.append(("page", offsets.x, offsets.y))
    }
  }

  /// Takes from each element's way the way of what carries it.
  private mutating func ride(_ all: inout [Item], _ offsets: (x: [Double], y: [Double])) {
    for mark in marks where mark.kind == "carried" {
      guard let name = mark.fields["item"]?.asText, let by = mark.fields["by"]?.asText,
        let place = all.firstIndex(where: { $0.name == name })
      else { continue }
      all[place].carrier = by
    }
    let before = all
    for place in all.indices {
      let item = before[place]
      let carrier = item.carrier.flatMap { by in before.first { $0.name == by } }
      for channel in [Channel.x, .y] {
        let isX = channel == .x
        let own = before[place].values(channel)
        guard let home = own.dropFirst(item.firstSeen).first else { continue }
        var way = own.map { $0 - home }
        if let carrier {
          let edge = isX ? carrier.left : carrier.top
          let size = isX ? carrier.width : carrier.height
          let mine = isX ? item.width : item.height
          let first = item.firstSeen
          guard edge.count == own.count, size[first] > 0 else { continue }
          for index in own.indices {
            // What is scaled with its carrier is scaled about the carrier's edge.
            let scale = size[index] / size[first]
            let isScaled = mine[first] > 0 && abs(mine[index] / mine[first] - scale) < 0.01
            let due = edge[index] + (home - edge[first]) * (isScaled ? scale : 1)
            way[index] = own[index] - due
          }
        }
        // What is fixed to the viewport moves in the content as the content is scrolled.
        let offset = isX ? offsets.x : offsets.y
        if offset.extent > 0, carrier == nil {
          let fixed = zip(way, offset).map { $0 - ($1 - offset[item.firstSeen]) }
          if fixed.extent < way.extent { way = fixed }
        }
        // Until the recorder found it, it rode on what carries it.
        if findsItems, let first = item.firstRecorded {
          for index in 0..<first { way[index] = way[first] }
        }
        if isX { all[place].x = way } else { all[place].y = way }
      }
    }
  }

  private mutating func readScrolls(_ reader: RecordingReader) throws {
    let keys = try reader.keys(in: session.number).filter { $0.name.hasPrefix("scroll:") }
    var found: [(name: String, axis: Character, values: [Double])] = []
    for key in keys {
      let parts = key.name.dropFirst("scroll:".count).split(separator: "@", maxSplits: 1)
      guard parts.count == 2, let axis = parts[0].first, "xy".contains(axis) else { continue }
      var values: [Double] = []
      let samples = try reader.samples(of: key.handle, in: session.number)
      var newest: Double?
      var next = try samples.next()
      let first = next?.sample.value ?? 0
      for time in times {
        while let sample = next?.sample, sample.time.seconds <= time + 1e-9 {
          newest = sample.value
          next = try samples.next()
        }
        values.append(newest ?? first)
      }
      found.append((String(parts[1]), axis, values))
    }
    for (name, axis, values) in found {
      let rest = [Double](repeating: 0, count: times.count)
      if let place = scrolls.firstIndex(where: { $0.name == name }) {
        if axis == "x" { scrolls[place].x = values } else { scrolls[place].y = values }
      } else {
        scrolls.append((name, axis == "x" ? values : rest, axis == "y" ? values : rest))
      }
    }
    scrolls.removeAll { max($0.x.extent, $0.y.extent) < 0.5 }
  }
}

extension StoryFilm.Item {
  /// Takes the next frame; nil: the element is not in it.
  fileprivate mutating func take(_ pose: Pose?, frame: Int) {
    if pose != nil, firstRecorded == nil { firstRecorded = frame }
    let isShown = pose.map { $0.isFinite && !$0.isHidden } ?? false
    isSeen.append(isShown)
    guard isShown, let pose else {
      x.append(x.last ?? 0)
      y.append(y.last ?? 0)
      width.append(width.last ?? 0)
      height.append(height.last ?? 0)
      angle.append(angle.last ?? 0)
      left.append(left.last ?? 0)
      top.append(top.last ?? 0)
      alpha.append(0)
      return
    }
    let (home, one, two) = (
      pose.transform.applied(to: .zero), pose.transform.applied(to: Point2D(x: 1, y: 0)),
      pose.transform.applied(to: Point2D(x: 0, y: 1))
    )
    let size = Size2D(
      width: pose.size.width * hypot(one.x - home.x, one.y - home.y),
      height: pose.size.height * hypot(two.x - home.x, two.y - home.y))
    let center = Point2D(x: pose.center.x + home.x, y: pose.center.y + home.y)
    var turn = atan2(one.y - home.y, one.x - home.x)
    if let last = angle.last { turn = last + (turn - last).remainder(dividingBy: 2 * .pi) }
    let isFirst = !wasSeen
    wasSeen = true
    // Before it was seen, it was where it came.
    if isFirst {
      let count = isSeen.count - 1
      (x, y) = (Array(repeating: center.x, count: count), Array(repeating: center.y, count: count))
      width = Array(repeating: size.width, count: count)
      height = Array(repeating: size.height, count: count)
      angle = Array(repeating: turn, count: count)
      left = Array(repeating: center.x - size.width / 2, count: count)
      top = Array(repeating: center.y - size.height / 2, count: count)
    }
    x.append(center.x)
    y.append(center.y)
    width.append(size.width)
    height.append(size.height)
    angle.append(turn)
    left.append(center.x - size.width / 2)
    top.append(center.y - size.height / 2)
    if isFirst { firstSeen = frame }
    alpha.append(pose.alpha)
  }
}

extension StoryFilm.Item {
  /// Gives it the looks of its first frame before that.
  fileprivate mutating func wasThereBefore() {
    guard let first = firstRecorded else { return }
    for frame in 0..<first {
      isSeen[frame] = isSeen[first]
      alpha[frame] = alpha[first]
    }
  }
}

extension StoryFilm.Declared {
  fileprivate init?(_ mark: StoryFilm.Mark) {
    let fields = mark.fields
    guard let item = fields["item"]?.asText, let duration = fields["duration_ms"]?.asNumber,
      duration.isFinite
    else { return nil }
    self.item = item
    kind = fields["kind"]?.asText ?? ""
    name = fields["name"]?.asText ?? ""
    properties = (fields["properties"]?.asList ?? []).compactMap(\.asText)
    self.duration = duration / 1000
    delay = (fields["delay_ms"]?.asNumber ?? 0) / 1000
    easing = fields["easing"]?.asText ?? "linear"
    iterations = fields["iterations"]?.asNumber ?? (fields["iterations"] == nil ? 1 : nil)
    time = mark.time
    start = fields["start_ns"]?.asNumber.map { $0 / 1e9 }
  }

  /// Whether it ends by itself.
  var isFinite: Bool { iterations != nil }
}

extension Collection<Double> {
  /// The largest number less the smallest; 0 of none.
  var extent: Double { (self.max() ?? 0) - (self.min() ?? 0) }
}

extension [Double] {
  /// The place of the last number that is not above another, of rising ones; -1: none.
  func index(atOrBefore limit: Double) -> Int { partitioningIndex { $0 > limit } - 1 }
}
