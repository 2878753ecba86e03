import Testing
import TimelineModel
import TimelineRendering

@Suite struct RowWriterTests {
  private let rows: [[EventField]] = [
    EventField.list([
      "t_ns": 16_666_667, "key": "progress", "value": 1.0 / 3,
      "frame": FieldValue(Rect2D(x: 1, y: 2.123456789, width: 3, height: 4)),
    ]),
    EventField.list(["t_ns": 0, "key": "图, \"x\"", "value": FieldValue.null, "more": true]),
  ]

  @Test func `json is one array with an object a line, each with its own fields`() {
    #expect(
      renderedRows(rows, as: .json) == """
        [
        {"t_ns":16666667,"key":"progress","value":0.3333333333333333,"frame":[1,2.123456789,3,4]},
        {"t_ns":0,"key":"图, \\"x\\"","value":null,"more":true}
        ]

        """)
  }

  @Test func `ndjson is the same objects, one a line`() {
    #expect(
      renderedRows(rows, as: .ndjson) == """
        {"t_ns":16666667,"key":"progress","value":0.3333333333333333,"frame":[1,2.123456789,3,4]}
        {"t_ns":0,"key":"图, \\"x\\"","value":null,"more":true}

        """)
  }

  @Test func `csv has the columns of all rows`() {
    #expect(
      renderedRows(rows, as: .csv) == """
        t_ns,key,value,frame,more
        16666667,progress,0.3333333333333333,"[1,2.123456789,3,4]",
        0,"图, ""x""\",,,true

        """)
  }

  @Test func `a table is aligned, short and without blanks at line ends`() {
    #expect(
      renderedRows(rows, as: .table) == """
            t_ns  key        value  frame             more
        ────────  ────────  ──────  ────────────────  ────
        16666667  progress  0.3333  [1, 2.123, 3, 4]  –
               0  图, "x"        –  –                 yes

        """)
  }

  @Test func `a table wider than the display is folded, each part beginning with the first column`()
  {
    #expect(
      renderedRows(rows, as: .table, width: 30) == """
            t_ns  key        value
        ────────  ────────  ──────
        16666667  progress  0.3333
               0  图, "x"        –

            t_ns  frame
        ────────  ────────────────
        16666667  [1, 2.123, 3, 4]
               0  –

            t_ns  more
        ────────  ────
        16666667  –
               0  yes

        """)
    #expect(renderedRows(rows, as: .table, width: 50) == renderedRows(rows, as: .table))
    #expect(renderedRows(rows, as: .table, width: 49) != renderedRows(rows, as: .table))
    #expect(renderedRows(rows, as: .csv, width: 10) == renderedRows(rows, as: .csv))
    // One column beside the first is there, however narrow the display.
    let narrow = renderedRows(rows, as: .table, width: 1)
    #expect(narrow.split(separator: "\n").allSatisfy { $0.split(separator: " ").count > 1 })
    #expect(
      renderedRows([EventField.list(["only": 1])], as: .table, width: 2)
        == "only\n────\n   1\n")
  }

  @Test func `a table wider than the display keeps the columns that are wanted, as many as fit`() {
    var text = ""
    let writer = RowWriter(
      format: .table, width: 20, wanted: ["key", "none", "value", "more"]
    ) { text += $0 }
    for row in rows { writer.write(row) }
    writer.finish()
    #expect(
      text == """
        key        value
        ────────  ──────
        progress  0.3333
        图, "x"        –

        """)
    #expect(writer.columns == ["key", "value"])
    #expect(writer.leftOut == ["t_ns", "frame", "more"])
    let wide = RowWriter(format: .table, width: 50, wanted: ["key"]) { _ in }
    for row in rows { wide.write(row) }
    wide.finish()
    #expect(wide.columns == ["t_ns", "key", "value", "frame", "more"])
    #expect(wide.leftOut == [])
  }

  @Test func `a table that keeps some columns gives its later rows on while they come`() {
    var text = ""
    let writer = RowWriter(format: .table, width: 1, wanted: ["b", "a"]) { text += $0 }
    for number in 0..<300 {
      writer.write(EventField.list(["a": number, "b": 1, "c": 2]))
    }
    #expect(text.hasSuffix("\n1  299\n"))
    writer.finish()
    #expect(writer.leftOut == ["c"])
    #expect(text.split(separator: "\n").count == 302)
  }

  @Test func `a long folded table comes in pieces, and no row is lost`() {
    var text = ""
    let writer = RowWriter(format: .table, width: 12) { text += $0 }
    for number in 0..<450 {
      writer.write(
        EventField.list([
          "row": FieldValue.integer(Int64(number)),
          "square": FieldValue.integer(Int64(number * number)),
          "cube": FieldValue.integer(Int64(number * number * number)),
        ]))
    }
    writer.finish()
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("row") } == 6)
    #expect(lines.contains { $0.split(separator: " ") == ["449", "201601"] })
    #expect(lines.contains { $0.split(separator: " ") == ["449", "90518849"] })
    #expect(lines.count == 450 * 2 + 6 * 2)
  }

  @Test func `no rows give an empty answer of the right form`() {
    #expect(renderedRows([], as: .json) == "[]\n")
    #expect(renderedRows([], as: .ndjson) == "")
    #expect(renderedRows([], as: .csv) == "")
    #expect(renderedRows([], as: .csv, columns: ["a", "b"]) == "a,b\n")
    #expect(renderedRows([], as: .table, columns: ["key"]) == "key\n───\n")
    #expect(renderedRows([], as: .table) == "")
    #expect(renderedRows([[]], as: .json) == "[\n{}\n]\n")
  }

  @Test func `given columns choose and order the fields of csv and tables`() {
    let columns = ["value", "key", "none"]
    #expect(
      renderedRows(rows, as: .csv, columns: columns) == """
        value,key,none
        0.3333333333333333,progress,
        ,"图, ""x""\",

        """)
    #expect(
      renderedRows(rows, as: .table, columns: columns) == """
         value  key       none
        ──────  ────────  ────
        0.3333  progress  –
             –  图, "x"   –

        """)
  }

  @Test(arguments: [OutputFormat.csv, .table])
  func `a field that comes too late for a column is left out`(format: OutputFormat) {
    var text = ""
    let writer = RowWriter(format: format) { text += $0 }
    for _ in 0..<RowWriter.lookAhead { writer.write(EventField.list(["a": 1])) }
    writer.write(EventField.list(["late": 2, "a": 3, "late": FieldValue.null]))
    writer.finish()
    #expect(!text.contains("late"))
    #expect(text.hasSuffix("3\n"))
    #expect(writer.rowCount == RowWriter.lookAhead + 1)
  }

  @Test(arguments: OutputFormat.allCases)
  func `rows are given on while they come, not kept`(format: OutputFormat) {
    var pieces = 0
    let writer = RowWriter(format: format, columns: ["a"]) { _ in pieces += 1 }
    for index in 0..<1000 { writer.write(EventField.list(["a": FieldValue.integer(Int64(index))])) }
    #expect(pieces >= 1000)
    writer.finish()
    writer.finish()
    #expect(writer.rowCount == 1000)
  }

  @Test func `flushing shows the first rows at once, and what comes keeps its digits`() {
    var text = ""
    let writer = RowWriter(
      format: .table, columns: ["t_ns", "key"]
    ) { text += $0 }
    writer.write(EventField.list(["t_ns": 0, "key": "a"]))
    #expect(text.isEmpty)
    writer.flush()
    #expect(text == "t_ns  key\n────  ───\n   0  a\n")
    writer.write(EventField.list(["t_ns": 16_666_667, "key": "b"]))
    writer.flush()
    #expect(text.hasSuffix("\n16666667  b\n"))
    let written = text
    writer.finish()
    writer.flush()
    #expect(text == written)
  }

  @Test func `csv keeps empty text apart from null and quotes what needs it`() {
    let cells: [FieldValue] = [
      .text(""), .null, .text("a\r\nb"), .text(" x"), .text("=1+1"), .number(.nan),
      .number(-0.0), .object(EventField.list(["k": "v,w"])), .list([]),
    ]
    let row = cells.enumerated().map { EventField("\($0.offset)", $0.element) }
    #expect(
      renderedRows([row], as: .csv)
        == "0,1,2,3,4,5,6,7,8\n\"\",,\"a\r\nb\",\" x\",=1+1,,-0.0,\"{\"\"k\"\":\"\"v,w\"\"}\",[]\n")
  }

  @Test func `a cell wider than the first rows pushes but keeps its digits`() {
    var text = ""
    let wide = RowWriter(format: .table) { text += $0 }
    for _ in 0..<RowWriter.lookAhead {
      wide.write(EventField.list(["n": 1, "s": "x"]))
    }
    wide.write(EventField.list(["n": 123_456_789_012, "s": "y"]))
    wide.finish()
    #expect(text.hasSuffix("1  x\n123456789012  y\n"))
  }

  @Test func `the format names are those of the program`() {
    #expect(
      OutputFormat.allCases.map(\.rawValue) == ["table", "json", "ndjson", "csv", "markdown"])
  }

  @Test func `markdown escapes what would end a cell or begin a mark`() {
    let rows = [
      EventField.list(["key": "a|b_c*", "value": 1.5]),
      EventField.list(["key": "new\nline", "value": FieldValue.null]),
    ]
    #expect(
      renderedRows(rows, as: .markdown) == """
        | key | value |
        | --- | ---: |
        | a\\|b\\_c\\* | 1.5 |
        | new␊line | – |

        """)
  }
}
