import Foundation
import TestSupport
import Testing

/// The program of the benchmarks, as `Tools/bench` calls it.
@Suite struct GroupTests {
  private func run(_ words: String...) throws -> ProgramRun {
    try ProgramRun.run(words, program: "kymograph-benchmarks")
  }

  @Test(arguments: [
    ([], "no case is named"), (["speed"], "there is no case 'speed'"),
    (["--fast"], "there is no option '--fast'"), (["mix-upright", "--units"], "--units takes"),
    (["mix-upright", "--units", "0"], "--units takes"),
    (["mix-upright", "--units", "many"], "--units takes"),
    (["mix", "--units", "5"], "--units goes with exactly one case"),
    (["--units", "5"], "--units goes with exactly one case"), (["--json"], "no case is named"),
    (["mix-upright", "--json", "--units", "5"], "--json goes with times"),
  ])
  func `a call that is put wrongly ends with 2 and says what to do`(
    words: [String], sentence: String
  ) throws {
    let run = try ProgramRun.run(words, program: "kymograph-benchmarks")
    #expect(run.code == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("kymograph-benchmarks: \(sentence)"))
  }

  @Test func `every case of the list does as many units as are asked for`() throws {
    let list = try run("--list")
    #expect(list.code == 0)
    let names = list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(names.count > 30)
    #expect(Set(names).count == names.count)
    // The largest take a while in a build for debugging.
    let large = ["0000", "-1gb", "-1min", "-10min", "-10h"]
    func isLarge(_ name: String) -> Bool {
      large.contains(where: name.hasSuffix) || name.hasPrefix("felt-") || name.hasPrefix("hours-")
    }
    for name in names where !isLarge(name) {
      let done = try run(name, "--units", "2")
      let words = done.output.split(whereSeparator: \.isWhitespace)
      #expect(done.code == 0, "\(name): \(done.errors)")
      #expect(words.first.map(String.init) == name, "\(name): \(done.errors)")
      #expect(words.count > 2, "\(done.output)")
      #expect(Int(words[1]) ?? 0 >= 2, "\(done.output)")
    }
  }

  @Test func `limits of instructions are printed for the script that counts them`() throws {
    let limits = try run("--limits")
    #expect(limits.code == 0)
    #expect(limits.output.contains("write-sealed 1000\n"))
  }

  @Test func `JSON has the numbers of each case, its yardstick and its bars`() throws {
    let json = try run("--json", "append")
    #expect(json.code == 0, "\(json.errors)")
    let rows = try json.rows()
    let names = rows.compactMap { $0["case"] as? String }
    #expect(names == ["append-c", "append-handle", "append-name"])
    for row in rows {
      #expect(row["measure"] as? String == "time")
      #expect(row["unit"] as? String == "ns/value")
      #expect(row["yardstick"] as? String == "append-c", "\(row)")
      #expect((row["value"] as? Double ?? 0) > 0, "\(row)")
      #expect((row["ratio"] as? Double ?? 0) > 0, "\(row)")
      #expect((row["bar"] is Double) == (row["part_of_bar"] is Double), "\(row)")
    }
    #expect(rows[1]["bar"] as? Double == 4)
    #expect(rows[2]["bar"] as? Double == 65)
  }
}
