package import TimelineModel
import TimelineSession

/// Where the instants of one session's clock lie on the other's: one distance for all of time, or several
/// places that fall together with straight lines between them.
package struct TimeMap: Hashable, Sendable {
  /// Two instants that fall together.
  package struct Knot: Hashable, Sendable {
    /// The instant on B's own clock.
    package var ofB: Instant
    /// The instant on A's own clock.
    package var ofA: Instant

    /// By how many nanoseconds B's clock is moved here.
    package var offsetNanoseconds: Int64 { ofA.nanoseconds(since: ofB) }
  }

  /// The places that fall together. Neither clock runs backwards from one to the next. At least one.
  package private(set) var knots: [Knot]

  /// Lays one instant on another. All others keep their distance.
  package init(_ knot: Knot) { knots = [knot] }

  /// Lays several instants on each other. Those by which a clock would run backwards are left out.
  ///
  /// - Returns: nil without a knot.
  package init?(_ knots: [Knot]) {
    guard let first = knots.first else { return nil }
    self.knots = [first]
    for knot in knots.dropFirst() {
      let last = self.knots[self.knots.count - 1]
      if knot.ofB >= last.ofB, knot.ofA >= last.ofA, knot != last { self.knots.append(knot) }
    }
  }

  /// Whether all of time is moved alike.
  package var isShift: Bool { knots.allSatisfy { $0.offsetNanoseconds == offsetNanoseconds } }

  /// By how many nanoseconds B's clock is moved at the first knot. Above 0 is later.
  package var offsetNanoseconds: Int64 { knots[0].offsetNanoseconds }

  /// The smallest and the largest distance by which B's clock is moved, in nanoseconds.
  package var offsets: ClosedRange<Int64> {
    let all = knots.map(\.offsetNanoseconds)
    return (all.min() ?? 0)...(all.max() ?? 0)
  }

  /// The same with B moved by so many nanoseconds more.
  package func moved(byNanoseconds distance: Int64) -> TimeMap {
    var moved = self
    moved.knots = knots.map { Knot(ofB: $0.ofB, ofA: $0.ofA.advanced(byNanoseconds: distance)) }
    return moved
  }

  /// Where an instant of B lies on A's clock: on the straight line between the knots around it, at the
  /// outer knots' distance beyond them. Of several knots at one instant of B the last counts.
  ///
  /// - Complexity: O(log n) in the knots.
  package func instantOfA(_ instant: Instant) -> Instant {
    let next = knots.partitioningIndex { $0.ofB > instant }
    guard next > 0 else { return instant.advanced(byNanoseconds: knots[0].offsetNanoseconds) }
    let before = knots[next - 1]
    guard next < knots.count else {
      return instant.advanced(byNanoseconds: before.offsetNanoseconds)
    }
    let after = knots[next]
    let span = Double(after.ofB.nanoseconds(since: before.ofB))
    let share = Double(instant.nanoseconds(since: before.ofB)) / span
    let distance = (Double(after.ofA.nanoseconds(since: before.ofA)) * share).rounded()
    return before.ofA.advanced(byNanoseconds: Int64(exactly: distance) ?? 0)
  }
}

extension Curve {
  /// The curve of B on A's clock with the zero at an instant of A. Samples that come to lie on one instant
  /// are one, the newest.
  package func mapped(by map: TimeMap, zero: Instant) -> Curve {
    var mapped = self
    mapped.move(by: map, zero: zero)
    return mapped
  }

  /// Lays the curve of B on A's clock as ``mapped(by:zero:)`` does, in place if nobody else has it.
  mutating func move(by map: TimeMap, zero: Instant) {
    if map.knots.count == 1 {
      let distance = map.offsetNanoseconds.subtractingReportingOverflow(zero.nanoseconds)
      if !distance.overflow { return shift(byNanoseconds: distance.partialValue) }
    }
    self = Curve(
      zip(times, values).lazy.map { time, value in
        Sample(
          time: Instant(nanoseconds: map.instantOfA(time).nanoseconds(since: zero)), value: value)
      })
  }
}
