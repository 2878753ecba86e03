/// How a cell of the screen looks, beside its character. All of it can be read on a light and on a dark
/// background: nothing but the terminal's own foreground, and colours of middle brightness.
package struct ScreenStyle: Hashable, Sendable {
  /// A colour, as the parameter of SGR that selects it (ECMA-48, 8.3.117). The hues are those of the page.
  package enum Color: String, Sendable {
    /// For errors and warnings.
    case red = "31"
    /// For a finish.
    case green = "32"
    /// For a cancel.
    case magenta = "35"
    /// For the first session.
    case cyan = "36"
    /// For the second session: of xterm's 256, as the terminal's own yellow cannot be read on white.
    case gold = "38;5;136"
  }

  /// The colour. `nil` for the terminal's own.
  package var color: Color?
  /// Whether it is heavier.
  package var isBold = false
  /// Whether it is fainter.
  package var isDim = false
  /// Whether foreground and background are exchanged.
  package var isReversed = false

  /// As the terminal writes without being told otherwise.
  package static let plain = ScreenStyle()
  /// For secondary text.
  package static let dim = ScreenStyle(isDim: true)
  /// For headings.
  package static let bold = ScreenStyle(isBold: true)
  /// For the place where one is.
  package static let reversed = ScreenStyle(isReversed: true)

  package init(
    color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false
  ) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
  }

  /// The sequence that selects this style, whatever was selected before.
  func selection(inColor: Bool) -> String {
    var codes = "0"
    if isBold { codes += ";1" }
    if isDim { codes += ";2" }
    if isReversed { codes += ";7" }
    if inColor, let color { codes += ";\(color.rawValue)" }
    return "\u{1b}[\(codes)m"
  }
}
