import GestureInput
import Testing
import TimelineModel

private func refusal(_ text: String) -> String? {
  do throws(GestureError) {
    _ = try readGesture(Array(text.utf8), format: nil, name: "test")
    return nil
  } catch {
    return error.message
  }
}

struct InkMLTests {
  private func ink(_ channels: String, _ trace: String) -> String {
    "<?xml version=\"1.0\"?>\n<ink xmlns=\"http://www.w3.org/2003/InkML\"><traceFormat>\(channels)</traceFormat>\n"
      + "<!-- <trace>1 2 3</trace> -->\n<trace id=\"a\">\(trace)</trace></ink>\n"
  }

  @Test func `the channels stand in any order and say the unit of time`() throws {
    let found = try read(
      ink(
        "<channel name=\"T\" type=\"integer\" units=\"ms\"/><channel name=\"F\"/><channel name=\"Y\"/><channel name=\"X\"/>",
        "0 5 900 400, 12 5 882 398,24 5 864 396"))
    #expect(found.format == .inkML)
    #expect(lines(found) == ["0 0 began 400,900", "12 0 moved 398,882", "24 0 ended 396,864"])
    #expect(found.warnings.isEmpty)
    #expect(found.losses.isEmpty)
  }

  @Test func `numbers may be differences, and differences of them`() throws {
    let found = try read(
      ink(
        "<channel name=\"X\"/><channel name=\"Y\"/><channel name=\"T\" units=\"s\"/>",
        "10 900 0, '2'-18'.01, 2-18 .01, \"1\"0 .01, !5 !6 !.05"))
    #expect(
      lines(found) == [
        "0 0 began 10,900", "10 0 moved 12,882", "20 0 moved 14,864", "30 0 moved 17,846",
        "50 0 ended 5,6",
      ])
  }

  @Test func `each trace is a contact, and one in the air is none`() throws {
    let found = try read(
      "<ink><traceFormat><channel name=\"X\"/><channel name=\"Y\"/><channel name=\"T\" units=\"ms\"/></traceFormat>"
        + "<trace>1 2 0, 1 3 10</trace><trace type=\"penUp\">1 3 20, 5 6 30</trace><trace>5 6 40, 5 7 50</trace></ink>"
    )
    #expect(found.touches.map(\.contact) == [0, 0, 1, 1])
  }

  @Test func `traces without times are refused with their channels`() {
    #expect(
      refusal("<ink><trace>1 2, 1 3</trace></ink>")
        == "The traces have no X, Y and T. Their channels are X, Y, and a velocity takes the times T."
    )
  }

  @Test func `a point that does not fit the format is a loss`() throws {
    let found = try read(
      ink(
        "<channel name=\"X\"/><channel name=\"Y\"/><channel name=\"T\" units=\"ms\"/>",
        "1 2 0, 1 3, 1 x 20, 1 4 30"))
    #expect(lines(found).count == 2)
    #expect(found.losses.count == 2)
  }

  @Test func `several formats are told apart by the context of a trace`() throws {
    let context = { (name: String, channels: String) in
      "<context xml:id=\"\(name)\"><traceFormat>\(channels)<channel name=\"T\" units=\"ms\"/></traceFormat></context>"
    }
    let definitions =
      context("c", "<channel name=\"X\"/><channel name=\"Y\"/>")
      + context("d", "<channel name=\"Y\"/><channel name=\"X\"/>")
    let found = try read("<ink>\(definitions)<trace contextRef=\"#d\">2 1 0, 3 1 10</trace></ink>")
    #expect(lines(found) == ["0 0 began 1,2", "10 0 ended 1,3"])
    #expect(
      refusal("<ink>\(definitions)<trace>2 1 0, 3 1 10</trace></ink>")?.contains("several") == true)
  }
}

struct GestureXMLTests {
  @Test func `strokes of a recognizer's gesture are contacts, in milliseconds`() throws {
    let found = try read(
      "<?xml version=\"1.0\"?>\n<Gesture Name=\"T\" Subject=\"1\">\n"
        + "<Stroke index=\"1\"><Point X=\"1\" Y=\"2\" T=\"100\"/><Point X=\"1\" Y=\"3\" T=\"110\"/></Stroke>\n"
        + "<Stroke index=\"2\"><Point X=\"5\" Y=\"6\" T=\"900\"/><Point X=\"5\" Y=\"7\" T=\"910\"/></Stroke></Gesture>\n"
    )
    #expect(found.format == .gestureXML)
    #expect(
      lines(found) == ["0 0 began 1,2", "10 0 ended 1,3", "800 1 began 5,6", "810 1 ended 5,7"])
    #expect(found.warnings.isEmpty)
  }

  @Test func `elements may name phases and contacts`() throws {
    let found = try read(
      "<log><event action=\"DOWN\" time_ms=\"0\" x=\"1\" y=\"2\"/><note/><event action=\"MOVE\" time_ms=\"10\" x=\"1\" y=\"3\"/>"
        + "<event action=\"UP\" time_ms=\"20\" x=\"1\" y=\"4\"/></log>")
    #expect(lines(found) == ["0 0 began 1,2", "10 0 moved 1,3", "20 0 ended 1,4"])
  }

  @Test func `points without times are refused`() {
    #expect(refusal("<Gesture><Point X=\"1\" Y=\"2\"/></Gesture>")?.contains("no times") == true)
  }

  @Test(arguments: [
    String(repeating: "<", count: 200_000), String(repeating: "<a ", count: 100_000),
    String(repeating: "<Point X=\"", count: 50_000), String(repeating: "<a>", count: 100_000),
    "<ink>" + String(repeating: "<trace>", count: 50_000),
    "<ink><trace>" + String(repeating: "'", count: 200_000),
    String(repeating: "<!--", count: 100_000),
    "<Gesture " + String(repeating: "a=\"1\" ", count: 50_000) + ">",
  ])
  func `a long line of tags is refused`(text: String) {
    #expect(throws: GestureError.self) { try read(text) }
  }
}
