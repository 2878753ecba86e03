/// One picture of a clip.
package struct VideoPicture: Sendable {
  /// Its number, from 0.
  package var number: Int
  /// Its time in ticks of the clip's ``TimeBase``.
  package var ticks: Int64
  /// Its time from the first picture on.
  package var nanoseconds: Int64
  /// Its size, in pixels. As JPEG: before it was scaled.
  package var width: Int
  package var height: Int
  /// Row by row: one byte a pixel in grey, three as RGB; or a whole JPEG.
  package var bytes: [UInt8]
}

/// As what pictures come.
package enum PictureForm: Hashable, Sendable {
  /// Luma, 0 to 255.
  case grey
  /// Red, green and blue.
  case rgb
  /// A JPEG, at most so many pixels wide.
  case jpeg(width: Int)

  /// The bytes of a picture. `nil`: each says it itself.
  func byteCount(_ width: Int, _ height: Int) -> Int? {
    switch self {
    case .grey: width * height
    case .rgb: width * height * 3
    case .jpeg: nil
    }
  }
}
