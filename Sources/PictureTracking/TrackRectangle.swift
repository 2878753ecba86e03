/// The outline of an element in pixels, as somebody marked it.
package struct TrackRectangle: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  var center: (x: Double, y: Double) { (x + width / 2, y + height / 2) }
}

/// Where an element is in a picture, and how it looks there.
struct PicturePose: Hashable {
  /// Its center, in pixels of the picture.
  var x: Double
  var y: Double
  /// Its size, as a factor of that in its rectangle.
  var scale = 1.0
  /// Its turn, in radians, from the x axis towards the y axis.
  var turn = 0.0
}

/// What a motion may do beside going to another place.
struct Freedoms: OptionSet {
  let rawValue: Int
  static let scale = Freedoms(rawValue: 1)
  static let turn = Freedoms(rawValue: 2)
}
