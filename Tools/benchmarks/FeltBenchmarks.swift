import KymographCLibrary
import TimelineModel
import TimelineRecorder
import TimelineStore

/// The waiting that people feel, at sizes that take seconds: the program's instructions, its memory, and its time
/// beside another program's.
let feltBenchmarks: [Benchmark] = [
  felt("felt-ingest", "`kymo record --from-ndjson` of 60,000 lines of values, and jq on the same") {
    kymo in
    let folder = try TemporaryFolder()
    let (lines, few) = (60_000, 600)
    for (name, count) in [("many", lines), ("few", few)] {
      try writeFile(folder.path + "/" + name, valueLines(count))
    }
    func arguments(_ run: String) -> [String] {
      ["record", "--from-ndjson", "-", "--into", "\(folder.path)/\(run).kymo"]
    }
    let (many, small) = (folder.path + "/many", folder.path + "/few")
    var figures: [Figure] = []
    if let all = try kymo.instructions(arguments("a"), input: many),
      let start = try kymo.instructions(arguments("b"), input: small)
    {
      figures.append(
        Figure(name: "a line", value: (all - start) / Double(lines - few), unit: "instructions"))
    }
    if let jq = BuiltProgram(installed: "jq") {
      var run = 0
      let ratio = leastRatio(
        {
          run += 1
          return kymo.run(arguments("run\(run)"), input: many)
        }, { jq.run(["-c", "."], input: many) })
      figures.append(
        Figure(name: "processor time", value: ratio, unit: "times that of jq -c .", limit: 1.1))
    }
    return figures
  },
  Benchmark(
    name: "felt-open", group: "felt", unit: "recording", isOnRequest: true, isTimed: false,
    summary: "the caller's thread in the first `Recorder(path:)` of a new recording"
  ) {
    let folder = try TemporaryFolder()
    return Benchmark.Work(
      run: { units in
        for number in 0..<units {
          // Nothing closes it: that is not what is counted.
          _ = Unmanaged.passRetained(try Recorder(path: "\(folder.path)/\(number).kymo"))
        }
        return units
      },
      figures: {
        let this = try BuiltProgram(named: "kymograph-benchmarks")
        guard
          let all = try this.instructions(["felt-open", "--units", "1"], isOfMainThread: true),
          let start = try this.instructions(["--limits"], isOfMainThread: true)
        else { return [] }
        return [
          Figure(
            name: "new recording", value: (all - start) / 1e6, unit: "M instructions", limit: 30)
        ]
      })
  },
  felt("felt-show", "`kymo show` of two short sessions, and sqlite3's count of them") { kymo in
    let runs = try GestureRuns(gestures: 1)
    let path = runs.folder.path + "/runs.kymo"
    var figures: [Figure] = []
    if let count = try kymo.instructions(["show", path]) {
      figures.append(
        Figure(name: "a run", value: count / 1e6, unit: "M instructions", limit: 18))
    }
    if let sqlite = BuiltProgram(installed: "sqlite3") {
      let ratio = leastRatio(
        { kymo.run(["show", path]) }, { sqlite.run([path, "SELECT count(*) FROM session"]) })
      figures.append(
        Figure(name: "processor time", value: ratio, unit: "times that of sqlite3", limit: 1.5))
    }
    return figures
  },
  felt("felt-page", "`kymo report` of 1,000 releases: the size of the page") { kymo in
    let runs = try GestureRuns(gestures: 1_000)
    let page = runs.folder.path + "/page.html"
    succeed(kymo.run(["report", runs.folder.path + "/runs.kymo#1", "-o", page]))
    return [
      Figure(
        name: "page", value: Double(runs.folder.bytes(of: "page.html")) / 1e6, unit: "MB",
        limit: 10)
    ]
  },
  felt("felt-check", "`kymo check` of 20 and 80 files: memory of the parent for each more") {
    kymo in
    let files = try CheckedFiles(80)
    let folder = try TemporaryFolder()
    func peak(_ count: Int, _ more: [String]) -> Double {
      let words =
        ["check"] + Array(files.paths.dropFirst().prefix(count)) + ["--golden", files.paths[0]]
      return succeed(kymo.run(words + more)).peakBytes
    }
    return [
      ("check", []), ("check --review", ["--review", folder.path + "/review.html", "--force"]),
    ]
    .map { name, more in
      let growth = peak(80, more) - peak(20, more)
      return Figure(name: name, value: growth / 60 / 1e3, unit: "kB a file", limit: 20)
    }
  },
  felt("felt-decisions", "a recording of 4,000 and of 8,000 decisions: how the cost grows") {
    kymo in
    let folder = try TemporaryFolder()
    func count(_ decisions: Int) throws -> Double? {
      let lines = folder.path + "/\(decisions)"
      try writeFile(lines, decisionLines(decisions))
      return try kymo.instructions(
        ["record", "--from-ndjson", "-", "--into", folder.path + "/\(decisions).kymo"],
        input: lines)
    }
    guard let less = try count(4_000), let more = try count(8_000) else { return [] }
    return [
      Figure(name: "twice as many", value: more / less, unit: "times the instructions", limit: 2.1)
    ]
  },
  felt("felt-velocity", "`kymo velocity` at the end of a transition of an hour, and of a minute") {
    kymo in
    let folder = try TemporaryFolder()
    func count(_ seconds: Int64) throws -> Double? {
      let path = folder.path + "/\(seconds).kymo"
      try recordLongTransition(seconds: seconds, into: path)
      return try kymo.instructions(["velocity", path, "--key", "progress"])
    }
    guard let hour = try count(3_600), let minute = try count(60) else { return [] }
    return [
      Figure(name: "an hour", value: hour / 1e6, unit: "M instructions", limit: 150),
      Figure(name: "an hour", value: hour / minute, unit: "times a minute's", limit: 1.2),
    ]
  },
  felt("felt-groups", "`kymo compare A -- B` of 16,000 releases: memory of the largest process") {
    kymo in
    let folder = try TemporaryFolder()
    let path = folder.path + "/runs.kymo"
    // In a process of its own: the peak of a program counts for those that it starts.
    succeed(
      try BuiltProgram(named: "kymograph-benchmarks").run(["--gestures", "16000", path]))
    let use = kymo.run(["compare", path + "#1", "--", path + "#2"])
    precondition(use.code == 0 || use.code == 1, "kymo compare ended with \(use.code).")
    return [Figure(name: "peak", value: use.peakBytes / 1e6, unit: "MB", limit: 100)]
  },
]

func felt(
  _ name: String, _ summary: String,
  _ figures: @escaping @Sendable (BuiltProgram) throws -> [Figure]
) -> Benchmark {
  Benchmark(
    name: name, group: "felt", unit: "run", isOnRequest: true, isTimed: false, summary: summary
  ) {
    let kymo = try BuiltProgram.kymo
    return Benchmark.Work(run: { $0 }, figures: { try figures(kymo) })
  }
}

/// The least time of one program in several turns, divided by the least of another's.
func leastRatio(
  _ one: () -> BuiltProgram.Use, _ other: () -> BuiltProgram.Use
) -> Double {
  var (least, leastOfOther) = (Double.infinity, Double.infinity)
  for _ in 0..<9 {
    least = min(least, succeed(one()).nanoseconds)
    leastOfOther = min(leastOfOther, succeed(other()).nanoseconds)
  }
  return least / leastOfOther
}

@discardableResult
func succeed(_ use: BuiltProgram.Use) -> BuiltProgram.Use {
  precondition(use.code == 0, "A program ended with \(use.code).")
  return use
}

func writeFile(_ path: String, _ text: String) throws {
  guard let file = fopen(path, "w") else { throw UsageError("\(path) cannot be written.") }
  fputs(text, file)
  fclose(file)
}

/// Lines of an app: twenty keys at 120 Hz.
private func valueLines(_ count: Int) -> String {
  var text = #"{"kymograph": 1, "software": "kymograph-benchmarks"}"# + "\n"
  for number in 0..<count {
    let (frame, key) = number.quotientAndRemainder(dividingBy: 20)
    let value = Double((frame * 37 + key * 101) % 10_007) / 7
    text += #"{"t_ns": \#(frame * 8_333_333), "key": "key \#(key)", "value": \#(value)}"# + "\n"
  }
  return text
}

/// Lines of an app that decides ten times in a second.
private func decisionLines(_ count: Int) -> String {
  var text = #"{"kymograph": 1, "software": "kymograph-benchmarks"}"# + "\n"
  for number in 0..<count {
    let (time, progress) = (number * 100_000_000, Double(number % 10) / 10)
    text += #"{"t_ns": \#(time), "key": "progress", "value": \#(progress)}"# + "\n"
    text += #"{"t_ns": \#(time), "decision": {"outcome": "finish", "transition": \#(number), "#
    text += #""rule": "progress", "threshold": 0.5, "progress": \#(progress)}}"# + "\n"
  }
  return text
}

/// A transition of the engine at 120 Hz whose finger moves in its last tenth of a second.
private func recordLongTransition(seconds: Int64, into path: String) throws {
  var description = SessionDescription.ofBenchmarks
  description.engineVersion = "1"
  let recorder = try Recorder(path: path, session: description, policy: .wait)
  let key = recorder.keyHandle(for: "progress", role: .progress, unit: "1")
  recorder.record(TimelineEvent(time: .zero, kind: .start))
  let frames = seconds * 120
  for frame in 0...frames {
    let time = Instant(nanoseconds: frame * 8_333_333)
    let moved = Double(max(0, frame - frames + 12)) / 24
    recorder.record(0.25 + moved, for: key, at: time, phase: .driving)
  }
  let end = Instant(nanoseconds: frames * 8_333_333)
  recorder.record(
    ReleaseDecision(
      transition: 0, time: end, outcome: .finish, decidedBy: "rule", rule: "progress",
      ruleOutcome: .finish, threshold: 0.5, progress: 0.75, progressVelocity: 5,
      marginProgress: 0.25))
  try recorder.finish(at: end, outcome: .finished)
}
