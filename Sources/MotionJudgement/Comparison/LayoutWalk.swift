import TimelineModel

/// What is gathered while two sessions' frames are walked through together.
struct LayoutWalk {
  /// One element's sums.
  private struct Sums {
    var item = LayoutComparison.Item(identity: ElementIdentity(category: .cell, id: ""))
    var squares = (distance: 0.0, size: 0.0, alpha: 0.0)
    /// With how many others it is the other way round in the drawing order at the moment.
    var swaps = 0
    /// Whether only one session shows it at the moment, and it is seen there.
    var isAlone = false
    var latest: (time: Instant, errors: LayoutErrors)?
  }

  private var sums: [Sums]
  private var latest: Instant?
  private var orderVersions = (a: -1, b: -1)
  /// At how many instants both sessions had a frame.
  private(set) var instantCount = 0
  /// From the first of them to the last.
  private(set) var overlapSeconds = 0.0
  /// The most pairs that were the other way round at one instant.
  private(set) var mostSwaps = 0

  init(count: Int) { sums = Array(repeating: Sums(), count: count) }

  /// Compares every element at an instant.
  mutating func compare(
    _ a: LayoutSide, _ b: LayoutSide, at time: Instant, _ measures: inout LayoutMeasures
  ) {
    instantCount += 1
    let step = latest.map { time.seconds(since: $0) } ?? 0
    overlapSeconds += step
    latest = time
    for index in sums.indices {
      if sums[index].isAlone { sums[index].item.aloneSeconds += step }
      let (shownA, shownB) = (a.shown[index], b.shown[index])
      sums[index].isAlone =
        shownA.isThere != shownB.isThere && (shownA.isThere ? shownA.isSeen : shownB.isSeen)
      guard shownA.isThere, shownB.isThere else {
        sums[index].latest = nil
        continue
      }
      add(a.element(index, at: time), b.element(index, at: time), to: index, at: time, &measures)
    }
    if orderVersions != (a.orderVersion, b.orderVersion) {
      orderVersions = (a.orderVersion, b.orderVersion)
      countSwaps(a.shown, b.shown)
    }
  }

  private mutating func add(
    _ a: ShownElement, _ b: ShownElement, to index: Int, at time: Instant,
    _ measures: inout LayoutMeasures
  ) {
    let errors = a.errors(to: b)
    let distance = errors.distance.magnitude
    if distance > sums[index].item.maxDistance || sums[index].item.timeOfMaxDistance == nil {
      sums[index].item.maxDistance = distance
      sums[index].item.timeOfMaxDistance = time
    }
    sums[index].item.maxSizeError = max(sums[index].item.maxSizeError, errors.size.magnitude)
    sums[index].item.maxAlphaError = max(sums[index].item.maxAlphaError, errors.alpha.magnitude)
    sums[index].item.minIoU = min(
      sums[index].item.minIoU ?? 1, LayoutWalk.overlap(a.frame, b.frame))
    let before = sums[index].latest
    let now = (time: time, errors: errors)
    sums[index].latest = now
    if let before {
      let step = time.seconds(since: before.time)
      sums[index].item.sharedSeconds += step
      sums[index].squares.distance += step * before.errors.distance.meanSquare(to: errors.distance)
      sums[index].squares.size += step * before.errors.size.meanSquare(to: errors.size)
      sums[index].squares.alpha += step * before.errors.alpha.meanSquare(to: errors.alpha)
      if sums[index].swaps > 0 { sums[index].item.swappedSeconds += step }
    }
    measures.add(index, from: before, to: now)
  }

  /// One element's figures. `nil` where neither session ever showed it.
  func item(
    _ index: Int, _ identity: ElementIdentity, _ a: LayoutSide, _ b: LayoutSide,
    tolerance: LayoutComparison.Tolerance
  ) -> LayoutComparison.Item? {
    var item = sums[index].item
    item.identity = identity
    guard a.ways[index] != nil || b.ways[index] != nil else { return nil }
    guard let way = a.ways[index], b.ways[index] != nil else {
      item.onlyIn = a.ways[index] != nil ? "A" : "B"
      item.isSame = false
      return item
    }
    let seconds = item.sharedSeconds
    func rms(_ squares: Double, else only: Double) -> Double {
      seconds > 0 ? clampedToFinite((squares / seconds).squareRoot()) : only
    }
    item.rmsDistance = rms(sums[index].squares.distance, else: item.maxDistance)
    item.rmsSizeError = rms(sums[index].squares.size, else: item.maxSizeError)
    item.rmsAlphaError = rms(sums[index].squares.alpha, else: item.maxAlphaError)
    item.extentInA = LayoutWalk.length(way.size.width, way.size.height)
    let (changesOfA, changesOfB) = (a.changes[index], b.changes[index])
    (item.changesInA, item.changesInB) = (changesOfA.count, changesOfB.count)
    if changesOfA.count == changesOfB.count {
      item.changeSeconds =
        zip(changesOfA, changesOfB).map { abs($1.seconds(since: $0)) }.max() ?? 0
    }
    let allowed = tolerance.distance + tolerance.shareOfExtent * item.extentInA
    item.isSame =
      item.minIoU != nil && item.rmsDistance <= allowed && item.rmsSizeError <= allowed
      && item.rmsAlphaError <= tolerance.alpha && item.swappedSeconds <= tolerance.swappedSeconds
      && item.aloneSeconds <= item.allowedAlone(tolerance)
    return item
  }

  /// A length that is finite also where its square is not.
  static func length(_ x: Double, _ y: Double) -> Double {
    let (x, y) = (clampedToFinite(abs(x)), clampedToFinite(abs(y)))
    let larger = max(x, y)
    guard larger > 0 else { return 0 }
    let share = min(x, y) / larger
    return clampedToFinite(larger * (1 + share * share).squareRoot())
  }

  /// Intersection over union. Of two without area 1 where they are the same, else 0.
  private static func overlap(_ a: Rect2D, _ b: Rect2D) -> Double {
    if a == b { return 1 }
    let width = min(a.maxX, b.maxX) - max(a.minX, b.minX)
    let height = min(a.maxY, b.maxY) - max(a.minY, b.minY)
    let shared = width > 0 && height > 0 ? width * height : 0
    let all = abs(a.size.width * a.size.height) + abs(b.size.width * b.size.height) - shared
    let part = shared / all
    return part.isFinite ? max(0, min(1, part)) : 0
  }
}

extension LayoutWalk {
  /// Counts for each element with how many others its drawing order is strictly the other way round.
  private mutating func countSwaps(_ a: [ShownElement], _ b: [ShownElement]) {
    let both = a.indices.filter { a[$0].isThere && b[$0].isThere }
    for index in sums.indices { sums[index].swaps = 0 }
    guard both.contains(where: { a[$0].zIndex != b[$0].zIndex }) else { return }
    let levels = Array(Set(both.map { b[$0].zIndex })).sorted()
    var ranks: [Int: Int] = [:]
    for (rank, level) in levels.enumerated() { ranks[level] = rank }
    let order = both.sorted { (a[$0].zIndex, $0) < (a[$1].zIndex, $1) }
    var swaps = Array(repeating: 0, count: a.count)
    // Those below in A and above in B, then those above in A and below in B.
    for (sequence, isAbove) in [(order, true), (order.reversed(), false)] {
      var tree = RankCounts(count: levels.count)
      var waiting: [Int] = []
      for index in sequence {
        if let first = waiting.first, a[first].zIndex != a[index].zIndex {
          for passed in waiting { tree.add(ranks[b[passed].zIndex] ?? 0) }
          waiting = []
        }
        let rank = ranks[b[index].zIndex] ?? 0
        swaps[index] += isAbove ? tree.countAbove(rank) : tree.countBelow(rank)
        waiting.append(index)
      }
    }
    for index in both {
      sums[index].swaps = swaps[index]
      sums[index].item.orderSwaps = max(sums[index].item.orderSwaps, swaps[index])
    }
    mostSwaps = max(mostSwaps, swaps.reduce(0, +) / 2)
  }
}

/// How many of some numbers lie below or above another, in steps of the logarithm (Fenwick 1994).
private struct RankCounts {
  private var tree: [Int]
  private var total = 0

  init(count: Int) { tree = Array(repeating: 0, count: count + 1) }

  mutating func add(_ rank: Int) {
    total += 1
    var index = rank + 1
    while index < tree.count {
      tree[index] += 1
      index += index & -index
    }
  }

  func countBelow(_ rank: Int) -> Int {
    var (sum, index) = (0, rank)
    while index > 0 {
      sum += tree[index]
      index -= index & -index
    }
    return sum
  }

  func countAbove(_ rank: Int) -> Int { total - countBelow(rank + 1) }
}
