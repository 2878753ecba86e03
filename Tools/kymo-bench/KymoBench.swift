#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program of the benchmarks: does units of work for a counting tool around it, or times them with
/// the thread's own clock. It reports and never judges.
@main
struct KymoBench {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as UsageError {
      say("kymo-bench: \(error.message)")
      exit(2)
    } catch {
      say("kymo-bench: \(error)")
      exit(1)
    }
  }

  private static func run(_ words: [String]) throws {
    switch try Request(words) {
    case .help: print(Request.usage)
    case .list:
      for benchmark in allBenchmarks {
        print(row([benchmark.name, benchmark.group, "per \(benchmark.unit)", benchmark.summary]))
      }
    case .units(let benchmark, let units):
      let work = try benchmark.prepare()
      print(row([benchmark.name, String(work.run(units)), benchmark.unit]))
      // What lies on the disk goes with the work that made it.
      if benchmark.isOnRequest { return }
      // At once: what a run leaves behind is not counted either.
      fflush(nil)
      _exit(0)
    case .times(let benchmarks):
      print(row(["case", "ns", "per", "ratio", "to the group's first"]))
      var first: (group: String, nanoseconds: Double)?
      for benchmark in benchmarks {
        let nanoseconds = nanosecondsPerUnit(try benchmark.prepare())
        if first?.group != benchmark.group { first = (benchmark.group, nanoseconds) }
        let ratio = nanoseconds / (first?.nanoseconds ?? nanoseconds)
        var columns = [
          benchmark.name, decimal(nanoseconds, 1), benchmark.unit, decimal(ratio, 2),
        ]
        if benchmark.unit == Benchmark.displayFrame {
          let share = nanoseconds * TransitionStage.refreshRate / 1e9
          columns.append("\(decimal(share * 100, 2)) % of a core")
        }
        print(row(columns))
      }
    }
  }

  private static func row(_ columns: [String]) -> String {
    let widths = [26, 16, 16, 8]
    return columns.enumerated().map { place, text in
      let width = place < widths.count ? widths[place] : 0
      return text + String(repeating: " ", count: max(1, width - text.count))
    }.joined().trimmingSpaces
  }

  private static func say(_ line: String) {
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
