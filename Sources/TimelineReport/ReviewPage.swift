import MotionJudgement
package import RunStudies
import TimelineModel
import TimelineSession
package import TimelineStore

/// One self-contained HTML report of many sessions, the worst first: what was judged of each, a small curve, and keys with
/// which a person goes through them, accepts sessions and labels gestures.
///
/// The report opens from disk by a double click. It takes some 500 bytes a session beside its own 60 kB. The same sessions give
/// the same bytes.
package struct ReviewPage: Sendable {
  package struct Row: Sendable {
    /// What a row is about.
    package enum Subject: Sendable {
      /// A session, or a golden session without one.
      case run(ReviewedRun)
      /// A file that could not be read, or a session of it, and why.
      case unreadable(path: String, session: Int64?, why: String)
    }

    /// What it is about.
    package var subject: Subject
    /// The full report of the session, from where this one lies. `nil` where it has none.
    package var page: String?

    package init(_ subject: Subject, page: String? = nil) {
      (self.subject, self.page) = (subject, page)
    }
  }

  /// The rows, the worst first.
  package var rows: [Row]
  /// The golden recording, as it was named. `nil`: the sessions are judged by themselves.
  package let goldenPath: String?
  package let goldenSessions: [SessionRecord]
  /// What it all came to, in words.
  package let verdict: String
  /// How clocks were laid on each other, as `kymo report` takes it.
  package let alignment: String

  package init(
    rows: [Row], goldenPath: String?, goldenSessions: [SessionRecord], verdict: String,
    alignment: String
  ) {
    (self.rows, self.goldenPath, self.goldenSessions) = (rows, goldenPath, goldenSessions)
    (self.verdict, self.alignment) = (verdict, alignment)
  }

  /// The report, as the bytes of one UTF-8 file.
  ///
  /// - Complexity: linear in the rows.
  package var bytes: [UInt8] {
    ReviewPage.template.page(capacity: 600 * rows.count + 1 << 12) { bytes in
      appendElement("review", "application/json", to: &bytes) { appendJSON(content, to: &$0) }
    }
  }

  private static let template = PageTemplate(
    PackageResources.review_html, style: PackageResources.base_css + PackageResources.review_css,
    scripts: [
      PackageResources.document_js, PackageResources.format_js, PackageResources.labels_js,
      PackageResources.review_rows_js, PackageResources.review_marks_js,
      PackageResources.review_table_js, PackageResources.review_start_js,
    ])

  /// What the report's script reads. Rows are lists, since their names would take more than their values.
  private var content: FieldValue {
    let golden = Array(goldenSessions.map(\.uuid).joined(separator: "\n").utf8)
    return .object(named: [
      "golden": goldenPath,
      // What a person marked is kept under this name, whatever sessions are held against the golden ones.
      "id": String(base64(SHA256.digest(golden)).prefix(16)), "verdict": verdict,
      "alignment": alignment,
      "sessions": FieldValue.list(
        goldenSessions.map { session in
          .list([
            .integer(session.number), .text(session.uuid),
            FieldValue(session.description.name),
          ])
        }), "rows": FieldValue.list(rows.map(fields)),
    ])
  }

  private func fields(of row: Row) -> FieldValue {
    switch row.subject {
    case .unreadable(let path, let session, let why):
      return .list([
        .text("unreadable"), .text(path), session.map(FieldValue.integer) ?? .null, .null, .null,
        .null, .text(why),
      ])
    case .run(let reviewed):
      let run = reviewed.run
      let (state, figures) = (reviewed.state, reviewed.figures)
      let golden = state == .missing ? run.session : run.golden
      let index = goldenSessions.firstIndex { $0.uuid == golden?.uuid }
      let beyond = run.verdicts.count { $0.grade != .pass }
      return .list([
        .text(state.rawValue), .text(run.path), .integer(run.session.number),
        .text(run.session.uuid), FieldValue(run.session.description.name), FieldValue(index),
        FieldValue(reviewed.worst?.sentence), .integer(Int64(max(0, beyond - 1))),
        short(reviewed.ratio), FieldValue(figures.release?.transition),
        FieldValue(figures.release?.outcome?.rawValue),
        FieldValue(figures.release?.goldenOutcome?.rawValue), short(figures.release?.margin),
        short(figures.release?.velocity), short(figures.hitchRatio),
        figures.thumbnail.map(fields) ?? .null, FieldValue(row.page),
      ])
    }
  }

  private func fields(of thumbnail: CurveThumbnail) -> FieldValue {
    .list([
      .text(thumbnail.key), short(thumbnail.low), short(thumbnail.high), short(thumbnail.seconds),
      .text(base64(thumbnail.golden)), .text(base64(thumbnail.run)),
    ])
  }

  /// A number in six digits, which is more than the report shows. Null where it is none.
  private func short(_ number: Double?) -> FieldValue {
    guard let number, number.isFinite else { return .null }
    return .number(NumberText.rounded(number, digits: 6))
  }
}
