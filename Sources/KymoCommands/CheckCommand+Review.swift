import KymographCLibrary
import MotionJudgement
import RunStudies
import TimelineModel
import TimelineReport
import TimelineStore

/// Writes the review of all sessions, the worst first, and the full reports of some.
func writeReview(
  of runs: [ReviewedRun], _ judge: RunJudge, _ wanted: WantedPages, _ files: ManyFiles,
  _ inputs: [String], _ invocation: Invocation, to output: FileOutput
) throws {
  let rows = rows(runs, unreadable: files.leftOut)
  let first = rows.lazy.compactMap { if case .run(let run) = $0.subject { run.run } else { nil } }
    .first
  var page = ReviewPage(
    rows: rows, goldenPath: judge.golden?.reader.path,
    goldenSessions: judge.golden?.sessions ?? [],
    verdict: judge.verdict(worst: first, without: files),
    alignment: judge.check.options.alignment.rawValue)
  try writePages(
    of: &page, wanted, judge, force: invocation.has(Flags.force), files,
    beside: invocation.requiredValue(CheckFlags.review), inputs: inputs)
  try output.finish(with: page.bytes)
}

/// Which sessions get full reports.
enum WantedPages {
  case worst(Int)
  case failed

  func includes(_ run: ReviewedRun, index: Int) -> Bool {
    switch self {
    case .worst(let count): index < count
    case .failed: run.state == .flipped || run.run.grade == .fail
    }
  }
}

/// The rows of the review, the worst first: what could not be read stands behind what is missing.
private func rows(_ runs: [ReviewedRun], unreadable: [WorkFailure]) -> [ReviewPage.Row] {
  let ordered = runs.sorted(by: ReviewedRun.isWorse)
  let first = ordered.prefix { $0.state == .missing }
  return first.map { ReviewPage.Row(.run($0)) }
    + unreadable.map {
      ReviewPage.Row(.unreadable(path: $0.name, session: $0.step, why: $0.why))
    }
    + ordered.dropFirst(first.count).map { ReviewPage.Row(.run($0)) }
}

/// The folder of the full reports: the review's own name with `-pages` in place of its ending.
private func pagesFolder(_ path: String) -> String {
  let stem = path.hasSuffix(".html") ? String(path.dropLast(5)) : path
  return stem + "-pages"
}

/// Writes full reports and enters them in the rows.
private func writePages(
  of page: inout ReviewPage, _ wanted: WantedPages, _ judge: RunJudge, force: Bool,
  _ files: ManyFiles, beside path: String, inputs: [String]
) throws {
  let folder = pagesFolder(path)
  let name = folder.split(separator: "/").last.map(String.init) ?? folder
  let bar = ProgressBar(files.console, label: "writing reports")
  defer { bar.finish() }
  var (index, hasFolder) = (0, false)
  for row in page.rows.indices {
    guard case .run(let run) = page.rows[row].subject, run.state != .missing else { continue }
    defer { index += 1 }
    guard wanted.includes(run, index: index) else { continue }
    if !hasFolder, mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw Failure.unreadable("\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    hasFolder = true
    let digits = String(index + 1)
    let file = "run-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".html"
    try files.read(run.run.path, besides: judge.golden?.reader.path) {
      let words = run.worst?.sentence ?? "Within its limits"
      let full = try judge.page(of: run.run, verdict: words, files.console)
      try FileOutput(files.console, path: "\(folder)/\(file)", replacing: force, beside: inputs)
        .finish(with: full.bytes)
      page.rows[row].page = addressPath(name) + "/" + file
    }
    bar.update(Double(row) / Double(page.rows.count))
  }
}

/// A name as a part of an address (RFC 3986), which nothing takes for a scheme.
private func addressPath(_ name: String) -> String {
  let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~".utf8)
  let digits = Array("0123456789ABCDEF")
  return name.utf8.reduce(into: "./") { text, byte in
    if plain.contains(byte) {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
}
