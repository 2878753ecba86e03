import Testing
import TimelineModel

@Suite struct ForeignTextTests {
  @Test func `letters of a name that mean something elsewhere are replaced, and long names cut`() {
    #expect(ForeignText.name("row-1/a.b #2") == "row-1/a.b #2")
    #expect(ForeignText.name("a<b>\u{202E}\n\u{1B}[2J") == "a_b_____2J")
    #expect(ForeignText.name("größe") == "größe")
    #expect(ForeignText.name(String(repeating: "a", count: 99)).count == 40)
  }

  @Test func `a sentence stands in quotation marks on one line`() {
    #expect(ForeignText.quoted("a \"b\"\u{1B}[2J\nc") == "\"a 'b'_[2J c\"")
    #expect(ForeignText.quoted(String(repeating: "a", count: 99)).count == 83)
  }
}
