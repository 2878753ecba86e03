import TimelineModel

/// What some requirements need of a recording.
struct AskedMotion {
  var keys: [String] = []
  var items: [MotionSubject] = []
  /// The elements of which every frame counts.
  var denseItems: Set<MotionSubject> = []
  var fingers: [MotionSubject] = []
  var events: Set<String> = []
  var frames = false
  /// Whether a limit of time has to bear half a frame.
  var limitsTime = false

  init(_ rules: [MotionExpectation]) {
    for rule in rules {
      var isDense = false
      var subjects = rule.subjects
      switch rule.demand {
      case .follows(let source, _, _, _, _, _), .handsOver(let source, _, _):
        subjects.append(source)
        isDense = true
      case .before(let moment, _): add(moment)
      case .continuous where subjects.contains(where: \.isPlaced):
        // A finger's drive and a missing frame explain steps of an element.
        for axis in [FingerAxis.x, .y] { add(.finger(axis, contact: nil), isDense: false) }
        frames = true
      case .appearsBy:
        subjects = subjects.map { subject in
          if case .item(let id, _) = subject { .item(id, .alpha) } else { subject }
        }
      default: break
      }
      switch rule.demand {
      case .follows, .settlesBy, .stagger, .appearsBy, .before: limitsTime = true
      default: break
      }
      if let from = rule.from { add(from) }
      for subject in subjects { add(subject, isDense: isDense) }
    }
  }

  /// Asks about subjects that are one number each.
  init(_ subjects: [MotionSubject]) {
    for subject in subjects { add(subject, isDense: true) }
  }

  /// Reads a recorded key instead of an element's or a finger's number of the same name.
  mutating func preferKeys(named names: Set<String>) {
    let isKey = { (subject: MotionSubject) in subject.isNumber && names.contains(subject.text) }
    for subject in items + fingers where isKey(subject) && !keys.contains(subject.text) {
      keys.append(subject.text)
    }
    items.removeAll(where: isKey)
    fingers.removeAll(where: isKey)
  }

  private mutating func add(_ moment: MotionMoment) {
    if case .event(let name) = moment { events.insert(name) }
  }

  private mutating func add(_ subject: MotionSubject, isDense: Bool) {
    switch subject {
    case .key(let name): if !keys.contains(name) { keys.append(name) }
    case .item:
      if !items.contains(subject) { items.append(subject) }
      if isDense { denseItems.insert(subject) }
    case .finger: if !fingers.contains(subject) { fingers.append(subject) }
    case .event(let name): events.insert(name)
    case .frames: frames = true
    }
  }
}

extension MotionSubject {
  /// Whether it is a place of an element, which a finger may drive.
  fileprivate var isPlaced: Bool {
    if case .item(_, let attribute) = self { !attribute.axes.isEmpty } else { false }
  }
}
