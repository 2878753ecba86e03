/// One thing that is measured.
struct Benchmark: Sendable {
  /// What is measured, all being made that is not to be.
  struct Work {
    /// Does at least so many units and returns how many it did.
    var run: (_ units: Int) throws -> Int
    /// Puts away the remains of a run, not measured.
    var tidyUp: () -> Void = {}
    /// The part that a run measures by itself. `nil`: all of the run is measured.
    var stopwatch: Stopwatch?
    /// Numbers other than the time. Asked once, after it.
    var figures: () throws -> [Figure] = { [] }

    /// Work whose units are done one by one, each by its number.
    static func each(_ unit: @escaping (_ number: Int) throws -> Void) -> Work {
      Work { units in
        for number in 0..<units { try unit(number) }
        return units
      }
    }
  }

  /// The name on the command line.
  var name: String
  /// Its base: the group's first case.
  var group: String
  var unit: String
  /// Whether it takes so much time or room that it is done only when it or its group is named.
  var isOnRequest = false
  /// Whether the time of a unit says something. Otherwise only the figures do.
  var isTimed = true
  /// The bar of its time.
  var bars: [Bar] = []
  /// The work, in one line.
  var summary: String
  /// Makes everything that is not to be measured, and returns the work.
  var prepare: @Sendable () throws -> Work

  /// The unit of work that is due at the display's rate: then its time is a share of a core.
  static let displayFrame = "frame"
}

/// Every case, groups together, each after the case that its ratio refers to.
let allBenchmarks =
  mixingBenchmarks + transitionBenchmarks + batchBenchmarks + recordingBenchmarks + flowBenchmarks
  + velocityBenchmarks + appendBenchmarks + itemFrameBenchmarks + writerBenchmarks
  + sealedWriterBenchmarks
  + itemRecordingBenchmarks + queryBenchmarks
  + compareBenchmarks + growthBenchmarks + checkedFilesBenchmarks
  + programBenchmarks + hoursBenchmarks
  + alwaysOnBenchmarks + tuneBenchmarks + feltBenchmarks + manyBenchmarks + videoBenchmarks

/// A number that a case tells beside its time.
struct Figure {
  var name: String
  /// How much.
  var value: Double
  var unit: String
  /// At most so much is asked for.
  var limit: Double?
}

/// The bar of a number. It is printed beside the number and decides nothing.
struct Bar: Sendable {
  enum Measure: String, Sendable {
    /// Nanoseconds of a unit.
    case time
    /// A unit's share of a core at the display's rate, in percent.
    case share
    /// How fast it is beside the group's first case: 1 is as fast.
    case speed
    /// Instructions of a unit, which valgrind counts.
    case instructions
  }

  var measure: Measure
  /// The number that is asked for.
  var limit: Double
  /// Whether more is better.
  var isAtLeast = false

  /// A unit in at most so many nanoseconds.
  static func nanoseconds(_ limit: Double) -> Bar { Bar(measure: .time, limit: limit) }

  /// A frame in at most so many percent of a core.
  static func percentOfCore(_ limit: Double) -> Bar { Bar(measure: .share, limit: limit) }

  /// At least so fast, the group's first case being 1.
  static func speed(_ limit: Double) -> Bar {
    Bar(measure: .speed, limit: limit, isAtLeast: true)
  }

  /// A unit in at most so many instructions.
  static func instructions(_ limit: Double) -> Bar { Bar(measure: .instructions, limit: limit) }

  /// How much of what is allowed a value takes: above 1 the bar is missed.
  func part(_ value: Double) -> Double { isAtLeast ? limit / value : value / limit }
}
