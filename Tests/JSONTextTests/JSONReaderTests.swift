import JSONText
import Testing

private func reader(_ text: String) throws -> JSONReader {
  JSONReader(try parseJSON(Array(text.utf8)))
}

private enum Axis: String, CaseIterable {
  case vertical
  case horizontal
}

struct JSONReaderTests {
  @Test func `each getter returns its kind`() throws {
    let fields = try reader(
      #"{"s": "x", "n": 1.5, "i": 3, "b": true, "a": [1, 2.5], "e": "vertical", "z": null}"#
    ).object()
    #expect(try fields.required("s").string() == "x")
    #expect(try fields.required("n").number() == 1.5)
    #expect(try fields.required("i").number() == 3)
    #expect(try fields.required("i").integer() == 3)
    #expect(try fields.required("b").bool())
    #expect(try fields.required("a").numbers(count: 2) == [1, 2.5])
    #expect(try fields.required("e").choice(Axis.self) == .vertical)
    #expect(fields["z"]?.isNull == true)
    #expect(fields["left out"] == nil)
    #expect(fields.names == ["a", "b", "e", "i", "n", "s", "z"])
  }

  @Test func `a wrong kind names path, found and expected`() throws {
    let root = try reader(#"{"layouts": {"grid": {"itemSize": [50, "wide"]}}, "my key": [[]]}"#)
    let size = try root.object().required("layouts").object().required("grid").object()
      .required("itemSize")
    #expect(
      throws: JSONError(
        path: "$.layouts.grid.itemSize[1]", message: "Must be a number (got 'wide')."
      )
    ) { try size.numbers(count: 2) }
    #expect(
      throws: JSONError(
        path: "$.layouts.grid.itemSize",
        message: "Must be an array of 4 numbers (got an array of 2).")
    ) { try size.numbers(count: 4) }
    let odd = try root.object().required("my key").array(count: 1)[0]
    #expect(
      throws: JSONError(
        path: "$[\"my key\"][0]", message: "Must be a string (got an empty array).")
    ) { try odd.string() }
  }

  @Test func `an unknown field is refused by name, path and likely meaning`() throws {
    let root = try reader(#"{"grid": {"itemsize": 1}}"#).object().required("grid")
    #expect(
      throws: JSONError(
        path: "$.grid.itemsize",
        message: "Unknown field 'itemsize'. Did you mean itemSize?")
    ) { try root.object(allowing: ["type", "itemSize"]) }
    #expect(try root.object(allowing: ["itemsize"]).names == ["itemsize"])
  }

  @Test(arguments: [
    ("vertcal", "Did you mean vertical?"), ("VERTICAL", "Did you mean vertical?"),
    ("diagonal", "Known: vertical, horizontal."), ("", "Known: vertical, horizontal."),
  ])
  func `an unknown choice lists the allowed names`(given: String, hint: String) throws {
    let value = JSONReader(.string(given), path: "$.scrollDirection")
    #expect(
      throws: JSONError(
        path: "$.scrollDirection",
        message: "Unknown value '\(given)'. \(hint)")
    ) { try value.choice(Axis.self) }
  }

  @Test func `a missing field is named with its object`() throws {
    let fields = try reader("{}").object()
    #expect(throws: JSONError(path: "$", message: "Missing field 'viewport'.")) {
      try fields.required("viewport")
    }
  }

  @Test func `ranges hold for whole and other numbers`() throws {
    #expect(try JSONReader(.integer(1)).integer(in: 1...3) == 1)
    #expect(
      throws: JSONError(
        path: "$", message: "Must be a whole number from 1 to 3 (got 0).")
    ) {
      try JSONReader(.integer(0)).integer(in: 1...3)
    }
    #expect(
      throws: JSONError(
        path: "$", message: "Must be a whole number of 0 or more (got -1).")
    ) {
      try JSONReader(.integer(-1)).integer(in: 0...Int64.max)
    }
    #expect(throws: JSONError(path: "$", message: "Must be a whole number (got 2.5).")) {
      try JSONReader(.number(2.5)).integer()
    }
    #expect(
      throws: JSONError(
        path: "$", message: "Must be a number from 0.0 to 1.0 (got 2).")
    ) {
      try JSONReader(.integer(2)).number(in: 0...1)
    }
  }
}
