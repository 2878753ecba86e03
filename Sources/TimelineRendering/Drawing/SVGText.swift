import TimelineModel

/// How text and numbers stand in an SVG.
enum SVGText {
  /// The text with what XML 1.0 takes as its own escaped, and what it forbids made visible.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in DisplayText.harmless(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A length with two decimals at most, which is finer than any screen.
  static func length(_ number: Double) -> String {
    exact((number * 100).rounded() / 100)
  }

  /// A number with all of its digits; 0 for what is not finite.
  static func exact(_ number: Double) -> String {
    guard number.isFinite else { return "0" }
    return FieldValue.jsonNumber(number == 0 ? 0 : number)
  }

  /// The beginning of a drawing of a size, with its style sheet and its name for those who cannot see it.
  static func opening(width: Double, height: Double, title: String, style: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(length(width))" height="\(length(height))" \
    viewBox="0 0 \(length(width)) \(length(height))" role="img">
    <title>\(escaped(title))</title>
    <style>
    \(style)</style>
    <rect class="paper" width="100%" height="100%"/>

    """
  }

  /// Colours that both drawings share: black on white, or the reverse where that is preferred.
  static let sharedStyle = """
    text { font: 12px system-ui, sans-serif; fill: #222; }
    .paper { fill: #fff; }
    .faint { fill: #666; }
    .rule { stroke: #ddd; stroke-width: 1; }
    .edge { stroke: #888; stroke-width: 1; fill: none; }
    .release { stroke: #c62828; stroke-width: 1.5; }
    .releaseText { fill: #c62828; font-weight: bold; }
    @media (prefers-color-scheme: dark) {
      text { fill: #ddd; }
      .paper { fill: #181818; }
      .faint { fill: #999; }
      .rule { stroke: #383838; }
      .release { stroke: #ff8a80; }
      .releaseText { fill: #ff8a80; }
    }

    """
}
