import GestureInput
import Testing
import TimelineModel

/// Twelve positions of one finger, 18 units up each 12 ms, from (400, 900).
let swipeRows: [(time: Int, x: Int, y: Int)] = (0..<12).map {
  ($0 * 12, 400 - 2 * $0, 900 - 18 * $0)
}

/// What is read of ``swipeRows``.
private let swipe = swipeRows.enumerated().map { index, row in
  "\(row.time) 0 \(index == 0 ? "began" : index == 11 ? "ended" : "moved") \(row.x),\(row.y)"
}

/// A table of ``swipeRows``.
private func table(_ header: String, _ row: ((time: Int, x: Int, y: Int)) -> String) -> String {
  header + "\n" + swipeRows.map { row($0) + "\n" }.joined()
}

private func refusal(_ text: String, _ reading: GestureReading = GestureReading()) -> String? {
  do throws(GestureError) {
    _ = try readGesture(Array(text.utf8), as: reading, name: "test")
    return nil
  } catch {
    return error.message
  }
}

struct TableTests {
  @Test func `rows are read with either names of the phases`() throws {
    let found = try read(
      "t_ns,id,phase,x,y\n5000000,a,began,1.5,2\n10000000,b,down,8,9\n15000000,a,moved,2.5,2\n"
        + "20000000,b,cancel,8,9\n25000000,a,up,2.5,-2e1\n")
    #expect(found.format == .table)
    #expect(
      found.touches.map(\.time.nanoseconds) == [0, 5_000_000, 10_000_000, 15_000_000, 20_000_000])
    #expect(found.touches.map(\.contact) == [0, 1, 0, 1, 0])
    #expect(found.touches.map(\.phase) == [.began, .began, .moved, .cancelled, .ended])
    #expect(found.touches.last?.position.y == -20)
    #expect(!found.openContacts)
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
  }

  @Test func `of more contacts than can be told apart the further ones are left out`() throws {
    let rows = (0..<600).map { "\($0)000000,c\($0),began,\($0),1" }
    let found = try read(
      "t_ns,id,phase,x,y\n" + rows.joined(separator: "\n") + "\n700000000,c0,ended,1,1\n")
    #expect(found.touches.count == 257)
    #expect(Set(found.touches.map(\.contact)).count == 256)
    #expect(found.losses.count == 21)
    #expect(found.losses[0].hasPrefix("Line 258: More than 256 contacts"))
  }

  @Test func `the touches that kymo prints are read again without a note`() throws {
    let found = try read(
      "t_ns,contact,slot,tracking_id,phase,x,y,resampled,heard_ns,touch_heard_ns\n"
        + "0,0,1,4001,began,1,2,false,,\n8000000,0,1,4001,moved,1,3,true,,\n16000000,0,1,4001,ended,1,4,false,,\n"
    )
    #expect(found.touches.map(\.slot) == [1, 1, 1])
    #expect(found.touches.map(\.trackingID) == [4001, 4001, 4001])
    #expect(found.touches.map(\.isResampled) == [false, true, false])
    #expect(found.warnings.isEmpty)
    #expect(found.losses.isEmpty)
  }

  @Test(arguments: [
    table("t_ns,x,y") { "\($0.time)000000,\($0.x),\($0.y)" },
    table("t_ms;x;y") { "\($0.time);\($0.x);\($0.y)" },
    table("x\ty\ttime_us") { "\($0.x)\t\($0.y)\t\($0.time)000" },
    table("time [s], x [px], y [px]") { "\(Double($0.time) / 1000), \($0.x), \($0.y)" },
    table("time (ms)  x  y") { "\($0.time)   \($0.x)   \($0.y)" },
    table("# t_ms x y") { "\($0.time) \($0.x) \($0.y)" },
    table("\u{FEFF}\"t_ms\",\"x\",\"y\"\r") { "\"\($0.time)\",\"\($0.x)\",\"\($0.y)\"\r" },
    table("t_s;x;y") { "\(Double($0.time) / 1000);\($0.x),0;\($0.y),00".replacing(".", with: ",") },
    table("t_ms,x,y") { "\(Double($0.time) / 10)e1,\($0.x)e0,\(Double($0.y) / 100)E+02" },
    table("| t_ms | x | y |\n|---:|---|---|") { "| \($0.time) | \($0.x) | \($0.y) |" },
    table("exported by a tool, version 2\ntime,x,y\nms,px,px") { "\($0.time),\($0.x),\($0.y)" },
    table("record timestamp [s],client timestamp [s],x,y") {
      "\(9 + $0.time / 200),\(Double($0.time) / 1000),\($0.x),\($0.y)"
    },
    table(",t_ms,x,y") { "\($0.time / 12),\($0.time),\($0.x),\($0.y)" },
    table("t_ms,x,y") { "\($0.time),\($0.x),\($0.y)," },
    table("t_ms,position,velocity") { "\($0.time),\"Vector2(\($0.x), \($0.y))\",\"(1, 2)\"" },
    table("Time in ms,Position (x),Position (y)") { "\($0.time),\($0.x),\($0.y)" },
    table("ms_since_start;touch_x_px;touch_y_px") { "\($0.time);\($0.x);\($0.y)" },
    table("t/ms;x/px;y/px") { "\($0.time);\($0.x);\($0.y)" },
    table("sep=;\nt_ms;X;Y") { "\($0.time);\($0.x);\($0.y)" },
    table("timems,touchx,touchy,touchtype") { "\($0.time),\($0.x),\($0.y),direct" },
    table("t_ms x y") { "\"\($0.time / 12 + 1)\" \($0.time) \($0.x) \($0.y)" },
    table("timestampMs,screenX,screenY,vx,vy,force") { "\($0.time),\($0.x),\($0.y),3,4,5" },
    table("time,location.x,location.y,velocity.x,velocity.y,previous x,previous y") {
      "\($0.time) ms,\($0.x),\($0.y),1,2,3,4"
    },
    table("datetime,x,y") {
      "2024-02-29T23:59:59.\($0.time < 100 ? "0" : "")\($0.time < 10 ? "0" : "")\($0.time)Z,\($0.x),\($0.y)"
    },
    table("row,eventTime_ms,downTime_ms,pointerId,x,y,type") {
      "\($0.time / 12),\(5000 + $0.time),5000,0,\($0.x),\($0.y),touch"
    },
  ])
  func `a table is read in any order, with any separator and by its own unit`(text: String) throws {
    let found = try read(text)
    #expect(lines(found) == swipe)
    #expect(found.warnings.isEmpty)
    #expect(found.losses.isEmpty)
  }

  @Test(arguments: [(1, "ns"), (1000, "us"), (1_000_000, "ms"), (1_000_000_000, "s")])
  func `a time without a unit has the one that its steps fit, and a note says so`(
    unit: Int, name: String
  ) throws {
    let found = try read(
      table("timestamp,x,y") { "\(Double($0.time * 1_000_000) / Double(unit)),\($0.x),\($0.y)" })
    #expect(lines(found) == swipe)
    #expect(found.timeUnit?.rawValue == name)
    #expect(found.warnings.count == 1)
    #expect(found.warnings[0].hasSuffix("Say --time-unit to decide."))
  }

  @Test func `steps that no finger has contradict the name, which is a loss`() throws {
    let found = try read(table("t_ns,x,y") { "\($0.time),\($0.x),\($0.y)" })
    #expect(found.losses.count == 1)
    #expect(found.losses[0].contains("--time-unit ms"))
    let decided = try readGesture(
      Array(table("t_ns,x,y") { "\($0.time),\($0.x),\($0.y)" }.utf8),
      as: GestureReading(timeUnit: .milliseconds), name: "test")
    #expect(lines(decided) == swipe)
    #expect(decided.losses.isEmpty)
  }

  @Test func `steps that fit no unit are refused with the flag`() {
    #expect(
      refusal("time,x,y\n0,1,2\n100,1,3\n200,1,4\n")
        == "The unit of time cannot be told from its median step of 100. Say --time-unit ns, us, ms or s."
    )
  }

  @Test func `times that count rows, and whole seconds, are no times of a finger`() throws {
    let counted = "time,x,y\n" + (0..<8).map { "\($0),1,\($0)\n" }.joined()
    #expect(refusal(counted)?.contains("has steps of 1, as a count of rows") == true)
    let seconds =
      "time,x,y\n" + (0..<12).map { "2024-05-01 10:00:0\($0 / 6),1,\($0)\n" }.joined()
    let found = try read(seconds)
    #expect(found.losses.count == 1)
    #expect(found.losses[0].contains("too coarse"))
  }

  @Test func `two columns for one axis are refused, unless one has its very name`() throws {
    #expect(
      refusal("t_ms,location.x,point.x,location.y,point.y\n0,1,2,3,4\n12,2,3,4,5\n")?
        .hasPrefix("Several columns may be the same axis: 'location.x', 'point.x'.") == true)
    let found = try read("t_ms,x,y,point.x,point.y\n0,1,2,3,4\n12,2,3,4,5\n")
    #expect(lines(found) == ["0 0 began 1,2", "12 0 ended 2,3"])
  }

  @Test func `a comma that may stand between thousands is refused`() {
    #expect(refusal("t_ms;x;y\n0;1,200;5\n12;1,300;6\n")?.contains("'0;1,200;5'") == true)
  }

  @Test func `cells are empty while nothing touches`() throws {
    let found = try read(
      "t_ms,x,y\n0,nan,nan\n10,1,2\n20,1,3\n30,,\n40,NaN,NaN\n50,8,9\n60,8,8\n70,,\n")
    #expect(
      lines(found) == [
        "0 0 began 1,2", "10 0 moved 1,3", "20 0 ended 1,3", "40 1 began 8,9", "50 1 moved 8,8",
        "60 1 ended 8,8",
      ])
    #expect(found.losses.isEmpty)
  }

  @Test func `a column counts rows, and another names the contact`() throws {
    let found = try read(
      "id,pointerId,t_ms,x,y\n1,7,0,1,2\n2,8,0,5,6\n3,7,10,1,3\n4,8,10,5,7\n5,7,20,1,4\n6,8,20,5,8\n"
    )
    #expect(found.touches.map(\.contact) == [0, 1, 0, 1, 0, 1])
  }

  @Test func `numbers of phases are those of the system in which the contact ends`() throws {
    let android = try read(
      "t_ms,action,x,y\n0,0,1,2\n10,2,1,3\n20,2,1,4\n30,1,1,5\n50,0,1,2\n60,2,1,3\n70,1,1,4\n")
    #expect(
      android.touches.map(\.phase) == [.began, .moved, .moved, .ended, .began, .moved, .ended])
    let unity = try read("t_ms,phase,x,y\n0,0,1,2\n10,1,1,3\n20,2,1,3\n30,3,1,5\n")
    #expect(unity.touches.map(\.phase) == [.began, .moved, .moved, .ended])
    let recognizer = try read("t_ms,state,x,y\n0,1,1,2\n10,2,1,3\n20,2,1,3\n30,3,1,5\n")
    #expect(recognizer.touches.map(\.phase) == [.began, .moved, .moved, .ended])
    let trackpad = try read("t_ms,state,x,y\n0,3,1,2\n10,4,1,3\n20,4,1,3\n30,5,1,5\n40,7,1,5\n")
    #expect(trackpad.touches.map(\.phase) == [.began, .moved, .moved, .ended])
    let handler = try read("t_ms,state,x,y\n0,2,1,2\n10,4,1,3\n20,4,1,3\n30,5,1,5\n")
    #expect(handler.touches.map(\.phase) == [.began, .moved, .moved, .ended])
  }

  @Test func `rows of other events are left out with one note`() throws {
    let found = try read(
      "t_ms,event,x,y\n0,mousedown,1,2\n10,mousemove,1,3\n12,keydown,1,3\n20,mouseup,1,4\n20,click,1,4\n"
    )
    #expect(lines(found) == ["0 0 began 1,2", "10 0 moved 1,3", "20 0 ended 1,4"])
    #expect(
      found.warnings == [
        "2 rows say no phase of a contact ('click', 'keydown'). They were left out."
      ])
  }

  @Test func `y is turned round if the table says that it grows upwards`() throws {
    let found = try read("t_ms,x,y (up)\n0,1,2\n10,1,3\n")
    #expect(found.touches.map(\.position.y) == [-2, -3])
    let comment = try read("# origin: bottom left\nt_ms,x,y\n0,1,2\n10,1,3\n")
    #expect(comment.touches.map(\.position.y) == [-2, -3])
    #expect(comment.warnings.count == 1)
  }

  @Test func `rows that do not fit are losses with their lines`() throws {
    let found = try read(
      "t_ns,id,phase,x,y\n0,1,began,1,2\n1000000,1,moved,abc,2\n2000000,1,moved,1e300,2\n"
        + "99999999999999999999,1,moved,1,2\n5000000,1,moved,1\n6000000,2,ended,1,2\n7000000,1,ended,1,2\n"
    )
    #expect(lines(found).count == 2)
    #expect(found.losses.count == 5)
    #expect(
      found.losses[0]
        == "Line 3: '1000000,1,moved,abc,2' is not a row of this format. It was left out.")
    #expect(
      found.losses[4] == "Line 7: Contact 2 ends before it began. It was left out.")
  }

  @Test func `a last number that may be cut off is left out, a whole one is not`() throws {
    let cut = try read("t_ms,x,y\n0,1,900\n12,1,882\n24,1,864\n36,1,84")
    #expect(lines(cut).count == 3)
    #expect(cut.losses.count == 1)
    let whole = try read("t_ms,x,y\n0,1,900\n12,1,882\n24,1,864\n36,1,846")
    #expect(lines(whole).count == 4)
    #expect(whole.losses.isEmpty)
  }

  @Test func `contacts that begin twice or join late are told`() throws {
    let found = try read(
      "t_ms,id,phase,x,y\n0,1,moved,1,2\n1,1,began,3,4\n2,1,ended,3,4\n")
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

struct TableColumnTests {
  @Test(arguments: [
    nil, "t=stamp:ms,x=px,y=py,id=finger", "t=stamp:ms,x=px,y=py,id=finger,phase=what",
  ])
  func `a column of nothing but words of phases has the phases, whatever its name`(
    columns: String?
  ) throws {
    let rows = (0...10).map { "\($0 * 10);\(330 - 25 * $0),5;412,5;0;\($0 == 0 ? "down" : "move")" }
    let text =
      "stamp;px;py;finger;what\n" + rows.joined(separator: "\n") + "\n108;80,5;412,5;0;up\n"
    let found = try readGesture(
      Array(text.utf8), as: GestureReading(columns: columns), name: "test")
    #expect(found.touches.count == 12)
    #expect(found.touches.first?.phase == .began)
    #expect(found.touches.dropFirst().dropLast().allSatisfy { $0.phase == .moved })
    #expect(found.touches.last?.phase == .ended)
    #expect(found.touches.last?.position.x == 80.5)
  }

  @Test(arguments: [["down", "down", "up", "up"], ["down", "up", "hello", "up"]])
  func `a column of directions or of other words has no phases`(words: [String]) throws {
    let rows = words.enumerated().map { "\($0 * 10),1,\($0 * 9),\($1)\n" }.joined()
    let found = try readGesture(
      Array(("t_ms,x,y,note\n" + rows).utf8), as: GestureReading(), name: "test")
    #expect(found.touches.count { $0.phase == .began } == 1)
    #expect(found.touches.count { $0.phase == .ended } == 1)
    #expect(found.touches.last?.position.y == 27)
  }

  @Test func `a flag names columns, also by their numbers`() throws {
    let text = table("stamp of it,px,py,finger") { "\($0.time),\($0.x),\($0.y),a" }
    let named = try readGesture(
      Array(text.utf8), as: GestureReading(columns: "t=stampofit:ms,x=px,y=py,id=finger"),
      name: "test")
    #expect(lines(named) == swipe)
    #expect(named.warnings.isEmpty)
    let numbered = try readGesture(
      Array(text.split(separator: "\n").dropFirst().joined(separator: "\n").utf8),
      as: GestureReading(columns: "t=#1:ms,x=#2,y=#3"), name: "test")
    #expect(lines(numbered) == swipe)
  }

  @Test func `a table with other names is refused with the flag filled in`() {
    #expect(
      refusal(table("when it was,px,py,who") { "\($0.time),\($0.x),\($0.y),1" })
        == "The names of this table do not say which columns are the time and the positions. Its columns are "
        + "'when it was', 'px', 'py', 'who'. Name the columns with --columns 't=whenitwas:ms,x=px,y=py'."
    )
  }

  @Test func `a table without a header is refused with its first row and the flag filled in`() {
    #expect(
      refusal(
        "4,1326305284000,0,400,900,0.5\n4,1326305284012,2,398,882,0.5\n4,1326305284024,2,396,864,0.5\n"
          + "4,1326305284036,1,395,864,0.5\n")
        == "This table has no header. Its first row is '4,1326305284000,0,400,900,0.5'. "
        + "Name the columns with --columns 't=#2:ms,x=#4,y=#5,phase=#3'.")
  }

  @Test(arguments: [
    "t=stamp,x=px", "t=nothing,x=px,y=py", "time=stamp,x=px,y=py", "x=px,y", "t=?,x=px,y=py",
  ])
  func `a flag that names too little is refused`(columns: String) {
    let message = refusal("stamp,px,py\n0,1,2\n12,1,3\n", GestureReading(columns: columns))
    #expect(message?.contains("--columns") == true)
  }

  @Test func `two fingers in one row are refused with the flag`() {
    let message = refusal("t_ms,x1,y1,x2,y2\n0,1,2,3,4\n12,1,3,3,5\n24,2,4,4,5\n36,3,5,5,6\n")
    #expect(message?.contains("--columns 't=t_ms,") == true)
  }
}

struct ValueTableTests {
  private func values(
    _ text: String, _ reading: GestureReading = GestureReading()
  ) throws -> ValueTable {
    #expect(isValueTable(Array(text.utf8), as: reading))
    return try readValueTable(Array(text.utf8), as: reading, name: "test")
  }

  @Test func `each column of values is read, with marks`() throws {
    let found = try values("t_ms,progress,scale,resampled\n0,0.5,1,0\n16,0.75,,1\n32,1,2,0\n")
    #expect(found.columns.map(\.name) == ["progress", "scale"])
    #expect(found.columns[0].times == [0, 16_000_000, 32_000_000])
    #expect(found.columns[0].values == [0.5, 0.75, 1])
    #expect(found.columns[0].resampled == [false, true, false])
    #expect(found.columns[1].times == [0, 32_000_000])
    #expect(found.warnings.isEmpty)
    #expect(found.losses.isEmpty)
  }

  @Test func `a column of names parts the values`() throws {
    let found = try values("t_ms,key,value\n0,a,1\n0,b,5\n16,a,2\n16,b,6\n")
    #expect(found.columns.map(\.name) == ["a", "b"])
    #expect(found.columns.map(\.values) == [[1, 2], [5, 6]])
  }

  @Test func `a number of a thing parts the values, and other numbers are about the row`() throws {
    let numbered = try values("t_ms,id,progress\n0,1,5\n0,2,6\n16,1,7\n16,2,8\n")
    #expect(numbered.columns.map(\.name) == ["progress.1", "progress.2"])
    #expect(numbered.columns.map(\.values) == [[5, 7], [6, 8]])
    let exported = try values(
      "session,t_ns,key,value,phase,ordinal\n1,0,a,0.5,driving,0\n1,8000000,a,0.75,driving,1\n")
    #expect(exported.columns.map(\.name) == ["a"])
    #expect(exported.columns[0].values == [0.5, 0.75])
  }

  @Test func `the unit comes from the steps, or contradicts them`() throws {
    let found = try values("time;value\n0,000;1\n0,016;2,5\n0,032;3\n")
    #expect(found.timeUnit == .seconds)
    #expect(found.columns[0].times == [0, 16_000_000, 32_000_000])
    #expect(found.warnings.count == 1)
    let wrong = try values("t_ns,value\n0,1\n16,2\n32,3\n")
    #expect(wrong.losses.count == 1)
  }

  @Test func `a flag names the values of any table`() throws {
    let found = try values(
      "stamp,one,two\n0,1,5\n16,2,6\n", GestureReading(columns: "t=stamp:ms,value=one"))
    #expect(found.columns.map(\.name) == ["one"])
    #expect(found.columns[0].values == [1, 2])
  }

  @Test(arguments: [
    "t_ms,x,y\n0,1,2\n12,1,3\n", "t_ms,dx,dy\n0,1,2\n12,1,3\n", "E: 0.000001 0003 0035 5\n", "",
    "{\"t\":1}\n",
  ])
  func `positions, distances and other texts are no values`(text: String) {
    #expect(!isValueTable(Array(text.utf8), as: GestureReading()))
  }

  @Test func `distances are refused with the flag that reads them as values`() throws {
    #expect(
      refusal("t_ms,dx,dy\n0,1,2\n12,1,3\n")
        == "The table has changes such as 'dx', and no positions. Its columns are 't_ms', 'dx', 'dy'. "
        + "Name the columns with --columns 't=t_ms,value=dx'.")
    let found = try values(
      "t_ms,dx,dy\n0,1,2\n12,1,3\n", GestureReading(columns: "t=t_ms,value=dx"))
    #expect(found.columns[0].values == [1, 1])
  }

  @Test func `rows of several things that no column parts are refused`() {
    #expect(throws: GestureError.self) {
      try readValueTable(
        Array("t_ms,who,value\n0,a,1\n0,b,5\n16,a,2\n16,b,6\n".utf8), as: GestureReading(),
        name: "test")
    }
  }
}
