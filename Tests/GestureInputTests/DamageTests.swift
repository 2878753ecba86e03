import Foundation
import GestureInput
import TestSupport
import Testing
import TimelineModel

struct DamageTests {
  private func error(_ bytes: [UInt8], as format: GestureFormat? = nil) -> GestureError? {
    do throws(GestureError) {
      _ = try readGesture(bytes, format: format, name: "f")
      return nil
    } catch {
      return error
    }
  }

  @Test func `an empty file and a file of line ends are empty`() {
    for bytes in [[], Array("\n\r\n  \n".utf8)] {
      #expect(error(bytes)?.description == "f: The file is empty.")
      // A device's bytes have no line ends.
      for format in GestureFormat.allCases where format != .evdev || bytes.isEmpty {
        #expect(error(bytes, as: format)?.code == .empty)
      }
    }
  }

  @Test func `garbage is no gesture file, whatever format is asked for`() {
    var generator = Numbers(seed: 1)
    let garbage = (0..<20_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    #expect(error(garbage)?.code == .unknownFormat)
    for format in GestureFormat.allCases { #expect(error(garbage, as: format) != nil) }
    for text in ["SQLite format 3\0", "[[[[\n", "{{{{\n", ",,,,\n", "hello\n", "[1, 2]\n", "{}\n"] {
      #expect(error(Array(text.utf8)) != nil, "\(text)")
    }
  }

  @Test func `a file of the format without any touch says so`() {
    #expect(
      error(Array("# EVEMU 1.3\nN: panel\n".utf8))?.message
        == "The file contains no touches (read as evemu).")
    #expect(error(Array("t_ns,id,phase,x,y\n".utf8))?.code == .noTouches)
  }

  @Test func `absurd numbers are losses`() throws {
    let found = try read(
      evemu([
        (0, "39=1 35=1 36=2"), (8, "2f=1000000000 35=5"), (16, "2f=-1 35=6"), (24, "2f=0 35=7"),
      ])
        + "E: 99999999999999.000000 0003 0035 5\nE: 0.1234567890 0003 0035 5\n"
        + "E: 1.000000 0003 0035 2147483648\nE: 1.000000 10003 0035 5\nE: 1.0 0003\n"
        + "E: 1.000000 0003 0035 2147483647\nE: 1.000000 0000 0000 0\n")
    #expect(lines(found) == ["0 0 began 1,2", "24 0 moved 7,2"])
    #expect(found.losses.count == 9)
    #expect(found.losses[0].contains("Unknown slot 1000000000"))
  }

  @Test func `complaints about a broken file have an end`() throws {
    let found = try read(
      evemu([(0, "39=1 35=1 36=2")]) + String(repeating: "E: broken\n", count: 1000))
    #expect(found.losses.count == 21)
    #expect(found.losses.last == "There are 981 further errors of this sort.")
  }

  @Test func `a frame without its report is left out and told`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2")]) + "E: 0.5 3 35 7\nE: 0.5 3 36 8\n")
    #expect(lines(found) == ["0 0 began 1,2"])
    #expect(
      found.losses == [
        "Line 8: The file ends in the middle of a report. Its last 2 events were left out.",
        "Line 8: The recording ends while a contact is down, so its lift is missing.",
      ])
    #expect(found.openContacts)
  }

  /// `KYMO_TEST_ROUNDS` asks for more rounds than the usual few.
  @Test(arguments: [
    "two-fingers.evemu", "two-fingers.getevent-lt.txt", "two-fingers.pointer.ndjson",
    "two-fingers.libinput-record.yml", "two-fingers.evtest.txt", "two-fingers.evdev64",
    "two-fingers.evdev32", "touchpad-mixed.libinput-events.txt",
  ])
  func `a file damaged at random is read in part or refused`(file: String) throws {
    let whole = try Files.fixture(file)
    for seed in 1...UInt64(TestRounds.asked ?? 20) {
      var generator = Numbers(seed: seed)
      var bytes = whole
      for _ in 0..<(1 + generator.next() % 8) {
        let place = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.insert(UInt8(ascii: "9"), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 5))
        }
      }
      guard let found = try? readGesture(bytes, format: nil, name: file) else { continue }
      #expect(!found.touches.isEmpty, "seed \(seed)")
      #expect(found.touches.allSatisfy { $0.position.isFinite }, "seed \(seed)")
      #expect(isConsistent(found), "seed \(seed)")
    }
  }

  /// Each contact begins once, before all else, and nothing follows its end.
  private func isConsistent(_ recording: GestureRecording) -> Bool {
    var state: [Int: Bool] = [:]
    for touch in recording.touches {
      switch (state[touch.contact], touch.phase) {
      case (nil, .began): state[touch.contact] = true
      case (true?, .moved): continue
      case (true?, .ended), (true?, .cancelled): state[touch.contact] = false
      default: return false
      }
    }
    return recording.openContacts == state.values.contains(true)
  }
}

/// Repeatable random numbers (splitmix64, Steele, Lea and Flood 2014).
private struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
