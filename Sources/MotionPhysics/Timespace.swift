import TimelineModel

/// The share of a part of the time, told from the share of the whole: how a motion with a delay or a
/// shorter duration runs inside another one. TLLayoutTransitioning's `TLConvertTimespace`. No units.
///
/// All three are first brought into 0 to 1 (NaN counts as 0). Then 0 up to the start, 1
/// from the end on, and between them in proportion. 1 always for a part that ends where it starts or
/// before.
///
/// ```swift
/// convertTimespace(0.5, start: 0.25, end: 0.75)  // 0.5
/// ```
public func convertTimespace(_ time: Double, start: Double, end: Double) -> Double {
  let time = clampedToUnit(time)
  let start = clampedToUnit(start)
  let end = clampedToUnit(end)
  if end <= start { return 1 }
  if time <= start { return 0 }
  if time >= end { return 1 }
  return (time - start) / (end - start)
}

/// The progress of a transition that follows a value: the share of the distance from its initial to its final
/// value, held in 0 to 1 and then eased. TLLayoutTransitioning's function of this name.
///
/// A way of no length is at 0 as long as the value stands there. Numbers that are not finite count as
/// the nearest that is, and NaN as 0.
///
/// - Parameters:
///   - initial: The value at progress 0, in any unit.
///   - current: The value now, in the same unit.
///   - final: The value at progress 1. May be smaller than the initial one.
///   - easing: What the share is put through.
/// - Returns: No unit. In 0 to 1 where the curve stays there. Always finite.
public func transitionProgress(
  initial: Double, current: Double, final: Double, easing: Easing = .linear
) -> Double {
  // An eighth of every number keeps the differences of huge ones finite, and changes no digit of others.
  let scale = [initial, current, final].allSatisfy { abs($0) < Easing.hugeValue } ? 1 : 0.125
  let start = clampedToFinite(initial) * scale
  let way = clampedToFinite(final) * scale - start
  return easing.value(at: clampedToUnit((clampedToFinite(current) * scale - start) / way))
}

extension Easing {
  /// From here on the difference of two numbers may overflow: a quarter of the largest one.
  fileprivate static let hugeValue = Double.greatestFiniteMagnitude / 4
}

/// The number, or the nearer end of 0 to 1. 0 for NaN.
func clampedToUnit(_ value: Double) -> Double {
  value.isNaN ? 0 : min(max(value, 0), 1)
}
