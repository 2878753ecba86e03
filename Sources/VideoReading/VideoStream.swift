import KymographCLibrary

/// Which pictures of which file are read, and with which program.
package struct VideoRequest: Sendable {
  /// The file.
  package var path: String
  /// The file's name in sentences.
  package var name: String
  /// The decoder's path, as ``DecoderSearch`` finds it.
  package var decoder: String
  /// Its variables, each as `NAME=VALUE`.
  package var environment: [String]
  package var form: PictureForm
  /// So long the decoder may take for a picture.
  package var patience = Duration.seconds(10)

  /// The largest side of a picture, in pixels.
  package static let mostPixelsWide = 4096

  package init(
    path: String, name: String, decoder: String, environment: [String], form: PictureForm = .grey
  ) {
    (self.path, self.name, self.decoder) = (path, name, decoder)
    (self.environment, self.form) = (environment, form)
  }
}

/// The pictures of a clip in their order, each with its own time, as `ffmpeg` decodes them.
///
/// ```swift
/// let stream = try VideoStream(request)
/// while let picture = try stream.next() { … }
/// let summary = stream.summary
/// ```
///
/// `ffmpeg` is a child with a group of its own, and ends with this value. It opens the file alone: no address, no list of
/// other files. At most six pictures are decoded ahead.
package final class VideoStream {
  private let request: VideoRequest
  private let isInterrupted: () -> Bool
  private var dialects = DecoderDialect.all[...]
  private var queue = PictureQueue()
  private var thread: pthread_t?

  /// Starts to decode.
  ///
  /// - Parameter isInterrupted: Whether somebody has asked for an end. It is asked ten times a second.
  /// - Throws: ``VideoError``: the file cannot be read, or the decoder cannot be started.
  package init(
    _ request: VideoRequest, isInterrupted: @escaping () -> Bool = { false }
  ) throws(VideoError) {
    (self.request, self.isInterrupted) = (request, isInterrupted)
    try start()
  }

  deinit { stop() }

  private func start() throws(VideoError) {
    guard let dialect = dialects.popFirst() else { return }
    queue = PictureQueue()
    let child = try DecoderChild(request, dialect, into: queue)
    thread = startThread { child.run() }
    if thread == nil {
      queue.stop()
      child.run()
      throw VideoError(.decoder, "no thread can be started: \(String(cString: strerror(errno)))")
    }
  }

  /// Ends the decoder, if it still runs.
  private func stop() {
    queue.stop()
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  /// The next picture. `nil`: there are no more.
  ///
  /// - Throws: ``VideoError``: there are none, or the decoder is silent or prints something else.
  package func next() throws(VideoError) -> VideoPicture? {
    while true {
      if isInterrupted() {
        stop()
        throw .interrupted
      }
      switch queue.next() {
      case .picture(let picture): return picture
      case .nothing: continue
      case .end(let end):
        // An older decoder does not know the words of a newer one.
        if end.summary.pictureCount == 0, let error = end.lastError, !dialects.isEmpty,
          DecoderDialect.isUnknownOption(error)
        {
          stop()
          try start()
          continue
        }
        if let problem = end.problem { throw problem }
        return nil
      }
    }
  }

  /// What is known of the clip so far, and all of it once ``next()`` returned nil.
  package var summary: VideoSummary { queue.summary }

  /// Ends the decoder, because no more pictures are wanted.
  package func finish() { stop() }
}
