import GestureInput
import Testing
import TimelineModel

struct SlotProtocolTests {
  @Test func `a finger lands, moves and lifts`() throws {
    let found = try read(
      evemu([(10, "39=5 35=100 36=200"), (18, "35=101"), (26, "36=202"), (40, "39=-1")]))
    #expect(
      lines(found) == [
        "0 0 began 100,200", "8 0 moved 101,200", "16 0 moved 101,202", "30 0 ended 101,202",
      ])
    #expect(found.touches.map(\.trackingID) == [5, 5, 5, 5])
    #expect(!found.openContacts)
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
  }

  @Test func `the current slot and its place hold over frames and contacts`() throws {
    let found = try read(
      evemu([
        (0, "2f=1 39=7 35=10 36=20"), (8, "35=11"), (16, "39=-1"), (24, "39=8"),
        (32, "36=21"), (40, "39=-1"),
      ]))
    #expect(
      lines(found) == [
        "0 0 began 10,20", "8 0 moved 11,20", "16 0 ended 11,20", "24 1 began 11,20",
        "32 1 moved 11,21", "40 1 ended 11,21",
      ])
    #expect(found.touches.allSatisfy { $0.slot == 1 })
  }

  @Test func `a frame that changes only pressure or size makes no touch`() throws {
    let found = try read(
      evemu([(0, "39=1 35=1 36=2 3a=50"), (8, "3a=60 30=4"), (16, "1:14a=1"), (24, "39=-1")]))
    #expect(lines(found) == ["0 0 began 1,2", "24 0 ended 1,2"])
  }

  @Test func `a report of the same place is a touch`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2"), (8, "35=1"), (16, "39=-1")]))
    #expect(lines(found) == ["0 0 began 1,2", "8 0 moved 1,2", "16 0 ended 1,2"])
  }

  @Test func `a place in the frame of the lift is the place of the lift`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2"), (8, "35=9 39=-1")]))
    #expect(lines(found) == ["0 0 began 1,2", "8 0 ended 9,2"])
  }

  @Test func `another id on a busy slot is a lift and a landing in one frame`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2"), (8, "39=2 35=50"), (16, "39=-1")]))
    #expect(
      lines(found) == ["0 0 began 1,2", "8 0 ended 1,2", "8 1 began 50,2", "16 1 ended 50,2"])
    #expect(found.touches.map(\.trackingID) == [1, 1, 2, 2])
  }

  @Test func `the same id again changes nothing`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2"), (8, "39=1"), (16, "39=-1")]))
    #expect(lines(found) == ["0 0 began 1,2", "16 0 ended 1,2"])
  }

  @Test func `a tap within one frame lands and lifts`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2 39=-1")]))
    #expect(lines(found) == ["0 0 began 1,2", "0 0 ended 1,2"])
  }

  @Test func `two fingers of one frame are told in the order of their slots`() throws {
    let found = try read(
      evemu([
        (0, "2f=1 39=2 35=5 36=6 2f=0 39=1 35=1 36=2"), (8, "35=2 2f=1 35=7"),
        (16, "39=-1 2f=0 39=-1"),
      ]))
    #expect(
      lines(found) == [
        "0 0 began 1,2", "0 1 began 5,6", "8 0 moved 2,2", "8 1 moved 7,6", "16 0 ended 2,2",
        "16 1 ended 7,6",
      ])
  }

  @Test func `a contact from before the recording joins late`() throws {
    let found = try read(evemu([(0, "35=1 36=2"), (8, "35=2"), (16, "39=-1"), (24, "39=9 35=4")]))
    #expect(
      lines(found) == ["0 0 began 1,2", "8 0 moved 2,2", "16 0 ended 2,2", "24 1 began 4,2"])
    #expect(found.touches[0].trackingID == nil)
    #expect(
      found.warnings == [
        "A contact was down before the recording began. It begins with its first report."
      ])
    #expect(found.openContacts)
  }

  @Test func `an axis that is not named at first is taken from the next report`() throws {
    let found = try read(evemu([(0, "39=1 36=2"), (8, "36=3"), (16, "35=70"), (24, "39=-1")]))
    #expect(
      lines(found) == ["0 0 began 70,2", "8 0 moved 70,3", "16 0 moved 70,3", "24 0 ended 70,3"])
    #expect(found.warnings.count == 1)
  }

  @Test func `an axis that no report names is missed, and 0 is used`() throws {
    for (events, place, sentence) in [
      ("36=2", "0,2", "The x of contact 0 is never given, so 0 is used."),
      ("35=2", "2,0", "The y of contact 0 is never given, so 0 is used."),
      ("3a=9", "0,0", "The x and the y of contact 0 are never given, so 0 is used."),
    ] {
      let found = try read(evemu([(0, "39=1 \(events)"), (8, "39=-1")]))
      #expect(lines(found) == ["0 0 began \(place)", "8 0 ended \(place)"])
      #expect(found.losses.map { String($0.drop { $0 != ":" }.dropFirst(2)) } == [sentence])
      #expect(found.warnings.isEmpty)
    }
    let refused = try read(evemu([(0, "39=1 35=2147483647 36=2"), (8, "39=-1")]))
    #expect(refused.losses.count == 2)
    #expect(refused.warnings.isEmpty)
    #expect(refused.losses[1].hasSuffix("The x of contact 0 is never given, so 0 is used."))
  }

  @Test func `a place without any contact is not a touch`() throws {
    let found = try read(
      evemu([(0, "39=1 35=1 36=2"), (8, "39=-1"), (16, "35=40"), (24, "39=2"), (32, "39=-1")]))
    #expect(lines(found).suffix(2) == ["24 1 began 40,2", "32 1 ended 40,2"])
    #expect(found.touches.count == 4)
  }

  @Test func `7fffffff is a lift with a warning`() throws {
    let found = try read(evemu([(0, "39=1 35=1 36=2"), (8, "39=2147483647")]))
    #expect(lines(found) == ["0 0 began 1,2", "8 0 ended 1,2"])
    #expect(found.warnings == ["The tracking id 7fffffff was read as a lift."])
  }

  @Test func `dropped events are a gap up to the next report`() throws {
    let found = try read(
      evemu([(0, "39=1 35=1 36=2"), (8, "35=5 0:3=0 35=6 36=7"), (16, "35=8"), (24, "39=-1")]))
    #expect(lines(found) == ["0 0 began 1,2", "16 0 moved 8,2", "24 0 ended 8,2"])
    #expect(
      found.losses == ["Line 8: The kernel dropped events here. The touches have a gap."])
  }

  @Test func `after dropped events of two fingers the slot must be named again`() throws {
    let found = try read(
      evemu([
        (0, "39=1 35=1 36=2 2f=1 39=2 35=5 36=6"), (8, "0:3=0"), (16, "35=99 2f=0 35=2"),
      ]))
    #expect(lines(found).suffix(1) == ["16 0 moved 2,2"])
    #expect(found.touches.count == 3)
  }

  @Test func `a frame has the time of its report`() throws {
    let found = try read(
      """
      E: 1338279995.012631 0003 0039 20
      E: 1338279995.012635 0003 0035 2126
      E: 1338279995.012637 0003 0036 518
      E: 1338279995.012653 0000 0000 0
      E: 1338279995.264625 0003 0036 520
      E: 1338279995.264634 0000 0000 0

      """)
    #expect(found.touches.map(\.time.nanoseconds) == [0, 251_981_000])
    #expect(found.openContacts)
  }

  @Test func `times that run backwards stay as they are and are counted`() throws {
    let found = try read(
      evemu([(16, "39=1 35=1 36=2"), (8, "35=2"), (24, "35=3"), (20, "39=-1")]))
    #expect(
      lines(found) == ["0 0 began 1,2", "-8 0 moved 2,2", "8 0 moved 3,2", "4 0 ended 3,2"])
    #expect(
      found.warnings == [
        "Time runs backwards 2 times, first in line 8. The touches keep the order and the times of the file, so velocities"
          + " there are unreliable."
      ])
  }

  @Test func `emulated single touch is ignored beside slots`() throws {
    let found = try read(
      evemu([(0, "39=1 35=1 36=2 1:14a=1 0=1 1=2"), (8, "0=77"), (16, "39=-1 1:14a=0")]))
    #expect(lines(found) == ["0 0 began 1,2", "16 0 ended 1,2"])
  }
}

struct OtherProtocolTests {
  @Test func `a device without slots is one contact with a touch button`() throws {
    let found = try read(
      evemu([
        (0, "0=5 1=6"), (8, "0=10 1=20 1:14a=1"), (16, "0=11"), (20, "18=40"), (24, "1:14a=0"),
        (32, "0=90"), (40, "1:14a=1"), (48, "1:14a=0"),
      ]))
    #expect(
      lines(found) == [
        "0 0 began 10,20", "8 0 moved 11,20", "16 0 ended 11,20", "32 1 began 90,20",
        "40 1 ended 90,20",
      ])
    #expect(found.touches.allSatisfy { $0.slot == nil && $0.trackingID == nil })
  }

  @Test func `a single touch that is down from before joins late`() throws {
    let found = try read(evemu([(0, "0=1 1=2"), (8, "1:14a=0")]))
    #expect(lines(found) == ["0 0 began 1,2", "8 0 ended 1,2"])
    #expect(found.warnings.count == 1)
  }

  @Test func `frames that list all contacts are matched by the nearest place`() throws {
    let found = try read(
      evemu([
        (0, "35=100 36=100 0:2=0 35=500 36=500 0:2=0"),
        (8, "35=505 36=505 0:2=0 35=104 36=104 0:2=0"), (16, "35=110 36=110 0:2=0"), (24, "0:2=0"),
      ]))
    #expect(
      lines(found) == [
        "0 0 began 100,100", "0 1 began 500,500", "8 1 moved 505,505", "8 0 moved 104,104",
        "16 1 ended 505,505", "16 0 moved 110,110", "24 0 ended 110,110",
      ])
    #expect(!found.openContacts)
  }

  @Test func `frames that list contacts with ids are matched by the ids`() throws {
    let found = try read(
      evemu([
        (0, "39=1 35=1 36=1 0:2=0 39=2 35=9 36=9 0:2=0"),
        (8, "39=2 35=1 36=1 0:2=0 39=3 35=9 36=9 0:2=0"),
      ]))
    #expect(
      lines(found) == [
        "0 0 began 1,1", "0 1 began 9,9", "8 0 ended 1,1", "8 1 moved 1,1", "8 2 began 9,9",
      ])
    #expect(found.openContacts)
  }

  @Test func `a listing device with one contact falls back on the single touch`() throws {
    let found = try read(
      evemu([
        (0, "35=1 36=2 0:2=0 0=1 1=2 1:14a=1"), (8, "35=3 36=2 0:2=0 0=3"), (16, "0:2=0 1:14a=0"),
      ]))
    #expect(lines(found) == ["0 0 began 1,2", "8 0 moved 3,2", "16 0 ended 3,2"])
  }
}
