import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStore

/// What a session showed, frame by frame: the input of ``MotionStory``.
struct StoryFilm {
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
  /// The frames that were read.
  private(set) var read = ReadFrames()
  /// When they were shown, in seconds of the session.
  private(set) var times: [Double] = []
  /// All frames, also those that were over before they could be read.
  private(set) var clock: Frames
  /// The time from one frame to the next, in seconds.
  private(set) var frame = 1.0 / 60
  /// The names of all elements, in the order of people.
  private(set) var names: [String] = []
  /// The elements that changed, in the order of their numbers.
  private(set) var items: [ElementTrack] = []
  /// Changes that are too small to be told of, in the order of elements and channels.
  private(set) var small: [SmallChange] = []
  /// What scrolled, by name: its offsets by frame, in points.
  private(set) var scrolls: [(name: String, x: [Double], y: [Double])] = []
  /// The size of the page's window. `nil`: the recording does not say it.
  private(set) var window: Size2D?
  /// The jumps of endless rows that were taken out of ``items``.
  private(set) var wraps: [StoryWrap] = []
  private(set) var declared: [DeclaredAnimation] = []
  private(set) var marks: [Mark] = []
  /// The rows of items that a page's recorder found.
  private(set) var rows: [StoryRow] = []
  private(set) var touches: [TouchSample] = []
  /// When fingers lifted, of a session of pictures.
  let lifts: LiftIntervals
  /// Whether all of it was read from pictures, which say nothing of what an app did between them, or when it heard of a
  /// finger.
  private(set) var isVideo = false
  /// Where `heard` says what the page knew of the finger.
  private(set) var knowsHeard = false

  /// Reads a session.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in frames, poses, touches and events, in time and memory.
  init(_ session: SessionRecord, in reader: RecordingReader) throws {
    self.session = session
    clock = Frames(refreshRate: session.description.refreshRate)
    unit = session.description.lengthUnit
    touchUnit = TouchMap(session.description).unit == "device" ? "units of the device" : unit
    let source = FileSource(session, in: reader)
    lifts = try LiftIntervals(source)
    try source.forEachTouch(endsAlone: false) { touch in
      // A lift ends its contact wherever it was.
      let isEnd = touch.phase == .ended || touch.phase == .cancelled
      guard touch.position.isFinite || isEnd else { return }
      touches.append(touch)
    }
    try readMarks(source)
    isVideo = try source.isOfPictures()
    try readFrames(source)
    window =
      marks.lazy.compactMap { mark -> Size2D? in
        guard mark.kind == "action", let size = mark.fields["viewport"]?.asList,
          let width = size.first?.asNumber, let height = size.last?.asNumber
        else { return nil }
        return width > 0 && height > 0 ? Size2D(width: width, height: height) : nil
      }.first
    knowsHeard = read.saysBegan && touches.contains { $0.heard != nil }
    try readScrolls(source)
    frame = min(max(clock.interval ?? frame, 1e-3), 0.5)
    takeOutWraps()
  }

  /// Takes a wrap out of its element's way.
  mutating func take(out wrap: StoryWrap) {
    guard let index = items.firstIndex(where: { $0.name == wrap.item }) else { return }
    items[index].shift(wrap.axis.channel, by: -wrap.way, from: wrap.frame)
    wraps.append(wrap)
  }

  /// When the frames that were read were shown, rising.
  var instants: [Instant] { read.times }

  /// The newest frame at or before an instant. -1: none.
  func index(at time: Double) -> Int { clock.times.isEmpty ? -1 : times.index(atOrBefore: time) }

  private mutating func readMarks(_ source: some SessionSource) throws {
    try source.forEachEvent { event in
      guard let value = FieldValue(json: event.fieldsJSON.utf8) else { return }
      let mark = Mark(time: event.time.seconds, kind: event.kind.rawValue, fields: value)
      if mark.kind == "animation", let animation = DeclaredAnimation(mark) {
        declared.append(animation)
      } else if let row = StoryRow(mark) {
        rows.append(row)
      } else {
        marks.append(mark)
      }
    }
  }

  private mutating func readFrames(_ source: some SessionSource) throws {
    let carriers = marks.filter { $0.kind == "carried" }.compactMap { mark in
      mark.fields["item"]?.asText.flatMap { item in
        mark.fields["by"]?.asText.map { (item: item, carrier: $0) }
      }
    }
    // An element that the recorder found by its motion had not moved until then.
    let all = try Elements(source)
    let elements = (isVideo ? all.withoutLosses() : all).relativeToCarriers(
      carriers, findsElements: marks.contains { $0.kind == "uncovered" })
    read = elements.read
    times = instants.map(\.seconds)
    clock = elements.frames
    var seen: Set<String> = []
    names = Wording.inOrder(elements.all.map(\.name).filter { seen.insert($0).inserted })
    items = elements.all.filter { item in
      ElementTrack.Channel.allCases.contains { item.values($0).extent > $0.range / 3 }
    }
    let offsets = (x: elements.offsets.map(\.x), y: elements.offsets.map(\.y))
    let isScrolled = max(offsets.x.extent, offsets.y.extent) > 0
    small = StoryFilm.small(elements.all, isScrolled: isScrolled)
    if isScrolled { scrolls.append(("page", offsets.x, offsets.y)) }
  }

  private mutating func readScrolls(_ source: some SessionSource) throws {
    var parts = SessionParts()
    parts.add(.key("scroll:*"), isDense: true)
    var found: [(name: String, axis: Character, values: [Double])] = []
    for track in try SessionData(source, reading: parts).tracks.all {
      let parts = track.name.dropFirst("scroll:".count).split(separator: "@", maxSplits: 1)
      guard parts.count == 2, let axis = parts[0].first, "xy".contains(axis) else { continue }
      let first = track.curve.values.first ?? 0
      let values = instants.map {
        track.curve.heldValue(at: $0.advanced(byNanoseconds: 1)) ?? first
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

extension [Double] {
  /// The place of the last number that is not above another, of rising ones. -1: none.
  func index(atOrBefore limit: Double) -> Int { partitioningIndex { $0 > limit } - 1 }
}

extension ElementTrack.Channel {
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

extension StoryFilm {
  /// A channel of an element that changes by less than is told of.
  typealias SmallChange = (name: String, channel: ElementTrack.Channel, change: Double)

  /// The changes of elements that are too small to be told of, and more than rounding.
  static func small(_ all: [ElementTrack], isScrolled: Bool) -> [SmallChange] {
    var found: [SmallChange] = []
    for item in all {
      let changes = ElementTrack.Channel.allCases.map { ($0, item.values($0).extent) }
      let isTold = changes.contains { $1 >= $0.range }
      for (channel, change) in changes where change < channel.range && change > channel.rounding {
        // What moves is off by parts of a point in other respects, and so is what rides or is scrolled.
        let isPlace = channel == .x || channel == .y
        let isRiding = item.carrier != nil || isScrolled
        guard channel == .alpha || !isTold, !isPlace || !isRiding else { continue }
        found.append((item.name, channel, change))
      }
    }
    return found
  }
}

extension ElementTrack.Channel {
  /// A range that is no more than rounding.
  var rounding: Double {
    switch self {
    case .x, .y, .width, .height: 0.05
    case .angle: 0.000_5
    case .alpha: 0.000_5
    }
  }
}
