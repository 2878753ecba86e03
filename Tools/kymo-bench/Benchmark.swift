/// One thing that is measured.
struct Benchmark: Sendable {
  /// What is measured, all being made that is not to be.
  struct Work {
    /// Does at least so many units and returns how many it did.
    var run: (_ units: Int) -> Int
    /// Puts away what a run left behind; not measured.
    var tidyUp: () -> Void = {}
    /// What a run measures by itself; nil: all of the run is measured.
    var stopwatch: Stopwatch?
    /// Numbers other than the time; asked once, after it.
    var figures: () -> [Figure] = { [] }
  }

  /// The name on the command line.
  var name: String
  /// What it is compared with: the group's first case.
  var group: String
  /// What is counted.
  var unit: String
  /// Whether it takes so much time or room that it is done only when it or its group is named.
  var isOnRequest = false
  /// Whether the time of a unit says something; otherwise only the figures do.
  var isTimed = true
  /// What is asked of its time.
  var bars: [Bar] = []
  /// What is done, in one line.
  var summary: String
  /// Makes everything that is not to be measured, and returns the work.
  var prepare: @Sendable () throws -> Work

  /// The unit of work that is due at the display's rate: then its time is a share of a core.
  static let displayFrame = "frame"
}

/// Every case, groups together, each after the one that its ratio refers to.
let allBenchmarks =
  mixingBenchmarks + transitionBenchmarks + recordingBenchmarks + flowBenchmarks
  + velocityBenchmarks + appendBenchmarks + itemFrameBenchmarks + writerBenchmarks
  + sealingBenchmarks + itemRecordingBenchmarks + openBenchmarks + queryBenchmarks
  + compareBenchmarks + growthBenchmarks + checkedFilesBenchmarks + largeFileBenchmarks
  + programBenchmarks
  + alwaysOnBenchmarks
