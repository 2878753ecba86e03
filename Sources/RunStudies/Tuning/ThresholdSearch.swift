import MotionMeasures

/// The exact search over one or two thresholds, at one point of a space.
///
/// Both thresholds' values are cut into cells, between which no outcome changes. With the threshold of the speed in
/// one cell, the wrong decisions of all cells of the other are two prefix sums over how many gestures change at each
/// border. From one row to the next only the gestures change whose speed lies between. So (n + 1)² cells take
/// O(n²), a single threshold O(n log n), and memory is linear. Counts are whole numbers, so that equal costs are equal.
struct ThresholdSearch {
  /// The best cell that was met, over all points that were searched.
  struct Best {
    var cost = Double.infinity
    var wrongFinishes = 0
    var wrongCancels = 0
    var changedCount = Int.max
    /// The smaller of the thresholds' margins, in standard deviations of what they are compared with.
    var margin = 0.0
    /// The threshold's margin, no unit, and that of the speed's threshold, in its unit, not finite where it was not
    /// searched as a range.
    var margins = (threshold: Double.infinity, speed: Double.infinity)
    /// The place of the point in the order of the search.
    var point = -1
    /// No number where it was not searched.
    var threshold = Double.nan
    var velocityThreshold = Double.nan
  }

  /// The question: weights and settings.
  let weights: TuningWeights
  let thresholds: TuningSpace.Values?
  let velocityThresholds: TuningSpace.Values?
  let current: TuningCurrent

  private var changesOfFinishes: [Int32] = []
  private var changesOfCancels: [Int32] = []
  private var slowFlip: [Int32] = []
  private var fastFlip: [Int32] = []

  init(_ space: TuningSpace, weights: TuningWeights, now current: TuningCurrent) {
    self.weights = weights
    thresholds = space.values(of: .threshold)
    velocityThresholds = space.values(of: .velocityThreshold)
    self.current = current
  }

  /// Goes through every row of cells: the thresholds of the speed from the largest down.
  ///
  /// - Parameters:
  ///   - profile: How the gestures answer.
  ///   - takes: Whether a gesture counts.
  ///   - point: The point that the profile is of.
  ///   - row: Takes the place of the row, and how many more gestures finish and cancel wrongly at each value of the
  ///     threshold than at the one before.
  private mutating func forEachRow(
    _ profile: RuleProfile, taking takes: (Int) -> Bool, at point: TuningPoint,
    _ row: (
      _ rowIndex: Int, _ finishes: UnsafeBufferPointer<Int32>,
      _ cancels: UnsafeBufferPointer<Int32>, _ tried: TriedValues, _ triedSpeeds: TriedValues,
      _ flips: (slow: [Int32], fast: [Int32])
    ) -> Void
  ) {
    let borders = profile.borders.filter { takes(Int($0.gesture)) }
    let speeds = profile.speeds.filter { takes(Int($0.gesture)) }
    let tried =
      point.searchesThreshold
      ? thresholds.map {
        TriedValues($0, between: distinct(borders), now: current.value(of: .threshold))
      } ?? .own : .own
    let kind = point.change.kind ?? current.kind
    let triedSpeeds =
      point.searchesVelocityThreshold
      ? velocityThresholds.map {
        TriedValues(
          speeds: $0, of: kind, between: distinct(speeds),
          now: kind == current.kind ? current.value(of: .velocityThreshold) : nil)
      } ?? .own : .own
    let count = profile.slow.count
    let never = Int32(tried.count)
    if slowFlip.count != count {
      slowFlip = Array(repeating: never, count: count)
      fastFlip = slowFlip
    }
    for index in 0..<count { (slowFlip[index], fastFlip[index]) = (never, never) }
    // Borders and values rise: one walk says how many values each border has below it.
    var below = 0
    for border in borders {
      while below < tried.count, tried.values[below] < border.value { below += 1 }
      let gesture = Int(border.gesture)
      let answer = border.isFast ? profile.fast[gesture] : profile.slow[gesture]
      let isOn = below < tried.count && tried.values[below] == border.value
      let flip = Int32(isOn && answer.isBelowAtBorder ? below + 1 : below)
      if border.isFast { fastFlip[gesture] = flip } else { slowFlip[gesture] = flip }
    }
    changesOfFinishes = Array(repeating: 0, count: tried.count + 1)
    changesOfCancels = changesOfFinishes
    func add(_ answer: RuleProfile.Answer, flip: Int32, of gesture: Int, _ sign: Int32) {
      let first: Int32 = answer.isWrongBelow ? 1 : 0
      let change: Int32 = (answer.isWrongAbove ? 1 : 0) - first
      if profile.isMeantToFinish[gesture] {
        changesOfCancels[0] += sign * first
        changesOfCancels[Int(flip)] += sign * change
      } else {
        changesOfFinishes[0] += sign * first
        changesOfFinishes[Int(flip)] += sign * change
      }
    }
    for gesture in 0..<count where takes(gesture) {
      add(profile.slow[gesture], flip: slowFlip[gesture], of: gesture, 1)
    }
    var next = speeds.count - 1
    for index in stride(from: triedSpeeds.count - 1, through: 0, by: -1) {
      let value = triedSpeeds.speed(at: index)
      while next >= 0 {
        let gesture = Int(speeds[next].gesture)
        let isFast =
          value < speeds[next].value
          || value == speeds[next].value && profile.isFastAtBorder[gesture]
        guard isFast else { break }
        add(profile.slow[gesture], flip: slowFlip[gesture], of: gesture, -1)
        add(profile.fast[gesture], flip: fastFlip[gesture], of: gesture, 1)
        next -= 1
      }
      changesOfFinishes.withUnsafeBufferPointer { finishes in
        changesOfCancels.withUnsafeBufferPointer { cancels in
          row(index, finishes, cancels, tried, triedSpeeds, (slowFlip, fastFlip))
        }
      }
    }
  }

  /// Searches a point, and keeps its best cell where that is better than what was found before: by cost, then by
  /// fewer changed numbers, then by the larger margin. Of equals the first.
  mutating func search(
    _ profile: RuleProfile, taking takes: (Int) -> Bool, at point: TuningPoint, number: Int,
    into best: inout Best
  ) {
    let scale = (
      threshold: deviation { add in
        for border in profile.borders where takes(Int(border.gesture)) { add(border.value) }
      },
      speed: deviation { add in
        for (gesture, velocity) in profile.velocities.enumerated() where takes(gesture) {
          add(velocity)
        }
      }
    )
    let weights = weights
    var found = best
    forEachRow(profile, taking: takes, at: point) { row, finishes, cancels, tried, speeds, _ in
      var (wrongFinishes, wrongCancels) = (0, 0)
      let speedMargin = speeds.margins[row]
      let changedByRow =
        point.changedCount + (point.searchesVelocityThreshold && speeds.unchanged != row ? 1 : 0)
      for index in 0..<tried.count {
        wrongFinishes &+= Int(finishes[index])
        wrongCancels &+= Int(cancels[index])
        let cost = weights.cost(wrongFinishes: wrongFinishes, wrongCancels: wrongCancels)
        guard cost <= found.cost else { continue }
        let changed =
          changedByRow + (point.searchesThreshold && tried.unchanged != index ? 1 : 0)
        let margin = min(tried.margins[index] / scale.threshold, speedMargin / scale.speed)
        guard
          cost < found.cost || changed < found.changedCount
            || changed == found.changedCount && margin > found.margin
        else { continue }
        found = Best(
          cost: cost, wrongFinishes: wrongFinishes, wrongCancels: wrongCancels,
          changedCount: changed, margin: margin, margins: (tried.margins[index], speedMargin),
          point: number, threshold: tried.values[index], velocityThreshold: speeds.values[row])
      }
    }
    best = found
  }

  /// Takes those gestures off a list that are right in some cell whose cost is within a limit.
  mutating func removeSolvable(
    among wrong: inout [Int], within limit: Double, _ profile: RuleProfile, at point: TuningPoint
  ) {
    guard !wrong.isEmpty else { return }
    let weights = weights
    var left = wrong
    var near: [Int32] = []
    forEachRow(profile, taking: takesAll, at: point) {
      row, finishes, cancels, tried, speeds, flips in
      guard !left.isEmpty else { return }
      // How many of the cells before each are near.
      near = [0]
      near.reserveCapacity(tried.count + 1)
      var (wrongFinishes, wrongCancels) = (0, 0)
      for index in 0..<tried.count {
        wrongFinishes &+= Int(finishes[index])
        wrongCancels &+= Int(cancels[index])
        let cost = weights.cost(wrongFinishes: wrongFinishes, wrongCancels: wrongCancels)
        near.append(near[index] + (cost <= limit ? 1 : 0))
      }
      guard near[tried.count] > 0 else { return }
      let value = speeds.speed(at: row)
      left.removeAll { gesture in
        let isFast =
          value < profile.speed[gesture]
          || value == profile.speed[gesture] && profile.isFastAtBorder[gesture]
        let answer = isFast ? profile.fast[gesture] : profile.slow[gesture]
        let flip = Int(isFast ? flips.fast[gesture] : flips.slow[gesture])
        return !answer.isWrongBelow && near[flip] > 0
          || !answer.isWrongAbove && near[tried.count] > near[flip]
      }
    }
    wrong = left
  }

  /// The cost of every cell of a point of which one threshold is searched, rising.
  mutating func costs(
    _ profile: RuleProfile, at point: TuningPoint
  ) -> [(low: Double, high: Double, cost: Double)] {
    var found: [(low: Double, high: Double, cost: Double)] = []
    let weights = weights
    forEachRow(profile, taking: takesAll, at: point) {
      row, finishes, cancels, tried, speeds, _ in
      var (wrongFinishes, wrongCancels) = (0, 0)
      for index in 0..<tried.count {
        wrongFinishes &+= Int(finishes[index])
        wrongCancels &+= Int(cancels[index])
        let cell = point.searchesThreshold ? tried.cells[index] : speeds.cells[row]
        found.append(
          (
            cell.low, cell.high,
            weights.cost(wrongFinishes: wrongFinishes, wrongCancels: wrongCancels)
          ))
      }
    }
    if point.searchesThreshold { return found }
    // Where 0 lets no speed decide it is a cell below the others, which begin right behind it.
    return found.sorted { $0.low < $1.low }.map {
      ($0.low == .leastNonzeroMagnitude ? 0 : $0.low, $0.high, $0.cost)
    }
  }
}

/// Every gesture counts.
private func takesAll(_ gesture: Int) -> Bool { true }

/// The values of borders, each once.
private func distinct(_ borders: [RuleProfile.Border]) -> [Double] {
  var values: [Double] = []
  values.reserveCapacity(borders.count)
  for border in borders where values.last != border.value { values.append(border.value) }
  return values
}

/// The standard deviation of the numbers that a walk adds. 1 where they do not differ.
private func deviation(_ walk: ((Double) -> Void) -> Void) -> Double {
  var (count, mean, squares) = (0.0, 0.0, 0.0)
  walk { number in
    guard number.isFinite else { return }
    count += 1
    let distance = number - mean
    mean += distance / count
    squares += distance * (number - mean)
  }
  let deviation = count > 1 ? (squares / count).squareRoot() : 0
  return deviation > 0 && deviation.isFinite ? deviation : 1
}
