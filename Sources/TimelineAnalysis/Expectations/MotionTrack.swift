import TimelineModel
import TimelineStore

/// Values over time as a recording has them: of a key, of a finger, of an element while it is shown.
struct MotionTrack {
  /// What it is called where it was found.
  let name: String
  /// The unit of its values; "1" for none.
  let unit: String
  /// Whether the values hold between samples.
  var isStep = false
  /// Whether it is of a transition, whose next one sets it anew.
  var isOfTransition = false
  /// Along which axis each column lies; empty if it is no place.
  var axes: [FingerAxis] = []
  /// The stretches in which there are values, in the order of time.
  var runs: [Run] = []

  /// Samples without a break: times rise strictly, and each column has a value for each of them.
  struct Run {
    var times: [Instant] = []
    var columns: [[Double]]
    /// Of an element, whether it is within the viewport at each of them; empty where that is not asked.
    var isSeen: [Bool] = []
    /// Of a finger, when there are values that the system computed.
    var resampled: Set<Instant> = []
    /// Of a finger, what its page was told of it; nil: the recording does not say it.
    var told: ToldContact?
    /// Of a finger, when it lifted; nil: it did not.
    var lift: Instant?

    /// The values at a sample.
    func values(_ index: Int) -> [Double] { columns.map { $0[index] } }

    /// The first of them, with its instant.
    func sample(_ index: Int) -> Sample { Sample(time: times[index], value: columns[0][index]) }
  }

  /// The first column as a curve, from one instant to another, breaks passed over.
  func curve(
    from start: Instant = Instant(nanoseconds: .min), to end: Instant = Instant(nanoseconds: .max)
  )
    -> Curve
  {
    var curve = Curve([])
    for run in runs {
      let first = run.times.partitioningIndex { $0 >= start }
      let past = run.times.partitioningIndex { $0 > end }
      guard first < past else { continue }
      for index in first..<past {
        curve.append(Sample(time: run.times[index], value: run.columns[0][index]))
      }
    }
    return curve
  }

  /// A track of one of the columns.
  func column(_ index: Int) -> MotionTrack {
    var track = self
    track.runs = runs.map { Run(times: $0.times, columns: [$0.columns[index]]) }
    return track
  }

  /// All columns from one instant to another, breaks passed over.
  func samples(from start: Instant, to end: Instant) -> (times: [Instant], columns: [[Double]]) {
    var times: [Instant] = []
    var columns: [[Double]] = (runs.first?.columns ?? []).map { _ in [] }
    for run in runs {
      let first = run.times.partitioningIndex { $0 >= start }
      let past = run.times.partitioningIndex { $0 > end }
      guard first < past else { continue }
      times += run.times[first..<past]
      for column in columns.indices { columns[column] += run.columns[column][first..<past] }
    }
    return (times, columns)
  }

  /// All that the first column covers; nil without a value.
  var range: ClosedRange<Double>? {
    let lowest = runs.compactMap { $0.columns[0].min() }.min()
    let highest = runs.compactMap { $0.columns[0].max() }.max()
    guard let lowest, let highest else { return nil }
    return lowest...highest
  }

  /// The box that all values lie in, as its diagonal: how far the value goes at most.
  var extent: Double {
    guard let columns = runs.first?.columns.indices else { return 0 }
    var sum = 0.0
    for column in columns {
      let lowest = runs.compactMap { $0.columns[column].min() }.min() ?? 0
      let highest = runs.compactMap { $0.columns[column].max() }.max() ?? 0
      sum += (highest - lowest) * (highest - lowest)
    }
    return sum.squareRoot()
  }
}

/// Collects what an element does, frame by frame.
struct ItemTracking {
  let item: ItemHandle
  private let attribute: ItemAttribute
  /// Whether every frame is kept; else of a stretch in which nothing changes only both ends.
  private let isDense: Bool
  private(set) var track: MotionTrack
  private var isOpen = false

  init(_ item: ItemRecord, _ attribute: ItemAttribute, isDense: Bool) {
    (self.item, self.attribute, self.isDense) = (item.handle, attribute, isDense)
    track = MotionTrack(
      name: MotionSubject.item(item.identity.id, attribute).text,
      unit: attribute == .alpha ? "1" : "pt", axes: attribute.axes)
  }

  /// Takes the next frame.
  ///
  /// - Parameters:
  ///   - pose: nil: the element is not in it.
  ///   - isSeen: Whether it is within the viewport.
  mutating func take(_ pose: Pose?, at time: Instant, isSeen: Bool) {
    // What cannot be seen may be anywhere.
    guard let pose, pose.isFinite, !pose.isHidden, attribute == .alpha || pose.alpha > 0 else {
      isOpen = false
      return
    }
    let values = attribute.values(of: pose)
    if !isOpen || track.runs.isEmpty {
      track.runs.append(MotionTrack.Run(columns: values.map { _ in [] }))
      isOpen = true
    }
    let last = track.runs.count - 1
    let count = track.runs[last].times.count
    let isNewer = count > 0 && track.runs[last].times[count - 1] == time
    let isSame =
      !isDense && count > 1 && track.runs[last].values(count - 1) == values
      && track.runs[last].values(count - 2) == values
    if isNewer || isSame {
      track.runs[last].times[count - 1] = time
      for column in values.indices { track.runs[last].columns[column][count - 1] = values[column] }
      track.runs[last].isSeen[count - 1] = isSeen
    } else {
      track.runs[last].times.append(time)
      for column in values.indices { track.runs[last].columns[column].append(values[column]) }
      track.runs[last].isSeen.append(isSeen)
    }
  }
}

extension ItemAttribute {
  /// The axes of the numbers of a pose; empty if they are no place.
  var axes: [FingerAxis] {
    switch self {
    case .centerX: [.x]
    case .centerY: [.y]
    case .center: [.x, .y]
    case .frame: [.x, .y, .x, .y]
    case .width, .height, .alpha: []
    }
  }

  /// The numbers of a pose: one, the two of a place, or a frame's left, top, right and bottom.
  func values(of pose: Pose) -> [Double] {
    switch self {
    case .centerX: return [pose.center.x]
    case .centerY: return [pose.center.y]
    case .center: return [pose.center.x, pose.center.y]
    case .width: return [pose.size.width]
    case .height: return [pose.size.height]
    case .alpha: return [pose.alpha]
    case .frame:
      let frame = pose.frame
      return [frame.minX, frame.minY, frame.maxX, frame.maxY]
    }
  }
}
