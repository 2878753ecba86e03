import KymographCLibrary
import TimelineModel
import TimelineRendering

/// The program of the benchmarks: does units of work for a counting tool around it, or times them with
/// the thread's own clock. It reports and never judges.
@main
struct KymographBenchmarks {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as UsageError {
      printError("kymograph-benchmarks: \(error.message)")
      exit(2)
    } catch {
      printError("kymograph-benchmarks: \(error)")
      exit(1)
    }
  }

  private static func run(_ words: [String]) throws {
    switch try Request(words) {
    case .help: print(Request.usage)
    case .list:
      for benchmark in allBenchmarks {
        let note = benchmark.isOnRequest ? " (on request)" : ""
        print(
          row([
            benchmark.name, benchmark.group, "per \(benchmark.unit)", benchmark.summary + note,
          ]))
      }
    case .limits:
      for benchmark in allBenchmarks {
        for bar in benchmark.bars where bar.measure == .instructions {
          print(benchmark.name, Int(bar.limit))
        }
      }
    case .hours(let seconds, let path):
      try requireNew(path)
      try HoursRecording.write(seconds: seconds, to: path)
    case .gestures(let count, let keys, let path):
      try requireNew(path)
      try GestureRuns.write(gestures: count, keys: keys, to: path)
    case .units(let benchmark, let units):
      let work = try benchmark.prepare()
      print(row([benchmark.name, String(try work.run(units)), benchmark.unit]))
      // A file on the disk goes with the work that made it.
      if benchmark.isOnRequest { return }
      // At once: the remains of a run are not counted either.
      fflush(nil)
      TemporaryFolder.removeAll()
      _exit(0)
    case .times(let benchmarks, let isJSON):
      // JSON comes in one piece, so that a program that stops half-way has printed no half of it.
      var rows: [[EventField]] = []
      if !isJSON { print(row(["case", "value", "unit", "ratio", "to the group's first"])) }
      for group in groups(of: benchmarks) {
        for outcome in try outcomes(of: group) {
          if isJSON { rows.append(outcome.fields) } else { print(row(outcome.cells)) }
        }
        fflush(nil)
      }
      if isJSON { print(renderedRows(rows, as: .json), terminator: "") }
    }
  }

  private static func requireNew(_ path: String) throws {
    guard access(path, F_OK) != 0 else {
      throw UsageError("\(path) is there already. Name a new file.")
    }
  }

  /// Cases of one group that stand together.
  private static func groups(of benchmarks: [Benchmark]) -> [[Benchmark]] {
    var groups: [[Benchmark]] = []
    for benchmark in benchmarks {
      if groups.last?.first?.group == benchmark.group {
        groups[groups.count - 1].append(benchmark)
      } else {
        groups.append([benchmark])
      }
    }
    return groups
  }

  /// The numbers of the cases of a group, all of them measured in turns.
  private static func outcomes(of group: [Benchmark]) throws -> [Outcome] {
    let works = try group.map { try $0.prepare() }
    let timed = group.indices.filter { group[$0].isTimed }
    let times = Dictionary(
      uniqueKeysWithValues: zip(timed, try nanosecondsPerUnit(timed.map { works[$0] })))
    let first = timed.first.flatMap { index in times[index].map { (group[index].name, $0) } }
    return try group.indices.flatMap { index in
      Outcome.all(
        of: group[index], nanoseconds: times[index], first: first,
        figures: try works[index].figures())
    }
  }

  private static func row(_ columns: [String]) -> String {
    let widths = [30, 14, 22, 10]
    return columns.enumerated().map { index, text in
      let width = index < widths.count ? widths[index] : 0
      return text + String(repeating: " ", count: max(1, width - text.count))
    }.joined().trimmingSpaces
  }

  private static func printError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[...last])
  }
}
