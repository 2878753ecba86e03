import KymographCLibrary
import TimelineModel

/// The shapes that lines of a file have, and how many of its lines.
struct FoundShapes {
  private let source: GestureSource
  /// The shapes that fit, the one with the most reports first.
  private var fitting: [(shape: TextShape.Compiled, reader: ShapeReader)] = []
  /// The shapes of lines without touches.
  private var refusing: [(shape: TextShape.Compiled, reader: ShapeReader)] = []

  /// Lines that are looked at before all of them are.
  private static let firstLines = 2000
  /// And bytes that are searched for the words of a shape first.
  private static let firstBytes = 1 << 20
  /// Fewer reports are stray lines, and so is a tenth of those of another shape.
  private static let fewestReports = 3

  init(_ source: GestureSource) {
    self.source = source
    find(atMost: Self.firstLines)
    if fitting.isEmpty, source.lines.count > Self.firstLines { find(atMost: .max) }
  }

  private mutating func find(atMost count: Int) {
    var found: [(shape: TextShape.Compiled, reader: ShapeReader)] = []
    for shape in TextShape.compiled
    where occurs(shape, atMost: count == .max ? .max : Self.firstBytes) {
      var reader = ShapeReader(shape)
      reader.read(source, atMost: count)
      if shape.shape.refusal == nil, reader.count > 0 { found.append((shape, reader)) }
      if shape.shape.refusal != nil, reader.matches > 0 { refusing.append((shape, reader)) }
    }
    let most = found.map(\.reader.count).max() ?? 0
    let fits = found.filter { $0.reader.count * 10 >= most }
    fitting = fits.filter { one in
      !fits.contains { $0.shape.shape.instead.contains(one.shape.shape.name) }
    }.sorted { $0.reader.count > $1.reader.count }
  }

  /// Whether the words of a shape are in the file, which is quickly said.
  private func occurs(_ shape: TextShape.Compiled, atMost count: Int) -> Bool {
    source.bytes.withUnsafeBufferPointer { bytes in
      shape.lines.contains { Self.contains(bytes.prefix(count), $0.needle) }
    }
  }

  private static func contains(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ needle: [UInt8])
    -> Bool
  {
    let all = UnsafeBufferPointer(rebasing: bytes)
    guard let start = all.baseAddress, let first = needle.first else { return true }
    var next = start
    let end = start + all.count
    while next < end, let found = memchr(next, Int32(first), end - next) {
      next = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      if end - next >= needle.count, memcmp(next, needle, needle.count) == 0 { return true }
      next += 1
    }
    return false
  }

  /// Refuses a file of which another reader made touches, if lines in a shape tell other ones.
  func refuseOthers(than recording: GestureRecording, _ reading: GestureReading)
    throws(GestureError)
  {
    for found in fitting
    where found.reader.count >= Self.fewestReports
      && found.reader.count * 10 >= recording.touches.count
    {
      // Its own reader counts the lines of a touch screen beside a touchpad's gestures.
      if recording.format == .libinputEvents, found.shape.shape.name == "libinput-touch" {
        continue
      }
      guard let other = try? read(found.shape, reading) else { continue }
      try refuse(recording, other)
    }
  }

  /// Reads the file in the shape that fits.
  ///
  /// - Parameter failure: Why no other format could be read, if lines are of one.
  func read(_ reading: GestureReading, failure: GestureError?) throws(GestureError)
    -> GestureRecording
  {
    var first: GestureRecording?
    var firstFailure: GestureError?
    for found in fitting {
      do throws(GestureError) {
        let recording = try read(found.shape, reading)
        if let first, found.reader.count >= Self.fewestReports { try refuse(first, recording) }
        first = first ?? recording
      } catch {
        guard error.code != .ambiguous else { throw error }
        firstFailure = firstFailure ?? error
      }
    }
    if let first { return first }
    if let firstFailure { throw firstFailure }
    do throws(GestureError) {
      return try readGesture(source, as: .namedValues, reading)
    } catch {
      if let refusal = refusing.max(by: { $0.reader.matches < $1.reader.matches }) {
        throw source.error(
          .unsupported, line: refusal.reader.firstLine, refusal.shape.shape.refusal ?? "")
      }
      // A log's line is not a row of a table.
      throw failure == nil || error.code == .unsupported && looksLikeLog(source)
        ? error : failure ?? error
    }
  }

  private func read(_ shape: TextShape.Compiled, _ reading: GestureReading) throws(GestureError)
    -> GestureRecording
  {
    try readGesture(source, as: shape.shape.format, reading, shape: shape)
  }

  /// Refuses the file if two readings of it differ in the contacts.
  private func refuse(_ one: GestureRecording, _ other: GestureRecording) throws(GestureError) {
    let (path, otherPath) = (Self.path(one), Self.path(other))
    guard path != otherPath else { return }
    throw source.error(
      .ambiguous,
      "Lines are of two kinds that tell different touches: \(one.format.title) and \(other.format.title). Choose with"
        + " --gesture-format \(one.format.rawValue) or --gesture-format \(other.format.rawValue).")
  }

  /// What named values say of lines in which another reader found JSON without a phase: `FingerDown { x: 12, … }` has it
  /// before the braces. `nil` if they say other positions.
  func withPhases(of recording: GestureRecording, _ reading: GestureReading) -> GestureRecording? {
    guard let first = source.lines.first(where: { $0.text.contains(UInt8(ascii: "{")) }),
      let start = first.text[LinePrefix(first.text).end...].first, isLetter(start),
      let named = try? readGesture(source, as: .namedValues, reading)
    else { return nil }
    return Self.path(named) == Self.path(recording) ? named : nil
  }

  /// The positions of a recording, contact by contact without repetitions, and how long it is in milliseconds.
  private static func path(_ recording: GestureRecording) -> [[Double]] {
    var contacts: [Int: [Double]] = [:]
    for touch in recording.touches {
      let place = [touch.position.x, touch.position.y]
      if contacts[touch.contact].map({ Array($0.suffix(2)) != place }) ?? true {
        contacts[touch.contact, default: []] += place
      }
    }
    let last = (Double(recording.touches.last?.time.nanoseconds ?? 0) / 1e6).rounded()
    return contacts.sorted { $0.key < $1.key }.map(\.value) + [[last]]
  }
}
