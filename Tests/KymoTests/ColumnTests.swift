import Foundation
import JSONText
import TestSupport
import Testing

/// The lists of columns in help and manual, and the rows that commands print.
@Suite struct ColumnTests {
  let exhibit: Exhibit

  init() throws { exhibit = try Exhibit("pinch") }

  /// The columns that help lists of a command.
  private func columns(_ command: String) throws -> Set<String> {
    let run = try kymo(["help", "columns"] + words(command))
    #expect(run.code == 0, "\(run.errors)")
    for line in run.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    return Set(
      run.output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        .map { String($0.drop { $0 == " " }.prefix { $0 != " " }) })
  }

  /// The paths of all fields of a value; of an object without listed fields alone its own.
  private func paths(_ value: JSONValue, at path: String, _ listed: Set<String>) -> [String] {
    switch value {
    case .object(let fields):
      let isListed = path.isEmpty || listed.contains { $0.hasPrefix("\(path).") }
      guard isListed else { return [path] }
      return (path.isEmpty ? [] : [path])
        + fields.flatMap { paths($1, at: path.isEmpty ? $0 : "\(path).\($0)", listed) }
    case .array(let elements):
      let isListed = listed.contains { $0.hasPrefix("\(path)[].") }
      guard isListed else { return [path] }
      return [path]
        + elements.flatMap { paths($0, at: "\(path)[]", listed) }.filter { $0 != "\(path)[]" }
    default: return [path]
    }
  }

  @Test(arguments: [
    ("record", "kymo record --scenario \"$scenario\" --into new.kymo"),
    ("replay", "kymo replay \"$f\""), ("replay", "kymo replay \"$f\" --items"),
    ("replay", "kymo replay \"$f\" --keys --at 0.3"), ("show", "kymo show \"$f\""),
    ("show", "kymo show \"$f\"#1"), ("list sessions", "kymo list sessions \"$f\""),
    ("list keys", "kymo list keys \"$f\""), ("list touches", "kymo list touches \"$f\""),
    ("list labels", "kymo list labels \"$f\""), ("velocity", "kymo velocity \"$f\""),
    ("velocity", "kymo velocity \"$f\" --explain"),
    ("velocity", "kymo velocity \"$f\" --estimator auto --key progress,finger.0.x"),
    ("fit", "kymo fit \"$f\" --json"),
    ("rerun", "kymo rerun \"$f\" --set release.threshold=0.2,0.9"),
    ("label", "kymo label copy.kymo finish --transition 0"),
    ("rule try", "kymo rule try \"$f\" --set release.threshold=0.1:0.9:0.1"),
    ("compare", "kymo compare \"$f\" other.kymo"),
    ("compare", "kymo compare \"$f\" -- other.kymo --json"),
    ("compare", "kymo compare \"$f\" other.kymo --exact"),
    (
      "rule tune",
      "kymo label copy.kymo finish --transition 0 > labels.txt; kymo rule tune copy.kymo --json"
    ),
    ("scenario layout", "kymo scenario layout \"$scenario\" --content"),
    ("check", "kymo check --golden \"$f\" other.kymo"),
    ("golden learn", "kymo golden learn \"$f\" copy.kymo other.kymo -o learnt.json"),
    (
      "rows",
      "echo other.kymo | kymo rows --metrics --releases --try '--rule velocity' --check \"$f\" --values progress"
    ), ("file doctor", "head -c 12288 copy.kymo > cut.kymo; kymo file doctor cut.kymo"),
    ("file recover", "kymo file recover \"$f\" --out saved.kymo"),
    ("file pack", "kymo file pack copy.kymo"), ("file unpack", "kymo file unpack copy.kymo"),
    ("file merge", "kymo file merge \"$f\" --into merged.kymo"),
    ("file trim", "kymo file trim copy.kymo --to 0.2"),
    ("file delete", "kymo file delete 'copy.kymo#1'"),
    ("file migrate", "kymo file migrate copy.kymo"),
    ("scenario check", "kymo scenario check \"$scenario\""),
    ("scenario layout", "kymo scenario layout \"$scenario\""),
    ("curve ease", "kymo curve ease cubicInOut"), ("curve ease", "kymo curve ease --list"),
    ("curve settle", "kymo curve settle --rate 10"),
    ("curve settle", "kymo curve settle --settling-times"),
  ])
  func `each field that a command prints is in its list of columns`(command: String, line: String)
    throws
  {
    let scenario = fixture("gallery/pinch.json")
    let run = try shell(
      """
      f=$1; scenario=$2; cd "$(dirname "$f")"; cp "$f" copy.kymo
      kymo rerun "$f" --set release.threshold=0.9 --into other.kymo --json > /dev/null
      \(line) \(command == "rows" || line.hasSuffix("--json") ? "" : "--format ndjson")
      """, [exhibit.path, scenario])
    #expect([0, 1].contains(run.code), "\(run.errors)")
    let rows =
      line.hasSuffix("--json")
      ? [try parseJSON(Array(run.output.utf8))]
      : try run.output.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
    #expect(!rows.isEmpty, "\(run.errors)")
    let listed = try columns(command)
    for row in rows {
      let unlisted = paths(row, at: "", listed).filter { !listed.contains($0) }
      #expect(unlisted.isEmpty)
    }
  }

  @Test func `help says which commands have a list of columns`() throws {
    let run = try kymo("help", "columns")
    let paragraph = try #require(
      run.output.components(separatedBy: "\n\n").first { $0.contains("list sessions") })
    let names = words(paragraph).joined(separator: " ").split(separator: ",").map {
      words(String($0)).joined(separator: " ")
    }
    #expect(names.count > 25)
    for name in names {
      #expect(try !columns(name).isEmpty)
      #expect(try kymo(name, "--help").output.contains("\nColumns: kymo help columns \(name)\n"))
    }
    let completed = try kymo([".complete", "help", "columns", "velo"]).output
    #expect(completed.hasPrefix("velocity\t"))
    #expect(completed.split(separator: "\n").count == 1)
    for (asked, sentence) in [
      ("export", "kymo export has no list of columns. See kymo help columns"),
      ("velocity x", "unexpected argument 'x'. Usage: kymo help columns COMMAND"),
      ("velocty", "unknown command 'velocty'. Did you mean velocity?"),
    ] {
      let run = try kymo(["help", "columns"] + words(asked))
      #expect(run.code == 2)
      #expect(run.output == "")
      #expect(run.errors == "kymo: \(sentence)\n")
    }
  }

  private func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  @Test func `the page of columns is the one that the program prints`() throws {
    let printed = try kymo(".manual-pages", "--columns")
    #expect(printed.code == 0)
    let path = "Sources/Kymograph/Kymograph.docc/Articles/Columns.md"
    if writesManual {
      try printed.output.write(
        to: packageFolder.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
    #expect(try ManualPage(path: path).text == printed.output)
    for column in try columns("velocity") {
      #expect(printed.output.contains("\n| `\(column)` | "), "\(column)")
    }
  }
}
