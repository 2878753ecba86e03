package import MotionMeasures
import MotionPhysics
package import TimelineModel
package import TimelineSession
package import TimelineStore

/// One session in named numbers: what sessions are compared by when there are many of each.
///
/// The order is always the same: the session's own figures first, then those of each release, then those
/// of each key in the order of the keys' numbers. A figure that a session cannot tell is there without a
/// value, so that sessions with the same keys have the same list.
package struct SessionMetrics: Sendable, Hashable {
  /// One number.
  package struct Metric: Sendable, Hashable, ResultRow {
    /// Which number it is.
    package var name: Measure
    /// The key that it is told of. `nil` for the session's own.
    package var key: String?
    /// The role of that key, which tells two keys of one name apart.
    package var role: KeyRole?
    /// The number of the release in its session, counted from 0. 0 where the session has none or only one.
    package var transition: Int
    /// The outcome of the release, where finishes are told apart from cancels. `nil`: not.
    package var outcome: ReleaseOutcome?
    /// The unit: "ms", "ms/s", "%", "1" for none, or one made of the key's.
    package var unit: String
    /// The number. `nil` where the session does not tell it.
    package var value: Double?

    package init(
      name: Measure, key: String?, role: KeyRole?, transition: Int, unit: String, value: Double?
    ) {
      (self.name, self.key, self.role) = (name, key, role)
      (self.transition, self.unit, self.value) = (transition, unit, value)
    }

    package static var fields: [ResultField<Self>] {
      [
        ResultField("name", "The name of the number, such as settle_2_ms.", \.name),
        ResultField("key", "The number's key; null for the whole session.", \.key),
        ResultField("role", "The key's role: progress, animated or custom.", \.role),
        ResultField("transition", "The release's number, counted from 0.", \.transition),
        ResultField("unit", "The unit of the value.", \.unit),
        ResultField("value", "The number, in the row's unit.", \.value),
      ]
    }
  }

  /// The same numbers of the session or of a key, of one release after the other.
  package struct Block: Sendable, Hashable {
    /// A number that each release has.
    package struct Column: Sendable, Hashable {
      /// Which number it is.
      package var name: Measure
      /// Its unit.
      package var unit: String

      package init(name: Measure, unit: String) { (self.name, self.unit) = (name, unit) }
    }

    /// The key that they are of. `nil` for the session's own.
    package var key: String?
    /// The role of that key.
    package var role: KeyRole?
    /// The release that the first numbers are of.
    package var firstTransition: Int
    /// What each release has.
    package var columns: [Column]
    /// Release after release, a number of each column. Of the last release there may be fewer.
    package var values: [OptionalNumber]

    package init(
      key: String?, role: KeyRole?, firstTransition: Int, columns: [Column],
      values: [OptionalNumber]
    ) {
      (self.key, self.role, self.firstTransition) = (key, role, firstTransition)
      (self.columns, self.values) = (columns, values)
    }

    /// The number at a place in ``values``.
    package func metric(at index: Int) -> Metric {
      let (row, column) = index.quotientAndRemainder(dividingBy: columns.count)
      return Metric(
        name: columns[column].name, key: key, role: role, transition: firstTransition + row,
        unit: columns[column].unit, value: values[index].value)
    }

    /// Adds a number if it continues the block.
    fileprivate mutating func takes(_ metric: Metric) -> Bool {
      guard metric.key == key, metric.role == role else { return false }
      let column = Column(name: metric.name, unit: metric.unit)
      if values.count == columns.count, metric.transition == firstTransition {
        columns.append(column)
      } else {
        let (row, place) = values.count.quotientAndRemainder(dividingBy: columns.count)
        guard metric.transition == firstTransition + row, column == columns[place] else {
          return false
        }
      }
      values.append(OptionalNumber(metric.value))
      return true
    }
  }

  /// The numbers in order, block after block.
  package var blocks: [Block] = []

  /// The numbers one by one, in order.
  package var metrics: [Metric] {
    get { blocks.flatMap { block in block.values.indices.lazy.map(block.metric) } }
    set {
      blocks = []
      for metric in newValue { add(metric) }
    }
  }

  /// Numbers that were read before.
  package init(blocks: [Block]) { self.blocks = blocks }

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - isNeeded: Whether a number of a key, or of the session without one, is kept. By default each is.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in samples and frames, but for sorting the frames' intervals.
  package init(
    _ session: SessionRecord, in reader: RecordingReader,
    keeping isNeeded: (Measure, _ key: String?) -> Bool = { _, _ in true }
  ) throws {
    try reader.beginState()
    defer { reader.endState() }
    let source = FileSource(session, in: reader)
    let data = try SessionData(source, reading: .allKeys())
    var own = Fields(SessionMetrics.ofSession, isNeeded)
    own.add(data)
    var updates = Fields(FrameMetrics.fields, isNeeded)
    updates.add(FrameMetrics(data.frames))
    blocks = [
      Block(
        key: nil, role: nil, firstTransition: 0, columns: own.columns + updates.columns,
        values: own.values + updates.values)
    ]
    let answers = try ReleaseAnswers(at: data, from: source)
    var decided = Fields(SessionMetrics.ofRelease, isNeeded)
    for release in data.releases {
      let margin = release.marginProgress(asking: answers.decision(at: release.time))
      decided.add(Decided(outcome: release.outcome, margin: margin))
    }
    blocks.append(decided.block(of: nil))
    for key in data.tracks.all {
      var moved = Fields(SessionMetrics.ofKey, of: key.record, isNeeded)
      guard !moved.columns.isEmpty else { continue }
      for stretch in data.stretches {
        let velocity = stretch.release.flatMap { answers.velocity(of: key.record.handle, at: $0) }
        moved.add(KeyMotion(key, in: stretch, releaseVelocity: velocity))
      }
      blocks.append(moved.block(of: key.record))
    }
    blocks.removeAll { $0.values.isEmpty }
  }

  private mutating func add(_ metric: Metric) {
    if let last = blocks.indices.last, blocks[last].takes(metric) { return }
    blocks.append(
      Block(
        key: metric.key, role: metric.role, firstTransition: metric.transition,
        columns: [Block.Column(name: metric.name, unit: metric.unit)],
        values: [OptionalNumber(metric.value)]))
  }

  /// The metric of a name. `nil` where there is none, or where the session does not tell it.
  package func value(_ name: Measure, key: String? = nil, transition: Int = 0) -> Double? {
    for block in blocks where block.key == key {
      guard let column = block.columns.firstIndex(where: { $0.name == name }) else { continue }
      let row = transition - block.firstTransition
      guard row >= 0, row <= block.values.count / block.columns.count else { continue }
      let index = row * block.columns.count + column
      if index < block.values.count { return block.values[index].value }
    }
    return nil
  }
}

/// What is known of a session's releases beside what was recorded: how fast each key was, and what the rule says.
private struct ReleaseAnswers {
  private var indices: [Instant: Int] = [:]
  private var decisions: [ReleaseRule.Decision?] = []
  private let places: [KeyHandle: Int]
  /// Release after release, the velocity of each key.
  private var velocities: [OptionalNumber] = []

  /// One release is asked about at a time, since a report holds much more.
  init(at data: SessionData, from source: FileSource) throws {
    places = Dictionary(
      data.tracks.all.lazy.map(\.record.handle).enumerated().map { ($1, $0) }
    ) { first, _ in first }
    guard !data.releases.isEmpty else { return }
    var question = VelocityQuestion()
    question.keyNames = Set(data.tracks.all.map(\.record.name))
    question.contacts = []
    question.isBrief = true
    let source = try VelocitySource(source, asking: question)
    let places = places
    for record in source.data.releases where indices[record.time] == nil {
      indices[record.time] = decisions.count
      var row = Array(repeating: OptionalNumber.none, count: data.tracks.all.count)
      var answered: Set<Int> = []
      let release = try source.release(record) { _, motion in
        // The first estimator that answers counts.
        guard case .key(let key) = motion.subject, let place = places[key.handle],
          answered.insert(place).inserted
        else { return }
        row[place] = OptionalNumber(motion.estimate.velocityPerSecond)
      }
      decisions.append(release.ruleDecision)
      velocities += row
    }
  }

  /// What the rule says at an instant.
  func decision(at time: Instant) -> ReleaseRule.Decision? {
    indices[time].flatMap { decisions[$0] }
  }

  /// How fast a key was at an instant.
  func velocity(of key: KeyHandle, at time: Instant) -> Double? {
    guard let index = indices[time], let place = places[key] else { return nil }
    return velocities[index * (velocities.count / decisions.count) + place].value
  }
}

extension SessionMetrics {
  /// How a release was decided.
  private struct Decided {
    let outcome: ReleaseOutcome
    let margin: Double?
  }

  /// How a key moved after a release, and how fast it was then.
  private struct KeyMotion {
    let motion: MotionMetrics?
    let releaseVelocity: Double?
    private let start: Instant?

    init(_ key: Track, in stretch: MotionStretch, releaseVelocity: Double?) {
      motion = MotionMetrics(key.curve, in: stretch, unit: key.unit, isStep: key.isStep)
      start = key.curve.times[key.curve.times.partitioningIndex { $0 >= stretch.start }...].first
      self.releaseVelocity = releaseVelocity
    }

    var peakSeconds: Double? {
      motion?.peakTime.flatMap { time in start.map { time.seconds(since: $0) } }
    }
  }

  /// The numbers of the session as a whole, beside those of its updates.
  private static let ofSession: [ResultField<SessionData>] = [
    ResultField(.duration, "ms", "From first to last.", \.durationSeconds.milliseconds)
  ]

  /// The numbers of a release.
  private static let ofRelease: [ResultField<Decided>] = [
    ResultField(.decision, "1", "1 if it finished.") { $0.outcome == .finish ? 1.0 : 0 },
    ResultField(.margin, "1", "How far from flipping.", \.margin),
  ]

  /// The numbers of a key at a release: first how fast it was, then the other figures of its motion.
  private static let ofKey: [ResultField<KeyMotion>] =
    (MotionMetrics.fields.of(\.motion) + [
      ResultField(.peakTime, "ms", "From the start to the peak.", \.peakSeconds.milliseconds),
      ResultField(.releaseVelocity, "/s", "The velocity at the release.", \.releaseVelocity),
    ]).leading(with: [.peakVelocity, .peakTime, .releaseVelocity])

  /// All numbers, in the order in which sessions have them.
  package static let measures: [Measure] =
    (ofSession.measures() + FrameMetrics.fields.measures() + ofRelease.measures()
    + ofKey.measures()).map(\.measure)

  /// The fields of a list that are kept, and their numbers of one result after the other.
  private struct Fields<Record> {
    /// What each result has. A unit that depends on the key's is made of it.
    let columns: [Block.Column]
    private(set) var values: [OptionalNumber] = []
    private let fields: [ResultField<Record>]

    init(
      _ fields: [ResultField<Record>], of key: KeyRecord? = nil,
      _ isNeeded: (Measure, _ key: String?) -> Bool
    ) {
      var columns: [Block.Column] = []
      self.fields = fields.filter { field in
        guard let measure = field.measure.flatMap(Measure.init(rawValue:)),
          isNeeded(measure, key?.name)
        else { return false }
        let keyUnit = key?.unit ?? ""
        let unit =
          switch field.unit {
          case "": keyUnit
          case "/s": keyUnit.isEmpty ? "1/s" : keyUnit + "/s"
          default: field.unit
          }
        columns.append(Block.Column(name: measure, unit: unit))
        return true
      }
      self.columns = columns
    }

    mutating func add(_ record: Record) {
      for field in fields {
        values.append(
          OptionalNumber(field.number(of: record).flatMap { $0.isFinite ? $0 : nil }))
      }
    }

    func block(of key: KeyRecord?) -> Block {
      Block(key: key?.name, role: key?.role, firstTransition: 0, columns: columns, values: values)
    }
  }
}

extension SessionData {
  /// Seconds from the first sample or frame to the last. `nil` where there is neither.
  package var durationSeconds: Double? {
    var times = tracks.all.flatMap {
      [$0.curve.times.first, $0.curve.times.last].compactMap { $0 }
    }
    times += [frames.times.min(), frames.times.max()].compactMap { $0 }
    guard let first = times.min(), let last = times.max() else { return nil }
    return last.seconds(since: first)
  }
}
