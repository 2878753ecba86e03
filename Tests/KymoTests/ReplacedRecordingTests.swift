import Foundation
import TestSupport
import Testing
import TimelineStore

/// Recordings and sheets of labels that several processes change at the same time, and files that take the place of
/// others. A usual run has few processes; `KYMO_TEST_ROUNDS` asks for more.
@Suite struct ReplacedRecordingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func record(_ file: String, _ names: String...) throws -> String {
    for name in names {
      try place.record(
        Scenarios.drag, gesture: "drag-flick.getevent.txt", into: file, "--name", name)
    }
    return place.path(file)
  }

  private func uuids(_ path: String) throws -> [String: String] {
    let rows = try answers("list sessions", path)
    return Dictionary(
      rows.map { ($0["name"].text ?? "", $0["uuid"].text ?? "") }
    ) { first, _ in first }
  }

  private static let rounds = min(TestRounds.asked ?? 1, 20)

  @Test func `runs that are accepted at the same time are all golden then`() throws {
    let runs = try record("runs.kymo", "d", "e", "f")
    for _ in 0..<Self.rounds {
      try? FileManager.default.removeItem(atPath: place.path("golden.kymo"))
      let golden = try record("golden.kymo", "a", "b", "c")
      let (old, new) = (try uuids(golden), try uuids(runs))
      var lists: [String] = []
      for (before, after) in zip("abc", "def") {
        lists.append(
          try place.file(
            "\(before).txt", "\(old["\(before)"] ?? "") \(runs)#\(new["\(after)"] ?? "")\n"))
      }
      let run = try ProgramRun.shell(
        """
        golden=$1; shift
        { for list; do
            { "$kymo" golden accept "$list" --golden "$golden" > /dev/null; echo $?; } &
          done
        } | cat
        """, [golden] + lists)
      #expect(run.output == "0\n0\n0\n", "\(run.errors)")
      #expect(run.errors == "", "\(run.errors)")
      #expect(try Set(uuids(golden).keys) == ["d", "e", "f"])
      #expect(try kymo("file doctor", golden, "--deep").code == 0)
    }
    #expect(try place.names().filter { $0.contains("part-") } == [])
  }

  @Test func `a session that is recorded while runs are accepted stays`() throws {
    let golden = try record("golden.kymo", "a", "b")
    let runs = try record("runs.kymo", "z")
    let list = try place.file("list.txt", "- \(runs)#\(try uuids(runs)["z"] ?? "")\n")
    let count = 4 * Self.rounds
    let run = try shell(
      """
      golden=$1 list=$2 count=$3
      {
        while [ ! -e "$golden.end" ]; do
          kymo golden accept "$list" --golden "$golden" > /dev/null 2>&1 && kymo delete "$golden" z > /dev/null 2>&1
        done &
        number=0
        while [ $number -lt $count ]; do
          number=$((number + 1))
          "$program" record --scenario "$4" --into "$golden" --name "run $number" > /dev/null && echo "run $number"
        done
        touch "$golden.end"
      } | cat
      rm "$golden.end"
      """, [golden, list, "\(count)", fixture("scenarios/\(Scenarios.script)")])
    let recorded = run.output.split(separator: "\n").map(String.init)
    #expect(recorded.count == count, "\(run.errors)")
    #expect(try Set(uuids(golden).keys).isSuperset(of: recorded + ["a", "b"]))
    #expect(try kymo("file doctor", golden, "--deep").code == 0)
  }

  @Test(arguments: [[], ["--csv"]])
  func `labels that are said at the same time are all there`(flags: [String]) throws {
    let count = TestRounds.isLong ? 48 : 8
    let names = (0..<count).map { "s\($0)" }
    let path = place.path("run.kymo")
    for name in names { _ = try record("run.kymo", name) }
    let run = try ProgramRun.shell(
      """
      path=$1 flag=$2; shift 2
      { for name; do { "$kymo" label "$path#$name" cancel $flag > /dev/null || echo "$name"; } & done; } | cat
      """, [path, flags.isEmpty ? "" : "--csv=\(path).labels.csv"] + names)
    #expect(run.output == "", "\(run.output) \(run.errors)")
    #expect(run.errors == "", "\(run.output) \(run.errors)")
    let said = try answers("list labels", path)
    #expect(said.filter { $0["label"].text == "cancel" }.count == count)
    #expect(FileManager.default.fileExists(atPath: path + ".labels.csv") == (flags != []))
  }

  @Test func `a recording that is being recorded is replaced by nothing, and its session stays`()
    throws
  {
    let other = try record("other.kymo", "z")
    let list = try place.file("list.txt", "- \(other)#\(try uuids(other)["z"] ?? "")\n")
    let path = place.path("live.kymo")
    let run = try shell(
      """
      mkfifo "$1.pipe"
      {
      { "$program" record --from-ndjson "$1.pipe" --into "$1" > "$1.said"; echo $?; } &
      exec 3> "$1.pipe"
      printf '{"kymograph": 1, "name": "live"}\\n{"t_ns": 0, "key": "progress", "value": 0.5}\\n' >&3
      tries=0
      until kymo file doctor "$1" --json 2> /dev/null | grep -q '"recording"' || [ $((tries += 1)) -gt 200 ]; do :; done
      kymo golden accept "$2" --golden "$1"; echo $?
      kymo file recover "$3" -o "$1" --force; echo $?
      kymo report "$3" -o "$1" --force; echo $?
      exec 3>&-
      } | cat
      rm "$1.pipe" "$1.said"
      """, [path, list, other])
    #expect(run.output == "4\n4\n4\n0\n", "\(run.output)")
    #expect(run.errors.split(separator: "\n").allSatisfy { $0.contains("is being recorded") })
    #expect(try Array(uuids(path).keys) == ["live"])
    #expect(try place.names() == ["list.txt", "live.kymo", "other.kymo"])
  }

  @Test func `through a link its target is replaced`() throws {
    let path = try record("golden.kymo", "a")
    let other = try record("other.kymo", "z")
    let list = try place.file("list.txt", "- \(other)#\(try uuids(other)["z"] ?? "")\n")
    let link = place.path("link.kymo")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    func isLink() throws -> Bool {
      try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
        == .typeSymbolicLink
    }
    #expect(try kymo("golden accept", list, "--golden", link).code == 0)
    #expect(try Set(uuids(path).keys) == ["a", "z"] && isLink())
    #expect(try kymo("file recover", other, "-o", link, "--force").code == 0)
    #expect(try Set(uuids(path).keys) == ["z"] && isLink())
  }

  @Test func `labels beside a run come along when it is accepted`() throws {
    let golden = try record("golden.kymo", "a")
    let run = try record("run.kymo", "z")
    #expect(
      try kymo("label", run, "cancel", "--csv", run + ".labels.csv", "--note", "a slip").code == 0)
    let list = try place.file(
      "list.txt", "\(try uuids(golden)["a"] ?? "") \(run)#\(try uuids(run)["z"] ?? "")\n")
    #expect(try kymo("golden accept", list, "--golden", golden).code == 0)
    let said = try answers("list labels", golden)
    #expect(said.map { $0["label"].text } == ["cancel"])
    #expect(said[0]["note"].text == "a slip")
    #expect(!FileManager.default.fileExists(atPath: golden + ".labels.csv"))
  }

  @Test func `what a program that was ended left beside a recording is named, and goes`() throws {
    let path = try record("run.kymo", "a")
    // No system counts processes so far. This process lives.
    let dead =
      ["", ".labels.csv"].map { "run.kymo\($0).part-999999999" } + ["run.kymo.part-999999999-wal"]
    let alive = "run.kymo.part-\(getpid())"
    for name in dead + [alive, "run.kymo.part-x"] { _ = try place.file(name, "") }
    let found = try answers("file doctor", path, "--deep").filter { $0["what"].text == "leftover" }
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0["severity"].text == "note" })
    #expect(dead.allSatisfy { name in found.contains { $0["where"].text?.contains(name) == true } })
    #expect(try kymo("file doctor", path).code == 0)
    #expect(try kymo("label", path, "cancel").code == 0)
    #expect(try place.names() == ["run.kymo", alive, "run.kymo.part-x"])
    for name in dead { _ = try place.file(name, "") }
    _ = try record("run.kymo", "b")
    #expect(try place.names() == ["run.kymo", alive, "run.kymo.part-x"])
  }

  @Test func `who waits too long for another ends with a sentence and changes nothing`() throws {
    let path = try record("run.kymo", "a")
    let editor = try RecordingEditor(path: path)
    WriterTurn.$waitMilliseconds.withValue(0) {
      let errors = [
        #expect(throws: StoreError.self) { try RecordingEditor(path: path) },
        #expect(throws: StoreError.self) { try RecordingReplacement(path, replacing: true) },
      ]
      #expect(errors.allSatisfy { $0?.code == .busy && $0?.message.contains("in use") == true })
    }
    try editor.settleIntoOneFile()
    #expect(try Set(uuids(path).keys) == ["a"])
  }

  @Test func `a file that was put into the place meanwhile is not replaced`() throws {
    let path = try record("run.kymo", "a")
    let other = try record("other.kymo", "b")
    let replacement = try RecordingReplacement(path, replacing: true)
    let new = try RecordingReplacement(place.path("new.kymo"), replacing: true)
    for made in [replacement, new] {
      let editor = try RecordingEditor(path: made.part, isMade: true)
      _ = try editor.copySession(1, from: RecordingReader(path: other))
      try editor.settleIntoOneFile()
    }
    try FileManager.default.moveItem(atPath: path, toPath: place.path("kept.kymo"))
    for name in ["run.kymo", "new.kymo"] {
      try FileManager.default.copyItem(atPath: other, toPath: place.path(name))
    }
    for made in [replacement, new] {
      let error = #expect(throws: StoreError.self) { try made.finish() }
      #expect(error?.message.contains("changed by another program meanwhile") == true)
    }
  }
}
