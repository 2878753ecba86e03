import KymographCLibrary
import TimelineModel

/// The program `kymo` as a person starts it, from start to end, on a recording of a thousand sessions and a
/// gigabyte. It has to stand beside this program, as a build puts it.
let programBenchmarks: [Benchmark] = [
  program(
    "velocity", ["velocity", "FILE"], "estimates 20 keys at the last session's release",
    bars: [.nanoseconds(50_000_000)]),
  program(
    "replay",
    ["replay", "FILE", "--items", "--at", "\(LargeRecording.releaseNanoseconds)ns"],
    "shows 20 items of the last session at a moment", bars: [.nanoseconds(50_000_000)]),
]

private func program(
  _ name: String, _ words: [String], _ what: String, bars: [Bar]
) -> Benchmark {
  Benchmark(
    name: "program-\(name)-1gb", group: "program", unit: "run", isOnRequest: true, bars: bars,
    summary:
      "kymo \(what): what the process takes of a core, and how long it is by the wall's clock"
  ) {
    let recording = try LargeRecording.shared(sessions: 1_000)
    let program = try BuiltProgram.kymo
    let arguments = words.map { $0 == "FILE" ? recording.path : $0 }
    // Ten runs or so: each takes some milliseconds.
    let stopwatch = Stopwatch(shortestStretch: 200_000_000, ofPrograms: true)
    var shortest = Double.infinity
    return Benchmark.Work(
      run: { units in
        for _ in 0..<units {
          let start = Stopwatch.read(CLOCK_MONOTONIC)
          stopwatch.measure {
            let code = program.run(arguments).code
            precondition(code == 0, "kymo \(arguments) ended with \(code).")
          }
          shortest = min(shortest, Stopwatch.read(CLOCK_MONOTONIC) - start)
        }
        withExtendedLifetime(recording) {}
        return units
      }, stopwatch: stopwatch,
      figures: { [Figure(name: "by the wall's clock", value: shortest / 1e6, unit: "ms")] })
  }
}
