package import TimelineModel

/// One key of a run over time, as the player draws it.
package struct PlayerCurve: Hashable, Sendable {
  /// The key's name.
  package var name: String
  /// The key's unit. "1" or nothing where it has none.
  package var unit: String
  /// The instants, strictly rising.
  package private(set) var times: [Instant] = []
  /// The values at these. Finite.
  package private(set) var values: [Double] = []
  /// Whether the curve is drawn in steps instead of straight from value to value.
  package var isStep = false
  /// The instants at which it begins again, rising: nothing joins the value before with the next one.
  package var breaks: [Instant] = []

  /// Stretches that an outline is drawn in: more than there are dots across any screen.
  private static let outlineStretches = 1024
  /// Of a longer time than this an outline looks as well made of what a key did in each second: a stretch of it is two
  /// seconds then.
  package static let longestExactSeconds = Double(2 * outlineStretches)

  /// Makes a curve from samples in the order recorded: of several at one time the newest counts, one
  /// whose time goes backwards and numbers that are not finite are left out.
  package init(name: String, unit: String, samples: some Sequence<Sample>) {
    self.name = name
    self.unit = unit
    for sample in samples { append(sample) }
  }

  /// Adds the next sample.
  package mutating func append(_ sample: Sample) {
    guard sample.value.isFinite, sample.time >= times.last ?? sample.time else { return }
    if sample.time == times.last {
      values[values.count - 1] = sample.value
    } else {
      times.append(sample.time)
      values.append(sample.value)
    }
  }

  /// The value of the newest sample at or before an instant. `nil` before the first.
  package func value(at time: Instant) -> Double? {
    let count = times.partitioningIndex { $0 > time }
    return count > 0 ? values[count - 1] : nil
  }

  /// The unit as it stands behind a number.
  package var unitSuffix: String { unit.isEmpty || unit == "1" ? "" : " " + unit }

  /// The curve between two instants with as many points as can be seen: of each small stretch the first,
  /// the smallest, the largest and the last. Of steps also the corners between these.
  ///
  /// - Complexity: linear in the samples.
  package func outline(in range: ClosedRange<Instant>) -> [Sample] {
    let samples = seenSamples(in: range)
    guard isStep, let first = samples.first else { return samples }
    return [first]
      + zip(samples, samples.dropFirst()).flatMap { [Sample(time: $1.time, value: $0.value), $1] }
  }

  private func seenSamples(in range: ClosedRange<Instant>) -> [Sample] {
    let first = times.partitioningIndex { $0 >= range.lowerBound }
    let last = times.partitioningIndex { $0 > range.upperBound }
    guard last > first else { return [] }
    let count = last - first
    func sample(_ index: Int) -> Sample { Sample(time: times[index], value: values[index]) }
    guard count > PlayerCurve.outlineStretches * 4 else { return (first..<last).map(sample) }
    var outline: [Sample] = []
    outline.reserveCapacity(PlayerCurve.outlineStretches * 4)
    for stretch in 0..<PlayerCurve.outlineStretches {
      let start = first + count * stretch / PlayerCurve.outlineStretches
      let end = first + count * (stretch + 1) / PlayerCurve.outlineStretches
      var (low, high) = (start, start)
      for index in start..<end {
        if values[index] < values[low] { low = index }
        if values[index] > values[high] { high = index }
      }
      for index in Set([start, low, high, end - 1]).sorted() { outline.append(sample(index)) }
    }
    return outline
  }
}

extension PlayerCurve {
  /// The same curve with every instant moved. Those that would leave 64 bits pile up at the end, where
  /// the newest counts.
  package func shifted(byNanoseconds distance: Int64) -> PlayerCurve {
    guard distance != 0 else { return self }
    var shifted = PlayerCurve(
      name: name, unit: unit,
      samples: zip(times, values).lazy.map { time, value in
        Sample(time: time.advanced(byNanoseconds: distance), value: value)
      })
    shifted.isStep = isStep
    shifted.breaks = breaks.map { $0.advanced(byNanoseconds: distance) }
    return shifted
  }
}
