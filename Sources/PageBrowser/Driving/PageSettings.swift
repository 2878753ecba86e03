package import TimelineModel

/// How a page is shown.
package struct PageSettings: Hashable, Sendable {
  /// The window's size in px.
  package var width: Int
  package var height: Int
  /// Whether a finger is on a panel. Else there is a mouse.
  package var hasTouch: Bool
  /// Dots of the screen for each px.
  package var pixelRatio: Double
  /// Whether the person has asked for less motion.
  package var prefersReducedMotion: Bool
  /// Whether the person has asked for dark colours.
  package var isDark: Bool
  /// How many times slower the processor is.
  package var slowdown: Double
  /// The recorded elements: a selector (CSS), or a word of the recorder's.
  package var items: String
  /// Whether everything of other machines is refused.
  package var isLoopbackOnly = false
  /// The folder outside of which no file is opened. `nil`: any file is.
  package var files: FolderLimit?

  package init(
    width: Int = 390, height: Int = 844, hasTouch: Bool = true, pixelRatio: Double = 1,
    prefersReducedMotion: Bool = false, isDark: Bool = false, slowdown: Double = 1,
    items: String
  ) {
    (self.width, self.height, self.hasTouch) = (width, height, hasTouch)
    (self.pixelRatio, self.slowdown, self.items) = (pixelRatio, slowdown, items)
    (self.prefersReducedMotion, self.isDark) = (prefersReducedMotion, isDark)
  }
}

extension PageSettings {
  /// The settings that a recording was made with.
  ///
  /// - Parameter fields: The fields of its event `action` of the kind `open`.
  /// - Returns: nil for anything else.
  package init?(recorded fields: FieldValue) {
    guard case .text("open")? = fields["kind"], let size = fields["viewport"]?.asPoint,
      case .text(let items)? = fields["items"], let ratio = fields["dpr"]?.asNumber,
      let slowdown = fields["slowdown"]?.asNumber,
      let width = Int(exactly: size.x), let height = Int(exactly: size.y),
      Self.sizes.contains(width), Self.sizes.contains(height), Self.ratios.contains(ratio),
      Self.slowdowns.contains(slowdown)
    else { return nil }
    self.init(
      width: width, height: height, hasTouch: fields["pointer"] == .text("touch"),
      pixelRatio: ratio, prefersReducedMotion: fields["reducedMotion"] == .flag(true),
      isDark: fields["dark"] == .flag(true), slowdown: slowdown, items: items)
  }

  /// How long a side of the window may be, in px.
  package static let sizes = 50...10_000
  /// How many dots a px may have.
  package static let ratios = 0.25...8
  /// How many times slower the processor may be made.
  package static let slowdowns = 1.0...50
}
