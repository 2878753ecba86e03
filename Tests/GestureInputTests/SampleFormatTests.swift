import Foundation
import GestureInput
import Testing
import TimelineModel

/// The same two-finger gesture in every format that has places, and the contacts that a reader must arrive at.
struct SampleFormatTests {
  /// Rows of two-fingers.expected.csv: time in ns after the first, phase, contact id, place.
  private func expected() throws -> [[Double]] {
    let phases = ["down": 0.0, "move": 1, "up": 2]
    let rows = try String(decoding: Files.fixture("two-fingers.expected.csv"), as: UTF8.self)
      .split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
    let start = Int64(rows[0][0])!
    return rows.map { row in
      [
        Double((Int64(row[0])! - start) * 1000), phases[row[1]]!, Double(row[2])!, Double(row[3])!,
        Double(row[4])!,
      ]
    }
  }

  private func rows(_ recording: GestureRecording, unitsPerPoint: Double = 1) -> [[Double]] {
    recording.touches.map { touch in
      [
        Double(touch.time.nanoseconds), Double(TouchPhase.allCases.firstIndex(of: touch.phase)!),
        Double(touch.trackingID ?? -1), (touch.position.x * unitsPerPoint).rounded(),
        (touch.position.y * unitsPerPoint).rounded(),
      ]
    }
  }

  @Test(arguments: [
    ("two-fingers.evemu", GestureFormat.evemu), ("two-fingers.getevent-lt.txt", .getevent),
    ("two-fingers.getevent-t.txt", .getevent), ("two-fingers.pointer.ndjson", .json),
    ("two-fingers.libinput-record.yml", .libinputRecord), ("two-fingers.evtest.txt", .evtest),
    ("two-fingers.evdev64", .evdev), ("two-fingers.evdev32", .evdev),
  ])
  func `one gesture gives the same contacts from every format`(
    file: String, format: GestureFormat
  ) throws {
    let bytes = try Files.fixture(file)
    let found = try readGesture(bytes, format: nil, name: file)
    #expect(found.format == format)
    #expect(try rows(found, unitsPerPoint: format == .json ? 3 : 1) == expected())
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
    #expect(!found.openContacts)
    #expect(try readGesture(bytes, format: format, name: file) == found)
  }

  @Test func `the device is named as the file names it`() throws {
    let names = try [
      "two-fingers.evemu", "two-fingers.getevent-lt.txt", "two-fingers.getevent-t.txt",
      "two-fingers.pointer.ndjson",
    ].map { try readGesture(Files.fixture($0), format: nil, name: $0).device }
    #expect(names == ["sample_touch", "sample_touch", "/dev/input/event2", nil])
  }

  @Test func `slots and contact numbers are kept`() throws {
    let found = try readGesture(Files.fixture("two-fingers.evemu"), format: nil, name: "f")
    #expect(Set(found.touches.map(\.slot)) == [0, 1])
    #expect(found.touches.allSatisfy { $0.contact == $0.slot })
  }

  @Test(arguments: [
    "two-fingers.evemu", "two-fingers.getevent-lt.txt", "two-fingers.getevent-t.txt",
    "two-fingers.pointer.ndjson",
  ])
  func `a file cut off anywhere gives a beginning of the touches`(file: String) throws {
    let bytes = try Files.fixture(file)
    let whole = try readGesture(bytes, format: nil, name: file)
    var lengths: Set<Int> = []
    for length in stride(from: 0, through: bytes.count, by: 17) {
      let cut: GestureRecording
      do throws(GestureError) {
        cut = try readGesture(Array(bytes[..<length]), format: nil, name: file)
      } catch {
        #expect(!error.message.isEmpty)
        continue
      }
      lengths.insert(cut.touches.count)
      #expect(cut.touches == Array(whole.touches.prefix(cut.touches.count)))
      let isClosed = cut.touches.count == whole.touches.count
      #expect(cut.openContacts == !isClosed)
      // Whether it was cut within a line or between two.
      #expect(cut.losses.isEmpty == isClosed || length == bytes.count - 1)
    }
    // Every report is reached but the last, whose line end is cut off.
    #expect(lengths.count >= Set(whole.touches.map(\.time)).count - 1)
  }
}
