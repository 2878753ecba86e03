package import TimelineModel

/// The pictures of a clip, which lie behind the stage of its session.
///
/// They take memory for those that are kept: at most ``init(byteLimit:)``'s bytes.
package struct ReportFilm: Sendable {
  /// The most bytes that pictures may take in a report, as text.
  private let byteLimit: Int
  private var times: [Instant] = []
  /// Each a JPEG in base64.
  private var pictures: [[UInt8]] = []
  private var byteCount = 0
  /// How many pictures were given.
  private var given = 0
  /// Of every so many pictures one is kept. 1: all are.
  package private(set) var stride = 1

  package init(byteLimit: Int) { self.byteLimit = byteLimit }

  package var isEmpty: Bool { pictures.isEmpty }

  /// Takes the next picture. If all would be too large, every second one of those before is dropped.
  package mutating func add(_ jpeg: [UInt8], at time: Instant) {
    defer { given += 1 }
    guard given % stride == 0 else { return }
    var letters: [UInt8] = []
    appendBase64(jpeg, to: &letters)
    times.append(time)
    pictures.append(letters)
    byteCount += letters.count
    while byteCount > byteLimit, pictures.count > 1 {
      stride *= 2
      times = times.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      pictures = pictures.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      byteCount = pictures.reduce(0) { $0 + $1.count }
    }
  }

  /// The film as the report reads it.
  func append(to bytes: inout [UInt8]) {
    appendJSON(.object(named: ["t": times]), to: &bytes)
    // The pictures are long, and letters of base64 need no care.
    bytes.removeLast()
    bytes += ",\"pictures\":[".utf8
    for (index, picture) in pictures.enumerated() {
      bytes += index == 0 ? "\"".utf8 : ",\"".utf8
      bytes += picture
      bytes.append(UInt8(ascii: "\""))
    }
    bytes += "]}".utf8
  }
}
