import RunStudies
package import TimelineModel
package import TimelineRendering

/// One self-contained HTML report of a rule that was searched: sentences, settings, costs over thresholds, and the
/// gestures that are decided wrongly, each with a link to its picture.
///
/// The report has no script and loads nothing. Its pictures are SVGs inside of it. The same facts give the same bytes.
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
    /// Its picture, an SVG. `nil` where there is none.
    package var picture: String?

    package init(fields: [EventField], picture: String?) {
      (self.fields, self.picture) = (fields, picture)
    }
  }

  /// The report's first line.
  package var title: String
  /// The findings, a sentence each.
  package var sentences: [String]
  /// The setting in use, the best one and others.
  package var settings = Table(columns: [], rows: [])
  /// A chart for each number that was searched.
  package var charts: [CostDrawing] = []
  /// The gestures that are decided wrongly.
  package var gestures: [Gesture] = []
  /// How many more there are.
  package var leftOut = 0

  /// Makes a report without tables and pictures.
  package init(title: String, sentences: [String]) {
    (self.title, self.sentences) = (title, sentences)
  }

  /// The report, as the bytes of one UTF-8 file.
  package var bytes: [UInt8] {
    var text = "<header>\n<h1>\(html(title))</h1>\n"
    for sentence in sentences { text += "<p>\(html(sentence))</p>\n" }
    text += "</header>\n<main>\n"
    if !settings.rows.isEmpty {
      text +=
        "<section>\n<h2>Settings</h2>\n\(table(settings.columns, settings.rows.map { cells($0, settings.columns) }))</section>\n"
    }
    for chart in charts {
      text += "<section>\n\(picture(chart.svg, "Cost over \(chart.number)"))</section>\n"
    }
    if !gestures.isEmpty { text += gestureSections }
    text += "</main>\n"
    return TuningPage.template.page(capacity: text.utf8.count) { $0 += Array(text.utf8) }
  }

  private static let template = PageTemplate(
    PackageResources.tuning_html, style: PackageResources.base_css + PackageResources.tuning_css)

  private var gestureSections: String {
    let columns = TuningResult.DecidedGesture.columns
    let rows = gestures.enumerated().map { number, gesture in
      let link = gesture.picture == nil ? "–" : "<a href=\"#gesture-\(number + 1)\">picture</a>"
      return cells(gesture.fields, columns) + "<td>\(link)</td>"
    }
    var sections =
      "<section>\n<h2>Wrong by the best setting</h2>\n" + table(columns + ["picture"], rows)
    if leftOut > 0 { sections += "<p>And \(leftOut) more.</p>\n" }
    sections += "</section>\n"
    for (number, gesture) in gestures.enumerated() {
      guard let picture = gesture.picture else { continue }
      func text(_ name: String) -> String {
        gesture.fields.first { $0.name == name }.map { $0.value.plainText } ?? ""
      }
      let name =
        "\(text("file"))#\(text("session")), transition \(text("transition")): meant to \(text("meant")), decided "
        + text("decision")
      sections +=
        "<section id=\"gesture-\(number + 1)\">\n<h2>\(html(name))</h2>\n"
        + self.picture(picture, name) + "</section>\n"
    }
    return sections
  }

  /// A table of rows whose cells are HTML already.
  private func table(_ columns: [String], _ rows: [String]) -> String {
    let head = columns.map { "<th scope=\"col\">\(html($0))</th>" }.joined()
    return "<div class=\"scroll\"><table>\n<tr>\(head)</tr>\n"
      + rows.map { "<tr>\($0)</tr>\n" }.joined() + "</table></div>\n"
  }

  private func cells(_ row: [EventField], _ columns: [String]) -> String {
    columns.map { column in
      let value = row.first { $0.name == column }?.value ?? .null
      return "<td\(value.isNumber ? " class=\"n\"" : "")>\(html(value.plainText))</td>"
    }.joined()
  }

  /// A drawing as a picture of the report: its own style sheet is then no style sheet of the report.
  private func picture(_ svg: String, _ alternative: String) -> String {
    "<img alt=\"\(html(alternative))\" src=\"data:image/svg+xml;base64,\(base64(Array(svg.utf8)))\">\n"
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
