import TimelineModel

/// What is on the screen: what the layout placed and which views were seen.
struct ScreenLog {
  /// An element's path and pose.
  typealias Shown = (path: ItemIndexPath, pose: Pose)

  /// Elements in the order of their first placing; looking one up is the only thing that a hash is for.
  struct Elements {
    private(set) var all: [(identity: ElementIdentity, shown: Shown?)] = []
    private var places: [ElementIdentity: Int] = [:]

    /// Sets what is shown of an element; nil: nothing.
    mutating func set(_ identity: ElementIdentity, _ shown: Shown?) {
      if let place = places[identity] {
        all[place].shown = shown
      } else if shown != nil {
        places[identity] = all.count
        all.append((identity, shown))
      }
    }

    /// Nothing is shown.
    mutating func clear() {
      all.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
    }
  }

  /// What the layout placed since it was prepared.
  var layout = Elements()
  /// The views that are watched.
  var views = Elements()
  /// The progress that the layout was prepared with.
  private(set) var progress: Double?
  private var staleFrames = 0
  private var interval = 0.0
  private var handles: [ElementIdentity: ItemHandle] = [:]

  /// A transition begins.
  mutating func begin() { (progress, staleFrames) = (nil, 0) }

  /// What was laid out does not count any more.
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

  /// The length of a frame in seconds, where it differs from the one before by more than a sixteenth: less than lies
  /// between two rates of a display, more than its timestamps are off.
  mutating func newInterval(_ seconds: Double) -> Double? {
    guard seconds.isFinite, seconds > 0, abs(seconds - interval) > interval / 16 else { return nil }
    interval = seconds
    return seconds
  }

  /// The number of an element in the session.
  mutating func handle(of identity: ElementIdentity, _ make: () -> ItemHandle) -> ItemHandle {
    if let known = handles[identity] { return known }
    let made = make()
    handles[identity] = made
    return made
  }
}
