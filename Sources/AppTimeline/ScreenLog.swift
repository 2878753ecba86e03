import TimelineModel

/// The content of the screen: the placed elements and the seen views.
struct ScreenLog {
  /// An element's path and pose.
  typealias Shown = (path: ItemIndexPath, pose: Pose)

  /// Elements in the order of their placing.
  ///
  /// Each one that was ever placed keeps a slot, in which its number in the session is. A pass mostly places the same
  /// elements in the same order as the one before, so the slot after the last one is tried before any hash is made.
  struct Elements {
    private struct Slot {
      let identity: ElementIdentity
      var handle: ItemHandle?
      /// The pass that placed it last.
      var pass = -1
      var shown: Shown?
    }

    private var slots: [Slot] = []
    /// Looked up only.
    private var indices: [ElementIdentity: Int] = [:]
    /// The slots that this pass has placed, in its order.
    private var placed: [Int] = []
    private var pass = 0
    private var last = -1

    /// Sets what is shown of an element. `nil`: nothing.
    mutating func set(_ identity: ElementIdentity, _ shown: Shown?) {
      var slot = last + 1
      if slot >= slots.count || slots[slot].identity != identity {
        slot = indices[identity] ?? slots.count
        if slot == slots.count {
          indices[identity] = slot
          slots.append(Slot(identity: identity))
        }
      }
      last = slot
      slots[slot].shown = shown
      guard slots[slot].pass != pass else { return }
      slots[slot].pass = pass
      placed.append(slot)
    }

    /// Nothing is shown.
    mutating func clear() {
      pass += 1
      last = -1
      placed.removeAll(keepingCapacity: true)
    }

    /// Gives every element that is shown, with its number in the session.
    mutating func forEach(
      numbering: (ElementIdentity) -> ItemHandle, _ body: (ItemHandle, Shown) -> Void
    ) {
      for slot in placed {
        guard let shown = slots[slot].shown else { continue }
        let handle = slots[slot].handle ?? numbering(slots[slot].identity)
        slots[slot].handle = handle
        body(handle, shown)
      }
    }
  }

  /// The elements that the layout placed since it was prepared.
  var layout = Elements()
  var views = Elements()
  /// The progress that the layout was prepared with.
  private(set) var progress: Double?
  private var staleFrames = 0
  private var interval = 0.0

  mutating func begin() { (progress, staleFrames) = (nil, 0) }

  /// The layout does not count any more.
  mutating func prepare(progress: Double?) {
    layout.clear()
    self.progress = progress
  }

  /// Whether this is the second frame in a row whose layout was prepared with another progress.
  mutating func isStale(_ set: Double?) -> Bool {
    guard let set, let progress, progress.bitPattern != set.bitPattern else {
      staleFrames = 0
      return false
    }
    staleFrames += 1
    return staleFrames == 2
  }

  /// The length of a frame in seconds, where it differs from the one before by more than a sixteenth: less than there is
  /// between two rates of a display, more than its timestamps are off.
  mutating func newInterval(_ seconds: Double) -> Double? {
    guard seconds.isFinite, seconds > 0, abs(seconds - interval) > interval / 16 else { return nil }
    interval = seconds
    return seconds
  }
}
