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
    try rows(try kymo(["list sessions"] + words + ["--json"]).output)
      .map { $0["session"].integer }
  }

  @Test func `last, a number, the beginning of a uuid and a name all select`() throws {
    #expect(try selected(path) == [1, 2, 3])
    for (selector, number) in [
      ("last", 3), ("1", 1), ("2", 2), ("3", 3), ("one", 1), ("b", 3), ("BBBB", 3),
      (SelectorTests.identities[1], 2), ("aaaa0000-0000-4000-8000-000000000001", 1),
    ] as [(String, Int64)] {
      #expect(try selected("\(path)#\(selector)") == [number], "\(selector)")
    }
    #expect(
      try kymo("replay", path).output == (try kymo("replay", "\(path)#last")).output)
  }

  @Test func `what fits several sessions or none is refused with those that there are`() throws {
    for (selector, listed, other) in [
      ("twin", ["#2 'twin' (aaaa0000)", "#3 'twin' (bbbb0000)"], "#1"),
      ("aaaa", ["#1 'one'", "#2 'twin'"], "#3"),
    ] {
      let run = try kymo("list keys", "\(path)#\(selector)")
      #expect(run.code == 2)
      #expect(run.output == "")
      for label in listed { #expect(run.errors.contains(label), "\(run.errors)") }
      #expect(!run.errors.contains(other))
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
    for name in [odd, "\(odd)#only", "\(odd)#1", "\(odd)#last"] {
      #expect(try kymo("list keys", name).code == 0, "\(name)")
      #expect(try kymo("compare", name, odd).code == 0, "\(name)")
    }
    // A number is a position, though the uuid begins so; eight digits of a uuid are a uuid.
    #expect(try kymo("list keys", "\(odd)#2").code == 2)
    #expect(try kymo("list keys", "\(odd)#22220000").code == 0)
  }

  @Test func `every command that reads a session takes a selector`() throws {
    for verb in [
      "show", "list sessions", "list keys", "list events", "list touches", "list transitions",
      "list decisions", "list estimates", "list labels", "list losses", "replay", "velocity",
    ] {
      #expect(try kymo(verb, "\(path)#1").code == 0, "\(verb)")
      #expect(try kymo(verb, "\(path)#9").code == 2, "\(verb)")
    }
    #expect(try kymo("compare", "\(path)#1", "\(path)#3").code == 0)
  }

  @Test func `a second word is no session, and the error says how to name one`() throws {
    for verb in ["list keys", "replay", "velocity", "file pack", "file trim"] {
      let run = try kymo(verb, path, "2", "3")
      #expect(run.code == 2, "\(verb)")
      #expect(run.output == "", "\(verb)")
      #expect(run.errors.hasPrefix("kymo \(verb): unexpected argument"), "\(run.errors)")
    }
    let run = try kymo("list keys", path, "one")
    #expect(
      run.errors == "kymo list keys: unexpected argument 'one'. Did you mean \(path)#one?\n")
  }

  @Test func `commands of whole files refuse a session`() throws {
    for verb in ["file doctor", "file migrate", "file recover"] {
      let more = verb == "file recover" ? ["--out", place.path("out.kymo")] : []
      let run = try kymo([verb, "\(path)#1"] + more)
      #expect(run.code == 2, "\(verb)")
      #expect(run.output == "", "\(verb)")
      #expect(
        run.errors
          == "kymo \(verb): FILE must be a whole file (got '\(path)#1'). Did you mean \(path)?\n")
    }
    #expect(try place.names() == ["run.kymo"])
    // A file of that very name is one.
    try place.record(Scenarios.script, into: "odd#1")
    #expect(try kymo("file doctor", place.path("odd#1")).code == 0)
  }

  @Test func `file delete without a session ends with 2, and nothing is deleted`() throws {
    let run = try kymo("file delete", path)
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(
      run.errors
        == "kymo file delete: missing session. Usage: kymo file delete \(path)#SESSION. See kymo list sessions "
        + "\(path)\n")
    #expect(try answers("list sessions", path).count == 3)
  }
}
