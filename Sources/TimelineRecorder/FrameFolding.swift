import TimelineModel
import TimelineStore

/// What is known of the frames so far: which elements are present, and their poses.
struct FrameFolding {
  /// One element: how it stood in the last frame kept, and how it stands in the open one.
  private struct Element {
    var kept = ElementFolding.empty
    var given = ElementFolding.empty
    /// The open frame's turn in which `given` was set.
    var turn: Int64 = -1
  }

  private struct ElementFolding {
    var pose: Pose
    var indexPath: IndexPath

    static let empty = ElementFolding(
      pose: Pose(center: .zero, size: .zero), indexPath: IndexPath(section: 0, item: 0))

    func isSame(as other: ElementFolding) -> Bool {
      indexPath == other.indexPath && pose.hasSameBits(as: other.pose)
    }
  }

  /// A full key frame stands at most this far from the last one, so that the state at a moment is
  /// found quickly and a 1 Hz film of the session is plain rows. Nanoseconds of the session's time.
  private static let keyFrameNanoseconds: Int64 = 1_000_000_000

  /// And at most this many frames: five seconds at 120 Hz, for a session whose time stands still.
  private static let keyFrameFrames = 600

  private(set) var open: FrameState?
  /// The number of the next frame.
  private(set) var number: Int64 = 0
  private var turn: Int64 = 0
  private var elements: ContiguousArray<Element> = []
  /// Elements of the last frame kept, in the order of their numbers.
  private var present: ContiguousArray<Int32> = []
  /// Elements of the open frame in the order given.
  private var given: ContiguousArray<Int32> = []
  private var lastKeyFrame: Instant?
  private var framesSinceKey = 0

  mutating func addItem() { elements.append(Element()) }

  mutating func begin(_ state: FrameState) {
    open = state
    turn += 1
    given.removeAll(keepingCapacity: true)
  }

  func isKnown(_ item: ItemHandle) -> Bool { elements.indices.contains(Int(item.rawValue)) }

  /// Sets an element's pose in the open frame; the last call for an element counts.
  mutating func set(_ pose: Pose, _ indexPath: IndexPath, of item: ItemHandle) {
    let index = Int(item.rawValue)
    elements[index].given = ElementFolding(pose: pose, indexPath: indexPath)
    if elements[index].turn != turn {
      elements[index].turn = turn
      given.append(item.rawValue)
    }
  }

  /// Lets an element stand as it stood in the frame before; nothing when it was not there.
  mutating func keep(_ item: ItemHandle) {
    let index = Int(item.rawValue)
    guard elements[index].turn != turn, isPresent(item.rawValue) else { return }
    elements[index].given = elements[index].kept
    elements[index].turn = turn
    given.append(item.rawValue)
  }

  private func isPresent(_ item: Int32) -> Bool {
    var low = 0
    var high = present.count
    while low < high {
      let middle = (low + high) / 2
      if present[middle] < item { low = middle + 1 } else { high = middle }
    }
    return low < present.count && present[low] == item
  }

  /// Appends the open frame's rows to a batch and closes it.
  ///
  /// - Returns: the frame's row, which ``accept(_:)`` must follow if the rows are kept.
  mutating func end(into changes: inout ContiguousArray<Batch.Change>) -> FrameRecord? {
    guard let state = open else { return nil }
    open = nil
    if !isAscending(given) { given.sort() }
    let isKey = isKeyFrameDue(at: state.time)
    var old = 0
    for item in given {
      while old < present.count, present[old] < item {
        append(.gone(ItemHandle(rawValue: present[old])), to: &changes)
        old += 1
      }
      let wasPresent = old < present.count && present[old] == item
      if wasPresent { old += 1 }
      let element = elements[Int(item)]
      if wasPresent, element.given.isSame(as: element.kept) {
        if isKey { append(.same(record(item, element)), to: &changes) }
      } else {
        append(.changed(record(item, element)), to: &changes)
      }
    }
    while old < present.count {
      append(.gone(ItemHandle(rawValue: present[old])), to: &changes)
      old += 1
    }
    return FrameRecord(number: number, state: state, isKeyFrame: isKey)
  }

  /// Makes the frame that was just ended the one that the next is compared with.
  mutating func accept(_ frame: FrameRecord) {
    number += 1
    for item in given { elements[Int(item)].kept = elements[Int(item)].given }
    swap(&present, &given)
    if frame.isKeyFrame {
      lastKeyFrame = frame.state.time
      framesSinceKey = 0
    } else {
      framesSinceKey += 1
    }
  }

  private func isKeyFrameDue(at time: Instant) -> Bool {
    guard let lastKeyFrame, framesSinceKey + 1 < FrameFolding.keyFrameFrames else { return true }
    let distance = time.nanoseconds(since: lastKeyFrame)
    return distance >= FrameFolding.keyFrameNanoseconds
      || distance <= -FrameFolding.keyFrameNanoseconds
  }

  private func append(
    _ change: AttributeChange, to changes: inout ContiguousArray<Batch.Change>
  ) {
    changes.append(Batch.Change(frame: number, change: change))
  }

  private func record(_ item: Int32, _ element: Element) -> ElementRecord {
    ElementRecord(
      item: ItemHandle(rawValue: item), indexPath: element.given.indexPath,
      pose: element.given.pose)
  }

  private func isAscending(_ items: ContiguousArray<Int32>) -> Bool {
    for index in items.indices.dropFirst() where items[index - 1] > items[index] { return false }
    return true
  }
}

extension Pose {
  /// Whether every number has the same bits; -0.0 and 0.0 are different here.
  fileprivate func hasSameBits(as other: Pose) -> Bool {
    center.x.bitPattern == other.center.x.bitPattern
      && center.y.bitPattern == other.center.y.bitPattern
      && size.width.bitPattern == other.size.width.bitPattern
      && size.height.bitPattern == other.size.height.bitPattern
      && alpha.bitPattern == other.alpha.bitPattern && zIndex == other.zIndex
      && isHidden == other.isHidden && transform.hasSameBits(as: other.transform)
  }
}

extension Transform {
  fileprivate func hasSameBits(as other: Transform) -> Bool {
    switch (self, other) {
    case (.flat(let one), .flat(let two)):
      one.a.bitPattern == two.a.bitPattern && one.b.bitPattern == two.b.bitPattern
        && one.c.bitPattern == two.c.bitPattern && one.d.bitPattern == two.d.bitPattern
        && one.tx.bitPattern == two.tx.bitPattern && one.ty.bitPattern == two.ty.bitPattern
    case (.spatial(let one), .spatial(let two)):
      one.components.elementsEqual(two.components) { $0.bitPattern == $1.bitPattern }
    default: false
    }
  }
}
