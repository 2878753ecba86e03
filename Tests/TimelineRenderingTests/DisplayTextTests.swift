import Testing
import TimelineModel
import TimelineRendering

@Suite struct DisplayTextTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1.0 / 3, "0.3333"), (1.4727003346780927, "1.473"),
    (34610, "34610"), (12_345_678, "12345678"), (12_345_678.54, "12345678.5"),
    (-999.96, "-1000"), (1234.56, "1234.6"), (0.000123456, "0.0001235"), (-1e-5, "-1e-05"),
    (1e-7, "1e-07"),
    (1e300, "1e+300"), (-2.5, "-2.5"), (.nan, "–"), (.infinity, "–"),
  ])
  func `numbers are short`(number: Double, text: String) {
    #expect(NumberText.cell(number) == text)
  }

  @Test func `seconds keep tenths of a millisecond, and a precise cell all digits`() {
    let hour = FieldValue.number(3600.00833333)
    #expect(DisplayText.cell(hour, column: "t_s") == "3600.0083")
    #expect(DisplayText.cell(hour, column: "value") == "3600")
    #expect(DisplayText.cell(hour, column: "value", isPrecise: true) == "3600.00833333")
    #expect(DisplayText.cell(.number(.nan), column: "t_s", isPrecise: true) == "–")
  }

  @Test func `nothing in a text can command the terminal`() {
    let text = "a\u{1b}[2J\u{9b}31m\n\t\u{7}\u{7f}\u{202e}b\u{2028}\u{200b}"
    let safe = DisplayText.harmless(text)
    #expect(safe == "a␛[2J\u{fffd}31m␊␉␇␡\u{fffd}b\u{fffd}\u{fffd}")
    #expect(DisplayText.harmless("é 图 👩‍👩‍👧 नमस्ते") == "é 图 👩‍👩‍👧 नमस्ते")
    #expect(DisplayText.cell(.list([.text("\u{1b}")])) == "[␛]")
    #expect(DisplayText.cell(.object(EventField.list(["\u{1b}k": "\r"]))) == "␛k: ␍")
  }

  @Test func `text of several lines keeps its lines and nothing else that controls`() {
    #expect(DisplayText.harmlessLines("a\tb\n\u{1b}c\r\n\u{2066}") == "a\tb\n␛c␍\n\u{fffd}")
    #expect(DisplayText.harmlessLines("é\u{ad}│⠿\u{7f}") == "é\u{fffd}│⠿␡")
  }

  @Test func `JSON says the same without a character that a terminal would act on`() throws {
    let name = "a\u{1b}\u{7f}\u{9b}\u{202e}\u{2028}\u{e0001}é\n"
    let json = FieldValue.object(EventField.list(["k": name])).json
    let escaped = DisplayText.escaped(json: json)
    #expect(DisplayText.harmless(escaped) == escaped)
    #expect(escaped.contains("\\u007f\\u009b\\u202e\\u2028\\udb40\\udc01é"))
    let rows = renderedRows([EventField.list(["k": name])], as: .json)
    #expect(rows == "[\n" + escaped + "\n]\n")
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("图", 2), ("가", 2), ("ａ", 2), ("👩‍👩‍👧", 2),
    ("❤\u{fe0f}", 2), ("–", 1), ("█", 1), ("\u{301}", 0),
  ])
  func `widths are those of a terminal`(text: String, width: Int) {
    #expect(DisplayText.width(of: text) == width)
  }

  @Test func `long text is cut with an ellipsis, by columns`() {
    let limit = DisplayText.largestCellWidth
    let fits = String(repeating: "x", count: limit)
    #expect(DisplayText.cell(.text(fits)) == fits)
    #expect(DisplayText.cell(.text(fits + "x")) == fits.dropLast() + "…")
    let wide = DisplayText.cell(.text(String(repeating: "图", count: limit)))
    #expect(wide == String(repeating: "图", count: limit / 2 - 1) + "…")
  }

  @Test func `values read as people write them`() {
    #expect(DisplayText.cell(.null) == "–")
    #expect(DisplayText.cell(.flag(false)) == "no")
    #expect(DisplayText.cell(.integer(.min)) == "-9223372036854775808")
    #expect(DisplayText.cell(FieldValue(Point2D(x: 0.1, y: 1.0 / 3))) == "[0.1, 0.3333]")
    let nested = FieldValue.object(
      EventField.list([
        "a": FieldValue.object(EventField.list(["b": FieldValue.null])), "c": FieldValue.list([]),
      ]))
    #expect(DisplayText.cell(nested) == "a: {b: –}, c: []")
  }
}
