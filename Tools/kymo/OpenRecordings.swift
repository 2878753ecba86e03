import TimelineStore

/// Many recordings, opened when they are asked for; only those asked for last stay open, so that a thousand files
/// take no more of the system's descriptors than a few dozen.
final class OpenRecordings {
  /// The readers by the age of the last question, the oldest first.
  private var readers: [RecordingReader] = []

  /// Recordings that stay open; ours: each takes up to three descriptors, and 256 is the smallest limit that
  /// systems set by default.
  private static let mostOpen = 32

  /// The reader of a recording.
  ///
  /// - Throws: `StoreError` where it cannot be opened, or no longer.
  func reader(_ path: String) throws -> RecordingReader {
    let found: RecordingReader
    if let place = readers.firstIndex(where: { $0.path == path }) {
      found = readers.remove(at: place)
    } else {
      found = try openRecording(path)
    }
    if readers.count == OpenRecordings.mostOpen { readers.removeFirst() }
    readers.append(found)
    return found
  }

  /// A session that was seen before, in its recording.
  ///
  /// - Throws: ``Failure`` where another session has taken its place; `StoreError` as ``reader(_:)``.
  func session(_ run: NamedRun) throws -> (session: SessionRecord, reader: RecordingReader) {
    let reader = try reader(run.path)
    let session = try reader.session(run.session.number)
    guard session.uuid == run.session.uuid else {
      throw Failure.unreadable("\(run.path) was replaced while it was read; run it anew")
    }
    return (session, reader)
  }
}

/// A session and the recording in which it was found.
struct NamedRun {
  /// The recording.
  let path: String
  /// The session as it was found.
  let session: SessionRecord
}
