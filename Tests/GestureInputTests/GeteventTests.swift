import GestureInput
import Testing

struct GeteventTests {
  @Test func `labels and numbers may be mixed, with carriage returns and rates`() throws {
    let found = try read(
      "[       1.000000] EV_ABS       0039                 00000001            \r\n"
        + "[       1.000000] 0003         ABS_MT_POSITION_X    0000000a            \r\n"
        + "[       1.000000] EV_ABS       ABS_MT_POSITION_Y    00000014            \r\n"
        + "[       1.000000] EV_ABS       ABS_MT_TOOL_TYPE     MT_TOOL_FINGER      \r\n"
        + "[       1.000000] EV_KEY       BTN_TOUCH            DOWN                \r\n"
        + "[       1.000000] EV_SYN       SYN_REPORT           00000000             rate 120\r\n"
        + "[       1.008334] 0003 0039 ffffffff\r\n"
        + "[       1.008334] 0000 0000 00000000\r\n")
    #expect(lines(found) == ["0 0 began 10,20", "8.334 0 ended 10,20"])
    #expect(found.losses.isEmpty)
    #expect(found.device == nil)
  }

  @Test func `of several devices the one that is touched is read`() throws {
    let found = try read(
      """
      add device 1: /dev/input/event0
        name:     "keys"
      could not get driver version for /dev/input/mouse0, Not a typewriter
      add device 2: /dev/input/event2
        name:     "panel"
      [     1.000000] /dev/input/event0: 0001 0072 00000001
      [     1.000000] /dev/input/event0: 0000 0000 00000000
      [     1.001000] /dev/input/event2: 0003 0039 00000001
      [     1.001000] /dev/input/event2: 0003 0035 0000000a
      [     1.001500] /dev/input/event0: 0001 0072 00000000
      [     1.001000] /dev/input/event2: 0003 0036 00000014
      [     1.001500] /dev/input/event0: 0000 0000 00000000
      [     1.001000] /dev/input/event2: 0000 0000 00000000

      """)
    #expect(lines(found) == ["0 0 began 10,20"])
    #expect(found.device == "panel")
    #expect(
      found.warnings == [
        "Touches are those of /dev/input/event2. The events of /dev/input/event0 were left out."
      ])
  }

  @Test func `a recording without line ends is cut at its brackets`() throws {
    let found = try read(
      "[ 1.000000] 0003 0039 00000001[ 1.000000] 0003 0035 0000000a"
        + "[ 1.000000] 0003 0036 00000014[ 1.000000] 0000 0000 00000000")
    #expect(lines(found) == ["0 0 began 10,20"])
  }

  @Test(arguments: [
    "/dev/input/event2: 0003 0039 00000001", "EV_ABS       ABS_MT_SLOT          00000001",
    "0003 0039 00000001",
  ])
  func `events without times are refused with what to do`(line: String) {
    #expect(
      throws: GestureError(
        code: .unsupported, file: "test", line: 1,
        message: "The events have no times. Record with getevent -lt.")
    ) { try read(line + "\n") }
  }
}
