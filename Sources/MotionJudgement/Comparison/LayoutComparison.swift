package import TimelineModel
import TimelineSession
import TimelineStore

/// What two sessions showed of every element, held against each other frame by frame.
///
/// An element's place is its frame: the bounding box after its transform. It is compared at every instant at
/// which either session has a frame, over the time that both have frames. Between two frames a place goes
/// straight where the element is in both of them. Drawing order and presence hold. A hidden element is not
/// there.
package struct LayoutComparison: Sendable, Hashable {
  /// One element in both sessions.
  package struct Item: Sendable, Hashable {
    /// Who it is.
    package var identity: ElementIdentity
    /// "A" or "B" where the other session never showed it.
    package var onlyIn: String?
    /// Seconds for which both sessions showed it.
    package var sharedSeconds = 0.0
    /// The largest distance between its centers, in points.
    package var maxDistance = 0.0
    /// When that was, on the common clock.
    package var timeOfMaxDistance: Instant?
    /// The root of the mean of the squared distance over time, in points.
    package var rmsDistance = 0.0
    /// The largest difference of its width or height, in points.
    package var maxSizeError = 0.0
    /// The same over time: the root of the mean of its square, in points.
    package var rmsSizeError = 0.0
    /// The smallest intersection over union of its two frames, 0 to 1, no unit. `nil` where both sessions never
    /// showed it together.
    package var minIoU: Double?
    /// The largest difference of its alpha, no unit.
    package var maxAlphaError = 0.0
    /// The same over time: the root of the mean of its square, no unit.
    package var rmsAlphaError = 0.0
    /// With how many other elements its drawing order was the other way round, at the worst instant.
    package var orderSwaps = 0
    /// Seconds for which it was so with any other element.
    package var swappedSeconds = 0.0
    /// Seconds of the common time for which only one session showed it, where it was to be seen: less transparent
    /// than the tolerance of alpha, and within the viewport by more than that of the distance.
    package var aloneSeconds = 0.0
    /// How often it appeared or vanished in A.
    package var changesInA = 0
    /// How often it appeared or vanished in B.
    package var changesInB = 0
    /// The largest time between its n-th appearing or vanishing in A and in B, in seconds. `nil` where they
    /// do so differently often.
    package var changeSeconds: Double?
    /// How far its center got about in A: the diagonal of the box around its way, in points.
    package var extentInA = 0.0
    /// Whether it is within the tolerance.
    package var isSame = true
  }

  /// What counts as the same where nothing else is said.
  package struct Tolerance: Sendable, Hashable {
    /// The root mean square of the distance, and of the size's difference, in points: half a point is less
    /// than anybody sees move.
    package var distance = 0.5
    /// What is allowed beside it, as a share of how far the element gets about. As that of keys.
    package var shareOfExtent = 0.005
    /// The root mean square of the difference of alpha, no unit: 1 % is two of 256 levels.
    package var alpha = 0.01
    /// For how long the drawing order may be another one, in seconds: it changes in whole frames, so that
    /// sessions whose frames are apart disagree for up to one, at 60 Hz.
    package var swappedSeconds = 0.017
    /// How much earlier or later it may appear or vanish, in seconds, each time that it does so in both sessions.
    /// As for the drawing order.
    package var aloneSeconds = 0.017

    /// The tolerance that `kymo compare` uses unless told otherwise.
    package init() {}
  }

  /// The elements, those that differ most first.
  package var items: [Item]
  /// The elements that one session ends with on the screen and the other one off it: first those that both showed
  /// in their first frame, of these the nearest to the middle of the screen.
  package var endingApart: [EndingApart]
  /// How many frames each session has.
  package var frameCountOfA: Int
  /// How many frames B has.
  package var frameCountOfB: Int
  /// At how many instants the two were compared.
  package var instantCount: Int
  /// Seconds of time for which both have frames.
  package var overlapSeconds: Double
  /// How often the drawing order of two elements was found the other way round, at the worst instant.
  package var orderSwaps: Int

  /// Whether every element is within the tolerance.
  package var isSame: Bool { items.allSatisfy(\.isSame) }

  /// Whether neither session showed anything.
  package var isEmpty: Bool { items.isEmpty }
}

extension LayoutComparison.Item {
  /// For how long it may be shown by one session alone, in seconds: what appears or vanishes in both may do so a
  /// little apart each time, what does so in only one may not.
  func allowedAlone(_ tolerance: LayoutComparison.Tolerance) -> Double {
    tolerance.aloneSeconds * Double(max(1, min(changesInA, changesInB)))
  }

  /// How different the element is, for the order: one that only one session shows is worst.
  var badness: Double {
    if onlyIn != nil { return .infinity }
    return max(
      maxDistance, maxSizeError, maxAlphaError * 100, Double(orderSwaps),
      aloneSeconds * 1000, (changeSeconds ?? 1) * 1000)
  }

  /// Whether nothing at all differs.
  package var isIdentical: Bool {
    onlyIn == nil && maxDistance == 0 && maxSizeError == 0 && maxAlphaError == 0 && orderSwaps == 0
      && aloneSeconds == 0 && changesInA == changesInB && (changeSeconds ?? 0) == 0
  }
}

extension LayoutComparison {
  /// Compares what two sessions showed.
  ///
  /// - Parameters:
  ///   - a: The first session.
  ///   - readerA: Its recording.
  ///   - b: What is held against it.
  ///   - readerB: Its recording. May be the same.
  ///   - map: Where B's clock lies on A's.
  ///   - zero: The instant of A that is 0 on the common clock.
  ///   - tolerance: What counts as the same.
  ///   - measures: What else is measured of the elements, for a tolerance file.
  ///   - framesOfA: All frames of A where they are at hand. `nil`: they are read.
  ///   - progress: Is told how far the work is, 0 to 1.
  /// - Throws: `StoreError` when a file cannot be read.
  /// - Complexity: linear in the frames times the elements in them, memory for two frames of each session.
  init(
    _ a: SessionRecord, in readerA: RecordingReader, with b: SessionRecord,
    in readerB: RecordingReader, map: TimeMap, zero: Instant,
    tolerance: Tolerance = Tolerance(), measures: inout LayoutMeasures,
    framesOfA: [FoldedFrame]? = nil, progress: (Double) -> Void = { _ in }
  ) throws {
    let roster = ElementRoster(
      try readerA.items(in: a.number), try readerB.items(in: b.number))
    let straight = TimeMap(TimeMap.Knot(ofB: zero, ofA: .zero))
    let ids = roster.identities.map(\.id)
    var atHand = framesOfA?.makeIterator()
    let cursorOfA = try framesOfA == nil ? readerA.foldedFrames(in: a.number) : nil
    let cursorOfB = try readerB.foldedFrames(in: b.number)
    var sideA = try LayoutSide(
      numbers: roster.indicesOfA, ids: ids,
      errors: try ElementErrors(FileSource(a, in: readerA)), map: straight,
      sight: LayoutSight(a.description.viewport, tolerance)
    ) { try cursorOfA?.nextRead() ?? atHand?.next() }
    var sideB = try LayoutSide(
      numbers: roster.indicesOfB, ids: ids,
      errors: try ElementErrors(FileSource(b, in: readerB)),
      map: map.moved(byNanoseconds: Instant.zero.nanoseconds(since: zero)),
      sight: LayoutSight(b.description.viewport, tolerance)
    ) { try cursorOfB.nextRead() }
    var comparing = LayoutWalk(count: ids.count)
    measures.prepare(roster.identities)
    let expected = Double(max(1, a.counts?.frames ?? 0))
    while let time = [sideA.nextTime, sideB.nextTime].compactMap({ $0 }).min() {
      if sideA.nextTime == time { try sideA.step() }
      if sideB.nextTime == time { try sideB.step() }
      if sideA.isReady(at: time), sideB.isReady(at: time) {
        comparing.compare(sideA, sideB, at: time, &measures)
      }
      if sideA.frameCount.isMultiple(of: 64) { progress(Double(sideA.frameCount) / expected) }
    }
    frameCountOfA = sideA.frameCount
    frameCountOfB = sideB.frameCount
    instantCount = comparing.instantCount
    overlapSeconds = comparing.overlapSeconds
    orderSwaps = comparing.mostSwaps
    endingApart = EndingApart.all(
      roster.identities,
      (sideA, LayoutSight(try FileSource(a, in: readerA).lastViewport(), tolerance)),
      (sideB, LayoutSight(try FileSource(b, in: readerB).lastViewport(), tolerance)))
    items = []
    for (index, identity) in roster.identities.enumerated() {
      guard
        let item = comparing.item(index, identity, sideA, sideB, tolerance: tolerance)
      else { continue }
      items.append(item)
    }
    // Worst first. Equal ones by name.
    items.sort {
      $0.badness != $1.badness
        ? $0.badness > $1.badness : $0.identity.orderText < $1.identity.orderText
    }
  }
}

extension ElementIdentity {
  /// What elements are put in order by where nothing else does: id, category and kind.
  var orderText: String { "\(id)\u{0}\(category.rawValue)\u{0}\(elementKind ?? "")" }
}

/// The elements of both sessions in one list: those of A in the order of their numbers, then B's others.
private struct ElementRoster {
  var identities: [ElementIdentity] = []
  /// Places in ``identities`` by the elements' numbers.
  var indicesOfA: [ItemHandle: Int] = [:]
  var indicesOfB: [ItemHandle: Int] = [:]

  init(_ a: [ItemRecord], _ b: [ItemRecord]) {
    var known: [ElementIdentity: Int] = [:]
    func index(_ item: ItemRecord) -> Int {
      if let index = known[item.identity] { return index }
      known[item.identity] = identities.count
      identities.append(item.identity)
      return identities.count - 1
    }
    for item in a { indicesOfA[item.handle] = index(item) }
    for item in b { indicesOfB[item.handle] = index(item) }
  }
}
