import GestureInput
import Testing
import TimelineModel

struct CSVTests {
  @Test func `rows are read with either names of the phases`() throws {
    let found = try read(
      "t_ns,id,phase,x,y\n5,a,began,1.5,2\n10,b,down,8,9\n15,a,moved,2.5,2\n20,b,cancel,8,9\n"
        + "25,a,up,2.5,-2e1\n")
    #expect(found.format == .table)
    #expect(found.touches.map(\.time.nanoseconds) == [0, 5, 10, 15, 20])
    #expect(found.touches.map(\.contact) == [0, 1, 0, 1, 0])
    #expect(found.touches.map(\.phase) == [.began, .began, .moved, .cancelled, .ended])
    #expect(found.touches.last?.position.y == -20)
    #expect(!found.openContacts)
    #expect(found.losses.isEmpty)
  }

  @Test func `of more contacts than can be told apart the further ones are left out`() throws {
    let rows = (0..<600).map { "\($0),c\($0),began,\($0),1" }
    let found = try read(
      "t_ns,id,phase,x,y\n" + rows.joined(separator: "\n") + "\n700,c0,ended,1,1\n")
    #expect(found.touches.count == 257)
    #expect(Set(found.touches.map(\.contact)).count == 256)
    #expect(found.losses.count == 21)
    #expect(found.losses[0].hasPrefix("Line 258: More than 256 contacts"))
    let after = try read(
      "t_ns,id,phase,x,y\n"
        + rows.map { $0 + "\n" + $0.replacing("began", with: "ended") }
        .joined(separator: "\n") + "\n")
    #expect(after.touches.count == 1200)
    #expect(after.losses.isEmpty)
  }

  @Test func `the touches that kymo prints are read again`() throws {
    let found = try read(
      "t_ns,contact,slot,tracking_id,phase,x,y\n0,0,1,4001,began,1,2\n8,0,1,4001,ended,1,2\n")
    #expect(found.touches.map(\.slot) == [1, 1])
    #expect(found.touches.map(\.trackingID) == [4001, 4001])
    #expect(found.touches.map(\.isResampled) == [false, false])
  }

  @Test func `a row says whether its place was computed, and nothing but true or false`() throws {
    let found = try read(
      "t_ns,id,phase,x,y,resampled\n0,1,began,1,2,false\n4,1,moved,2,2,true\n5,1,moved,3,2,maybe\n"
        + "8,1,ended,4,2,\n")
    #expect(found.touches.map(\.isResampled) == [false, true, false])
    #expect(found.losses.count == 1)
    #expect(found.losses[0].hasPrefix("Line 4"))
  }

  @Test func `columns may stand in any order, quoted and with spaces`() throws {
    let found = try read(
      "\"x\", y ,phase,\"t_ns\",id\r\n1, 2,\"down\",7,1\r\n# note\r\n1,2,up,8,1\r\n")
    #expect(found.touches.map(\.time.nanoseconds) == [0, 1])
  }

  @Test(arguments: [
    (
      "t_ns,id,phase,x,y,pressure\n",
      "Unknown column 'pressure'. Known: t_ns, id, phase, x, y, slot, tracking_id, resampled, heard_ns, "
        + "touch_heard_ns."
    ),
    ("t_ns,id,phase,x\n", "Missing column 'y'. The header is t_ns,id,phase,x,y."),
    ("t_ns,id,phase,x,y,x\n", "The column 'x' appears twice."),
  ])
  func `a header that does not fit is refused`(header: String, message: String) {
    #expect(throws: GestureError(code: .unsupported, file: "test", line: 1, message: message)) {
      try read(header + "0,1,began,1,2\n")
    }
  }

  @Test func `rows that do not fit are losses with their lines`() throws {
    let found = try read(
      "t_ns,id,phase,x,y\n0,1,began,1,2\n1,1,moved,nan,2\n2,1,moved,1e300,2\n3,1,hovered,1,2\n"
        + "99999999999999999999,1,moved,1,2\n4.5,1,moved,1,2\n5,1,moved,1\n6,2,ended,1,2\n"
        + "7,1,ended,1,2\n")
    #expect(lines(found).count == 2)
    #expect(found.losses.count == 7)
    #expect(
      found.losses[0]
        == "Line 3: '1,1,moved,nan,2' is not a row of this format. It was left out.")
    #expect(
      found.losses[6] == "Line 9: Contact 2 ends before it began. It was left out.")
  }

  @Test func `a last row that may be cut is left out, a last lift is not`() throws {
    let cut = try read("t_ns,id,phase,x,y\n0,1,began,1,2\n1,1,moved,1,2")
    #expect(lines(cut).count == 1)
    #expect(cut.losses.count == 2)
    #expect(cut.openContacts)
    let whole = try read("t_ns,id,phase,x,y\n0,1,began,1,2\n1,1,ended,1,2")
    #expect(lines(whole).count == 2)
    #expect(whole.losses.isEmpty)
    #expect(!whole.openContacts)
  }

  @Test func `contacts that begin twice or join late are told`() throws {
    let found = try read(
      "t_ns,id,phase,x,y\n0,1,moved,1,2\n1,1,began,3,4\n2,1,ended,3,4\n")
    #expect(found.touches.map(\.contact) == [0, 0, 1, 1])
    #expect(found.touches.map(\.phase) == [.began, .ended, .began, .ended])
    #expect(found.warnings.count == 2)
  }

  @Test func `times at both ends of the range do not overflow`() throws {
    let found = try read(
      "t_ns,id,phase,x,y\n-9223372036854775808,1,began,1,2\n9223372036854775807,1,ended,1,2\n")
    #expect(found.touches.map(\.time.nanoseconds) == [0, .max])
  }
}

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
