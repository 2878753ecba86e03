import JSONText
import Testing

private func parse(_ text: String) throws(JSONError) -> JSONValue {
  try parseJSON(Array(text.utf8))
}

private func message(of text: String) -> String? {
  do throws(JSONError) {
    _ = try parse(text)
    return nil
  } catch {
    return error.description
  }
}

struct ParseJSONTests {
  @Test func `every kind of value is read`() throws {
    let text = #"{"a": null, "b": [true, false], "c": "x\n\u00e9\ud83d\ude00", "d": {"e": 1.5}}"#
    #expect(
      try parse(text)
        == .object([
          "a": .null, "b": .array([.bool(true), .bool(false)]), "c": .string("x\né😀"),
          "d": .object(["e": .number(1.5)]),
        ]))
  }

  @Test func `minus zero keeps its sign`() throws {
    for text in ["-0", "-0.0", "-0e5"] {
      guard case .number(let number) = try parse(text) else {
        Issue.record("\(text) is no Double")
        continue
      }
      #expect(number == 0)
      #expect(number.sign == .minus)
    }
  }

  @Test(arguments: [
    ("0", 0), ("1.0", 1), ("1e3", 1000), ("-42", -42), ("1e17", 100_000_000_000_000_000),
    ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", Int64.max),
    ("-9223372036854775808", Int64.min),
  ])
  func `whole numbers stay exact`(text: String, value: Int64) throws {
    #expect(try parse(text) == .integer(value))
  }

  @Test(arguments: [
    ("0.1", 0.1), ("1e300", 1e300), ("9223372036854775808", 9_223_372_036_854_775_808),
    ("123456789012345678901234567890", 1.2345678901234568e29),
  ])
  func `other numbers are the nearest floating-point numbers`(text: String, value: Double) throws {
    #expect(try parse(text) == .number(value))
  }

  @Test
  func `a number with a fraction is the nearest floating-point number, however it is written`()
    throws
  {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11
    }
    for _ in 0..<20_000 {
      let number = Double(bitPattern: next() << 11 ^ next())
      let digits = "\(next() % 1_000_000_000_000).\(next() % 10_000_000_000)5"
      let texts = [
        "\(number)", digits, "-0.\(next())", "0.0000000000000000000000\(next())1",
        "\(next() % 100).\(next() % 1000)e-\(next() % 30)9",
      ]
      for text in texts {
        guard let nearest = Double(text), nearest.isFinite else { continue }
        switch try parse(text) {
        case .number(let read): #expect(read.bitPattern == nearest.bitPattern, "\(text)")
        case .integer(let read): #expect(Double(read) == nearest, "\(text)")
        default: Issue.record("\(text) is not a number")
        }
      }
    }
  }

  @Test func `a name that is written with an escape is the same name`() {
    #expect(
      message(of: #"{"a": 1, "\u0061": 2}"#)
        == "1:10: The field 'a' appears twice in one object.")
  }

  @Test(arguments: [
    ("", "1:1: Unexpected end of text. Expected a value."),
    (" \n", "2:1: Unexpected end of text. Expected a value."),
    ("{} x", "1:4: Unexpected 'x' after the JSON value."),
    ("NaN", "1:1: Unexpected 'N'. Expected a value."),
    ("[1,]", "1:4: Unexpected ']'. Expected a value."),
    ("[1 2]", "1:4: Unexpected '2'. Expected ',' or ']'."),
    (
      "{\"a\": 1,\n  \"b\" 2}",
      "2:7: Unexpected '2'. Expected ':' after the field name."
    ),
    (
      "{'a': 1}",
      "1:2: Unexpected '''. Expected a field name in quotation marks."
    ),
    (
      "{\"a\": 1, \"a\": 2}", "1:10: The field 'a' appears twice in one object."
    ),
    (
      "[1e999]",
      "1:2: The number 1e999 is too large for a 64-bit floating-point number."
    ),
    ("\"abc", "1:1: This string has no closing quotation mark."),
    ("\u{FEFF}[}", "1:2: Unexpected '}'. Expected a value."),
    ("01", "1:2: Unexpected '1' after the JSON value."),
    (
      "1.",
      "1:3: Unexpected end of text. Expected a digit."
    ),
    ("[", "1:2: Unexpected end of text. Expected a value."),
  ])
  func `a text that is not JSON is refused with the place`(text: String, expected: String) {
    #expect(message(of: text) == expected)
  }

  @Test func `a byte order mark is passed over`() throws {
    #expect(try parse("\u{FEFF}{\"a\": 1}") == parse("{\"a\": 1}"))
  }

  @Test(arguments: [
    (#""\ud83d""#, "\u{FFFD}"), (#""\udc00 b""#, "\u{FFFD} b"), (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\uD83D\uDE00""#, "😀"),
  ])
  func `half of a character is read as the replacement character, and the rest stays`(
    text: String, expected: String
  ) throws {
    #expect(try parse(text) == .string(expected))
  }

  @Test func `a reader of lines gives its own line number`() {
    #expect(
      throws: JSONError(
        path: "7:1", message: "Unexpected '}'. Expected a value.")
    ) {
      try parseJSON(Array("}".utf8), line: 7)
    }
  }

  @Test func `nesting is read to the limit and refused beyond it`() throws {
    let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    _ = try parse(deep)
    #expect(
      message(of: "[" + deep + "]")
        == "1:129: Arrays and objects are nested deeper than 128 levels.")
    #expect(message(of: String(repeating: "{\"a\":[", count: 500_000)) != nil)
  }

  @Test func `bytes that are no UTF-8 are refused with the place`() {
    let bytes = Array("[\n\"ab".utf8) + [0xC3, 0x28] + Array("\"]".utf8)
    #expect(throws: JSONError(path: "2:4", message: "The text is not UTF-8.")) {
      try parseJSON(bytes)
    }
  }

  @Test func `no text of three bytes makes the parser fall over`() {
    let interesting: [UInt8] = Array("{}[]\",:\\ut-0.e1n \n".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xFF]
    var accepted = 0
    for first in interesting {
      for second in interesting {
        for third in interesting where (try? parseJSON([first, second, third])) != nil {
          accepted += 1
        }
      }
    }
    #expect(accepted > 0)
  }

  @Test func `every beginning of a text is refused, and the whole is read`() throws {
    let text = Array(#"{"a": [1, -2.5e3, "\u00e9\\", {"b": null}], "c": false}"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONError.self) { try parseJSON(Array(text[..<length])) }
    }
    _ = try parseJSON(text)
  }
}
