import MotionPhysics
import TimelineModel

/// `kymo velocity --samples FILE`: one row for every estimator and axis.
func estimateSamples(
  _ path: String, _ estimators: [Estimator], _ invocation: Invocation
) throws -> ExitCode {
  let name = path == "-" ? "standard input" : path
  let table = try SampleFile(
    text: String(decoding: try readInput(path), as: UTF8.self), name: name)
  var lift = table.lastTime
  if let text = invocation.text("lift") {
    guard let time = Int64(text) else {
      throw Failure.usage("--lift wants whole nanoseconds, not '\(text)'")
    }
    lift = Instant(nanoseconds: time)
  }
  let chosen = estimators.isEmpty ? Estimator.allCases : estimators
  let columns = [
    "axis", "estimator", "velocity", "low", "high", "samples", "liftGap_ns",
  ]
  try invocation.print(
    table.axes.flatMap { axis in
      chosen.map { estimator in
        let estimate = estimator.estimate(axis.samples, lift: lift)
        return [
          Field("axis", .text(axis.name)), Field("estimator", .text(estimate.estimator)),
          Field("velocity", FieldValue(estimate.velocity)),
          Field("low", FieldValue(estimate.low)), Field("high", FieldValue(estimate.high)),
          Field("samples", FieldValue(estimate.sampleCount)),
          Field("liftGap_ns", estimate.liftGapNanoseconds.map(FieldValue.integer) ?? .null),
        ]
      }
    }, columns: columns)
  return .yes
}

/// A CSV file of samples: `t_ns,value` or `t_ns,x,y`.
private struct SampleFile {
  /// The columns behind the time.
  var axes: [(name: String, samples: [Sample])]
  /// The latest time in the file; 0 without rows.
  var lastTime: Instant

  init(text: String, name: String) throws {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    let header = (lines.popFirst() ?? "").split(separator: ",").map { String($0.trimmed) }
    guard header == ["t_ns", "value"] || header == ["t_ns", "x", "y"] else {
      throw Failure.unreadable("\(name), line 1: the header is t_ns,value or t_ns,x,y")
    }
    axes = header.dropFirst().map { (name: $0, samples: []) }
    lastTime = .zero
    var latest: Instant?
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
      guard cells.count == header.count, let time = Int64(cells[0]) else {
        throw Failure.unreadable(
          "\(name), line \(index + 2): expected \(header.count) cells, the first whole nanoseconds")
      }
      let instant = Instant(nanoseconds: time)
      for (axis, cell) in cells.dropFirst().enumerated() {
        guard let value = Double(cell), value.isFinite else {
          throw Failure.unreadable("\(name), line \(index + 2): '\(cell)' is no number")
        }
        axes[axis].samples.append(Sample(time: instant, value: value))
      }
      latest = max(latest ?? instant, instant)
    }
    lastTime = latest ?? .zero
  }
}
