import KymographCLibrary

/// The program on recordings of many keys, many gestures and many files: how the cost grows, and the most memory.
let manyBenchmarks: [Benchmark] = [
  felt("felt-keys", "commands on 1,000 and on 2,000 keys: how the cost grows") { kymo in
    let few = try ManyKeys(1_000)
    let many = try ManyKeys(2_000)
    // Its work is done by a process of its own, which valgrind does not count.
    let learn = ["golden", "learn", "FILE", "-o", "LEARNED", "--force", "--allow-wide"]
    let learning = leastRatio({ many.run(kymo, learn) }, { few.run(kymo, learn) })
    var figures = [
      Figure(
        name: "golden learn", value: learning, unit: "times the processor time", limit: 2.4)
    ]
    let check = ["check", "B", "--golden", "A", "--tolerances", "LEARNED"]
    for (name, words) in [
      ("plot", ["plot", "A"]), ("plot of two", ["plot", "A", "B"]),
      ("replay of two", ["replay", "A", "B", "--cast", "OUT", "--force"]),
      ("report", ["report", "A", "--out", "OUT", "--force"]),
      ("check with what was learned", check),
    ] {
      guard let less = try few.instructions(kymo, words),
        let more = try many.instructions(kymo, words)
      else { continue }
      figures.append(
        Figure(name: name, value: more / less, unit: "times the instructions", limit: 2.2))
      guard name == "plot" else { continue }
      // 100,000 keys in three seconds, with some instructions a cycle.
      figures.append(
        Figure(
          name: "plot, each more key", value: (more - less) / 1_000 / 1e3,
          unit: "thousand instructions", limit: 380))
    }
    return figures
  },
  felt("felt-keys-memory", "commands on 10,000 and on 20,000 keys: memory of each more") { kymo in
    let few = try ManyKeys(10_000)
    let many = try ManyKeys(20_000)
    return [
      ("velocity", ["velocity", "A"], 1.2), ("velocity --json", ["velocity", "A", "--json"], 1.2),
      ("compare", ["compare", "A", "B"], 1.2),
      ("compare --json", ["compare", "A", "B", "--json"], 1.2),
    ].map { name, words, limit in
      let growth = many.peak(kymo, words) - few.peak(kymo, words)
      return Figure(name: name, value: growth / 10_000 / 1e3, unit: "kB a key", limit: limit)
    }
  },
  felt("felt-gestures", "`kymo velocity` of 16,000 gestures: its memory") { kymo in
    let folder = try TemporaryFolder()
    let path = folder.path + "/runs.kymo"
    // In a process of its own: the peak of a program counts for those that it starts.
    succeed(try BuiltProgram(named: "kymograph-benchmarks").run(["--gestures", "16000", path]))
    return [
      Figure(
        name: "peak", value: succeed(kymo.run(["velocity", path + "#1"])).peakBytes / 1e6,
        unit: "MB", limit: 150)
    ]
  },
  felt("felt-estimators", "`kymo compare --json` of 200 releases, beside `--estimator all`") {
    kymo in
    let folder = try TemporaryFolder()
    let path = folder.path + "/runs.kymo"
    succeed(try BuiltProgram(named: "kymograph-benchmarks").run(["--gestures", "200", path]))
    let words = ["compare", path + "#1", path + "#1", "--json"]
    let ratio = leastRatio({ kymo.run(words) }, { kymo.run(words + ["--estimator", "all"]) })
    return [
      Figure(name: "processor time", value: ratio, unit: "times that of all", limit: 0.3)
    ]
  },
  felt("felt-sql", "`kymo sql` on six packed minutes of 16 keys, beside the same in rows") { kymo in
    let folder = try TemporaryFolder()
    let (packed, rows) = (folder.path + "/packed.kymo", folder.path + "/rows.kymo")
    for path in [packed, rows] {
      succeed(try BuiltProgram(named: "kymograph-benchmarks").run(["--hours", "0.1", path]))
    }
    succeed(kymo.run(["file", "unpack", rows]))
    return try [
      ("count", "SELECT count(*) FROM samples WHERE session = 1"),
      ("first ten", "SELECT * FROM samples ORDER BY t_ns LIMIT 10"),
      ("mean of a key", "SELECT avg(value) FROM samples WHERE key = 'key 3'"),
      (
        "join",
        "SELECT count(*) FROM samples AS a JOIN samples AS b USING (session, t_ns) WHERE a.key = 'key 3' AND b.key = 'key 4'"
      ),
    ].compactMap { name, query in
      guard let ours = try kymo.instructions(["sql", packed, query]),
        let theirs = try kymo.instructions(["sql", rows, query])
      else { return nil }
      return Figure(name: name, value: ours / theirs, unit: "times the instructions", limit: 2)
    }
  },
  felt("felt-folder", "`kymo rows` of 100 files in a folder of 100 and of 5,000 files") { kymo in
    let folder = try TemporaryFolder()
    let one = folder.path + "/one.kymo"
    try GestureRuns.write(gestures: 1, to: one)
    var lists: [String] = []
    for count in [5_000, 100] {
      let inner = "\(folder.path)/\(count)"
      guard mkdir(inner, 0o700) == 0 else { throw UsageError("\(inner) cannot be made.") }
      let names = (0..<count).map { "\(inner)/\($0).kymo" }
      for name in names {
        guard link(one, name) == 0 else { throw UsageError("\(name) cannot be made.") }
      }
      lists.append("\(folder.path)/\(count).txt")
      try writeFile(lists[lists.count - 1], names.prefix(100).joined(separator: "\n") + "\n")
    }
    // A folder that has just changed is listed again.
    sleep(4)
    let words = ["rows", "--metrics", "-j", "1"]
    let ratio = leastRatio(
      { kymo.run(words, input: lists[0]) }, { kymo.run(words, input: lists[1]) })
    return [
      Figure(name: "processor time", value: ratio, unit: "times that of the few", limit: 1.2)
    ]
  },
]

/// A recording of two sessions of one gesture on many keys.
private struct ManyKeys {
  private let folder: TemporaryFolder

  init(_ count: Int) throws {
    folder = try TemporaryFolder()
    succeed(
      try BuiltProgram(named: "kymograph-benchmarks").run([
        "--keys", String(count), folder.path + "/runs.kymo",
      ]))
  }

  private func arguments(_ words: [String]) -> [String] {
    let file = folder.path + "/runs.kymo"
    let places = [
      "A": file + "#1", "B": file + "#2", "FILE": file, "OUT": folder.path + "/out",
      "LEARNED": folder.path + "/learned",
    ]
    return words.map { places[$0] ?? $0 }
  }

  /// The instructions of a command. `nil` without valgrind.
  func instructions(_ kymo: BuiltProgram, _ words: [String]) throws -> Double? {
    try kymo.instructions(arguments(words))
  }

  /// Runs a command.
  func run(_ kymo: BuiltProgram, _ words: [String]) -> BuiltProgram.Use {
    kymo.run(arguments(words))
  }

  /// The most memory of a command, in bytes.
  func peak(_ kymo: BuiltProgram, _ words: [String]) -> Double {
    succeed(run(kymo, words)).peakBytes
  }
}
