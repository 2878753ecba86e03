import KymographCLibrary
import TimelineModel
import TimelineQuery
import TimelineReport
import TimelineStore

/// What the command does with one file.
private func reviewWorker(_ invocation: Invocation) throws -> Worker {
  var judge = try reviewJudge(invocation)
  return invocation.console.fileWorker(besides: judge.golden?.reader.path, isolatesSessions: true) {
    session, reader, writer in
    let reviewed = try judge.reviewed(session, in: reader) { invocation.console.workProgress?($0) }
    writer.put(reviewed.run)
    writer.put(reviewed.figures)
  }
}

/// `kymo review FILE… --golden G -o OUT.html`: many runs on one page, the worst first.
func reviewCommand() -> Command {
  Command(
    name: "review", summary: "one HTML page of many runs, the worst first, to accept or label",
    arguments: "FILE… --golden G --out OUT.html", argumentCount: 1...Int.max,
    examples: [
      "kymo review today/*.kymo --golden golden.kymo -o review.html",
      "kymo review today/*.kymo --golden g.kymo --tolerances t.json -o review.html",
      "kymo review today/*.kymo --golden g.kymo -o review.html --pages failed -j 4",
    ],
    discussion: """
      Each run is judged as kymo check judges it; without --tolerances by what kymo compare
      allows. A row says what became of it: missing (a golden session without a run), unreadable,
      flipped (something was decided otherwise), failed, warned (also what has no golden
      session) or passed, in this order; of the failed those furthest beyond a limit come
      first, of the others those decided by the smallest margin. It draws the key that is
      furthest off, or the progress, golden run and run on one clock. J and K move, Enter opens
      the full page, A accepts, D and a letter labels the release, Z undoes, / searches, ? lists
      the keys. What is marked stays in the browser and is saved as accept.txt, for kymo golden accept,
      and labels.csv. The worst 50 runs get full pages in the folder OUT-pages; of the others
      Enter gives the command for one. Ends with 1 when something fails, as kymo check.
      """,
    flags: [
      Flags.golden, Flags.out,
      Flags.tolerances.described("rules for what may differ (JSON), as in kymo check"),
      Flags.subset, Flags.align, ReviewFlags.pages,
      Flags.force.described("replace files that are there already"),
      Flags.manyFiles,
    ],
    worker: reviewWorker, run: runReview)
}

/// The flags of `kymo review` alone.
enum ReviewFlags {
  static var pages: Flag<WantedPages> {
    Flag("pages", "N", "full pages for the worst N (50), failed or all") { text, name in
      switch text {
      case "all": return .worst(.max)
      case "failed": return .failed
      default:
        guard let count = Int(text), count >= 0 else {
          throw Failure.usage("--\(name) expects a whole number, failed or all, not '\(text)'")
        }
        return .worst(count)
      }
    }
  }
}

private func runReview(_ invocation: Invocation) throws -> ExitCode {
  var (check, golden) = try reviewJudge(invocation).parts
  guard let golden else { throw Failure.usage("kymo review needs --golden FILE") }
  guard !["-", ""].contains(try invocation.requiredValue(Flags.out)) else {
    throw Failure.usage("a page is a file; --out expects its name")
  }
  let wanted = try invocation.value(ReviewFlags.pages) ?? .worst(50)
  let files = try ManyFiles(invocation, label: "comparing", isolatesSessions: true)
  let inputs =
    invocation.positionals.map { SessionArgument.split($0).path } + [golden.reader.path]
  let output = try FileOutput(invocation, flag: Flags.out, beside: inputs)
  defer { files.finishBar() }
  var figures: [ReviewedRun.Figures] = []
  let found = try files.gather(invocation.positionals) { reader in
    (try reader.run(check.tolerances), try reader.figures())
  }
  for (run, shown) in found.joined() {
    check.add(run)
    figures.append(shown)
  }
  files.finishBar()
  guard !check.runs.isEmpty else { return .unreadable }
  if !invocation.has(Flags.subset) {
    for session in golden.sessions(without: check.runs.compactMap(\.golden)) {
      let missing = try check.missing(session, in: golden.reader)
      check.add(missing.run)
      figures.append(missing.figures)
    }
  }
  let rows = rows(zip(check.runs, figures).map(ReviewedRun.init), unreadable: files.leftOut)
  let first = rows.lazy.compactMap { if case .run(let run) = $0.subject { run.run } else { nil } }
    .first
  let verdict = check.verdict(against: golden.reader.path, worst: first)
  var page = ReviewPage(
    rows: rows,
    goldenPath: golden.reader.path, goldenSessions: golden.sessions, verdict: verdict,
    alignment: check.options.alignment.rawValue)
  let written = try writePages(
    of: &page, wanted, check, besides: golden, force: invocation.has(Flags.force), files,
    beside: invocation.requiredValue(Flags.out), inputs: inputs)
  try output.finish(with: page.bytes)
  invocation.output.write(verdict + "\n")
  output.announce()
  if written > 0 {
    let folder = pagesFolder(try invocation.requiredValue(Flags.out))
    invocation.output.write("Wrote \(counted(written, "full page")) in \(folder).\n")
  }
  return files.code(check.passes ? .yes : .no, hasAnswer: true)
}

private func reviewJudge(_ invocation: Invocation) throws -> GoldenJudge {
  _ = try invocation.requiredValue(Flags.golden)
  return try GoldenJudge(invocation)
}

/// Which runs get full pages.
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

/// The rows of the page, the worst first: what could not be read stands behind what is missing.
private func rows(_ runs: [ReviewedRun], unreadable: [WorkFailure]) -> [ReviewPage.Row] {
  let ordered = runs.sorted(by: ReviewedRun.isWorse)
  let first = ordered.prefix { $0.state == .missing }
  return first.map { ReviewPage.Row(.run($0)) }
    + unreadable.map {
      ReviewPage.Row(.unreadable(path: $0.name, session: $0.step, why: $0.why))
    }
    + ordered.dropFirst(first.count).map { ReviewPage.Row(.run($0)) }
}

/// The folder of the full pages: the page's own name with `-pages` in place of its ending.
private func pagesFolder(_ path: String) -> String {
  let stem = path.hasSuffix(".html") ? String(path.dropLast(5)) : path
  return stem + "-pages"
}

/// Writes full pages and enters them in the rows.
///
/// - Returns: how many were written.
private func writePages(
  of page: inout ReviewPage, _ wanted: WantedPages, _ check: GoldenCheck,
  besides golden: GoldenRecording, force: Bool, _ files: ManyFiles, beside path: String,
  inputs: [String]
) throws -> Int {
  let folder = pagesFolder(path)
  let name = folder.split(separator: "/").last.map(String.init) ?? folder
  let bar = ProgressBar(files.console, label: "writing pages")
  defer { bar.finish() }
  var (index, written) = (0, 0)
  for row in page.rows.indices {
    guard case .run(let run) = page.rows[row].subject, run.state != .missing else { continue }
    defer { index += 1 }
    guard wanted.includes(run, index: index) else { continue }
    if written == 0, mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw Failure.unreadable("\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    let digits = String(index + 1)
    let file = "run-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".html"
    try files.read(run.run.path, besides: golden.reader.path) {
      let words = run.worst?.sentence ?? "Within its limits"
      let full = try check.page(of: run.run, besides: golden, verdict: words, files.console)
      try FileOutput(files.console, path: "\(folder)/\(file)", replacing: force, beside: inputs)
        .finish(with: full.bytes)
      page.rows[row].page = addressPath(name) + "/" + file
      written += 1
    }
    bar.update(Double(row) / Double(page.rows.count))
  }
  return written
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
