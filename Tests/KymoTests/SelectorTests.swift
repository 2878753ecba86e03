import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct SelectorTests {
  let place: Workplace
  let path: String
  static let identities = [
    "aaaa0000-0000-4000-8000-000000000001", "aaaa0000-0000-4000-8000-000000000002",
    "bbbb0000-0000-4000-8000-000000000003",
  ]

  init() throws {
    place = try Workplace()
    path = place.path("run.kymo")
    for (name, identity) in zip(["one", "twin", "twin"], SelectorTests.identities) {
      try place.record(
        Scenarios.script, into: "run.kymo", "--name", name, "--uuid", identity)
    }
  }

  private func selected(_ words: String...) throws -> [Int64?] {
    try rows(try kymo(["show"] + words + ["--json"]).output)
      .map { $0["session"].integer }
  }

  @Test func `last, a number, the beginning of a uuid and a name all select`() throws {
    #expect(try selected(path) == [1, 2, 3])
    for (selector, number) in [
      ("last", 3), ("1", 1), ("2", 2), ("3", 3), ("one", 1), ("b", 3), ("BBBB", 3),
      (SelectorTests.identities[1], 2), ("aaaa0000-0000-4000-8000-000000000001", 1),
    ] as [(String, Int64)] {
      #expect(try selected("\(path)#\(selector)") == [number], "\(selector)")
      #expect(try selected(path, selector) == [number], "\(selector)")
    }
    #expect(
      try kymo("replay", path).output == (try kymo("replay", path, "last")).output)
  }

  @Test func `what fits several sessions or none is refused with those that there are`() throws {
    for (selector, listed, other) in [
      ("twin", ["#2 'twin' (aaaa0000)", "#3 'twin' (bbbb0000)"], "#1"),
      ("aaaa", ["#1 'one'", "#2 'twin'"], "#3"),
    ] {
      for words in [[path, selector], ["\(path)#\(selector)"]] {
        let run = try kymo(["list keys"] + words)
        #expect(run.code == 2)
        #expect(run.output == "")
        for label in listed { #expect(run.errors.contains(label), "\(run.errors)") }
        #expect(!run.errors.contains(other))
      }
    }
    for selector in ["0", "4", "-1", "nobody", "cccc", ""] {
      let run = try kymo("list keys", "\(path)#\(selector)")
      #expect(run.code == 2, "\(selector)")
      #expect(run.errors.contains("#1 'one'"), "\(selector): \(run.errors)")
    }
    #expect(try kymo("list keys", "\(path)#1", "2").code == 2)
  }

  @Test func `a file whose own name has a mark in it is taken as it is`() throws {
    try place.record(
      Scenarios.script, into: "odd#1.kymo", "--name", "only", "--uuid",
      "22220000-0000-4000-8000-000000000001")
    let odd = place.path("odd#1.kymo")
    #expect(try answers("list sessions", odd).count == 1)
    for words in [[odd], [odd, "only"], ["\(odd)#only"], ["\(odd)#1"], ["\(odd)#last"]] {
      #expect(try kymo(["list keys"] + words).code == 0, "\(words)")
      #expect(try kymo(["compare", words[0], odd]).code == 0, "\(words)")
    }
    // A number is a position, though the uuid begins so; eight digits of a uuid are a uuid.
    #expect(try kymo("list keys", "\(odd)#2").code == 2)
    #expect(try kymo("list keys", "\(odd)#22220000").code == 0)
  }

  @Test func `every command that reads a session takes a selector`() throws {
    for verb in ["show", "list keys", "list events", "list touches", "replay", "velocity"] {
      #expect(try kymo(verb, "\(path)#1").code == 0, "\(verb)")
      #expect(try kymo(verb, path, "1").code == 0, "\(verb)")
      #expect(try kymo(verb, "\(path)#9").code == 2, "\(verb)")
    }
    #expect(try kymo("compare", "\(path)#1", "\(path)#3").code == 0)
  }
}
