import RunStudies
package import TimelineModel
package import TimelineRendering

/// One self-contained HTML page of a rule that was searched: sentences, settings, costs over thresholds, and the
/// gestures that are decided wrongly, each with a link to its picture.
///
/// The page has no script and loads nothing; its pictures are SVGs inside of it. The same facts give the same bytes.
package struct TuningPage: Sendable {
  /// Rows, of which some columns are shown.
  package struct Table: Sendable, Hashable {
    /// The columns' names, in order.
    package var columns: [String]
    package var rows: [[EventField]]

    package init(columns: [String], rows: [[EventField]]) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  /// A gesture that is decided wrongly.
  package struct Gesture: Sendable, Hashable {
    /// Its row.
    package var fields: [EventField]
    /// Its picture, an SVG; nil where there is none.
    package var picture: String?

    package init(fields: [EventField], picture: String?) {
      (self.fields, self.picture) = (fields, picture)
    }
  }

  /// The page's first line.
  package var title: String
  /// What was found, a sentence each.
  package var sentences: [String]
  /// What is in use, the best setting and others.
  package var settings = Table(columns: [], rows: [])
  /// A chart for each number that was searched.
  package var charts: [CostDrawing] = []
  /// The gestures that are decided wrongly.
  package var gestures: [Gesture] = []
  /// How many more there are.
  package var leftOut = 0

  /// Makes a page without tables and pictures.
  package init(title: String, sentences: [String]) {
    (self.title, self.sentences) = (title, sentences)
  }

  /// The page, as the bytes of one UTF-8 file.
  package var bytes: [UInt8] {
    let style = PackageResources.tuning_css
    var bytes = Array(
      """
      <!doctype html>
      \(OriginMark.text)
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-
      """.utf8)
    appendBase64(SHA256.digest(style), to: &bytes)
    bytes += Array(
      """
      '; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>Kymograph: a rule tuned</title>
      <style>
      """.utf8)
    bytes += style
    bytes += Array("</style>\n</head>\n<body>\n<header>\n<h1>\(html(title))</h1>\n".utf8)
    for sentence in sentences { bytes += Array("<p>\(html(sentence))</p>\n".utf8) }
    bytes += Array("</header>\n<main>\n".utf8)
    append(settings, heading: "Settings", to: &bytes)
    for chart in charts {
      bytes += Array("<section>\n".utf8)
      append(chart.svg, alternative: "Cost over \(chart.number)", to: &bytes)
      bytes += Array("</section>\n".utf8)
    }
    appendGestures(to: &bytes)
    bytes += Array("</main>\n</body>\n</html>\n".utf8)
    return bytes
  }

  private func append(_ table: Table, heading: String, to bytes: inout [UInt8]) {
    guard !table.rows.isEmpty else { return }
    bytes += Array("<section>\n<h2>\(html(heading))</h2>\n<div class=\"scroll\"><table>\n".utf8)
    bytes += Array(head(table.columns).utf8)
    for row in table.rows { bytes += Array("<tr>\(cells(row, table.columns))</tr>\n".utf8) }
    bytes += Array("</table></div>\n</section>\n".utf8)
  }

  private func appendGestures(to bytes: inout [UInt8]) {
    guard !gestures.isEmpty else { return }
    bytes += Array(
      "<section>\n<h2>Wrong by the best setting</h2>\n<div class=\"scroll\"><table>\n".utf8)
    bytes += Array(head(TuningResult.DecidedGesture.columns + ["picture"]).utf8)
    for (number, gesture) in gestures.enumerated() {
      let link = gesture.picture == nil ? "–" : "<a href=\"#gesture-\(number + 1)\">picture</a>"
      bytes += Array(
        "<tr>\(cells(gesture.fields, TuningResult.DecidedGesture.columns))<td>\(link)</td></tr>\n"
          .utf8)
    }
    bytes += Array("</table></div>\n".utf8)
    if leftOut > 0 { bytes += Array("<p>And \(leftOut) more.</p>\n".utf8) }
    bytes += Array("</section>\n".utf8)
    for (number, gesture) in gestures.enumerated() {
      guard let picture = gesture.picture else { continue }
      func text(_ name: String) -> String {
        gesture.fields.first { $0.name == name }.map { $0.value.plainText } ?? ""
      }
      let name =
        "\(text("file"))#\(text("session")), transition \(text("transition")): meant to \(text("meant")), decided "
        + text("decision")
      bytes += Array("<section id=\"gesture-\(number + 1)\">\n<h2>\(html(name))</h2>\n".utf8)
      append(picture, alternative: name, to: &bytes)
      bytes += Array("</section>\n".utf8)
    }
  }

  private func head(_ columns: [String]) -> String {
    "<tr>" + columns.map { "<th scope=\"col\">\(html($0))</th>" }.joined() + "</tr>\n"
  }

  private func cells(_ row: [EventField], _ columns: [String]) -> String {
    columns.map { column in
      let value = row.first { $0.name == column }?.value ?? .null
      return "<td\(value.isNumber ? " class=\"n\"" : "")>\(html(value.plainText))</td>"
    }.joined()
  }

  /// A drawing as a picture of the page: its own style sheet is then no style sheet of the page.
  private func append(_ svg: String, alternative: String, to bytes: inout [UInt8]) {
    bytes += Array("<img alt=\"\(html(alternative))\" src=\"data:image/svg+xml;base64,".utf8)
    appendBase64(Array(svg.utf8), to: &bytes)
    bytes += Array("\">\n".utf8)
  }

  /// Text that is nothing but text, in elements and in attributes.
  private func html(_ text: String) -> String { escapedXML(DisplayText.harmless(text)).text }
}

extension FieldValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .number, .null: true
    default: false
    }
  }

  /// As a person reads it.
  fileprivate var plainText: String {
    switch self {
    case .null: "–"
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): NumberText.cell(number)
    default: json
    }
  }
}
