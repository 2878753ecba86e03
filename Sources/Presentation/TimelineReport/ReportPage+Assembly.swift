import TimelineModel

extension ReportPage {
  /// The page, as the bytes of one UTF-8 file.
  ///
  /// - Complexity: linear in what the runs packed.
  public var bytes: [UInt8] {
    let script = ReportPage.script
    let style = PackageResources.report_css
    var bytes: [UInt8] = []
    bytes.reserveCapacity(run.packed.count + (other?.packed.count ?? 0) + 1 << 18)
    for part in ReportPage.templateParts {
      switch part {
      case .plain(let plain): bytes += plain
      case .place("STYLE"): bytes += style
      case .place("SCRIPT"): bytes += script
      case .place("STYLE-HASH"): appendBase64(SHA256.digest(style), to: &bytes)
      case .place("SCRIPT-HASH"): appendBase64(SHA256.digest(script), to: &bytes)
      case .place("DATA"): appendData(to: &bytes)
      case .place(let name): preconditionFailure("report.html names \(name), which nothing fills.")
      }
    }
    return bytes
  }

  /// How many bytes a page takes beside what its runs packed, their verdict left aside.
  public static var bytesWithoutRuns: Int {
    script.count + PackageResources.report_css.count + PackageResources.report_html.count
      + elementBytes
  }

  /// Script elements, hashes and the clocks' alignment of two runs are less than this, in bytes.
  private static let elementBytes = 2000

  /// The script elements with the data: JSON, and packed numbers in base64. Neither is run.
  private func appendData(to bytes: inout [UInt8]) {
    let page = FieldValue.object([
      EventField("lag", .number(lagSeconds)), EventField("bestLag", FieldValue(bestLagSeconds)),
      EventField("anchorA", FieldValue(anchorOfA)),
      EventField("anchorB", FieldValue(anchorOfB)), EventField("alignment", .text(alignment)),
      EventField("isStretched", .flag(isStretched)), EventField("verdict", FieldValue(verdict)),
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

  private func appendElement(
    _ name: String, _ type: String, to bytes: inout [UInt8], _ content: (inout [UInt8]) -> Void
  ) {
    bytes += Array("<script type=\"\(type)\" id=\"\(name)\">".utf8)
    content(&bytes)
    bytes += Array("</script>\n".utf8)
  }

  /// Appends JSON in which no letter means anything to HTML: a name may be `</script>`.
  private func appendJSON(_ value: FieldValue, to bytes: inout [UInt8]) {
    for byte in value.json.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes += Array("\\u003c".utf8)
      case UInt8(ascii: ">"): bytes += Array("\\u003e".utf8)
      case UInt8(ascii: "&"): bytes += Array("\\u0026".utf8)
      default: bytes.append(byte)
      }
    }
  }

  /// The page's own script, in the order in which its parts build on each other.
  private static let script: [UInt8] =
    Array("\"use strict\";\n(() => {\n".utf8) + scriptParts.joined() + Array("})();\n".utf8)

  private static let scriptParts: [[UInt8]] = [
    PackageResources.format_js, PackageResources.bits_js, PackageResources.run_js,
    PackageResources.markers_js, PackageResources.stage_js, PackageResources.axis_js,
    PackageResources.ranges_js, PackageResources.room_js, PackageResources.lanes_js,
    PackageResources.curves_js, PackageResources.cursor_js, PackageResources.xy_js,
    PackageResources.player_js,
    PackageResources.pair_js, PackageResources.address_js, PackageResources.header_js,
    PackageResources.lists_js, PackageResources.items_js, PackageResources.looks_js,
    PackageResources.controls_js, PackageResources.start_js,
  ]

  /// A stretch of the template, or the name of what stands in a place of it.
  private enum TemplatePart {
    case plain(ArraySlice<UInt8>)
    case place(String)
  }

  /// The template, cut at `{{NAME}}`.
  private static let templateParts: [TemplatePart] = {
    var parts: [TemplatePart] = []
    var rest = PackageResources.report_html[...]
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    while let start = rest.indices.dropLast().first(where: {
      rest[$0] == open && rest[$0 + 1] == open
    }),
      let end = rest[start...].firstIndex(of: close)
    {
      parts.append(.plain(rest[..<start]))
      parts.append(.place(String(decoding: rest[(start + 2)..<end], as: UTF8.self)))
      rest = rest[(end + 2)...]
    }
    return parts + [.plain(rest)]
  }()
}
