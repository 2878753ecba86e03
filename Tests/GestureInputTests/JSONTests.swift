import GestureInput
import Testing
import TimelineModel

struct PointerEventTests {
  private func event(
    _ type: String, _ time: Double, _ x: Double, more: String = "\"pointerType\": \"touch\""
  ) -> String {
    "{\"type\": \"\(type)\", \"timeStamp\": \(time), \"pointerId\": 3, \"clientX\": \(x),"
      + " \"clientY\": 5, \(more)}\n"
  }

  @Test func `down, move, up and cancel are touches and nothing else is`() throws {
    let found = try read(
      "{\"format\": \"pointerevents\", \"version\": 1, \"agent\": \"Browser 1\"}\n"
        + event("pointerover", 0, 1) + event("pointerdown", 1.1, 1) + event("pointermove", 2.35, 2)
        + event("pointermove", 2.4, 9, more: "\"predicted\": true") + event("pointerup", 3, 2)
        + event("pointerleave", 3, 2) + event("pointerdown", 4, 1) + event("pointercancel", 5, 1))
    #expect(found.touches.map(\.phase) == [.began, .moved, .ended, .began, .cancelled])
    #expect(found.touches.map(\.time.nanoseconds).prefix(3) == [0, 1_250_000, 1_900_000])
    #expect(found.touches.map(\.contact) == [0, 0, 0, 1, 1])
    #expect(found.device == "Browser 1")
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
  }

  @Test func `a mouse that hovers is no touch and a mouse that drags is`() throws {
    let mouse = "\"pointerType\": \"mouse\""
    let found = try read(
      event("pointermove", 0, 1, more: mouse) + event("pointerdown", 1, 1, more: mouse)
        + event("pointermove", 2, 2, more: mouse) + event("pointerup", 3, 2, more: mouse)
        + event("pointermove", 4, 3, more: mouse))
    #expect(found.touches.map(\.phase) == [.began, .moved, .ended])
  }

  @Test func `lines that do not fit are losses with their lines`() throws {
    let found = try read(
      event("pointerdown", 1, 1) + "{\"type\": \"pointermove\", \"timeStamp\": 2}\n[]\n{\"type\"\n"
        + event("pointermove", 1e300, 1) + event("pointerup", 3, 1) + "{\"type\": \"point")
    #expect(found.touches.count == 2)
    #expect(
      found.losses == [
        "Line 2: Missing field 'pointerId'. The line was left out.",
        "Line 3: Must be an object (got an empty array). The line was left out.",
        "Line 4: 4:8: Unexpected end of text. Expected ':' after the field name. The line was left out.",
        "Line 5: $.timeStamp: Must be a time within 292 years (got 1e+300 ms). The line was left out.",
        "Line 7: The file ends in the middle of this line. It was left out.",
      ])
  }

  @Test func `another format or version is refused`() {
    #expect(throws: GestureError.self) {
      try read("{\"format\": \"pointerevents\", \"version\": 2}\n" + event("pointerdown", 1, 1))
    }
  }
}
