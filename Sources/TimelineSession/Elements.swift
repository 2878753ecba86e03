import KymographCLibrary
package import TimelineModel
import TimelineStore

/// All elements over one clock of frames: a value for each frame that was read.
package struct Elements: Sendable {
  /// The frames that were read.
  package private(set) var read = ReadFrames()
  /// All frames, also those that were over before they could be read.
  package private(set) var frames: Frames
  /// The content offset in each frame that was read, in points.
  package private(set) var offsets: [Point2D] = []
  /// The elements, in the order of their numbers.
  package private(set) var all: [ElementTrack]

  /// Reads a session's frames. Those whose time does not rise are left out.
  ///
  /// - Throws: `StoreError` when the recording cannot be read.
  /// - Complexity: linear in frames times elements, in time and memory: about 100 bytes for each.
  package init(_ source: some SessionSource) throws {
    let items = try source.items()
    frames = Frames(refreshRate: source.session.description.refreshRate)
    frames.displayInterval = try Frames.displayInterval(of: source)
    all = items.map { ElementTrack(name: $0.identity.id) }
    try source.forEachPose(of: items, includesUnread: true) { state, poses in
      guard frames.times.last.map({ state.time > $0 }) ?? true else { return true }
      frames.times.append(state.time)
      frames.isMoving.append(state.phase != .idle)
      guard !state.isUnread else { return true }
      for index in all.indices { all[index].take(poses[index], frame: read.times.count) }
      read.add(state)
      offsets.append(state.contentOffset)
      return true
    }
  }
}

extension Elements {
  /// The same of elements that were measured in pictures, in which one that is away was only lost.
  ///
  /// A frame in which an element is lost for a while is left out. Before an element was found first, and after it was lost for
  /// good, it has the looks of the nearest frame: nobody knows what it did. An opacity that changes by less than it is known
  /// to does not change.
  package func withoutLosses() -> Elements {
    var whole = self
    let kept = read.times.indices.filter { frame in
      all.allSatisfy { item in
        item.isShown[frame] || !item.isShown[..<frame].contains(true)
          || !item.isShown[frame...].contains(true)
      }
    }
    whole.read = read.keeping(kept)
    whole.offsets = kept.map { offsets[$0] }
    for index in all.indices { whole.all[index].keepSeen(kept) }
    return whole
  }
}

/// What one element showed. All columns have a number for each frame that was read.
package struct ElementTrack: Sendable {
  /// A number that an element shows.
  package enum Channel: Int, Hashable, CaseIterable, Sendable {
    case x, y, width, height, angle, alpha
  }

  /// Its name as recorded.
  package let name: String
  /// Its center, in points. ``Elements/relativeToCarriers(_:findsElements:)`` has the distance from where its carrier would
  /// have put it. Then its size, scale included, in points. How it is turned, in radians without a step of a whole turn. Its
  /// opacity, 0 while it is not shown.
  fileprivate var columns = Array(repeating: [Double](), count: Channel.allCases.count)
  /// Its left edge in the content, in points.
  package private(set) var left: [Double] = []
  /// Its top edge in the content, in points.
  package private(set) var top: [Double] = []
  package private(set) var isShown: [Bool] = []
  /// The name of what it rides on. `nil`: nothing that moves.
  package fileprivate(set) var carrier: String?
  /// The last frame in which it was seen, of what was measured in pictures. `nil` of others.
  package private(set) var lastSeen: Int?
  /// The first frame in which it is, hidden or not. `nil`: none.
  package private(set) var firstRecorded: Int?
  /// The first frame in which it is shown. 0 if it never is.
  package private(set) var firstShown = 0
  private var wasShown = false

  init(name: String) { self.name = name }

  /// The numbers of a channel.
  package func values(_ channel: Channel) -> [Double] { columns[channel.rawValue] }

  package var x: [Double] { columns[0] }
  package var y: [Double] { columns[1] }
  package var width: [Double] { columns[2] }
  package var height: [Double] { columns[3] }
  package var angle: [Double] { columns[4] }
  package var alpha: [Double] { columns[5] }

  private static let placed: [Channel] = [.x, .y, .width, .height, .angle]

  /// Takes the next frame. `nil`: the element is not in it.
  fileprivate mutating func take(_ pose: Pose?, frame: Int) {
    if pose != nil, firstRecorded == nil { firstRecorded = frame }
    guard let pose, pose.isFinite, !pose.isHidden else {
      isShown.append(false)
      append(Self.placed.map { columns[$0.rawValue].last ?? 0 }, left.last ?? 0, top.last ?? 0, 0)
      return
    }
    isShown.append(true)
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
    let values = [center.x, center.y, size.width, size.height, turn]
    let corner = Point2D(x: center.x - size.width / 2, y: center.y - size.height / 2)
    if !wasShown {
      // Before it was shown, it was where it came.
      for (channel, value) in zip(Self.placed, values) {
        columns[channel.rawValue] = Array(repeating: value, count: frame)
      }
      left = Array(repeating: corner.x, count: frame)
      top = Array(repeating: corner.y, count: frame)
      (wasShown, firstShown) = (true, frame)
    }
    append(values, corner.x, corner.y, pose.alpha)
  }

  /// Moves what it shows from a frame on, along an axis.
  package mutating func shift(_ channel: Channel, by way: Double, from frame: Int) {
    for index in frame..<max(frame, isShown.count) {
      columns[channel.rawValue][index] += way
      switch channel {
      case .x: left[index] += way
      case .y: top[index] += way
      case .width, .height, .angle, .alpha: break
      }
    }
  }

  /// Keeps some frames, and its looks where it was not yet found, or is lost for good.
  fileprivate mutating func keepSeen(_ frames: [Int]) {
    for column in columns.indices { columns[column] = frames.map { columns[column][$0] } }
    (left, top) = (frames.map { left[$0] }, frames.map { top[$0] })
    isShown = frames.map { isShown[$0] }
    guard let first = isShown.firstIndex(of: true), let last = isShown.lastIndex(of: true) else {
      return
    }
    let seen = Channel.alpha.rawValue
    let opacities = columns[seen][first...last]
    if opacities.extent < ElementErrors.leastFade {
      columns[seen] = isShown.map { _ in opacities[first] }
    } else {
      for index in isShown.indices where index < first || index > last {
        columns[seen][index] = opacities[index < first ? first : last]
      }
    }
    lastSeen = last
    isShown = isShown.map { _ in true }
    (firstRecorded, firstShown) = (0, 0)
  }

  private mutating func append(_ values: [Double], _ left: Double, _ top: Double, _ alpha: Double) {
    for (channel, value) in zip(Self.placed, values) { columns[channel.rawValue].append(value) }
    self.left.append(left)
    self.top.append(top)
    columns[Channel.alpha.rawValue].append(alpha)
  }
}

// MARK: - Riding

extension Elements {
  /// The same with each element's way less the way of what carries it, or less the scroll if it is fixed to the viewport.
  ///
  /// - Parameters:
  ///   - carriers: The names of elements and of what carries each.
  ///   - findsElements: Whether the recorder found elements by their motion: one that is not in the first frames had not
  ///     moved until then.
  package func relativeToCarriers(
    _ carriers: [(item: String, carrier: String)], findsElements: Bool
  ) -> Elements {
    var riding = self
    if findsElements { for index in all.indices { riding.all[index].wasThereBefore() } }
    for (item, carrier) in carriers {
      guard let index = all.firstIndex(where: { $0.name == item }) else { continue }
      riding.all[index].carrier = carrier
    }
    let before = riding.all
    for index in before.indices {
      let carrier = before[index].carrier.flatMap { by in before.first { $0.name == by } }
      if findsElements, let carrier, carrier.angle.extent > ElementTrack.leastTurn {
        riding.all[index].turnBack(with: carrier)
        continue
      }
      for (channel, offset) in [
        (ElementTrack.Channel.x, offsets.map(\.x)), (.y, offsets.map(\.y)),
      ] {
        let way = before[index].way(
          along: channel, on: carrier, offset: offset, findsElements: findsElements)
        if let way { riding.all[index].columns[channel.rawValue] = way }
      }
    }
    return riding
  }
}

extension ElementTrack {
  /// Gives it the looks of its first frame before that.
  fileprivate mutating func wasThereBefore() {
    guard let first = firstRecorded else { return }
    for frame in 0..<first {
      isShown[frame] = isShown[first]
      columns[Channel.alpha.rawValue][frame] = alpha[first]
    }
  }

  /// What turns by less does not turn, in radians.
  fileprivate static let leastTurn = 0.01

  /// Takes off what a carrier that turns does: its way, its turn about its center, and its scale.
  fileprivate mutating func turnBack(with carrier: ElementTrack) {
    let first = firstShown
    guard x.indices.contains(first), isShown[first], carrier.x.count == x.count else { return }
    let (own, arm) = (self, Point2D(x: x[first] - carrier.x[first], y: y[first] - carrier.y[first]))
    for index in x.indices {
      let turn = carrier.angle[index] - carrier.angle[first]
      let scale = carrier.width[first] > 0 ? carrier.width[index] / carrier.width[first] : 1
      let (across, down) = (arm.x * scale, arm.y * scale)
      columns[Channel.x.rawValue][index] =
        own.x[index] - carrier.x[index] - (across * cos(turn) - down * sin(turn))
      columns[Channel.y.rawValue][index] =
        own.y[index] - carrier.y[index] - (across * sin(turn) + down * cos(turn))
      columns[Channel.angle.rawValue][index] = own.angle[index] - turn
    }
    for index in x.indices where !isShown[index] {
      for channel in [Channel.x, .y, .angle] {
        let place = index < first ? first : index - 1
        columns[channel.rawValue][index] = columns[channel.rawValue][place]
      }
    }
  }

  /// Its way along an axis beside that of its carrier and of the content's offset. `nil`: it is not known.
  fileprivate func way(
    along channel: Channel, on carrier: ElementTrack?, offset: [Double], findsElements: Bool
  ) -> [Double]? {
    let own = values(channel)
    guard let home = own.dropFirst(firstShown).first else { return nil }
    var way = own.map { $0 - home }
    if let carrier {
      let isX = channel == .x
      let edge = isX ? carrier.left : carrier.top
      let size = isX ? carrier.width : carrier.height
      let mine = isX ? width : height
      guard edge.count == own.count else { return nil }
      // What has no size scales nothing.
      func scale(_ index: Int) -> Double {
        size[firstShown] > 0 ? size[index] / size[firstShown] : 1
      }
      // What is scaled with its carrier is scaled about the carrier's edge. What grows with it is another size.
      let isScaled =
        mine[firstShown] > 0
        && own.indices.allSatisfy { index in
          !isShown[index] || abs(mine[index] / mine[firstShown] - scale(index)) < 0.01
        }
      for index in own.indices {
        let scale = scale(index)
        let due = edge[index] + (home - edge[firstShown]) * (isScaled ? scale : 1)
        way[index] = own[index] - due
      }
    }
    // What is fixed to the viewport moves in the content as the content is scrolled.
    if offset.extent > 0, carrier == nil {
      let fixed = zip(way, offset).map { $0 - ($1 - offset[firstShown]) }
      if fixed.extent < way.extent { way = fixed }
    }
    // What is not there does not ride. What is never there has nowhere to stay.
    if findsElements, isShown[firstShown] {
      for index in own.indices where !isShown[index] {
        way[index] = way[index < firstShown ? firstShown : index - 1]
      }
    }
    // Until the recorder found it, it rode on what carries it.
    if findsElements, let first = firstRecorded {
      for index in 0..<first { way[index] = way[first] }
    }
    return way
  }
}

extension Collection<Double> {
  /// The largest number less the smallest. 0 of none.
  package var extent: Double { (self.max() ?? 0) - (self.min() ?? 0) }
}
