import Foundation
import TestSupport
import Testing

/// The promises of the article `Versioning` that no other suite holds.
@Suite struct PromiseTests {
  /// The commands whose JSON is compared, by their words after the program's name.
  private static let commands = [
    "show pinch.kymo", "show pinch.kymo#open", "list sessions pinch.kymo",
    "list keys pinch.kymo#open",
    "list events pinch.kymo#open", "list touches pinch.kymo#open",
    "list transitions pinch.kymo#open",
    "list decisions pinch.kymo#open", "list estimates pinch.kymo#open", "list labels pinch.kymo",
    "replay pinch.kymo#open --at 0.2", "replay pinch.kymo#open --at 0.2 --items",
    "replay pinch.kymo#open --at 0.2 --keys", "velocity pinch.kymo#open",
    "velocity pinch.kymo#open --rule velocity --key progress", "fit pinch.kymo#open --key progress",
    "rerun pinch.kymo#open --set release.threshold=0.4,0.9", "rule try pinch.kymo",
    "rule try pinch.kymo --set release.threshold=0.4,0.9",
    "compare pinch.kymo#open pinch.kymo#back",
    "check pinch.kymo --golden pinch.kymo --all",
    "check pinch.kymo --requirements rules.json --all", "file doctor pinch.kymo",
    "file migrate pinch.kymo", "curve settle --settling-times", "curve ease linear",
  ]

  /// The file with one line for each field: the command, a colon and the field.
  private static let list = "Tests/Fixtures/promises/json-fields.txt"

  /// The names of all fields of a value, those of inner objects after a dot.
  private static func fields(of value: Any, under path: String = "") -> Set<String> {
    if let list = value as? [Any] {
      return list.reduce(into: []) { $0.formUnion(fields(of: $1, under: path)) }
    }
    guard let object = value as? [String: Any] else { return [] }
    return object.reduce(into: []) { all, field in
      let name = path.isEmpty ? field.key : "\(path).\(field.key)"
      all.insert(name)
      all.formUnion(fields(of: field.value, under: name))
    }
  }

  @Test func `the JSON of each command keeps every field that it ever had`() throws {
    let place = try Workplace()
    for name in ["open", "back"] {
      try place.record(
        Scenarios.pinch, gesture: "pinch-\(name).evemu", into: "pinch.kymo", "--name", name)
    }
    _ = try place.file(
      "rules.json",
      #"{"requirements": 1, "rules": [{"overshoot": "progress"}, {"follows": "PositionX"}]}"#)
    _ = try kymo("label", place.path("pinch.kymo") + "#open", "finish")
    var found: Set<String> = []
    for command in Self.commands {
      let run = try kymo(
        command.split(separator: " ").map(String.init) + ["--json"], in: place.folder.url.path)
      #expect([0, 1].contains(run.code), "\(command): \(run.errors)")
      let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      for field in Self.fields(of: value) { found.insert("\(command): \(field)") }
    }
    let file = packageFolder.appendingPathComponent(Self.list)
    let known = Set(
      ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(
        String.init))
    #expect(known.subtracting(found).sorted() == [], "fields that are gone")
    if writesManual {
      let lines = known.union(found).sorted().map { $0 + "\n" }.joined()
      try lines.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(found.subtracting(known).sorted() == [], "new: note them by KYMO_MANUAL=write")
    }
  }

  @Test func `exit codes keep their meaning`() throws {
    let place = try Workplace()
    try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    try place.record(Scenarios.pinch, gesture: "pinch-back.evemu", into: "b.kymo")
    let (a, b) = (place.path("a.kymo"), place.path("b.kymo"))
    let text = try place.file("text.kymo", "not a recording")
    #expect(try kymo("compare", a, a).code == 0)
    #expect(try kymo("compare", a, b).code == 1)
    #expect(try kymo("compare", a, b, "--no-such-flag").code == 2)
    #expect(try kymo("check", a, text, "--golden", a, "--subset").code == 3)
    #expect(try kymo("compare", a, text).code == 4)
  }
}
