import Testing
import TimelineModel

@Suite struct FieldValueTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0.0"), (1, "1"), (0.1, "0.1"), (1e300, "1e+300"), (-2.5, "-2.5"),
    (1e-7, "1e-07"), (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
    (9_007_199_254_740_992, "9007199254740992"), (.leastNonzeroMagnitude, "5e-324"),
  ])
  func `numbers are short and read back to the same bits`(number: Double, text: String) {
    #expect(FieldValue.number(number).json == text)
    if number.isFinite { #expect(Double(text)?.bitPattern == number.bitPattern) }
  }

  @Test func `integers keep all their digits`() {
    #expect(FieldValue.integer(.max).json == "9223372036854775807")
    #expect(FieldValue.integer(.min).json == "-9223372036854775808")
  }

  @Test func `text is quoted, control characters are escaped`() {
    #expect(FieldValue.text("a\"b\\c").json == #""a\"b\\c""#)
    #expect(
      FieldValue.text("\n\r\t\u{0}\u{1b}\u{1f}\u{7f}").json == #""\n\r\t\u0000\u001b\u001f\u007f""#)
    #expect(FieldValue.text("é 图 👆🏽").json == "\"é 图 👆🏽\"")
    #expect(FieldValue.text("").json == "\"\"")
  }

  @Test func `lists and objects keep their order`() {
    let value = FieldValue.object(
      EventField.list([
        "z": FieldValue.list([.null, .flag(true), .flag(false)]), "a": FieldValue.object([]),
        "z": 1,
      ]))
    #expect(value.json == #"{"z":[null,true,false],"a":{},"z":1}"#)
    #expect(FieldValue.list([]).json == "[]")
  }

  @Test func `what is not known is null`() {
    #expect(FieldValue(nil as Double?) == .null)
    #expect(FieldValue(nil as Int?) == .null)
    #expect(FieldValue(nil as String?) == .null)
    #expect(FieldValue(nil as Bool?) == .null)
    #expect(FieldValue(nil as Instant?) == .null)
    #expect(FieldValue(3 as Int?) == .integer(3))
    #expect(FieldValue(Instant(nanoseconds: 7) as Instant?) == .integer(7))
  }

  @Test func `geometry is written in the order of scenario files`() {
    #expect(FieldValue(Point2D(x: 1, y: 2)).json == "[1,2]")
    #expect(FieldValue(Size2D(width: 1, height: 2.5)).json == "[1,2.5]")
    #expect(FieldValue(Rect2D(x: 1, y: 2, width: 3, height: 4)).json == "[1,2,3,4]")
    #expect(FieldValue(ItemIndexPath(section: 1, item: 2)).json == "[1,2]")
  }
}
