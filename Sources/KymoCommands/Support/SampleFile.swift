import GestureInput
import MotionJudgement
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

/// Samples that lie in a file by themselves: a CSV table, or the places of a gesture's contacts.
struct SampleFile {
  /// One column of a table, or one axis of a contact.
  struct Track {
    /// The contact. `nil` in a table.
    var pointer: Int?
    /// "x" or "y", or the name of a table's column.
    var axis: String
    /// In the order of the file.
    var samples: [Sample] = []
    /// Which samples the system computed. Empty: none.
    var resampled: [Bool] = []
    /// When the contact lifted. In a table its latest time.
    var lift: Instant
    /// Whether the system took the contact away then, which leaves it no velocity.
    var isCancelled = false

    /// A column of a table.
    fileprivate static func of(_ column: ValueTable.Column) -> Track {
      Track(
        axis: column.name,
        samples: zip(column.times, column.values).map {
          Sample(time: Instant(nanoseconds: $0), value: $1)
        }, resampled: column.resampled,
        lift: Instant(nanoseconds: column.times.max() ?? 0))
    }

    /// How long it goes on.
    fileprivate var seconds: Double { samples.first.map { lift.seconds(since: $0.time) } ?? 0 }

    /// Whether a rule may take the values for a progress, which goes from 0 to 1 and beyond. Pixels and percents go further.
    var mayBeProgress: Bool { samples.allSatisfy { abs($0.value) <= 10 } }

    /// The name that `--key` takes.
    var name: String {
      guard let pointer, let axis = FingerAxis(rawValue: axis) else { return axis }
      return MotionSubject.finger(axis, contact: pointer).text
    }
  }

  /// The file's name in sentences.
  let name: String
  /// Every column, or both axes of every contact.
  var tracks: [Track]
  /// Whether the places are sums of distances, as libinput says them.
  var areDeltas = false
  /// Whether the positions are in a device's own units, and its units per millimetre if the file has them.
  var device: (isOne: Bool, resolution: DeviceResolution?) = (false, nil)
  /// The swipes that the contacts make. Empty unless a rule is asked.
  var swipes: [Swipe] = []

  /// Whether rules have their peers' numbers for a touchpad: distances and positions of a device are a touchpad's.
  var isOfTouchpad: Bool { areDeltas || device.isOne }

  /// Takes the values or the contacts of a text. None of the lines of an app, which are recorded.
  init(_ text: InputText) {
    name = text.name
    switch text.content {
    case .lines: tracks = []
    case .values(let table): tracks = table.columns.map(Track.of)
    case .touches(let gesture):
      areDeltas = gesture.deltas != nil
      device = (gesture.format.isInDeviceUnits, gesture.resolution)
      tracks = SampleFile.tracks(of: gesture.touches)
    }
  }

  /// Keeps only the tracks that `--key` names: a column, `finger.N.x`, or `finger.x` for the contact that is down longest.
  mutating func keep(namedBy texts: [String]) throws {
    guard !texts.isEmpty else { return }
    let longest = tracks.filter { $0.pointer != nil }.max { one, other in
      one.seconds < other.seconds
    }?.pointer
    func track(_ name: String) -> String? {
      if tracks.contains(where: { $0.name == name }) { return name }
      guard let longest else { return nil }
      if case .finger(let axis, nil) = MotionSubject(name) {
        return MotionSubject.finger(axis, contact: longest).text
      }
      // A table of positions names them so.
      return FingerAxis(rawValue: name).map { MotionSubject.finger($0, contact: longest).text }
    }
    let names = texts.flatMap { text in partedNames(text) { track($0) != nil } }
    let kept = try names.map { name in
      guard let name = track(name) else { throw unknownKey(name, among: tracks.map(\.name)) }
      return name
    }
    tracks = tracks.filter { kept.contains($0.name) }
  }

  /// Keeps the contacts that land last if there are too many to answer about all of them, and says so.
  mutating func keepLastContacts(_ invocation: Invocation) {
    let contacts = tracks.filter {
      $0.axis == FingerAxis.x.rawValue || $0.axis == FingerAxis.y.rawValue
    }
    .compactMap(\.pointer).reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
    guard contacts.count > SampleFile.mostContacts else { return }
    let kept = contacts.suffix(SampleFile.mostContacts)
    let first = kept.first ?? 0
    invocation.note(
      "\(name): the last \(kept.count) contacts are taken, from \(first) on. \(contacts.count - kept.count) are left out. "
        + "Name others with --key finger.N.x")
    tracks.removeAll { ($0.pointer ?? first) < first }
    swipes.removeAll { ($0.contacts.first ?? first) < first }
  }

  /// Says which columns of a table no rule decides about.
  func sayWhatIsNoProgress(asking question: VelocityQuestion, _ invocation: Invocation) {
    guard !question.rule.isEmpty else { return }
    for track in tracks where track.pointer == nil && !track.mayBeProgress {
      invocation.note(
        "\(name): no decision about \(track.name), because a rule needs a progress, from 0 to 1. Divide its values by the "
          + "distance of a whole transition")
    }
  }

  /// Takes the estimator and the window that a file is estimated with if nobody names others: for distances a window
  /// without a stop gap.
  func preferEstimation(of question: inout VelocityQuestion, _ invocation: Invocation) {
    if areDeltas, question.preset == nil {
      question.preset = .forDeltas
      invocation.note("\(name): \(EstimationPreset.reasonForDeltas(chosenBy: "--preset"))")
    }
    if question.estimators.isEmpty, question.preset == nil {
      question.estimators = [ReleaseParameters(recorded: nil).estimator]
    }
  }

  /// The answers about more contacts than these, each by every estimator, would take hundreds of megabytes.
  static let mostContacts = 1000

  /// Both axes of every contact, in the order of landing.
  private static func tracks(of touches: [TouchSample]) -> [Track] {
    var tracks: [Track] = []
    var first: [Int: Int] = [:]
    for touch in touches {
      let index = first[touch.contact] ?? tracks.count
      if index == tracks.count {
        first[touch.contact] = index
        for axis in ["x", "y"] {
          tracks.append(Track(pointer: touch.contact, axis: axis, lift: touch.time))
        }
      }
      let last = tracks[index].samples.last.map { last in
        Point2D(x: last.value, y: tracks[index + 1].samples.last?.value ?? .nan)
      }
      let reportsPosition = touch.reportsPosition(after: last)
      for (axis, value) in [touch.position.x, touch.position.y].enumerated() {
        tracks[index + axis].lift = touch.time
        tracks[index + axis].isCancelled = touch.phase == .cancelled
        guard reportsPosition else { continue }
        tracks[index + axis].samples.append(Sample(time: touch.time, value: value))
        tracks[index + axis].resampled.append(touch.isResampled)
      }
    }
    return tracks
  }
}

extension EstimationPreset {
  /// The window that distances are looked at through: it has no stop gap.
  static let forDeltas = EstimationPreset.gnome
  /// Why, in a sentence that says what would choose another.
  static func reasonForDeltas(chosenBy choice: String) -> String {
    "velocities use the preset \(forDeltas.rawValue), which has no stop gap: libinput ends a gesture 46 to 50 ms after its "
      + "last distance. Choose another preset with \(choice)"
  }
}
