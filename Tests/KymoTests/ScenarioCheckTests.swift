import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct ScenarioCheckTests {
  private func check(_ text: String) throws -> ProgramRun {
    try kymo("scenario", "check", "-", input: text)
  }

  /// Refused, naming this place.
  private func expectRefusal(_ text: String, at path: String, containing word: String = "") throws {
    let run = try check(text)
    #expect(run.code == 2, "\(text)")
    #expect(run.output == "", "\(text)")
    let position = path.isEmpty ? "" : ": \(path)"
    #expect(
      run.errors.hasPrefix("kymo scenario check: standard input\(position)"),
      "\(text): \(run.errors)")
    #expect(word.isEmpty || run.errors.contains(word), "\(text): \(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(text): \(run.errors)")
  }

  /// The example of the contract without the steps and layouts of later versions.
  static let example = """
    {
      "scenario": 1,
      "name": "grid to detail",
      "viewport": [320, 480],
      "contentInset": [0, 0, 0, 0],
      "contentOffset": [0, 0],
      "refreshRate": 120,
      "sections": [
        { "id": "fruit", "items": ["apple", "pear", "plum"] },
        { "id": "nuts", "items": 14 }
      ],
      "layouts": {
        "grid":   { "type": "flow", "scrollDirection": "vertical", "itemSize": [50, 50],
                    "minimumLineSpacing": 10, "minimumInteritemSpacing": 10,
                    "sectionInset": [0, 0, 0, 0], "headerReferenceSize": [0, 0], "footerReferenceSize": [0, 0] },
        "mixed":  { "type": "flow", "itemSizes": [[[100, 40], [120, 60], [50, 20]], [[90, 40]]] },
        "poses":  { "type": "fixed", "contentSize": [400, 400],
                    "items": [[{ "center": [50, 25], "size": [100, 50], "alpha": 0.5, "zIndex": 3, "hidden": false,
                                 "transform": [0, 1, -1, 0, 0, 0] }]] },
        "detail": { "type": "flow", "itemSize": [300, 200] }
      },
      "initialLayout": "grid",
      "transition": { "type": "linear", "transforms": "decomposed" },
      "settle": { "type": "spring", "mass": 1, "stiffness": 100, "damping": 20, "overshoot": true },
      "release": { "estimator": "lsq2", "rule": "progress", "threshold": 0.5 },
      "gesture": { "recognizer": "pinch", "to": "detail", "progress": { "of": "scale", "from": 1, "to": 2.5 },
                   "keys": { "PositionX": { "of": "translation.x", "finishTarget": 0, "cancelTarget": 0 },
                             "fingerX": "centroid.x" } },
      "script": [
        { "at": 0.0, "do": "start", "to": "detail",
          "offset": { "items": [[0, 2]], "placement": "center", "placementInset": [0, 0, 0, 0] } },
        { "at": 0.1, "do": "progress", "value": 0.3 },
        { "at": 0.1, "do": "value", "key": "PositionX", "value": 10, "finishTarget": 0, "cancelTarget": 0 },
        { "at": 0.3, "do": "finish" }
      ]
    }
    """

  @Test func `the contract's own example passes, and can be run`() throws {
    let run = try check(Self.example)
    #expect(run.code == 0, "\(run.errors)")
    let place = try Workplace()
    try place.record(text: Self.example, into: "run.kymo")
    #expect(try answers("list sessions", place.path("run.kymo"))[0]["outcome"].text == "finished")
    let json = try kymo("scenario", "check", "-", "--json", input: Self.example)
    let row = try rows(json.output)[0]
    #expect(row["items"].integer == 17)
    #expect(row["steps"].integer == 4)
    #expect(row["gesture"].text == "pinch")
    #expect(
      row["layouts"] == .array(["detail", "grid", "mixed", "poses"].map(JSONValue.string)))
  }

  @Test func `the scenarios that ship pass`() throws {
    for name in [Scenarios.drag, Scenarios.pinch, Scenarios.script] {
      #expect(try kymo("scenario", "check", fixture("scenarios/\(name)")).code == 0)
    }
  }

  @Test(arguments: ["scenario", "viewport", "sections", "layouts", "initialLayout"])
  func `each required field is missed by name`(field: String) throws {
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(Scenarios.small().utf8)) as? [String: Any])
    object[field] = nil
    let text = try JSONSerialization.data(withJSONObject: object)
    let run = try check(String(decoding: text, as: UTF8.self))
    #expect(run.code == 2)
    #expect(run.errors.contains("missing field '\(field)'"), "\(run.errors)")
  }

  @Test func `with one layout the initial one is clear`() throws {
    #expect(
      try check(
        "{\"scenario\": 1, \"viewport\": [1, 1], \"sections\": [], \"layouts\": {\"a\": {\"type\": \"flow\"}}}"
      ).code == 0)
  }

  @Test func `an unknown field is named with its place, at every level`() throws {
    func pose(_ fields: String) -> String {
      Scenarios.small().replacingOccurrences(
        of: "\"layouts\": {",
        with: "\"layouts\": { \"f\": { \"type\": \"fixed\", \(fields) },")
    }
    for (text, path) in [
      (Scenarios.small("\"viewprt\": 1"), "$.viewprt"),
      (Scenarios.small("\"transition\": {\"typ\": 1}"), "$.transition.typ"),
      (Scenarios.small("\"settle\": {\"stifness\": 1}"), "$.settle.stifness"),
      (Scenarios.small("\"release\": {\"estimater\": 1}"), "$.release.estimater"),
      (Scenarios.small("\"gesture\": {\"recogniser\": \"pan\"}"), "$.gesture.recogniser"),
      (
        Scenarios.small("\"gesture\": {\"recognizer\": \"pan\", \"map\": {\"scales\": 1}}"),
        "$.gesture.map.scales"
      ),
      (
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \"progress\": {\"of\": \"scale\", \"from\": 0, \"till\": 1}}"
        ), "$.gesture.progress.till"
      ),
      (
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \"keys\": {\"a b\": {\"of\": \"scale\", \"target\": 1}}}"
        ), "$.gesture.keys[\"a b\"].target"
      ),
      (Scenarios.scripted("{\"at\": 0, \"do\": \"finish\", \"to\": 1}"), "$.script[0].to"),
      (
        Scenarios.scripted(
          "{\"at\": 0, \"do\": \"finish\"}, {\"at\": 0, \"do\": \"start\", \"to\": \"large\", \"offset\": {\"items\": [[0,0]], \"place\": 1}}"
        ), "$.script[1].offset.place"
      ),
      (
        Scenarios.small().replacingOccurrences(
          of: "\"id\": \"s\"", with: "\"id\": \"s\", \"n\": 1"),
        "$.sections[0].n"
      ),
      (
        Scenarios.small().replacingOccurrences(of: "\"itemSize\"", with: "\"itemsize\""),
        "$.layouts."
      ),
      (pose("\"item\": []"), "$.layouts.f.item"),
      (
        pose("\"items\": [[{\"frame\": [0,0,1,1], \"opacity\": 1}]]"),
        "$.layouts.f.items[0][0].opacity"
      ),
      (
        pose("\"supplementary\": [{\"kind\": \"h\", \"indexPath\": [0,0], \"fram\": 1}]"),
        "$.layouts.f.supplementary[0].fram"
      ),
    ] {
      try expectRefusal(text, at: path, containing: "unknown field '")
    }
  }

  @Test func `wrong types and numbers out of range are refused with their place`() throws {
    func replaced(_ old: String, _ new: String) -> String {
      let text = Scenarios.small().replacingOccurrences(of: old, with: new)
      #expect(text != Scenarios.small())
      return text
    }
    let sections = "[{ \"id\": \"s\", \"items\": 3 }]"
    for (text, path) in [
      (replaced("\"scenario\": 1", "\"scenario\": 2"), "$.scenario"),
      (replaced("\"scenario\": 1", "\"scenario\": \"1\""), "$.scenario"),
      (replaced("[100, 200]", "[100]"), "$.viewport"),
      (replaced("[100, 200]", "[100, -1]"), "$.viewport"),
      (replaced("[100, 200]", "[100, \"200\"]"), "$.viewport[1]"),
      (replaced("\"refreshRate\": 100", "\"refreshRate\": 0"), "$.refreshRate"),
      (replaced("\"refreshRate\": 100", "\"refreshRate\": 1e9"), "$.refreshRate"),
      (replaced("\"refreshRate\": 100", "\"refreshRate\": null"), "$.refreshRate"),
      (replaced(sections, "{}"), "$.sections"),
      (replaced(sections, "[{\"id\": \"s\", \"items\": -1}]"), "$.sections[0].items"),
      (replaced(sections, "[{\"id\": \"s\", \"items\": 2.5}]"), "$.sections[0].items"),
      (replaced(sections, "[{\"id\": \"s\", \"items\": 1e18}]"), "$.sections[0].items"),
      (replaced(sections, "[{\"id\": 5, \"items\": 1}]"), "$.sections[0].id"),
      (replaced("\"type\": \"flow\"", "\"type\": \"grid\""), "$.layouts."),
      (replaced("[20, 20]", "[20, -20]"), "$.layouts.small.itemSize"),
      (replaced("\"initialLayout\": \"small\"", "\"initialLayout\": \"smal\""), "$.initialLayout"),
      (Scenarios.small("\"scale\": 0"), "$.scale"),
      (Scenarios.small("\"settle\": {\"mass\": 0}"), "$.settle.mass"),
      (Scenarios.small("\"settle\": {\"damping\": -1}"), "$.settle.damping"),
      (Scenarios.small("\"settle\": {\"type\": \"ease\"}"), "$.settle.type"),
      (Scenarios.small("\"release\": {\"rule\": \"speed\"}"), "$.release.rule"),
      (Scenarios.small("\"release\": {\"estimator\": \"all\"}"), "$.release.estimator"),
      (Scenarios.small("\"release\": {\"preset\": \"ios\"}"), "$.release.preset"),
      (Scenarios.small("\"release\": {\"window\": 0}"), "$.release.window"),
      (Scenarios.small("\"release\": {\"window\": 1e12}"), "$.release.window"),
      (Scenarios.small("\"release\": {\"stopGap\": -0.1}"), "$.release.stopGap"),
      (Scenarios.small("\"release\": {\"history\": 0}"), "$.release.history"),
      (
        Scenarios.small("\"release\": {\"velocityThreshold\": 1}"), "$.release.velocityThreshold"
      ),
      (
        Scenarios.small("\"release\": {\"rule\": \"compose\", \"decelerationRate\": 0.9}"),
        "$.release.decelerationRate"
      ),
      (
        Scenarios.small("\"release\": {\"rule\": \"gnome\", \"crossVelocity\": 1}"),
        "$.release.crossVelocity"
      ),
      (
        Scenarios.small("\"release\": {\"rule\": \"gnome\", \"decelerationRate\": 1}"),
        "$.release.decelerationRate"
      ),
      (Scenarios.small("\"release\": {\"distance\": 0}"), "$.release.distance"),
      (
        Scenarios.small("\"release\": {\"rule\": \"niri\", \"outputLength\": 9}"),
        "$.release.outputLength"
      ),
      (
        Scenarios.small("\"release\": {\"rule\": \"cosmic\", \"outputLength\": 0}"),
        "$.release.outputLength"
      ),
      (
        Scenarios.small("\"release\": {\"rule\": \"velocity\", \"estimator\": \"step-mean\"}"),
        "$.release.estimator"
      ),
      (
        Scenarios.small("\"release\": {\"rule\": \"projection\", \"preset\": \"wayfire\"}"),
        "$.release"
      ),
      (Scenarios.small("\"release\": {\"minimumVelocity\": -1}"), "$.release.minimumVelocity"),
      (
        Scenarios.small("\"release\": {\"minimumVelocity\": 2, \"maximumVelocity\": 1}"),
        "$.release.maximumVelocity"
      ),
      (Scenarios.small("\"release\": {\"threshold\": \"half\"}"), "$.release.threshold"),
      (Scenarios.small("\"transition\": {\"type\": \"cube\"}"), "$.transition"),
      (Scenarios.small("\"transition\": {\"type\": \"follow\"}"), "$.transition"),
      (
        Scenarios.small("\"transition\": {\"type\": \"follow\", \"keys\": [\"a\"]}"),
        "$.transition.keys[0]"
      ),
      (Scenarios.small("\"gesture\": {\"recognizer\": \"swipe\"}"), "$.gesture.recognizer"),
      (Scenarios.small("\"gesture\": {\"recognizer\": \"pan\", \"to\": \"x\"}"), "$.gesture.to"),
      (
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \"progress\": {\"of\": \"scale\", \"from\": 1, \"to\": 1}}"
        ), "$.gesture.progress"
      ),
      (
        Scenarios.small(
          "\"gesture\": {\"recognizer\": \"pan\", \"keys\": {\"progress\": \"scale\"}}"),
        "$.gesture.keys.progress"
      ),
      (Scenarios.scripted("{\"at\": -1, \"do\": \"finish\"}"), "$.script[0].at"),
      (Scenarios.scripted("{\"at\": 1e300, \"do\": \"finish\"}"), "$.script[0].at"),
      (Scenarios.scripted("{\"do\": \"finish\"}"), "$.script[0]"),
      (Scenarios.scripted("{\"at\": 0}"), "$.script[0]"),
      (Scenarios.scripted("{\"at\": 0, \"do\": \"jump\"}"), "$.script[0].do"),
      (Scenarios.scripted("{\"at\": 0, \"do\": \"start\", \"to\": \"lage\"}"), "$.script[0].to"),
      (
        Scenarios.scripted("{\"at\": 0, \"do\": \"scrollToItem\", \"item\": [0, 3]}"),
        "$.script[0].item"
      ),
      (
        Scenarios.scripted(
          "{\"at\": 0, \"do\": \"start\", \"to\": \"large\", \"offset\": {\"items\": []}}"),
        "$.script[0].offset.items"
      ),
      (
        Scenarios.scripted(
          "{\"at\": 0, \"do\": \"start\", \"to\": \"large\", \"offset\": {\"target\": [0]}}"),
        "$.script[0].offset.target"
      ),
      (
        Scenarios.scripted(
          "{\"at\": 0, \"do\": \"start\", \"to\": \"large\", \"offset\": {\"target\": [0, 0], \"legal\": true}}"
        ),
        "$.script[0].offset.legal"
      ),
      ("[]", ""), ("{", ""), ("", ""), ("null", ""), ("{\"scenario\": 1, \"scenario\": 1}", ""),
    ] {
      try expectRefusal(text, at: path)
    }
  }

  @Test func `ids are used once only`() throws {
    for (sections, word) in [
      ("[{\"id\": \"a\", \"items\": 1}, {\"id\": \"a\", \"items\": 2}]", "'a' is used twice"),
      ("[{\"id\": \"a\", \"items\": [\"x\", \"x\"]}]", "'x' is used twice"),
      (
        "[{\"id\": \"a\", \"items\": [\"x\"]}, {\"id\": \"b\", \"items\": [\"x\"]}]",
        "'x' is used twice"
      ),
      ("[{\"id\": \"a\", \"items\": 2}, {\"id\": \"b\", \"items\": [\"a/1\"]}]", "'a/1'"),
    ] {
      try expectRefusal(
        "{\"scenario\": 1, \"viewport\": [1, 1], \"sections\": \(sections), \"layouts\": {\"a\": {\"type\": \"flow\"}}}",
        at: "$.sections", containing: word)
    }
  }

  @Test func `an unknown layout is answered with those that there are`() throws {
    try expectRefusal(
      Scenarios.scripted("{\"at\": 0, \"do\": \"setLayout\", \"to\": \"huge\"}"),
      at: "$.script[0].to", containing: "large, small")
  }

  @Test func `a misspelt field is answered with the one that was meant`() throws {
    try expectRefusal(
      Scenarios.small("\"refreshrate\": 5"), at: "$.refreshrate",
      containing: "unknown field 'refreshrate'. Did you mean refreshRate?")
  }

  @Test func `check and schema take the words that they take`() throws {
    #expect(try kymo("scenario", "check").code == 2)
    #expect(try kymo("scenario", "schema", "x").code == 2)
    #expect(try kymo("scenario", "draw").code == 2)
    #expect(try kymo("scenario", "check", "/nowhere/at/all").code == 4)
  }
}
