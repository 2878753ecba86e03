import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct LayoutTests {
  let place: Workplace
  let path: String

  /// Three items in a width of 100, under a header of 10, and one in a second section.
  static let scenario = """
    { "scenario": 1, "viewport": [100, 200], "contentOffset": [0, 5],
      "sections": [{ "id": "a", "items": ["x", "y", "z"] }, { "id": "b", "items": 1 }],
      "layouts": {
        "grid": { "type": "flow", "itemSize": [40, 30], "minimumLineSpacing": 4,
          "minimumInteritemSpacing": 6, "sectionInset": [1, 2, 3, 8],
          "headerReferenceSize": [0, 10] },
        "poses": { "type": "fixed", "contentSize": [400, 300],
          "items": [[{ "center": [50, 25], "size": [100, 50], "alpha": 1.5, "zIndex": 3,
                       "hidden": true, "transform": [0, 1, -1, 0, 0, 0] },
                     { "frame": [10, 20, 30, 40], "alpha": -0.5 },
                     { "frame": [0, 0, 8, 8] }], [{ "frame": [200, 200, 10, 20] }]],
          "supplementary": [{ "kind": "header", "indexPath": [0, 0], "frame": [0, 0, 400, 20] }],
          "decoration": [{ "kind": "line", "indexPath": [0, 0], "frame": [0, 99, 400, 1] }] } },
      "initialLayout": "grid" }
    """

  init() throws {
    place = try Workplace()
    path = try place.file("scenario.json", LayoutTests.scenario)
  }

  @Test func `the flow stands where a person computes it`() throws {
    let elements = try answers("scenario layout", path)
    // Two items in a row of 100 - 2 - 8: 40 + 10 + 40; the last row keeps the spacing's place.
    #expect(
      elements.map { $0["category"].text } == [
        "supplementary", "cell", "cell", "cell", "supplementary", "cell",
      ])
    #expect(elements.map { $0["id"].text } == ["a/header", "x", "y", "z", "b/header", "b/0"])
    #expect(
      elements.map { $0["frame"].numbers } == [
        [0, 0, 100, 10], [2, 11, 40, 30], [52, 11, 40, 30], [2, 45, 40, 30], [0, 78, 100, 10],
        [2, 89, 40, 30],
      ])
    #expect(elements[0]["element_kind"].text == "header")
    #expect(elements[1]["element_kind"] == .null)
    #expect(elements[3]["index_path"].numbers == [0, 2])
    #expect(elements[3]["center"].numbers == [22, 60])
    #expect(elements[3]["size"].numbers == [40, 30])
    #expect(elements[3]["transform"].numbers == [1, 0, 0, 1, 0, 0])
  }

  @Test func `fixed poses come as stated, with raw alpha and the frame of the transform`() throws {
    let elements = try answers("scenario layout", path, "--layout", "poses")
    let cells = elements.count { $0["category"].text == "cell" }
    #expect(cells == 4)
    let turned = try #require(elements.first { $0["id"].text == "x" })
    #expect(turned["center"].numbers == [50, 25])
    #expect(turned["size"].numbers == [100, 50])
    #expect(turned["frame"].numbers == [25, -25, 50, 100])
    #expect(turned["alpha"].number == 1.5)
    #expect(turned["z_index"].integer == 3)
    #expect(turned["hidden"] == .bool(true))
    #expect(elements.first { $0["id"].text == "y" }?["alpha"].number == -0.5)
    #expect(
      elements.contains { $0["category"].text == "decoration" && $0["element_kind"].text == "line" }
    )
  }

  @Test func `two layouts are mixed by the progress, which may leave 0 to 1`() throws {
    for (progress, frame, alpha) in [
      ("0", [52, 11, 40, 30], 1), ("0.25", [41.5, 13.25, 37.5, 32.5], 0.625),
      ("1", [10, 20, 30, 40], -0.5), ("2", [-32, 29, 20, 50], -2),
    ] as [(String, [Double], Double)] {
      let elements = try answers(
        "scenario layout", path, "--progress", progress, "--mix-with", "poses")
      let y = try #require(elements.first { $0["id"].text == "y" })
      #expect(y["frame"].numbers == frame, "\(progress)")
      #expect(y["alpha"].number == alpha, "\(progress)")
    }
    #expect(
      try answers("scenario layout", path, "--progress=-1", "--mix-with", "grid").map {
        $0["frame"]
      }
        == answers("scenario layout", path).map { $0["frame"] })
  }

  @Test func `a summary tells content size and offset, of a mixture too`() throws {
    let plain = try #require(try answers("scenario layout", path, "--content").last)
    #expect(plain["category"].text == "summary")
    #expect(plain["content_size"].numbers == [100, 122])
    #expect(plain["content_offset"].numbers == [0, 5])
    let mixed = try #require(
      try answers("scenario layout", path, "--content", "--progress", "0.5", "--mix-with", "poses")
        .last)
    #expect(mixed["content_size"].numbers == [250, 211])
    #expect(
      try answers("scenario layout", path, "--content").count == answers("scenario layout", path)
        .count + 1)
  }

  @Test func `a planned offset is driven along in the summary`() throws {
    let script = try place.file(
      "offset.json",
      Scenarios.scripted(
        "{\"at\": 0, \"do\": \"start\", \"to\": \"large\","
          + " \"offset\": {\"items\": [[0, 2]], \"placement\": \"top\"}}"
      ).replacingOccurrences(of: "\"items\": 3", with: "\"items\": 30"))
    for (progress, y) in [("0", 0), ("0.5", 60), ("1", 120)] as [(String, Double)] {
      let summary = try #require(
        try answers(
          "scenario layout", script, "--content", "--progress", progress, "--mix-with", "large"
        ).last)
      #expect(summary["content_offset"].numbers == [0, y], "\(progress)")
    }
  }

  @Test func `a rectangle chooses what meets it`() throws {
    #expect(
      try answers("scenario layout", path, "--rect", "0,12,45,20").map { $0["id"].text } == ["x"])
    #expect(
      try answers("scenario layout", path, "--rect", "0, 0, 100, 12").map { $0["id"].text } == [
        "a/header", "x", "y",
      ])
    #expect(try answers("scenario layout", path, "--rect", "500,500,1,1") == [])
    for wrong in ["1,2,3", "a,b,c,d", "1,2,3,nan", "", "1,2,3,4,5"] {
      #expect(try kymo("scenario layout", path, "--rect", wrong).code == 2, "\(wrong)")
    }
  }

  @Test func `unknown layouts and half a mixture are refused`() throws {
    for words in [
      ["--layout", "nothing"], ["--progress", "0.5", "--to", "nothing"], ["--progress", "0.5"],
      ["--to", "poses"], ["--progress", "half", "--to", "poses"],
      ["--progress", "nan", "--to", "poses"],
    ] {
      let run = try kymo(["scenario layout", path] + words)
      #expect(run.code == 2, "\(words)")
      #expect(run.output == "", "\(words)")
    }
    #expect(try kymo("scenario layout", path, "--layout", "nothing").errors.contains("grid, poses"))
    #expect(try kymo("scenario layout", place.path("none.json")).code == 4)
    #expect(try kymo("scenario layout", try place.file("bad.json", "{")).code == 2)
  }

  @Test func `a huge progress gives finite numbers all the same`() throws {
    let elements = try answers(
      "scenario layout", path, "--progress", "1e308", "--mix-with", "poses")
    for element in elements { #expect(element["frame"].numbers?.count == 4) }
  }
}
