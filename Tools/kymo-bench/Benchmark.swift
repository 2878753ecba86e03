/// One thing that is measured.
struct Benchmark: Sendable {
  /// Does at least so many units and returns how many it did.
  typealias Work = (_ units: Int) -> Int

  /// The name on the command line.
  var name: String
  /// What it is compared with: the group's first case.
  var group: String
  /// What is counted.
  var unit: String
  /// What is done, in one line.
  var summary: String
  /// Makes everything that is not to be measured, and returns the work.
  var prepare: @Sendable () throws -> Work

  /// The unit of work that goes on in the session's time: then a time per unit is a share of a core.
  static let animatedSecond = "second"
}

/// Every case, groups together, each after the one that its ratio refers to.
let allBenchmarks =
  mixingBenchmarks + transitionBenchmarks + recordingBenchmarks + flowBenchmarks
