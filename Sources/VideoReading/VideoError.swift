/// Why no pictures come out of a file: one sentence for the person, with what to do.
package struct VideoError: Error, Hashable, Sendable {
  /// The cause, for a caller that goes on.
  package enum Kind: Hashable, Sendable {
    /// There is no decoder, or it cannot be started.
    case noDecoder
    /// The file is not there, cannot be read, or has no pictures.
    case noPictures
    /// The decoder is silent, ends in the middle, or prints something else than pictures.
    case decoder
    /// The clip is larger or longer than what is read.
    case limit
    /// Pictures cannot be kept beside, for want of space.
    case noSpace
    /// Somebody ended the program.
    case interrupted
  }

  /// The cause.
  package var kind: Kind
  /// A sentence that begins small and has no full stop.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    (self.kind, self.message) = (kind, message)
  }

  /// The end that a signal asks for.
  static let interrupted = VideoError(.interrupted, "interrupted")
}
