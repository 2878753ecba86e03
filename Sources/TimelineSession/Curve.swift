package import TimelineModel
package import TimelineStore

/// The values of one key over time, ready to be read between the samples: times rise strictly.
package struct Curve: Sendable, Hashable {
  /// The instants, strictly rising.
  package private(set) var times: [Instant] = []
  /// The values at these instants, in the key's unit. Always finite.
  package private(set) var values: [Double] = []
  /// How many samples were left out because their time went backwards or their value is not finite.
  package private(set) var leftOutCount = 0

  /// Makes a curve from samples in the order in which they were recorded: of several at one time the
  /// newest counts, one whose time goes backwards is left out.
  package init(_ samples: [Sample]) {
    reserveCapacity(samples.count)
    for sample in samples { append(sample) }
  }

  /// Makes a curve of columns that are known to be right.
  init(times: [Instant], values: [Double]) { (self.times, self.values) = (times, values) }

  /// The samples from one instant to another.
  ///
  /// - Complexity: constant if that is all of them, otherwise linear in them.
  package func part(from start: Instant, to end: Instant) -> Curve {
    let first = times.partitioningIndex { $0 >= start }
    let past = times.partitioningIndex { $0 > end }
    if first == 0, past == count { return self }
    guard first < past else { return Curve([]) }
    return Curve(times: Array(times[first..<past]), values: Array(values[first..<past]))
  }

  /// Adds the next sample in the order of recording, by the rules of ``init(_:)``.
  package mutating func append(_ sample: Sample) {
    guard sample.value.isFinite, sample.time >= times.last ?? sample.time else {
      leftOutCount += 1
      return
    }
    if sample.time == times.last {
      values[values.count - 1] = sample.value
    } else {
      times.append(sample.time)
      values.append(sample.value)
    }
  }

  /// Adds the samples of a column in the order of recording, by the rules of ``init(_:)``: all at once if no two of them
  /// have one instant.
  package mutating func append(_ series: SampleColumns.Series) {
    guard series.rises(after: times.last), series.isFinite else {
      for index in series.times.indices {
        append(Sample(time: Instant(nanoseconds: series.times[index]), value: series.value(index)))
      }
      return
    }
    series.times.withUnsafeBufferPointer {
      $0.withMemoryRebound(to: Instant.self) { times.append(contentsOf: $0) }
    }
    series.words.withUnsafeBufferPointer {
      $0.withMemoryRebound(to: Double.self) { values.append(contentsOf: $0) }
    }
  }

  /// Adds samples in the order of recording, by the rules of ``init(_:)``: all at once if no two of them have one instant.
  mutating func append(_ times: [Int64], _ values: [Double]) {
    var isPlain =
      times.first.map { first in self.times.last.map { $0.nanoseconds < first } ?? true } ?? true
    times.withUnsafeBufferPointer { times in
      for index in times.indices.dropFirst() where times[index] <= times[index - 1] {
        isPlain = false
      }
    }
    values.withUnsafeBufferPointer { values in
      for value in values where !value.isFinite { isPlain = false }
    }
    guard isPlain else {
      for (time, value) in zip(times, values) {
        append(Sample(time: Instant(nanoseconds: time), value: value))
      }
      return
    }
    times.withUnsafeBufferPointer {
      $0.withMemoryRebound(to: Instant.self) { self.times.append(contentsOf: $0) }
    }
    self.values.append(contentsOf: values)
  }

  /// Whether the last two samples have this value.
  package func holds(_ value: Double) -> Bool {
    count > 1 && values.suffix(2).allSatisfy { $0 == value }
  }

  /// Takes all samples out, and keeps their memory for others.
  package mutating func removeAll() {
    times.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    leftOutCount = 0
  }

  /// Gives the memory of the instants back, and leaves only the memory of the values, for others (``removeAll()``).
  package mutating func forgetTimes() { times = [] }

  /// Takes the last sample out.
  package mutating func removeLast() {
    times.removeLast()
    values.removeLast()
  }

  /// Makes room for this number of samples.
  package mutating func reserveCapacity(_ count: Int) {
    times.reserveCapacity(count)
    values.reserveCapacity(count)
  }

  /// How many samples there are.
  package var count: Int { times.count }

  /// Seconds from the first sample to the last. 0 for none or one.
  package var durationSeconds: Double {
    guard let first = times.first, let last = times.last else { return 0 }
    return last.seconds(since: first)
  }

  /// The smallest and the largest value. `nil` without a sample.
  package var valueRange: ClosedRange<Double>? {
    values[...].extremes
  }

  /// The same curve on a clock whose zero lies elsewhere: every time moved by this many nanoseconds,
  /// for example so that the start of a transition is at 0. Samples that would leave 64 bits are left
  /// out.
  package func shifted(byNanoseconds distance: Int64) -> Curve {
    var shifted = self
    shifted.shift(byNanoseconds: distance)
    return shifted
  }

  /// Moves every time by this many nanoseconds, as ``shifted(byNanoseconds:)`` does, in place if nobody else has the
  /// curve.
  package mutating func shift(byNanoseconds distance: Int64) {
    guard distance != 0, let first = times.first, let last = times.last else { return }
    // Times rise, so that none leaves 64 bits if neither end does.
    if !first.nanoseconds.addingReportingOverflow(distance).overflow,
      !last.nanoseconds.addingReportingOverflow(distance).overflow
    {
      for index in times.indices {
        times[index] = Instant(nanoseconds: times[index].nanoseconds + distance)
      }
      return
    }
    let samples = zip(times, values)
    (times, values) = ([], [])
    for (time, value) in samples {
      let (sum, overflow) = time.nanoseconds.addingReportingOverflow(distance)
      if overflow {
        leftOutCount += 1
      } else {
        times.append(Instant(nanoseconds: sum))
        values.append(value)
      }
    }
  }
}

extension Curve {
  /// The value of the last sample at or before an instant: what a step holds.
  ///
  /// - Returns: nil before the first sample.
  /// - Complexity: O(log n).
  package func heldValue(at time: Instant) -> Double? {
    indexOfSample(atOrBefore: time).map { values[$0] }
  }

  /// The number of the last sample at or before an instant. `nil` before the first.
  package func indexOfSample(atOrBefore time: Instant) -> Int? {
    let next = times.partitioningIndex { $0 > time }
    return next > 0 ? next - 1 : nil
  }
}

extension ArraySlice where Element == Double {
  /// The smallest and the largest of finite numbers, as `min()` and `max()` find them, in one walk. `nil` without a number.
  package var extremes: ClosedRange<Double>? {
    withUnsafeBufferPointer { numbers in
      guard let first = numbers.first else { return nil }
      // Four of each, since a comparison waits for the comparison before it.
      var (low, high) = (SIMD4(repeating: first), SIMD4(repeating: first))
      let even = numbers.count & ~3
      for index in stride(from: 0, to: even, by: 4) {
        let four = SIMD4(
          numbers[index], numbers[index + 1], numbers[index + 2], numbers[index + 3])
        low.replace(with: four, where: four .< low)
        high.replace(with: four, where: four .> high)
      }
      var (lowest, highest) = (low.min(), high.max())
      for index in even..<numbers.count {
        lowest = Swift.min(lowest, numbers[index])
        highest = Swift.max(highest, numbers[index])
      }
      // Of 0 and -0, which are equal, the order in the list decides.
      if lowest == 0 { lowest = numbers.min() ?? 0 }
      if highest == 0 { highest = numbers.max() ?? 0 }
      return lowest...highest
    }
  }
}
