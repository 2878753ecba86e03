import TimelineModel

/// Collects the findings of a reader and turns them into a recording.
struct TouchLog {
  /// One report of one contact with the file's own time. An axis that the file has not named yet
  /// is nil.
  struct Touch {
    var nanoseconds: Int64
    var line: Int
    var contact: Int
    var slot: Int?
    var trackingID: Int?
    var phase: TouchPhase
    var x: Double?
    var y: Double?
    var isResampled = false
  }

  private(set) var touches: [Touch] = []
  private var contacts = 0
  private(set) var warnings: [String] = []
  private var furtherWarnings = 0
  var losses = LossList()
  /// Whether a contact is down where the reader stands.
  var hasOpenContacts = false
  /// Where the file ends, where that is not its last line.
  var lastLine: Int?
  /// The resolutions of the device whose touches are read.
  var resolutions = AxisResolutions()
  /// The unit of the file's times, if there is a choice.
  var timeUnit: TimeUnit?
  /// Whether positions are sums of steps, and begin at 0 with each gesture.
  var areDeltas = false

  /// The number of a contact that lands now.
  mutating func nextContact() -> Int {
    contacts += 1
    return contacts - 1
  }

  mutating func append(_ touch: Touch) { touches.append(touch) }

  /// Adds a sentence, once. Those beyond the limit of ``LossList`` are counted.
  mutating func warn(_ sentence: String) {
    guard !warnings.contains(sentence) else { return }
    if warnings.count < LossList.limit { warnings.append(sentence) } else { furtherWarnings += 1 }
  }

  /// The recording: unnamed axes filled, times counted from the first touch.
  func recording(format: GestureFormat, device: String?) -> GestureRecording {
    var log = self
    log.fillUnnamedAxes()
    log.noteBackwardTimes()
    let start = Instant(nanoseconds: touches.first?.nanoseconds ?? 0)
    return GestureRecording(
      touches: log.touches.map { touch in
        TouchSample(
          time: Instant(
            nanoseconds: Instant(nanoseconds: touch.nanoseconds).nanoseconds(since: start)),
          contact: touch.contact, slot: touch.slot, trackingID: touch.trackingID,
          phase: touch.phase, position: Point2D(x: touch.x ?? 0, y: touch.y ?? 0),
          isResampled: touch.isResampled)
      },
      format: format, device: device, losses: log.losses.sentences,
      warnings: log.furtherWarnings == 0
        ? log.warnings : log.warnings + ["There are \(log.furtherWarnings) further warnings."],
      openContacts: log.hasOpenContacts, deltas: log.areDeltas ? .accelerated : nil,
      resolution: log.resolutions.device, timeUnit: log.timeUnit)
  }

  /// The kernel does not repeat a value that has not changed, so a contact that lands where the one
  /// before the recording's start was names only one axis, or none. The other stayed as it was until
  /// it is named. Until then it takes the first value that follows. Where none follows it is not known.
  private mutating func fillUnnamedAxes() {
    guard touches.contains(where: { $0.x == nil || $0.y == nil }) else { return }
    for axis in [\Touch.x, \Touch.y] {
      var next: [Int: Double] = [:]
      for index in touches.indices.reversed() {
        let contact = touches[index].contact
        if let value = touches[index][keyPath: axis] {
          next[contact] = value
        } else if let value = next[contact] {
          touches[index][keyPath: axis] = value
          warn(
            "A contact began before the file named both axes. The missing one was taken from the next"
              + " report.")
        }
      }
    }
    var said: Set<Int> = []
    for touch in touches where touch.x == nil || touch.y == nil {
      guard said.insert(touch.contact).inserted else { continue }
      let axes = [touch.x == nil ? "x" : nil, touch.y == nil ? "y" : nil].compactMap { $0 }
      losses.add(
        line: touch.line,
        "The \(axes.joined(separator: " and the ")) of contact \(touch.contact)"
          + " \(axes.count == 1 ? "is" : "are") never given, so 0 is used."
      )
    }
  }

  private mutating func noteBackwardTimes() {
    let backwards = zip(touches, touches.dropFirst()).filter { $1.nanoseconds < $0.nanoseconds }
    guard let first = backwards.first else { return }
    let count = backwards.count == 1 ? "once" : "\(backwards.count) times"
    warn(
      "Time runs backwards \(count), first in \(losses.noun.lowercased()) \(first.1.line). The touches keep the order"
        + " and the times of the file, so velocities there are unreliable."
    )
  }
}

/// Sentences about the losses of a file, with the first ones kept and the rest counted, so that a file
/// of nothing but garbage needs no memory for its complaints.
struct LossList {
  /// How many are kept word for word.
  static let limit = 20

  /// The unit in which the file is counted.
  var noun = "Line"
  private var kept: [(line: Int, sentence: String)] = []
  private var further = 0

  mutating func add(line: Int, _ sentence: @autoclosure () -> String) {
    if kept.count < Self.limit {
      kept.append((line, sentence()))
    } else {
      further += 1
    }
  }

  /// Adds the sentences of another list.
  mutating func add(_ others: LossList) {
    for (line, sentence) in others.kept { add(line: line, sentence) }
    further += others.further
  }

  /// All that is to be said, in the order of the lines.
  var sentences: [String] {
    let sentences = kept.sorted { $0.line < $1.line }.map {
      "\(noun) \($0.line): \($0.sentence)"
    }
    return further == 0
      ? sentences : sentences + ["There are \(further) further faults of this sort."]
  }
}
