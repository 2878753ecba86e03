package import TimelineModel

/// The colour of an item, the same in every picture of it: page, filmstrip and export.
///
/// It goes by the item's name, so that an item has one colour in all runs. Names that differ in their last digit
/// get different colours.
package enum ItemPalette {
  /// Cells: six colours of Okabe and Ito (2008), a lighter blue and a green of that kind, told apart with any kind
  /// of colour blindness. A name in black can be read on each.
  static let cells = [
    0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x4682e6, 0xd55e00, 0xcc79a7, 0xb9e39e,
  ]
  /// Supplementary and decoration views.
  static let others = 0xb8bdc4

  /// Red, green and blue, a byte each.
  package static func color(of identity: ElementIdentity) -> Int {
    guard identity.category == .cell else { return others }
    // FNV-1a, whose last bits keep apart what differs in the last letter.
    var hash: UInt32 = 2_166_136_261
    for letter in identity.id.unicodeScalars { hash = (hash ^ letter.value) &* 16_777_619 }
    return cells[Int(hash) % cells.count]
  }

  /// The same as `#rrggbb`.
  package static func hexadecimal(of identity: ElementIdentity) -> String {
    let digits = String(color(of: identity), radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
