/// The request of the command line.
enum Request {
  case help
  case list
  /// The cases that have a limit of instructions, with it, for Tools/bench.
  case limits
  /// So many units of one case, once: for a tool that counts around it.
  case units(Benchmark, Int)
  /// Times and figures of cases, as lines or as JSON.
  case times([Benchmark], isJSON: Bool)
  /// A recording of one session of so many seconds, into a file.
  case hours(seconds: Int, path: String)
  /// A recording of two sessions with this number of gestures and keys each, into a file.
  case gestures(count: Int, keys: Int, path: String)

  static let usage = """
    Usage: kymograph-benchmarks CASE [--units N]   does at least N units of work, once, and says how many
           kymograph-benchmarks [--json] CASE|GROUP|all …
                                        times each, best of nine, by the thread's own clock
           kymograph-benchmarks --list             says what cases there are
           kymograph-benchmarks --hours N OUT.kymo writes the recording of the group hours: sixteen keys
                                        at 120 Hz for N hours, packed, a gesture every ten seconds
           kymograph-benchmarks --gestures N OUT.kymo writes the recording of felt-groups: two sessions
                                        of N gestures on three keys, each with a release
           kymograph-benchmarks --keys N OUT.kymo writes the same of one gesture on N keys

    A group is what stands second in the list: mix, frames, flow-uniform and so on. The group program needs a
    gigabyte, felt and hours some minutes and always-on half an hour, so all leaves them out. Tools/bench --counts counts instructions and allocations per unit.
    """

  init(_ words: [String]) throws {
    guard !words.isEmpty else { throw UsageError("no case is named.\n\(Request.usage)") }
    if words == ["--help"] || words == ["-h"] {
      self = .help
      return
    }
    if words == ["--list"] {
      self = .list
      return
    }
    if words == ["--limits"] {
      self = .limits
      return
    }
    if words[0] == "--hours" {
      guard words.count == 3, let hours = Double(words[1]), hours > 0, hours <= 100 else {
        throw UsageError(
          "--hours takes a number above 0 and at most 100, and a file: kymograph-benchmarks --hours 10 OUT.kymo"
        )
      }
      self = .hours(seconds: max(1, Int(hours * 3_600)), path: words[2])
      return
    }
    if words[0] == "--gestures" {
      guard words.count == 3, let count = Int(words[1]), 1...1_000_000 ~= count else {
        throw UsageError(
          "--gestures takes a whole number from 1 to 1000000, and a file: kymograph-benchmarks --gestures 16000 OUT.kymo"
        )
      }
      self = .gestures(count: count, keys: 3, path: words[2])
      return
    }
    if words[0] == "--keys" {
      guard words.count == 3, let count = Int(words[1]), 1...1_000_000 ~= count else {
        throw UsageError(
          "--keys takes a whole number from 1 to 1000000, and a file: kymograph-benchmarks --keys 100000 OUT.kymo"
        )
      }
      self = .gestures(count: 1, keys: count, path: words[2])
      return
    }
    var names = words
    var units: Int?
    if let index = names.firstIndex(of: "--units") {
      guard index + 1 < names.count, let number = Int(names[index + 1]), number > 0 else {
        throw UsageError(
          "--units takes a whole number above 0: kymograph-benchmarks CASE --units 1000")
      }
      units = number
      names.removeSubrange(index...(index + 1))
    }
    let isJSON = names.contains("--json")
    names.removeAll { $0 == "--json" }
    guard !names.isEmpty || units != nil else {
      throw UsageError("no case is named; see kymograph-benchmarks --list")
    }
    let chosen = try names.flatMap(Request.benchmarks)
    guard let units else {
      self = .times(chosen, isJSON: isJSON)
      return
    }
    guard !isJSON else { throw UsageError("--json goes with times, not with --units") }
    guard names.count == 1, chosen.count == 1 else {
      throw UsageError("--units goes with exactly one case; see kymograph-benchmarks --list")
    }
    self = .units(chosen[0], units)
  }

  private static func benchmarks(named name: String) throws -> [Benchmark] {
    if name.hasPrefix("-") {
      throw UsageError("there is no option '\(name)'; see kymograph-benchmarks --help")
    }
    let chosen = allBenchmarks.filter {
      $0.name == name || $0.group == name || name == "all" && !$0.isOnRequest
    }
    guard !chosen.isEmpty else {
      throw UsageError("there is no case '\(name)'; see kymograph-benchmarks --list")
    }
    return chosen
  }
}

/// A call that was put wrongly: what, and what to do.
struct UsageError: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
