import KymographAnalysis

/// Compares the last sessions of two recordings, and writes the page of the first.
public func compare(_ path: String, with other: String) throws -> Bool {
  let (a, b) = (try RecordingReader(path: path), try RecordingReader(path: other))
  let (runA, runB) = (
    try a.session(selectedBy: "last"), try b.session(selectedBy: "last")
  )
  let comparison = try RunComparison.compare(runA, in: a, with: runB, in: b, options: .init())
  try ReportPage(try ReportRun(session: runA, in: a)).write(to: path + ".html")
  return comparison.isSame
}

/// The numbers of a session compared with another as a group of runs.
public func numbers(
  _ path: String, with other: String
) throws -> [GroupComparison.Row] {
  let (a, b) = (try RecordingReader(path: path), try RecordingReader(path: other))
  let (runA, runB) = (try a.session(selectedBy: "last"), try b.session(selectedBy: "last"))
  return try GroupComparison([GroupRun(runA, in: a)], [GroupRun(runB, in: b)]).numbers
}

/// How often each threshold contradicts the labels, and the best rule.
public func tune(
  _ path: String
) throws -> (sweep: [WhatIf.Step], best: ReleaseParameters?) {
  let reader = try RecordingReader(path: path)
  var whatIf = WhatIf()
  try whatIf.add(
    reader.session(selectedBy: "last"), in: reader, file: path, asking: VelocityQuestion())
  try whatIf.addLabels(of: reader)
  let sweep = whatIf.sweep(\.threshold, through: [0.3, 0.5, 0.7])
  return (sweep, try TuningResult(of: [reader], rules: [.progress, .velocity]).bestRelease)
}
