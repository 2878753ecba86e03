package import TimelineModel
package import TimelineStore

/// Values over time, in runs without a break. A recorded key has one run, a finger one for each contact, an element one for
/// each stretch on the stage.
package struct Track: Sendable {
  /// What it is called, and the unit of its values. The handle of what is computed is below 0.
  package var record: KeyRecord
  /// Whether the value holds from sample to sample (``StepLevels``) instead of going straight to the next.
  package var isStep = false
  /// The values on the session's own clock. Of a center its x, of an element's frame its left edge.
  package var curve = Curve([])
  /// More values at the instants of ``curve``: of a center its y. Of an element's frame top, right and bottom.
  package private(set) var otherColumns: [[Double]] = []
  /// Along which axis each column lies. Empty if it is no place.
  package internal(set) var axes: [FingerAxis] = []
  /// The instants at which the curve begins again, rising.
  package private(set) var breaks: [Instant] = []
  /// What the session was doing at each sample. Empty if that is not asked.
  package var phases: [MotionPhase] = []
  /// Of an element, whether it is within the viewport at each sample. Empty if that is not asked.
  package private(set) var isVisible: [Bool] = []
  /// Of a finger, the contact of each run.
  package private(set) var contacts: [Contact] = []

  package init(_ record: KeyRecord) { self.record = record }

  package init(name: String, unit: String) {
    self.init(
      KeyRecord(handle: KeyHandle(rawValue: .min), name: name, role: .custom, unit: unit))
  }

  /// The first column of a run of another track.
  package init(name: String, unit: String, _ run: Run) {
    self.init(name: name, unit: unit)
    curve = Curve(times: run.times, values: run.columns[0])
    contacts = [run.contact].compactMap { $0 }
  }

  package var name: String { record.name }

  /// The unit of its values. "1" for none.
  package var unit: String { record.unit }

  /// Whether it is of a transition, whose next one sets it anew.
  package var isOfTransition: Bool { record.role != .custom }

  /// Whether the value is ever another one.
  package var moves: Bool { curve.valueRange.map { $0.lowerBound < $0.upperBound } ?? false }

  /// The samples of the curve as rows.
  package var records: [SampleRecord] {
    curve.times.indices.map { index in
      SampleRecord(
        key: record.handle,
        sample: Sample(time: curve.times[index], value: curve.values[index]),
        phase: phases[index], ordinal: 0)
    }
  }
}

// MARK: - Runs

extension Track {
  /// Samples without a break: times rise strictly, and each column has a value for each of them.
  package struct Run {
    package let times: [Instant]
    package let columns: [[Double]]
    /// As ``Track/isVisible``.
    package let isVisible: [Bool]
    /// Of a finger, its contact.
    package let contact: Contact?

    /// Of a finger, when it lifted. `nil`: it did not.
    package var lift: Instant? { contact?.lift }

    /// The values at a sample.
    package func values(_ index: Int) -> [Double] { columns.map { $0[index] } }

    /// The first of them, with its instant.
    package func sample(_ index: Int) -> Sample {
      Sample(time: times[index], value: columns[0][index])
    }
  }

  /// The stretches in which there are values, in the order of time.
  ///
  /// - Complexity: constant for one run, otherwise linear in the samples.
  package var runs: [Run] {
    guard curve.count > 0 else { return [] }
    let columns = [curve.values] + otherColumns
    guard !breaks.isEmpty else {
      return [
        Run(times: curve.times, columns: columns, isVisible: isVisible, contact: contacts.first)
      ]
    }
    let starts = breaks.map { time in curve.times.partitioningIndex { $0 >= time } }
    return zip([0] + starts, starts + [curve.count]).enumerated().map { number, ends in
      let range = ends.0..<ends.1
      return Run(
        times: Array(curve.times[range]), columns: columns.map { Array($0[range]) },
        isVisible: isVisible.isEmpty ? [] : Array(isVisible[range]),
        contact: contacts.indices.contains(number) ? contacts[number] : nil)
    }
  }

  /// The curve from one instant to another, breaks passed over.
  package func curve(
    from start: Instant = Instant(nanoseconds: .min), to end: Instant = Instant(nanoseconds: .max)
  ) -> Curve {
    curve.part(from: start, to: end)
  }

  /// A track of one of the columns.
  package func column(_ index: Int) -> Track {
    var track = self
    if index > 0 { track.curve = Curve(times: curve.times, values: otherColumns[index - 1]) }
    (track.otherColumns, track.isVisible, track.contacts) = ([], [], [])
    return track
  }

  /// All columns from one instant to another, breaks passed over.
  package func samples(
    from start: Instant, to end: Instant
  ) -> (times: [Instant], columns: [[Double]]) {
    let first = curve.times.partitioningIndex { $0 >= start }
    let past = max(first, curve.times.partitioningIndex { $0 > end })
    return (
      Array(curve.times[first..<past]),
      ([curve.values] + otherColumns).map { Array($0[first..<past]) }
    )
  }

  /// The box that all values lie in, as its diagonal: how far the value goes at most.
  package var extent: Double {
    var sum = 0.0
    for column in [curve.values] + otherColumns {
      let size = (column.max() ?? 0) - (column.min() ?? 0)
      sum += size * size
    }
    return sum.squareRoot()
  }

}

// MARK: - Reading

extension Track {
  /// Makes room for this number of samples. The number comes from the file and is only a hint: an edited file cannot ask
  /// for all memory.
  mutating func reserveCapacity(_ expected: Int64?, keepsPhases: Bool) {
    let room = Int(max(0, min(expected ?? 0, 1 << 24)))
    curve.reserveCapacity(room)
    if keepsPhases { phases.reserveCapacity(room) }
  }

  /// Adds the next sample with its phase. Of several at one instant the newest counts.
  mutating func add(_ sample: Sample, phase: MotionPhase) {
    let before = curve.count
    let leftOut = curve.leftOutCount
    curve.append(sample)
    if curve.count > before {
      phases.append(phase)
    } else if curve.leftOutCount == leftOut {
      phases[phases.count - 1] = phase
    }
  }

  /// Adds the samples of a column in the order of recording, by the rules of ``add(_:phase:)``.
  mutating func append(_ series: SampleColumns.Series, keepsPhases: Bool) {
    guard keepsPhases, !series.rises(after: curve.times.last) || !series.isFinite else {
      curve.append(series)
      if keepsPhases { phases += series.times.indices.lazy.map { series.phase($0) } }
      return
    }
    for index in series.times.indices {
      let time = Instant(nanoseconds: series.times[index])
      add(Sample(time: time, value: series.value(index)), phase: series.phase(index))
    }
  }

  /// Adds the next sample. Of three in a row that are equal the middle one goes.
  mutating func addHeld(_ sample: Sample, phase: MotionPhase) {
    let index = curve.count - 1
    if curve.holds(sample.value), sample.time > curve.times[index] {
      curve.removeLast()
      phases.removeLast()
    }
    add(sample, phase: phase)
  }

  /// Looks at all values for whether they hold.
  package mutating func findSteps() {
    var levels = StepLevels(of: record)
    guard levels.mayBeStep else { return }
    for value in curve.values { levels.add(value) }
    isStep = levels.isStep
  }

  /// Gives the curve away.
  package mutating func takeCurve() -> Curve {
    var taken = Curve([])
    swap(&taken, &curve)
    phases = []
    return taken
  }

  /// Adds the positions of a contact as a run, those after an instant.
  mutating func add(_ contact: Contact, along axis: FingerAxis, after start: Instant?) {
    guard let positions = contact.track(at: contact.lift ?? Instant(nanoseconds: .max)) else {
      return
    }
    let count = curve.count
    for sample in axis == .x ? positions.x : positions.y
    where start.map({ sample.time > $0 }) ?? true {
      curve.append(sample)
    }
    guard curve.count > count else { return }
    if count > 0 { breaks.append(curve.times[count]) }
    contacts.append(contact)
  }

  /// Adds the numbers of an element in the next frame.
  ///
  /// - Parameters:
  ///   - isNew: Whether a run begins with it.
  ///   - isDense: Whether every frame is kept. Else of a stretch in which nothing changes only both ends.
  mutating func add(
    _ values: [Double], at time: Instant, isVisible isSeen: Bool, isNew: Bool, isDense: Bool
  ) {
    if curve.count == 0 { otherColumns = values.dropFirst().map { _ in [] } }
    let last = curve.count - 1
    let isNewer = curve.times.last == time
    let isSame =
      !isDense && !isNew && last > 0 && curve.times[last - 1] >= breaks.last ?? curve.times[0]
      && holds(values)
    if isNew, !isNewer, last >= 0 { breaks.append(time) }
    if isSame, !isNewer {
      curve.removeLast()
      for column in otherColumns.indices { otherColumns[column].removeLast() }
      isVisible.removeLast()
    }
    curve.append(Sample(time: time, value: values[0]))
    if isNewer {
      for column in otherColumns.indices { otherColumns[column][last] = values[column + 1] }
      isVisible[last] = isSeen
    } else {
      for column in otherColumns.indices { otherColumns[column].append(values[column + 1]) }
      isVisible.append(isSeen)
    }
  }

  /// Whether the last two samples have these values.
  private func holds(_ values: [Double]) -> Bool {
    curve.holds(values[0])
      && otherColumns.indices.allSatisfy { column in
        otherColumns[column].suffix(2).allSatisfy { $0 == values[column + 1] }
      }
  }
}

extension KeyRecord {
  /// Whether it was computed on reading: of the viewport, an element or a finger.
  package var isComputed: Bool {
    isOfViewport || handle.rawValue < 0 && MotionSubject.isComputed(name)
  }
}
