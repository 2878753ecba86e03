extension RecordingReader {
  /// The names of what a session holds, in a fixed order: the views of a recording.
  public static var contentNames: [String] { ContentTexts.names }

  /// Everything of one sort that a session holds, in the order of time or of recording.
  ///
  /// - Parameters:
  ///   - name: One of ``contentNames``.
  ///   - session: The session's number.
  /// - Throws: ``StoreError`` when the file cannot be read.
  public func content(_ name: String, in session: Int64) throws(StoreError) -> QueryCursor {
    guard let text = ContentTexts.question(name, session: session) else {
      preconditionFailure("\(name) is no content of a session; see contentNames.")
    }
    return try query(text)
  }
}
