import TimelineModel
package import TimelineRendering

/// One self-contained HTML report with the curves of many sessions over one another and a row of numbers for each: without a
/// script, from the same sessions the same bytes. A row under the pointer makes its curves stand out.
package struct CurvesPage: Sendable {
  /// A session's row.
  package struct Row: Sendable, Hashable {
    /// The number of the session in the drawing.
    package var run: Int
    /// What stands in the columns.
    package var cells: [String]

    package init(run: Int, cells: [String]) { (self.run, self.cells) = (run, cells) }
  }

  /// What the report is of.
  package var title: String
  /// The lines below the title, a sentence each.
  package var sentences: [String]
  /// The names of the columns.
  package var columns: [String]
  package var rows: [Row]
  /// The curves.
  package var drawing: CurveDrawing

  package init(
    title: String, sentences: [String], columns: [String], rows: [Row], drawing: CurveDrawing
  ) {
    (self.title, self.sentences, self.columns) = (title, sentences, columns)
    (self.rows, self.drawing) = (rows, drawing)
  }

  /// The report's text.
  ///
  /// - Complexity: linear in the points of all curves.
  package var html: String {
    let runs = Set(rows.map(\.run)).sorted()
    let marks = runs.map {
      "body:has(.row\($0):hover) .of\($0) { opacity: 1; stroke-width: 3; }"
    }
    let colors = drawing.colors.enumerated().map {
      ".row\($0.offset) .sign { background: \($0.element); }"
    }
    var html = """
      <!doctype html>
      \(OriginMark.text)
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(text(title)) · Kymograph</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 14px system-ui, sans-serif; margin: 24px auto; max-width: 960px; padding: 0 16px; }
      h1 { font-size: 20px; }
      svg { height: auto; max-width: 100%; }
      div { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 16px; }
      th, td { padding: 3px 12px 3px 0; text-align: right; white-space: nowrap; }
      th { border-bottom: 1px solid #888; position: sticky; top: 0; background: Canvas; }
      tr:hover td { background: color-mix(in srgb, CanvasText 12%, Canvas); }
      .sign { display: inline-block; height: 3px; vertical-align: middle; width: 20px; }
      body:has(tbody tr:hover) .curve { opacity: 0.15; }
      \((marks + colors).joined(separator: "\n"))
      </style>
      <h1>\(text(title))</h1>

      """
    for sentence in sentences { html += "<p>\(text(sentence))</p>\n" }
    html += drawing.svg
    html += "<div><table>\n<thead><tr><th></th>"
    html += columns.map { "<th>\(text($0))</th>" }.joined() + "</tr></thead>\n<tbody>\n"
    for row in rows {
      html += "<tr class=\"row\(row.run)\"><td><span class=\"sign\"></span></td>"
      html += row.cells.map { "<td>\(text($0))</td>" }.joined() + "</tr>\n"
    }
    return html + "</tbody>\n</table></div>\n</html>\n"
  }

  private func text(_ text: String) -> String { escapedXML(DisplayText.harmless(text)).text }
}
