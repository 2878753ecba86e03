import KymographCLibrary
import TimelineModel
import TimelineStore

/// The program on a session of four hours: the time that a person waits, and the most memory. The program has to be
/// beside this one, as a build puts it. The yardstick of the times is the reading of all values.
let hoursBenchmarks: [Benchmark] = [
  Benchmark(
    name: "hours-read", group: "hours", unit: "run", isOnRequest: true,
    summary: "reads every value of four hours of 16 keys once: the yardstick"
  ) {
    let recording = try HoursRecording.shared(seconds: hoursSeconds)
    return .each { _ in
      var count = 0
      try RecordingReader(path: recording.path).forEachSample(in: 1) { _, _, _, _ in count += 1 }
      precondition(
        count == hoursSeconds * SampleLoad.framesPerSecond * SampleLoad.keys,
        "A sample is missing.")
    }
  },
  hours("replay", ["replay", "FILE", "--from", "7200", "--to", "7201", "--cast", "OUT"], 60),
  hours("plot", ["plot", "FILE"], 60),
  hours("show", ["show", "FILE"], 60),
  hours("report", ["report", "FILE", "--out", "OUT"], 60, isThinned: true),
  hours("compare", ["compare", "FILE", "FILE"], 160),
  hours("check-golden", ["check", "FILE", "--golden", "FILE"], 160),
  hours("check-requirements", ["check", "FILE", "--requirements", "RULES"], 160),
  Benchmark(
    name: "hours-plain-c", group: "hours-plain", unit: "run", isOnRequest: true,
    summary: "steps through every plain row of an hour of 16 keys in C: the yardstick"
  ) {
    let recording = try HoursRecording.shared(seconds: plainSeconds, isPlain: true)
    let query = PlainQuery(
      recording.path,
      "SELECT t_ns, slot, value FROM plain_sample WHERE session = ?1 ORDER BY t_ns, slot")
    return .each { _ in
      let count = query.run(1)
      precondition(
        count == Int64(plainSeconds * SampleLoad.framesPerSecond * SampleLoad.keys),
        "A sample is missing.")
      withExtendedLifetime(recording) {}
    }
  },
  hours("plot", ["plot", "FILE"], 60, ofRows: 0.8),
  hours("report", ["report", "FILE", "--out", "OUT"], 60, isThinned: true, ofRows: 1.6),
  hours("compare", ["compare", "FILE", "FILE"], 100, ofRows: 5),
]

private let hoursSeconds = 4 * 3_600
private let plainSeconds = 3_600

private let rules = """
  {"requirements": 1, "rules": [{"continuous": "*", "excess_share": 1e9}, {"settles_by": "*", "by_ms": 8.64e7},
  {"overshoot": "progress", "max_percent": 1e9}]}
  """

/// - Parameters:
///   - limit: The bar of the memory, in megabytes.
///   - isThinned: Whether the program says by its exit code that a page was thinned.
///   - rows: Of a recording in plain rows, the bar: the most times of its yardstick. `nil`: it is packed.
private func hours(
  _ name: String, _ words: [String], _ limit: Double, isThinned: Bool = false,
  ofRows rows: Double? = nil
) -> Benchmark {
  let group = rows == nil ? "hours" : "hours-plain"
  return Benchmark(
    name: "\(group)-\(name)", group: group, unit: "run", isOnRequest: true,
    bars: rows.map { [.speed(1 / $0)] } ?? [],
    summary: "kymo \(words[0]) of that recording: what the process takes of a core, and its memory"
  ) {
    let recording = try HoursRecording.shared(
      seconds: rows == nil ? hoursSeconds : plainSeconds, isPlain: rows != nil)
    let program = try BuiltProgram.kymo
    let folder = try TemporaryFolder()
    try folder.write(rules, to: "rules.json")
    let places = [
      "FILE": recording.path, "OUT": "\(folder.path)/out", "RULES": "\(folder.path)/rules.json",
    ]
    let arguments = words.map { places[$0] ?? $0 } + (words.contains("OUT") ? ["--force"] : [])
    let stopwatch = Stopwatch(shortestStretch: 0, ofPrograms: true)
    var peak = 0.0
    return Benchmark.Work(
      run: { units in
        for _ in 0..<units {
          stopwatch.measure {
            let ended = program.run(arguments)
            precondition(
              ended.code == (isThinned ? 3 : 0), "kymo \(arguments) ended with \(ended.code).")
            peak = max(peak, ended.peakBytes)
          }
        }
        withExtendedLifetime((recording, folder)) {}
        return units
      }, stopwatch: stopwatch,
      figures: {
        [Figure(name: "peak memory", value: peak / 1e6, unit: "MB", limit: limit)]
      })
  }
}
