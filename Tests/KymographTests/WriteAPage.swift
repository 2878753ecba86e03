// The manual's example, word for word between the two marks; a test compares them.
// example begins
import KymographAnalysis

func writePage(of path: String, to page: String) throws {
  let reader = try RecordingReader(path: path)
  let run = try ReportRun(session: reader.session(selectedBy: "last"), in: reader)
  try ReportPage(run).write(to: page)
}
// example ends
