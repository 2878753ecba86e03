/// How the decoding of a clip ended.
struct DecoderEnd: Sendable {
  /// Why there are no more pictures, if not because the clip is over.
  var problem: VideoError?
  var summary = VideoSummary()
  /// The last line that reported an error.
  var lastError: String?
}

/// What is known of a clip when its last picture was read.
package struct VideoSummary: Hashable, Sendable {
  package var facts = VideoFacts()
  /// The unit of its times. `nil`: it has no pictures.
  package var timeBase: TimeBase?
  /// The pictures with a time of their own.
  package var pictureCount = 0
  /// The pictures that were left out, since they have no time, or none behind the picture before.
  package var untimedCount = 0
  /// Whether the file ends in the middle.
  package var endsEarly = false
  /// The size of the first picture that has another size, at which reading ended.
  package var otherSize: PictureSize?
  /// How many errors the decoder reported beside the pictures, and the first one.
  package var errorCount = 0
  package var firstError: String?

  package init() {}
}

/// A size in pixels.
package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// `390x844`.
  package var description: String { "\(width)x\(height)" }
}
