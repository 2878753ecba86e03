package import TimelineModel

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
