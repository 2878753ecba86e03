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
