import TimelineModel

/// How text and numbers stand in an SVG.
enum SVGText {
  /// The beginning of a drawing of a size, with its style sheet and its name for those who cannot see it.
  static func opening(width: Double, height: Double, title: String, style: String) -> String {
    """
    \(OriginMark.text)
    <svg xmlns="http://www.w3.org/2000/svg" width="\(px(width))" height="\(px(height))" \
    viewBox="0 0 \(px(width)) \(px(height))" role="img">
    <title>\(xml(title))</title>
    <style>
    \(style)</style>
    <rect class="paper" width="100%" height="100%"/>

    """
  }

  /// Colours that both drawings share: black on white, or the reverse where that is preferred.
  static let sharedStyle = """
    text { font: 12px system-ui, sans-serif; fill: #222; }
    .title { font-weight: bold; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .paper { fill: #fff; }
    .faint { fill: #666; }
    .rule { stroke: #ddd; stroke-width: 1; }
    .edge { stroke: #888; stroke-width: 1; fill: none; }
    .release { stroke: currentColor; stroke-width: 1.5; fill: none; }
    .releaseSign, .releaseText { fill: currentColor; }
    .releaseText { font-weight: bold; }
    svg { color: #444; }
    .finish { color: #007f6e; }
    .cancel { color: #c0259f; }
    @media (prefers-color-scheme: dark) {
      text { fill: #ddd; }
      .paper { fill: #181818; }
      .faint { fill: #999; }
      .rule { stroke: #383838; }
      svg { color: #bbb; }
      .finish { color: #5fe3c0; }
      .cancel { color: #f08cdc; }
    }

    """
}

/// The text with what XML 1.0 takes as its own escaped, and what it forbids made visible.
func xml(_ text: String) -> String { escapedXML(DisplayText.harmless(text)).text }

/// A length with two decimals at most, which is finer than any screen.
func px(_ number: Double) -> String {
  exact((number * 100).rounded() / 100)
}

/// A number with all of its digits. 0 for a number that is not finite.
func exact(_ number: Double) -> String {
  guard number.isFinite else { return "0" }
  return FieldValue.jsonNumber(number == 0 ? 0 : number)
}

/// Text that XML 1.0 takes for nothing but text, in elements and in attributes.
///
/// - Parameter kept: Control characters that are written as references. All others, which XML has no way to
///   write, become U+FFFD.
/// - Returns: the text, and whether anything was replaced.
package func escapedXML(
  _ text: some StringProtocol, keeping kept: String = ""
) -> (text: String, isReplaced: Bool) {
  var escaped = ""
  var isReplaced = false
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case _ where kept.unicodeScalars.contains(scalar): escaped += "&#\(scalar.value);"
    case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff:
      escaped += "\u{fffd}"
      isReplaced = true
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return (escaped, isReplaced)
}

/// The style of a release by its words ("finish, decided by rule", "B cancel"): finish and cancel in the page's hues.
func outcomeStyle(_ words: String) -> String {
  words.contains("finish") ? " finish" : words.contains("cancel") ? " cancel" : ""
}
