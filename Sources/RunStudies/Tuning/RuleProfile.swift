import MotionMeasures
import MotionPhysics
import TimelineModel

/// How every gesture answers to the thresholds at one point of a space: where its outcome changes, and to what. By
/// the functions of `ReleaseRule`, which are asked for each gesture once, however many thresholds are tried.
struct RuleProfile {
  /// How one gesture's wrongness changes with the threshold.
  struct Answer {
    /// Whether it is wrong at thresholds below the border, or at any where it has none.
    var isWrongBelow: Bool
    var isWrongAbove: Bool
    /// Where that changes, not finite: nowhere.
    var border: Double
    /// Whether the border itself counts as below.
    var isBelowAtBorder: Bool
  }

  /// A value at which something changes.
  struct Border {
    var value: Double
    var gesture: Int32
    /// Of the threshold of the progress: whether it counts while the gesture is fast.
    var isFast: Bool
  }

  /// What each gesture does where it is not faster than the threshold of the speed.
  var slow: [Answer] = []
  /// What each gesture does where it is. As `slow` for one that never is.
  var fast: [Answer] = []
  /// The speed up to which a threshold leaves a gesture fast. Below 0 for one that never is.
  var speed: [Double] = []
  /// Whether it is fast at that very threshold.
  var isFastAtBorder: [Bool] = []
  /// The borders of the threshold, rising.
  var borders: [Border] = []
  /// The borders of the threshold of the speed, rising.
  var speeds: [Border] = []
  /// The velocities in the unit of the threshold of the speed, with sign.
  var velocities: [Double] = []
  /// Whether each gesture was meant to finish.
  let isMeantToFinish: [Bool]

  init(_ gestures: [TuningGesture]) { isMeantToFinish = gestures.map(\.isMeantToFinish) }

  /// Asks all gestures at another point. The arrays keep their memory.
  mutating func fill(_ gestures: [TuningGesture], at point: TuningPoint) {
    slow.removeAll(keepingCapacity: true)
    fast.removeAll(keepingCapacity: true)
    speed.removeAll(keepingCapacity: true)
    isFastAtBorder.removeAll(keepingCapacity: true)
    borders.removeAll(keepingCapacity: true)
    speeds.removeAll(keepingCapacity: true)
    velocities.removeAll(keepingCapacity: true)
    for (index, gesture) in gestures.enumerated() {
      let rule = point.change.applied(to: gesture.own.rule)
      let progress = gesture.progress(by: rule.kind)
      let velocity = gesture.velocity(by: rule.kind, point.measure)
      func answer(isFast: Bool?) -> Answer {
        guard point.searchesThreshold else {
          var rule = rule
          if let isFast, let speed = rule.kind.definition.usual.speed {
            rule.velocityThreshold = isFast ? speed.least : .infinity
          }
          let finishes = rule.outcome(progress: progress, velocity: velocity) == .finish
          let isWrong = finishes != gesture.isMeantToFinish
          return Answer(
            isWrongBelow: isWrong, isWrongAbove: isWrong, border: .nan, isBelowAtBorder: true)
        }
        let step = rule.thresholdStep(
          progress: progress, velocity: velocity, isFast: isFast)
        return Answer(
          isWrongBelow: step.finishesBelow != gesture.isMeantToFinish,
          isWrongAbove: step.finishesAbove != gesture.isMeantToFinish,
          border: step.border ?? .nan,
          isBelowAtBorder: step.finishesAtBorder == step.finishesBelow)
      }
      let border =
        point.searchesVelocityThreshold ? rule.speedBorder(velocity: velocity) : nil
      let slowly = answer(isFast: point.searchesVelocityThreshold ? false : nil)
      slow.append(slowly)
      if !slowly.border.isNaN {
        borders.append(Border(value: slowly.border, gesture: Int32(index), isFast: false))
      }
      guard let border else {
        fast.append(slowly)
        speed.append(-1)
        isFastAtBorder.append(false)
        velocities.append(0)
        continue
      }
      let quickly = answer(isFast: true)
      fast.append(quickly)
      speed.append(border.speed)
      isFastAtBorder.append(border.isFastAtBorder)
      velocities.append((velocity ?? 0) < 0 ? -border.speed : border.speed)
      speeds.append(Border(value: border.speed, gesture: Int32(index), isFast: true))
      if !quickly.border.isNaN {
        borders.append(Border(value: quickly.border, gesture: Int32(index), isFast: true))
      }
    }
    borders.sort { ($0.value, $0.gesture) < ($1.value, $1.gesture) }
    speeds.sort { ($0.value, $0.gesture) < ($1.value, $1.gesture) }
  }
}

/// Values of a threshold that are tried, rising, so that every outcome that some value makes is met.
struct TriedValues {
  /// The values. One that is no number stands for each gesture's own.
  private(set) var values: [Double] = []
  /// How far each is from the nearest place where an outcome may change, or from the range's end.
  private(set) var margins: [Double] = []
  /// The ends of the stretch in which all values make the same outcomes.
  private(set) var cells: [(low: Double, high: Double)] = []
  /// Which of them is the value that is in use now. `nil`: none.
  private(set) var unchanged: Int?
  /// Which of them lets no speed decide, behind all the others. `nil`: none does.
  private(set) var off: Int?

  /// A threshold that is not varied.
  static let own: TriedValues = {
    var tried = TriedValues()
    tried.add(.nan, margin: .infinity, in: (.nan, .nan))
    return tried
  }()

  private init() {}

  private mutating func add(_ value: Double, margin: Double, in cell: (low: Double, high: Double)) {
    guard values.last != value else { return }
    values.append(value)
    margins.append(margin)
    cells.append(cell)
  }

  /// The middles of all cells, and the value that is in use where it is in the range.
  ///
  /// - Parameters:
  ///   - asked: The values that were asked for.
  ///   - borders: Where outcomes may change, rising.
  ///   - current: The value that is in use now.
  init(_ asked: TuningSpace.Values, between borders: [Double], now current: Double?) {
    let range: ClosedRange<Double>
    switch asked {
    case .list(let list, _):
      for value in list { add(value, margin: .infinity, in: (value, value)) }
      unchanged = values.firstIndex { $0 == current }
      return
    case .range(let asked): range = asked
    }
    var edges = [range.lowerBound]
    for border in borders where border > edges[edges.count - 1] && border < range.upperBound {
      edges.append(border)
    }
    if range.upperBound > range.lowerBound { edges.append(range.upperBound) }
    // A range's end may be a border itself, and then a cell of its own or of its neighbour.
    let isBorder = (borders.contains(range.lowerBound), borders.contains(range.upperBound))
    if isBorder.0 || edges.count == 1 {
      add(range.lowerBound, margin: 0, in: (range.lowerBound, range.lowerBound))
    }
    for (low, high) in zip(edges, edges.dropFirst()) {
      let middle = TriedValues.middle(low, high)
      if let current, low < current, current < high, middle != current {
        let inUse = (current, min(current - low, high - current))
        let centre = (middle, (high - low) / 2)
        for (value, margin) in current < middle ? [inUse, centre] : [centre, inUse] {
          add(value, margin: margin, in: (low, high))
        }
      } else if low < middle, middle < high {
        add(middle, margin: (high - low) / 2, in: (low, high))
      } else {
        // No number lies between neighbours: each stands for the stretch on its side.
        for end in [low, high] { add(end, margin: 0, in: (end, end)) }
      }
      if high == current { add(high, margin: 0, in: (high, high)) }
    }
    if isBorder.1 { add(range.upperBound, margin: 0, in: (range.upperBound, range.upperBound)) }
    if range.lowerBound == current, values.first != current {
      values.insert(range.lowerBound, at: 0)
      margins.insert(0, at: 0)
      cells.insert((range.lowerBound, range.lowerBound), at: 0)
    }
    unchanged = values.firstIndex { $0 == current }
  }

  var count: Int { values.count }

  /// Half way, without what sums leave behind the twelfth decimal, as long as it stays between.
  private static func middle(_ low: Double, _ high: Double) -> Double {
    let middle = low / 2 + high / 2
    guard abs(middle) < 1000 else { return middle }
    let plain = (middle * 1e12).rounded() / 1e12
    return low < plain && plain < high ? plain : middle
  }

  /// The values of the threshold of the speed of a rule: where a threshold of 0 lets no speed decide, it is no value
  /// below the others but one of its own.
  init(
    speeds asked: TuningSpace.Values, of kind: ReleaseRule.Kind?, between borders: [Double],
    now current: Double?
  ) {
    guard kind?.definition.usual.speed?.isOffAtZero == true, asked.hasZero else {
      self.init(asked, between: borders, now: current)
      return
    }
    let isOff = current == 0
    if let rest = asked.withoutZero {
      self.init(rest, between: borders, now: isOff ? nil : current)
    } else {
      self.init()
    }
    off = values.count
    values.append(0)
    margins.append(.infinity)
    cells.append((0, 0))
    if isOff { unchanged = off }
  }

  /// What a speed is held against in a row.
  func speed(at row: Int) -> Double { row == off ? .infinity : values[row] }
}

extension TuningSpace.Values {
  fileprivate var hasZero: Bool {
    switch self {
    case .range(let range): range.lowerBound == 0
    case .list(let values, _): values.contains(0)
    }
  }

  /// The values above 0. `nil`: none is.
  fileprivate var withoutZero: TuningSpace.Values? {
    switch self {
    case .range(let range):
      range.upperBound > 0
        ? .range(max(range.lowerBound, .leastNonzeroMagnitude)...range.upperBound) : nil
    case .list(let values, let isRange):
      values.contains { $0 > 0 } ? .list(values.filter { $0 > 0 }, isRange: isRange) : nil
    }
  }
}
