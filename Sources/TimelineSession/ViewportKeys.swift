import JSONText
package import TimelineModel
package import TimelineStore

/// What a session's frames say of the viewport, as keys that are computed on reading and never stored.
///
/// They are those of ``names``, in points. Frames have offset and size. Insets stand only in `inset` events, each
/// of which holds until the next. Before the first it is what the session's scenario says, else 0. All are read at
/// the frames' instants. Of a stretch in which a value stands still only both ends are kept, so that what never
/// moves takes two samples. A session without frames has none of these keys, and one that a recorder wrote
/// under such a name stands for itself.
package struct ViewportKeys {
  /// What all of the names begin with.
  package static let prefix = "viewport."
  /// The keys, in this order.
  package static let names = [
    "contentOffset.x", "contentOffset.y", "contentSize.width", "contentSize.height",
    "contentInset.top", "contentInset.left", "contentInset.bottom", "contentInset.right",
  ].map { prefix + $0 }

  private var keys: [Track]
  private var insets: [(time: Instant, values: [Double])] = []
  private var passedInsets = 0
  private var inset: [Double]
  private var latest: FrameState?

  /// Begins with a session of which no frame has been seen.
  package init(_ session: SessionRecord) {
    keys = ViewportKeys.names.enumerated().map { index, name in
      Track(
        KeyRecord(
          handle: KeyHandle(rawValue: .min + Int32(index)), name: name, role: .custom, unit: "pt"))
    }
    inset = ViewportKeys.inset(of: session.description.scenario) ?? [0, 0, 0, 0]
  }

  /// Reads the session's insets, all at once. Call it before the first frame, or again where more have come.
  package mutating func readInsets(_ source: some SessionSource) throws {
    insets = []
    try source.forEachEvent { add($0) }
  }

  /// Takes the next event. Those that say nothing of insets are passed over.
  mutating func add(_ event: EventRecord) {
    guard event.kind == .inset, let numbers = ViewportKeys.inset(of: event.fieldsJSON) else {
      return
    }
    insets.append((event.time, numbers))
  }

  private static func inset(of text: String?) -> [Double]? {
    (try? JSONFields(recorded: text)?["contentInset"]?.numbers(count: 4)) ?? nil
  }

  /// Takes the next frame in the order recorded. Of several at one instant the newest counts.
  package mutating func add(_ state: FrameState) {
    if let latest, latest.time != state.time { put(latest) }
    latest = state
  }

  private mutating func put(_ state: FrameState) {
    while passedInsets < insets.count, insets[passedInsets].time <= state.time {
      inset = insets[passedInsets].values
      passedInsets += 1
    }
    let (offset, size) = (state.contentOffset, state.contentSize)
    for (index, value) in ([offset.x, offset.y, size.width, size.height] + inset).enumerated() {
      keys[index].addHeld(Sample(time: state.time, value: value), phase: state.phase)
    }
  }

  /// The keys of the frames so far. None without a frame.
  ///
  /// - Parameter recorded: The session's own keys, whose names are taken.
  package func keys(besides recorded: [KeyRecord]) -> [Track] {
    guard let latest else { return [] }
    var all = self
    all.put(latest)
    let taken = Set(recorded.map(\.name))
    return all.keys.filter { !taken.contains($0.record.name) && $0.curve.count > 0 }
  }
}

extension KeyRecord {
  /// Whether it was computed by ``ViewportKeys``.
  package var isOfViewport: Bool { handle.rawValue < 0 && name.hasPrefix(ViewportKeys.prefix) }
}
