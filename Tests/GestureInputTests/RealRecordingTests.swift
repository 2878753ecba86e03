import Foundation
import GestureInput
import Testing
import TimelineModel

/// Recordings of real hands that lie beside the package on some machines and are not part of it.
/// Where they are missing, these tests are skipped.
private let folder = Files.root.deletingLastPathComponent().appending(path: "shared/gestures")

private func isThere() -> Bool { FileManager.default.fileExists(atPath: folder.path) }

struct RealRecordingTests {
  private func read(_ name: String) throws -> GestureRecording {
    try readGesture(Files.bytes(folder.appending(path: name)), format: nil, name: name)
  }

  @Test(
    .enabled(if: isThere()),
    arguments: [
      ("google-pixel-tablet.swipe.evemu", 25, 1),
      ("ep0430m09.2-finger-scroll-down.events", 182, 2),
      ("atmel-maxtouch.1-finger-drag-up-down.events", 0, 1),
      ("wacom-intuos5-finger.single-center-scroll.events", 0, 1),
    ])
  func `a real recording is read without loss`(name: String, positionCount: Int, contacts: Int)
    throws
  {
    let found = try read(name)
    #expect(found.format == .evemu)
    #expect(found.losses.isEmpty)
    #expect(!found.openContacts)
    #expect(Set(found.touches.map(\.contact)).count == contacts)
    if positionCount > 0 {
      #expect(found.touches.count(where: { $0.phase != .ended }) == positionCount)
    }
    #expect(found.touches.count(where: { $0.phase == .ended }) == contacts)
    #expect(zip(found.touches, found.touches.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test(
    .enabled(if: isThere()),
    arguments: [
      ("atmel-maxtouch.1-finger-drag-up-down.events", 68_875_000),
      ("wacom-intuos5-finger.single-center-scroll.events", 199_979_000),
    ] as [(String, Int64)])
  func `a rest before the lift is kept`(name: String, rest: Int64) throws {
    let touches = try read(name).touches.suffix(2)
    #expect(touches.map(\.phase) == [.moved, .ended])
    #expect(touches.last!.time.nanoseconds(since: touches.first!.time) == rest)
  }
}
