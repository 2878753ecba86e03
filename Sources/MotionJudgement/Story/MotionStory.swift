package import MotionMeasures
import TimelineModel
import TimelineSession
package import TimelineStore

/// What a session's motion was, in facts: what followed the finger and how late, what the release did with its speed,
/// how it came to rest, and what was wrong whatever was meant.
///
/// It tells recordings of an app, the engine, a touchpad and a page alike. Where a page's recorder kept when the page
/// heard of each place, the page's own lag is told apart from the browser's.
package struct MotionStory: Sendable {
  /// The facts in the order in which they were found.
  package internal(set) var facts: [StoryFact] = []
  /// What was done, in words, one for each act.
  package internal(set) var acts: [String] = []
  /// The curves of what is told of: first of what a finger drives, then of what is at fault, then of others.
  package internal(set) var curves: [StoryCurve] = []

  /// The lines of the facts, in the order in which they are printed.
  package private(set) var lines: [Line] = []

  /// So many rows of poses are read, a second of work. A session of more is not told.
  package static let mostPoses: Int64 = 1_000_000
  /// So many elements in so many frames, as a product: about 100 bytes of memory for each. A session of more is not told.
  package static let mostCells: Int64 = 4_000_000

  /// Tells a session, whatever its length.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in frames, poses, and frames times elements. For each act and each element that moves in it a fit
  ///   of ``DispatchedFollow`` or ``TimedFollow``, and of ``FreeSpring`` and ``EaseOut`` for at most
  ///   ``StoryTeller/mostReleases`` or ``StoryTeller/mostCurves`` of them.
  package init(_ session: SessionRecord, in reader: RecordingReader) throws {
    try reader.beginState()
    defer { reader.endState() }
    let film = try StoryFilm(session, in: reader)
    let transitions = try reader.transitions(in: session.number)
    var teller = StoryTeller(film, acts: film.acts(transitions))
    teller.tell()
    facts = teller.facts
    acts = teller.acts.filter { $0.kind != .load }.map {
      Wording.words($0, from: teller.zero, unit: film.touchUnit)
    }
    (names, bodies) = (film.names, teller.bodies)
    tellLines()
    curves = teller.curves(of: lines.map(\.fact))
  }

  /// The names of all elements, in the order of people, and which of them move together.
  private let names: [String]
  private let bodies: StoryBodies

  mutating func tellLines() {
    lines = Self.lines(of: facts, among: names, bodies: bodies)
  }

  /// Tells a session if it has frames and not too many poses.
  ///
  /// - Parameter overview: The session's.
  /// - Returns: nil: there is nothing to tell, or ``isTooLong(_:)``.
  /// - Throws: `StoreError` when the file cannot be read.
  package init?(_ overview: SessionOverview, in reader: RecordingReader) throws {
    guard overview.frameCount > 0, !MotionStory.isTooLong(overview) else { return nil }
    try self.init(overview.session, in: reader)
  }

  /// Whether a session has more than ``mostPoses`` or ``mostCells``.
  package static func isTooLong(_ overview: SessionOverview) -> Bool {
    overview.poseCount > mostPoses || overview.cellCount > mostCells
  }

  /// The facts that are wrong whatever was meant.
  package var faults: [StoryFact] { facts.filter(\.isFault) }
}

/// Finds the facts of a film.
struct StoryTeller {
  let film: StoryFilm
  let acts: [StoryAct]
  /// When the first act began, in seconds of the session.
  let zero: Double
  let isReduced: Bool
  private(set) var facts: [StoryFact] = []
  /// What a finger drives, by act. `nil` of other acts.
  let drives: [Drive?]
  /// What answers each act.
  var answers: [Int: [Change]] = [:]
  /// The elements that follow a finger or a scroller, by act.
  var followers: [Int: Set<String>] = [:]
  /// Frames at which an element jumped as a finger picked it up.
  var pickups: [(item: String, frame: Int)] = []
  /// The elements that are told of: those that did not move before anything was done.
  let items: [ElementTrack]
  /// The elements that did.
  let ambient: Set<String>
  /// What covers elements on all of their way, so that nobody sees them move, by their names.
  let covers: [String: String]
  /// What moves together.
  let bodies: StoryBodies
  /// The most elements of a release, and of the answer to the last act, of which a curve is fitted.
  static let (mostReleases, mostCurves) = (16, 64)
  /// What followed fingers that the browser took, by act.
  var taken: [Int: TakenFollower] = [:]
  /// How many curves were left out in an act.
  var skippedCurves = 0
  /// How elements go with a finger otherwise than at a distance, by act and element.
  var manners: [Int: [String: Manner]] = [:]
  /// How elements follow, by act and element.
  var following: [Int: [String: Follow]] = [:]
  /// What is known so far of the drag of the subject that is being told of.
  var drag: StoryDrag?
  /// What the release of each act started from.
  var releases: [Int: Release] = [:]
  /// The curves of what fingers drive.
  var driven: [StoryCurve] = []

  init(_ film: StoryFilm, acts: [StoryAct]) {
    (self.film, self.acts) = (film, acts)
    zero = acts.first?.start ?? film.times.first ?? 0
    let opening = film.marks.first {
      $0.kind == "action" && $0.fields["kind"]?.asText == "open"
    }?.fields
    isReduced = opening?["reducedMotion"] == .flag(true)
    let ambient = Set((opening?["ambient"]?.asList ?? []).compactMap(\.asText))
    self.ambient = ambient
    let invisible = Set(
      film.marks.filter { $0.kind == "invisible" }.flatMap {
        ($0.fields["items"]?.asList ?? []).compactMap(\.asText)
      })
    covers = film.marks.filter { $0.kind == "covered" }.reduce(into: [:]) { found, mark in
      if let item = mark.fields["item"]?.asText { found[item] = mark.fields["by"]?.asText }
    }
    let covers = covers
    items = film.items.filter {
      !ambient.contains($0.name) && !invisible.contains($0.name) && covers[$0.name] == nil
    }
    bodies = StoryBodies(items, rows: film.rows)
    drives = acts.map { $0.kind == .swipe ? film.drive(of: $0) : nil }
  }

  /// Judges a fact by the limit of its fault, and keeps it.
  mutating func add(_ fact: StoryFact) {
    var fact = fact
    fact.lengthUnit = film.unit
    // In pictures without a finger nobody knows what something is an answer to.
    let isOfPages =
      MotionFault.ofPages.contains(fact.kind)
      || fact.kind == .settle && acts.allSatisfy { $0.kind == .load }
    if film.isVideo, isOfPages { fact.isJudged = false }
    facts.append(fact.judged())
  }

  mutating func tell() {
    guard film.times.count > 2 else { return }
    for index in acts.indices where acts[index].kind == .swipe { tellSwipe(index) }
    for index in acts.indices {
      tellReaction(index)
      tellScrolls(index)
    }
    tellOutcomes()
    tellInterruptions()
    tellSteps()
    removeTakenSteps()
    tellGroups()
    tellOrders()
    tellRepeats()
    tellWraps()
    if film.isVideo { tellPictures() } else { tellFrames() }
    tellRest()
  }

  /// Changes facts that are kept.
  mutating func change(_ edit: (inout StoryFact) -> Void) {
    for index in facts.indices { edit(&facts[index]) }
  }

  /// Takes out facts that another one explains.
  mutating func remove(where isExplained: (StoryFact) -> Bool) {
    facts.removeAll(where: isExplained)
  }
}
