/// The values as a row of bars, one character each, from the smallest (▁) to the largest (█); all the
/// same height (▄) when there is no difference, a blank for what is not finite.
///
/// - Parameters:
///   - values: The values in order.
///   - width: The most characters; more values than that are averaged in even groups. Values that
///     are not finite do not count in a group.
public func sparkline(_ values: [Double], width: Int = 60) -> String {
  let count = min(values.count, max(1, width))
  let bars = Array("▁▂▃▄▅▆▇█")
  let groups = (0..<count).map { index -> Double? in
    let group = values[values.count * index / count..<values.count * (index + 1) / count]
    let finite = group.filter(\.isFinite)
    guard !finite.isEmpty else { return nil }
    return finite.reduce(0) { $0 + $1 / Double(finite.count) }
  }
  let known = groups.compactMap { $0 }
  guard let lowest = known.min(), let highest = known.max() else {
    return String(repeating: " ", count: count)
  }
  let extent = highest / 2 - lowest / 2
  return String(
    groups.map { value -> Character in
      guard let value else { return " " }
      guard extent > 0 else { return bars[3] }
      let share = (value / 2 - lowest / 2) / extent
      return bars[max(0, min(7, Int((share * 7).rounded())))]
    })
}
