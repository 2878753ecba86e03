import Testing
import TimelineModel

/// The words before a noun in a sentence.
@Suite struct ArticleTests {
  @Test(arguments: [
    ("row", "a row"), ("event", "an event"), ("object", "an object"), ("item", "an item"),
    ("unit", "a unit"), ("user", "a user"), ("upper edge", "an upper edge"),
    ("outputLength", "an outputLength"), ("evtest", "an evtest"), ("X11 window", "an X11 window"),
    ("SDL_FINGERDOWN", "an SDL_FINGERDOWN"), ("UITouch", "a UITouch"), ("Event", "an Event"),
    ("JSON array", "a JSON array"), ("", "a "),
  ])
  func `a noun has the article of its sound`(noun: String, words: String) {
    #expect(withArticle(noun) == words)
  }

  @Test func `a count of one has a noun without an s`() {
    #expect(counted(1, "finger") == "1 finger")
    #expect(counted(0, "finger") == "0 fingers")
    #expect(counted(2, "finger") == "2 fingers")
  }
}
