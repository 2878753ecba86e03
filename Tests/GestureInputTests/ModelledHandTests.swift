import GestureInput
import Testing
import TimelineModel

/// The gestures that ship with the package do what their README says.
struct ModelledHandTests {
  private func read(_ name: String) throws -> GestureRecording {
    let found = try readGesture(Files.fixture(name), format: nil, name: name)
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
    #expect(!found.openContacts)
    return found
  }

  /// Distances of contacts 0 and 1 while both are down, in panel units.
  private func distances(_ recording: GestureRecording) -> [Double] {
    var places: [Int: Point2D] = [:]
    var distances: [Double] = []
    for touch in recording.touches {
      if touch.phase == .ended { break }
      places[touch.contact] = touch.position
      if let first = places[0], let second = places[1] {
        let (dx, dy) = (second.x - first.x, second.y - first.y)
        distances.append((dx * dx + dy * dy).squareRoot())
      }
    }
    return distances
  }

  @Test func `the pinch opens to more than twice the distance`() throws {
    let distances = distances(try read("pinch-open.evemu"))
    #expect((2.2...2.3).contains(distances.last! / distances.first!))
    #expect(distances.last == distances.max())
  }

  @Test func `the pinch that comes back ends near where it began`() throws {
    let distances = distances(try read("pinch-back.evemu"))
    #expect((1.3...1.4).contains(distances.max()! / distances.first!))
    #expect((1.05...1.15).contains(distances.last! / distances.first!))
  }

  @Test(arguments: [
    ("drag-flick.getevent.txt", GestureFormat.getevent, 0.0...20),
    ("drag-rest.evemu", .evemu, 120.0...130), ("drag-short.csv", .table, 0.0...20),
    ("swipe.pointer.ndjson", .json, 0.0...20),
  ])
  func `one finger drags and lifts in motion or after a rest`(
    name: String, format: GestureFormat, restMilliseconds: ClosedRange<Double>
  ) throws {
    let found = try read(name)
    #expect(found.format == format)
    #expect(Set(found.touches.map(\.contact)) == [0])
    let last = found.touches.suffix(2)
    #expect(last.map(\.phase) == [.moved, .ended])
    #expect(restMilliseconds.contains(last.last!.time.seconds(since: last.first!.time) * 1000))
  }
}
