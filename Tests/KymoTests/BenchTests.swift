import TestSupport
import Testing

/// The program of the benchmarks, as `Tools/bench` calls it.
@Suite struct BenchTests {
  private func run(_ words: String...) throws -> ProgramRun {
    try ProgramRun.run(words, program: "kymo-bench")
  }

  @Test(arguments: [
    ([], "no case is named"), (["speed"], "there is no case 'speed'"),
    (["--fast"], "there is no option '--fast'"), (["mix-upright", "--units"], "--units takes"),
    (["mix-upright", "--units", "0"], "--units takes"),
    (["mix-upright", "--units", "many"], "--units takes"),
    (["mix", "--units", "5"], "--units goes with exactly one case"),
    (["--units", "5"], "--units goes with exactly one case"),
  ])
  func `a call that is put wrongly ends with 2 and says what to do`(
    words: [String], sentence: String
  ) throws {
    let run = try ProgramRun.run(words, program: "kymo-bench")
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("kymo-bench: \(sentence)"))
  }

  @Test func `every case of the list does as many units as are asked for`() throws {
    let list = try run("--list")
    #expect(list.code == 0)
    let names = list.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(names.count > 30 && Set(names).count == names.count)
    // The largest take a while in a build for debugging.
    for name in names where !name.hasSuffix("00000") && name != "velocity-file-1000" {
      let done = try run(name, "--units", "2")
      let words = done.output.split(whereSeparator: \.isWhitespace)
      #expect(done.code == 0 && words.first.map(String.init) == name, "\(name): \(done.errors)")
      #expect(words.count > 2 && Int(words[1]) ?? 0 >= 2, "\(done.output)")
    }
  }
}
