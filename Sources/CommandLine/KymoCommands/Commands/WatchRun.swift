import PageBrowser
import TimelineModel
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
    let folder = try ScratchFolder(for: "the recording of a page")
    let path = plan.path ?? folder.path + "/watch.kymo"
    var (visits, code) = ([PageVisit](), ExitCode.yes)
    do {
      try watch { visits.append($0) }
    } catch {
      // What was recorded of a page that fails is kept if that was asked for.
      let kind = (error as? BrowserError)?.kind
      if plan.path != nil, kind != .interrupted, kind != .action {
        for visit in visits { _ = try record(visit, into: path, folder) }
        if !visits.isEmpty { console.note("\(path) has what was recorded until then") }
      }
      throw error
    }
    var sessions: [SessionArgument] = []
    for visit in visits {
      if try record(visit, into: path, folder) != .yes || !visit.isWhole { code = .loss }
      sessions.append(try SessionArgument(console, path))
    }
    if visits.contains(where: { !$0.isWhole }) {
      console.note("the page told more than 8 MiB a second, and a part of it is left out")
    }
    guard let visit = visits.first, let told = try story(of: sessions) else { return code }
    print(visit, told)
    return code
  }

  // MARK: Watching

  /// Watches on the clock that was asked for; auto goes from the steady one to the real one.
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
        try watch(in: steady, .steady) { visits.append($0) }
        return visits.forEach(take)
      } catch let error as BrowserError where error.kind == .steadyClock && plan.clock == .auto {
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

  private func noteSandbox() {
    if Browser.Settings.isWithoutSandbox {
      console.note("the browser runs without its sandbox, as it must for the user root")
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
        isHeaded: plan.isHeaded), isInterrupted: isInterrupted)
    // Its folder goes when it has ended.
    defer { withExtendedLifetime(profile) { browser.end() } }
    for time in 0..<plan.times {
      let watch = try PageWatch(
        PageWatch.Request(
          address: plan.address, actions: plan.actions, settings: plan.settings, clock: clock,
          phase: Double(time) / Double(plan.times), restLimit: plan.restLimit), in: browser)
      defer { if let visit = watch.visit { take(visit) } }
      try watch.run()
    }
  }

  private var isInterrupted: () -> Bool {
    console.ownsProcess ? { ReadingInterrupt.hasCome } : { false }
  }

  // MARK: Recording

  /// Records the lines of a visit as those of any app.
  private func record(
    _ visit: PageVisit, into path: String, _ folder: ScratchFolder
  ) throws -> ExitCode {
    let lines = folder.path + "/watch.ndjson"
    try Data(visit.text.utf8).write(to: URL(fileURLWithPath: lines))
    return try recordLines(
      lines, into: path, invocation, isReported: false, hasIdentity: plan.path != nil)
  }

  // MARK: Telling

  /// What sessions tell: the one place at which a page that was watched becomes words. Of several runs of the same
  /// actions the first is told.
  private func story(of sessions: [SessionArgument]) throws -> SessionStory? {
    try sessions.first.map { try SessionStory(of: $0.session, in: $0.reader) }
  }

  private func print(_ visit: PageVisit, _ told: SessionStory) {
    guard invocation.has(Flags.json) else {
      invocation.output.write("did: \(visit.words)\n" + told.text)
      return
    }
    let sentences = told.sentences.map {
      FieldValue.object(named: ["about": $0.about, "says": $0.statement])
    }
    let answer = FieldValue.object(named: [
      "version": 1, "did": visit.words, "clock": visit.clock.rawValue, "recording": plan.path,
      "story": FieldValue.list(sentences),
    ])
    invocation.output.write(data: answer.json + "\n")
  }
}
