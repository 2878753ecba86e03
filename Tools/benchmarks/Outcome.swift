import MotionMeasures
import TimelineModel
import TimelineRendering

/// A measured number with its base.
struct Outcome {
  var name: String
  /// The quantity: "time", "share", "speed", or a figure's name.
  var measure: String
  /// How much.
  var value: Double
  var unit: String
  /// The case that the ratio refers to, and the ratio. Only of times.
  var yardstick: (name: String, ratio: Double)?
  /// The bar, and how much of it is taken: above 1 the bar is missed.
  var bar: (limit: Double, part: Double)?

  /// As a row of JSON.
  var fields: [EventField] {
    [
      EventField("case", .text(name)), EventField("measure", .text(measure)),
      EventField("value", .number(value)), EventField("unit", .text(unit)),
      EventField("yardstick", FieldValue(yardstick?.name)),
      EventField("ratio", FieldValue(yardstick?.ratio)),
      EventField("bar", FieldValue(bar?.limit)), EventField("part_of_bar", FieldValue(bar?.part)),
    ]
  }

  /// As a line for people, in cells.
  var cells: [String] {
    let digits = unit.hasPrefix("%") || value < 10 ? 2 : 1
    var cells = [measure == Bar.Measure.time.rawValue ? name : "  \(measure)"]
    cells += [decimal(value, digits), unit, yardstick.map { decimal($0.ratio, 2) } ?? ""]
    if let bar {
      cells.append("bar \(decimal(bar.limit, bar.limit < 10 ? 2 : 0)), \(distance(bar.part))")
    }
    return cells
  }
}

extension Outcome {
  /// Everything that one case tells.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time of a unit. `nil` where it says nothing.
  ///   - first: The group's first case and its time.
  static func all(
    of benchmark: Benchmark, nanoseconds: Double?, first: (name: String, nanoseconds: Double)?,
    figures: [Figure]
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    func add(_ measure: Bar.Measure, _ value: Double, _ unit: String) {
      let bar = benchmark.bars.first { $0.measure == measure }
      var outcome = Outcome(
        name: benchmark.name, measure: measure.rawValue, value: value, unit: unit,
        bar: bar.map { ($0.limit, $0.part(value)) })
      if measure == .time, let first {
        outcome.yardstick = (first.name, value / first.nanoseconds)
      }
      outcomes.append(outcome)
    }
    if let nanoseconds {
      add(.time, nanoseconds, "ns/\(benchmark.unit)")
      if benchmark.unit == Benchmark.displayFrame {
        add(.share, nanoseconds * TransitionStage.refreshRate / 1e7, "% of a core")
      }
      if let first, benchmark.bars.contains(where: { $0.measure == .speed }) {
        add(.speed, first.nanoseconds / nanoseconds, "of \(first.name)")
      }
    }
    outcomes += figures.map { figure in
      Outcome(
        name: benchmark.name, measure: figure.name, value: figure.value, unit: figure.unit,
        bar: figure.limit.map { ($0, figure.value / $0) })
    }
    return outcomes
  }
}

/// How far a number is from its bar.
private func distance(_ part: Double) -> String {
  part <= 1 ? "met at \(decimal(part * 100, 0)) % of it" : "missed, \(decimal(part, 2)) times it"
}

/// A number with so many digits after the point.
func decimal(_ value: Double, _ digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = (abs(value) * scale).rounded()
  guard scaled < 9e15 else { return String(value) }
  let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
  let fraction = String(rest)
  let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
  return (value < 0 ? "-" : "") + (digits > 0 ? "\(whole).\(zeros)\(fraction)" : "\(whole)")
}
