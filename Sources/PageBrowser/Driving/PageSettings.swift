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
