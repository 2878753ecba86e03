import KymographCLibrary
public import MotionJudgement
package import TimelineModel
import TimelineStore

/// One self-contained HTML report that plays a session, or two on one clock.
///
/// The report opens from disk by a double click: no network, no server, no other file. The same sessions give
/// the same bytes.
public struct ReportPage: Sendable {
  /// The first session, A. Its clock is the report's.
  package let run: ReportRun
  /// The second session, B, where two are compared.
  package let other: ReportRun?
  /// What the comparison came to, in words, for the head of the report. `nil`: nothing is said.
  package let verdict: String?
  /// The marks in the session, of two in B, in the order of time.
  package var marks: [ReportMark] = []
  /// The pictures of the clip that A is of. `nil`: it is of none, or they are not shown.
  package var film: ReportFilm?
  /// By how much B is later than A beyond the alignment, in seconds: where the report's slider stands at
  /// first.
  package let lagSeconds: Double
  /// The lag at which the progress of both agrees best, in seconds, which the report offers. `nil` where none
  /// was found, or only the end of the search.
  package let bestLagSeconds: Double?
  /// How the clocks were laid on each other ("start").
  package let alignment: String
  /// Whether the comparison stretched B's clock, which the report does not.
  package let isStretched: Bool
  /// The instant of A that is laid on ``anchorOfB``.
  package let anchorOfA: Instant
  /// The instant of B that is laid on ``anchorOfA``.
  package let anchorOfB: Instant

  /// Makes the report of one session.
  ///
  /// - Parameters:
  ///   - run: The session.
  ///   - verdict: What a check came to, in words, for the head of the report.
  public init(_ run: ReportRun, verdict: String? = nil) {
    self.run = run
    self.verdict = verdict
    other = nil
    lagSeconds = 0
    bestLagSeconds = nil
    alignment = RunComparison.Alignment.none.rawValue
    isStretched = false
    (anchorOfA, anchorOfB) = (.zero, .zero)
  }

  /// Makes the report of two sessions.
  ///
  /// - Parameters:
  ///   - run: The first session, A, which may be golden.
  ///   - other: What is held against it, B.
  ///   - comparison: How they compare, which lays the clocks on each other. `nil` lays the first
  ///     transitions' starts on each other.
  ///   - verdict: What the comparison came to, in words.
  ///   - lagSeconds: By how much B is later, beyond the alignment. No number counts as 0.
  public init(
    _ run: ReportRun, _ other: ReportRun, comparison: RunComparison? = nil,
    verdict: String? = nil, lagSeconds: Double = 0
  ) {
    self.run = run
    self.other = other
    self.verdict = verdict
    self.lagSeconds = lagSeconds.isFinite ? lagSeconds : 0
    let progress = comparison?.keys.first { $0.name == progressKeyName }?.comparison
    bestLagSeconds = progress.flatMap { $0.lagIsAtLimit ? nil : $0.lagSeconds }
    alignment = (comparison?.alignment ?? .start).rawValue
    isStretched = comparison.map { !$0.timeMap.isShift } ?? false
    anchorOfA = comparison?.anchorOfA ?? run.firstStart ?? .zero
    anchorOfB = comparison?.anchorOfB ?? other.firstStart ?? .zero
  }
}

/// Something that a report points at.
package struct ReportMark: Hashable, Sendable {
  /// When it is.
  var time: Instant
  /// What is to be said of it.
  var text: String

  /// The requirements that are not met, where each of them is not. Those that are so at no instant are left out.
  package static func all(_ verdicts: [Verdict]) -> [ReportMark] {
    verdicts.compactMap { verdict in
      guard !verdict.passes, let time = verdict.finding.instant else { return nil }
      return ReportMark(time: time, text: verdict.sentence)
    }.sorted { $0.time < $1.time }
  }
}

extension ReportPage {
  /// The report, as the bytes of one UTF-8 file.
  ///
  /// - Complexity: linear in what the sessions packed.
  package var bytes: [UInt8] {
    let size = run.packed.count + (other?.packed.count ?? 0)
    return ReportPage.template.page(capacity: size + 1 << 18, appendData)
  }

  /// How many bytes a report takes beside what its sessions packed, their verdict left aside.
  package static var bytesWithoutRuns: Int { template.byteCount + elementBytes }

  /// Script elements, hashes and the clocks' alignment of two sessions are less than this, in bytes.
  private static let elementBytes = 2000

  /// The script elements with the data: JSON, and packed numbers in base64. Neither is run.
  private func appendData(to bytes: inout [UInt8]) {
    let page = FieldValue.object(named: [
      "lag": lagSeconds, "bestLag": bestLagSeconds, "anchorA": anchorOfA, "anchorB": anchorOfB,
      "alignment": alignment, "isStretched": isStretched, "verdict": verdict,
      "marks": FieldValue.list(
        marks.map {
          .object(named: ["t": $0.time, "text": $0.text])
        }),
    ])
    appendElement("page", "application/json", to: &bytes) { appendJSON(page, to: &$0) }
    if let film, !film.isEmpty {
      appendElement("film", "application/json", to: &bytes) { film.append(to: &$0) }
    }
    for (letter, run) in [("A", run), ("B", other)] {
      guard let run else { continue }
      appendElement("run-\(letter)", "application/json", to: &bytes) {
        appendJSON(run.header, to: &$0)
      }
      appendElement("data-\(letter)", "text/plain", to: &bytes) { $0 += run.packed }
    }
  }

  private static let template = PageTemplate(
    PackageResources.report_html, style: PackageResources.base_css + PackageResources.report_css,
    scripts: [
      PackageResources.document_js, PackageResources.format_js, PackageResources.bitReader_js,
      PackageResources.run_js, PackageResources.markers_js, PackageResources.film_js,
      PackageResources.stage_js,
      PackageResources.axis_js, PackageResources.ranges_js, PackageResources.labelPlacer_js,
      PackageResources.dense_js, PackageResources.thresholds_js, PackageResources.subject_js,
      PackageResources.curves_js, PackageResources.cursor_js, PackageResources.lanes_js,
      PackageResources.xy_js,
      PackageResources.player_js, PackageResources.shown_js, PackageResources.laneOrder_js,
      PackageResources.pair_js, PackageResources.address_js, PackageResources.story_js,
      PackageResources.header_js, PackageResources.sidebar_js, PackageResources.items_js,
      PackageResources.viewSettings_js, PackageResources.labels_js, PackageResources.labelling_js,
      PackageResources.controls_js, PackageResources.start_js,
    ])
}

extension ReportPage {
  /// Writes the report: to a file beside the place first, which then takes its name, so that a report is
  /// never there in part.
  ///
  /// - Parameters:
  ///   - path: Where the report is to be.
  ///   - replacing: Whether a file that is there already may be replaced.
  /// - Throws: ``ReportError``: a file is there already, or none can be made.
  public func write(to path: String, replacing: Bool = false) throws(ReportError) {
    var facts = stat()
    if lstat(path, &facts) == 0 {
      guard replacing else { throw .exists(path) }
      guard facts.st_mode & S_IFMT != S_IFDIR else { throw .cannotWrite(path, "it is a folder") }
    }
    let code = NewFile.save(bytes, at: path, from: [])
    guard code == 0 else { throw .cannotWrite(path, String(cString: strerror(code))) }
  }
}

/// Why a report could not be written: one sentence that names the file and says what can be done.
public struct ReportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message.
  public let description: String
  /// Whether a file of the name is there already, rather than the place not writable.
  public let isAboutExistingFile: Bool

  static func exists(_ path: String) -> ReportError {
    ReportError(
      description: "\(path) already exists. Choose another name, or allow replacing it.",
      isAboutExistingFile: true)
  }

  static func cannotWrite(_ path: String, _ reason: String) -> ReportError {
    ReportError(
      description: "\(path) cannot be written: \(reason). Choose a folder that can be written to.",
      isAboutExistingFile: false)
  }
}
