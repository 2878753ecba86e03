import TimelineModel

extension ReportPage {
  /// The page, as the bytes of one UTF-8 file.
  ///
  /// - Complexity: linear in what the runs packed.
  package var bytes: [UInt8] {
    let size = run.packed.count + (other?.packed.count ?? 0)
    return ReportPage.template.page(capacity: size + 1 << 18, appendData)
  }

  /// How many bytes a page takes beside what its runs packed, their verdict left aside.
  package static var bytesWithoutRuns: Int { template.byteCount + elementBytes }

  /// Script elements, hashes and the clocks' alignment of two runs are less than this, in bytes.
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
      PackageResources.run_js, PackageResources.markers_js, PackageResources.stage_js,
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
