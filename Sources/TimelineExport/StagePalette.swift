import TimelineModel

/// Colors of items, told apart by eye on light and dark ground; by the item's number.
enum StagePalette {
  private static let colors: [(red: Int, green: Int, blue: Int)] = [
    (66, 133, 190), (230, 126, 60), (72, 160, 104), (200, 78, 88), (140, 104, 186),
    (150, 112, 76), (210, 118, 174), (94, 152, 160), (178, 164, 58),
  ]

  /// Red, green and blue, 0 to 255.
  static func color(of item: ItemHandle) -> (red: Int, green: Int, blue: Int) {
    colors[Int(item.rawValue.magnitude) % colors.count]
  }

  /// The color as `#rrggbb`.
  static func hexadecimal(of item: ItemHandle) -> String {
    let color = color(of: item)
    func digits(_ number: Int) -> String {
      (number < 16 ? "0" : "") + String(number, radix: 16)
    }
    return "#" + digits(color.red) + digits(color.green) + digits(color.blue)
  }
}
