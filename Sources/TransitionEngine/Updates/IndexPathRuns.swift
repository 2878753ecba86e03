public import TimelineModel

/// Index paths in ascending order, kept as runs of neighbours, so that a whole section of a million
/// items is one entry until somebody walks it.
public struct IndexPathRuns: Hashable, Sendable {
  /// Neighbouring items of one section.
  public struct Run: Hashable, Sendable {
    /// The section's number.
    public let section: Int
    /// The items' numbers; never empty.
    public let items: Range<Int>
  }

  /// The runs in ascending order; no two of them touch.
  public private(set) var runs: [Run] = []

  /// Joins parts that do not overlap, in any order.
  init(_ parts: [(section: Int, items: Range<Int>)]) {
    let sorted = parts.filter { !$0.items.isEmpty }.sorted {
      ($0.section, $0.items.lowerBound) < ($1.section, $1.items.lowerBound)
    }
    for part in sorted {
      if let last = runs.last, last.section == part.section,
        last.items.upperBound == part.items.lowerBound
      {
        runs[runs.count - 1] = Run(
          section: part.section, items: last.items.lowerBound..<part.items.upperBound)
      } else {
        runs.append(Run(section: part.section, items: part.items))
      }
    }
  }

  /// How many paths there are.
  ///
  /// - Complexity: O(runs).
  public var count: Int { runs.reduce(0) { $0 + $1.items.count } }

  /// Whether there is no path.
  public var isEmpty: Bool { runs.isEmpty }

  /// Whether a path is among them.
  ///
  /// - Complexity: O(log runs).
  public func contains(_ path: IndexPath) -> Bool {
    let behind = runs.firstOrdered {
      ($0.section, $0.items.lowerBound) > (path.section, path.item)
    }
    guard behind > 0 else { return false }
    let run = runs[behind - 1]
    return run.section == path.section && run.items.contains(path.item)
  }
}

extension IndexPathRuns: Sequence {
  /// Walks the paths one by one, ascending.
  public struct Iterator: IteratorProtocol, Sendable {
    private let runs: [Run]
    private var run = 0
    private var step = 0

    init(_ runs: [Run]) { self.runs = runs }

    /// The next path; nil behind the last.
    public mutating func next() -> IndexPath? {
      guard run < runs.count else { return nil }
      let current = runs[run]
      let path = IndexPath(section: current.section, item: current.items.lowerBound + step)
      step += 1
      if step == current.items.count {
        run += 1
        step = 0
      }
      return path
    }
  }

  /// An iterator over the paths.
  public func makeIterator() -> Iterator { Iterator(runs) }

  /// What ``count`` says, at its cost and without a walk over the paths.
  public var underestimatedCount: Int { count }
}
