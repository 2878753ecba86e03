import MotionJudgement
import PageBrowser
import TimelineInterchange
import TimelineModel
import TimelineReport
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of `kymo watch`: a browser, a recording, and the words about it.
struct WatchRun {
  private let plan: WatchPlan
  private let invocation: Invocation
  private let search: BrowserSearch
  private var console: Console { invocation.console }

  init(_ plan: WatchPlan, _ invocation: Invocation) {
    (self.plan, self.invocation) = (plan, invocation)
    search = BrowserSearch(variable: invocation.console.variable)
  }

  /// Watches, records and prints.
  func run() throws -> ExitCode {
    ScratchFolder.removeAbandoned()
    // Files in the way, and requirements that cannot be read, are told before the browser starts.
    let inputs = plan.path.map { [$0] } ?? []
    let junit = try invocation.fileOutput(Flags.junit, beside: inputs)
    let sarif = try invocation.fileOutput(WatchFlags.sarif, beside: inputs)
    let page = try invocation.fileOutput(WatchFlags.pageFile, beside: inputs)
    let requirements = try invocation.requirements()?.rules
    let folder = try ScratchFolder(for: "the recording of a page")
    var (visits, code) = ([PageVisit](), ExitCode.yes)
    // A page takes as long as it likes.
    console.letGoOfStates()
    do {
      try watch { visits.append($0) }
    } catch {
      // What was recorded of a page that fails is kept if that was asked for.
      let kind = (error as? BrowserError)?.kind
      if let path = plan.path, kind != .interrupted, kind != .action {
        for visit in visits.prefix(plan.times) { _ = try record(visit, into: path, folder) }
        if !visits.isEmpty { console.note("\(path) has the recording until then") }
      }
      throw error
    }
    var otherVisit: PageVisit?
    for note in visits.map(\.notes).max(by: { $0.count < $1.count }) ?? [] {
      console.note(note)
    }
    if case .page? = plan.other { otherVisit = visits.popLast() }
    var sessions: [SessionArgument] = []
    for (number, visit) in visits.enumerated() {
      // A recording that nobody keeps has the same identity each time, so each session gets a file.
      let path = plan.path ?? "\(folder.path)/watch\(number).kymo"
      if try record(visit, into: path, folder) != .yes || !visit.isWhole { code = .loss }
      sessions.append(try SessionArgument(console, path))
    }
    if visits.contains(where: { !$0.isWhole }) {
      console.note("the page sent more than 8 MiB a second, and a part of it is left out")
    }
    var stories = try sessions.map { try MotionStory($0.session, in: $0.reader) }
    var unused = Set(plan.allowances)
    for index in stories.indices {
      unused.formIntersection(stories[index].excuse(plan.allowances))
    }
    for allowance in plan.allowances where unused.contains(allowance) {
      console.note("--allow \(ForeignText.quoted(allowance.words)) excuses nothing")
    }
    // Of several runs of the same actions the worst is told, and of equals the first.
    let most = stories.map(\.faults.count).max() ?? 0
    guard let worst = stories.firstIndex(where: { $0.faults.count == most }) else { return code }
    let session = sessions[worst]
    let told = Told(
      did: visits[worst].words + (sessions.count > 1 ? " (the worst of \(sessions.count))" : ""),
      clock: visits[worst].clock, story: stories[worst],
      against: try plan.other.map { other in
        var story = try otherStory(other, otherVisit, folder)
        _ = story.excuse(plan.allowances)
        return (other.name, stories[worst].differences(from: story))
      },
      requirements: try requirements.map {
        try ExpectationJudge($0).verdicts(of: session.session, in: session.reader).byImportance
      })
    try junit?.finish(with: told.junit(of: plan.address).text)
    try sarif?.finish(with: SARIFDocument(told.story, of: plan.source).text)
    print(told)
    if told.clock == .steady, told.story.faults.contains(where: { $0.kind == .noFollower }) {
      console.note(
        "a transition that starts again in each frame stands still on the steady clock. --clock real shows its lag"
      )
    }
    if let page {
      let run = try ReportRun(session: session.session, in: session.reader)
      try page.finish(with: ReportPage(run).bytes)
    }
    return told.isGood ? code : .no
  }

  // MARK: Watching

  /// Watches on the clock that was asked for. Auto goes from the steady one to the real one.
  ///
  /// - Parameter take: Gets what was recorded each time, also of a page that then failed.
  private func watch(_ take: (PageVisit) -> Void) throws {
    var steady: String?
    if plan.clock != .real {
      steady =
        plan.clock == .steady
        ? try search.requiredPath(named: plan.browser, for: .steady)
        : try search.path(named: plan.browser, for: .steady)
    }
    if let steady {
      noteSandbox()
      var visits: [PageVisit] = []
      do {
        try watchSteadily(in: steady, &visits)
        return visits.forEach(take)
      } catch let error as BrowserError
        where [.steadyClock, .lostFrames].contains(error.kind) && plan.clock == .auto
      {
        let why = error.message.split(separator: ".").first.map(String.init) ?? error.message
        console.note("on the real clock: \(why)")
      } catch {
        visits.forEach(take)
        throw error
      }
    }
    let real = try search.requiredPath(named: plan.browser, for: .real)
    if steady == nil { noteSandbox() }
    try watch(in: real, .real, take)
  }

  /// So often a page is watched again that lost frames.
  private static let mostTries = 4

  /// Watches on the steady clock, and again if frames were lost.
  private func watchSteadily(in path: String, _ visits: inout [PageVisit]) throws {
    for attempt in 1...Self.mostTries {
      visits = []
      do {
        return try watch(in: path, .steady) { visits.append($0) }
      } catch let error as BrowserError
        where error.kind == .lostFrames && attempt < Self.mostTries
      {
        continue
      }
    }
  }

  private func noteSandbox() {
    if Browser.Settings.isWithoutSandbox {
      console.note(once: "the browser runs without its sandbox, as it must for the user root")
    }
  }

  private func watch(
    in path: String, _ clock: ClockName, _ take: (PageVisit) -> Void
  ) throws {
    let profile = try ScratchFolder(for: "a browser's profile")
    // What the browser keeps beside its profile goes with it.
    let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": profile.path]) { $1 }
    let browser = try Browser(
      Browser.Settings(
        path: path, profile: profile.path,
        environment: environment.map { "\($0.key)=\($0.value)" }, isSteady: clock == .steady,
        isHeaded: plan.isHeaded, hosts: hosts), isInterrupted: isInterrupted)
    // Its folder goes when it has ended.
    defer { withExtendedLifetime(profile) { browser.end() } }
    var pages = (0..<plan.times).map { (plan.address, Double($0) / Double(plan.times)) }
    if case .page(let address, _)? = plan.other { pages.append((address, 0)) }
    for (address, phase) in pages {
      let watch = try PageWatch(
        PageWatch.Request(
          address: address, actions: plan.actions, settings: plan.settings, clock: clock,
          phase: phase, restLimit: plan.restLimit), in: browser)
      defer { if let visit = watch.visit { take(visit) } }
      try watch.run()
    }
  }

  /// The hosts that the browser finds: those of this machine, if no others are allowed.
  private var hosts: [String]? {
    guard plan.settings.isLoopbackOnly else { return nil }
    let asked = [plan.address, plan.other?.address].compactMap { $0.flatMap(LoopbackAddress.host) }
    return LoopbackAddress.hosts + asked.filter { !LoopbackAddress.hosts.contains($0) }
  }

  private var isInterrupted: () -> Bool {
    let console = console
    return { console.ownsProcess && ReadingInterrupt.hasCome || console.isCancelled() }
  }

  // MARK: Recording

  /// Records the lines of a visit as those of any app.
  private func record(
    _ visit: PageVisit, into path: String, _ folder: ScratchFolder
  ) throws -> ExitCode {
    console.letGoOfStates()
    let lines = folder.path + "/watch.ndjson"
    try Data(visit.text.utf8).write(to: URL(fileURLWithPath: lines))
    return try recordLines(
      lines, named: lines, into: path, invocation, isReported: false,
      uuid: plan.path == nil ? OpenedText.uuid : nil)
  }

  // MARK: Telling

  /// What is printed.
  private struct Told {
    var did: String
    var clock: ClockName
    var story: MotionStory
    /// The name of what it was compared with, and in what it differs. `nil`: it was not compared.
    var against: (name: String, differences: [StoryDifference])?

    /// What differs, without faults that are gone. `nil`: it was not compared.
    var differing: [StoryDifference]? { against?.differences.filter { !$0.isMended } }

    /// The faults of the other one that are gone.
    var mended: [StoryDifference] { against?.differences.filter(\.isMended) ?? [] }

    /// What became of requirements, the worst first. `nil`: there are none.
    var requirements: [Verdict]?

    /// Whether each requirement is met, and nothing differs or, without a comparison, nothing is wrong.
    var isGood: Bool {
      failures.isEmpty && (differing?.isEmpty ?? story.faults.isEmpty)
    }

    /// The requirements that are not met, as sentences.
    var failures: [String] {
      (requirements ?? []).filter { !$0.passes }.map { "requirement: \($0.sentence)" }
    }

    /// The result of the comparison, in a line.
    var comparison: String? {
      against.map { name, differences in
        let count = differences.count - mended.count
        let name = ForeignText.name(name.split(separator: "/").last.map(String.init) ?? name)
        let result =
          count == 0
          ? "the same as \(name)"
          : "\(count) \(count == 1 ? "difference" : "differences") to \(name)"
        return result + (mended.isEmpty ? "" : ", \(mended.count) mended")
      }
    }

    /// What stands before the story: requirements and differences. `nil`: neither was asked for.
    var head: String? {
      guard against != nil || requirements != nil else { return nil }
      let met = requirements.map { all in
        let (asked, failed) = (
          Set(all.map(\.requirement)), Set(all.filter { !$0.passes }.map(\.requirement))
        )
        let open = Set(all.filter(\.isUndecided).map(\.requirement)).subtracting(failed)
        let met = "\(asked.count - failed.count - open.count) of \(asked.count) requirements met"
        return met + (open.isEmpty ? "" : ", \(open.count) too short to tell")
      }
      let result = [met, comparison].compactMap { $0 }.joined(separator: "; ")
      return MotionStory.fitted(
        result + "\n",
        failures.map { "! \($0)" } + ((differing ?? []) + mended).map(\.line),
        to: MotionStory.mostBytes / 2)
    }

    /// The same for a build server, as the test of a page.
    func junit(of address: String) -> JUnitDocument {
      var document = JUnitDocument(name: "kymo watch")
      func sentences(_ lines: [String]) -> [String] { lines.map { String($0.dropFirst(2)) } }
      let faults = story.lines.filter(\.fact.isFault).map(\.text)
      document.add(
        "motion", address,
        failures: failures + sentences(differing?.map(\.line) ?? faults),
        notes: sentences(
          mended.map(\.line)
            + story.lines.filter { against != nil || !$0.fact.isFault }.map(\.text)))
      return document
    }
  }

  /// The story that the motion is compared with.
  private func otherStory(
    _ other: WatchPlan.Other, _ visit: PageVisit?, _ folder: ScratchFolder
  ) throws -> MotionStory {
    if case .recording(let source, _) = other {
      return try MotionStory(source.session, in: source.reader)
    }
    let path = folder.path + "/other.kymo"
    if let visit { _ = try record(visit, into: path, folder) }
    let source = try SessionArgument(console, path)
    return try MotionStory(source.session, in: source.reader)
  }

  private func print(_ told: Told) {
    guard invocation.has(Flags.json) else {
      let room = MotionStory.mostBytes - (told.head?.utf8.count ?? 0)
      invocation.output.write(
        (told.head ?? "")
          + told.story.text(
            atMost: room, did: told.did, isWhole: invocation.has(Flags.allLines)))
      return
    }
    let answer = FieldValue.object(
      EventField.known([
        "version": 1, "did": told.did, "verdict": told.comparison ?? told.story.verdict,
        "facts": FieldValue.list(told.story.facts.map { .object($0.row) }),
        "differences": told.against.map { against in
          FieldValue.list(against.differences.map { .object($0.row) })
        },
        "requirements": told.requirements.map { all in
          FieldValue.list(
            all.map { .object(named: ["says": $0.sentence, "passes": $0.passes]) })
        },
        "clock": told.clock.rawValue, "recording": plan.path,
      ]))
    invocation.output.write(data: answer.json + "\n")
  }
}
