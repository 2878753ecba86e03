import Foundation
import JSONText
import TestSupport
import Testing

/// The gallery's files: one scenario for each example of the texts.
enum Gallery {
  /// What is in the folder.
  static let files: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: fixture("gallery")).sorted()) ?? []

  /// The scenarios, without `.json`.
  static let examples = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }

  /// The words that record an example; touches lie beside it under its own name.
  static func words(_ example: String, into path: String) -> [String] {
    var words = ["record", "--scenario", fixture("gallery/\(example).json"), "--into", path]
    if files.contains("\(example).csv") {
      words += ["--gesture", fixture("gallery/\(example).csv")]
    }
    return words
  }
}

/// A recorded example, and questions to it as a person asks them.
struct Exhibit {
  let place: Workplace
  let path: String
  /// Its last second: what is asked about later is how it ends.
  private let end: Double

  init(_ example: String) throws {
    place = try Workplace()
    path = place.path("gallery.kymo")
    let run = try kymo(Gallery.words(example, into: path) + ["--strict"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors == "")
    end = try #require(try answers("list sessions", path).first?["duration_s"].number)
  }

  private func within(_ time: String) -> String { Double(time).map { "\(min($0, end))" } ?? time }

  func items(at time: String) throws -> [Row] {
    try answers("replay", path, "--items", "--at", within(time))
  }

  func item(_ id: String, at time: String) throws -> Row {
    try #require(try answers("replay", path, "--items", id, "--at", within(time)).first)
  }

  /// The frame's own row at a time.
  func frame(at time: String) throws -> Row {
    try #require(try answers("replay", path, "--at", within(time)).first)
  }

  /// The names of the events, in order, without the marks.
  func events() throws -> [String] {
    try answers("list events", path).compactMap { $0["event"].text }.filter { $0 != "mark" }
  }

  func events(_ kind: String) throws -> [Row] { try answers("list events", path, "--event", kind) }
}

/// What holds for every file of the gallery.
@Suite struct GalleryTests {
  @Test func `every file is an example, its touches, or the table, which names each of them`()
    throws
  {
    #expect(Gallery.examples.count >= 19)
    let table = try String(contentsOfFile: fixture("gallery/README.md"), encoding: .utf8)
    for file in Gallery.files where file != "README.md" {
      let name = try #require(file.lastIndex(of: ".")).utf16Offset(in: file)
      #expect(Gallery.examples.contains(String(file.prefix(name))), "\(file)")
      if file.hasSuffix(".json") { #expect(table.contains("| `\(file)` |"), "\(file)") }
    }
    let named = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(named.sorted() == Gallery.files.filter { $0.hasSuffix(".json") })
  }

  @Test(arguments: Gallery.examples)
  func `an example says what one sees, and runs without a refusal`(example: String) throws {
    let file = fixture("gallery/\(example).json")
    #expect(try kymo("scenario", "check", file).code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).count < 2000)
    let exhibit = try Exhibit(example)
    #expect(try answers("list sessions", exhibit.path)[0]["name"].text?.isEmpty == false)
    let events = try answers("list events", exhibit.path).compactMap { $0["event"].text }
    #expect(events.contains("mark"))
    #expect(!events.contains("error"))
  }

  @Test(arguments: Gallery.examples)
  func `every number of an example is there and finite`(example: String) throws {
    let exhibit = try Exhibit(example)
    func expectFinite(_ value: JSONValue, _ counts: Set<Int>, _ name: String) {
      let numbers = value.numbers ?? value.number.map { [$0] } ?? []
      #expect(counts.contains(numbers.count), "\(name)")
      #expect(numbers.allSatisfy { $0.isFinite }, "\(name)")
    }
    let frames = try answers("replay", exhibit.path)
    #expect(frames.count > 20)
    for row in frames {
      for name in ["content_offset", "content_size"] { expectFinite(row[name], [2], name) }
    }
    let items = try answers("replay", exhibit.path, "--items", "--every", "0.03")
    #expect(Set(items.map { $0["t_ns"] }).count > frames.count / 5)
    for row in items {
      for (name, counts) in [
        ("frame", [4]), ("center", [2]), ("size", [2]), ("alpha", [1]), ("z_index", [1]),
        ("transform", [6, 16]),
      ] { expectFinite(row[name], Set(counts), name) }
    }
    for row in try answers("replay", exhibit.path, "--keys") {
      expectFinite(row["value"], [1], "value")
    }
  }

  @Test(arguments: Gallery.examples)
  func `an example recorded twice gives the same bytes`(example: String) throws {
    let place = try Workplace()
    for name in ["a.kymo", "b.kymo"] {
      let run = try kymo(
        Gallery.words(example, into: place.path(name)) + SameRecordingTests.identity)
      #expect(run.code == 0, "\(run.errors)")
    }
    #expect(try place.bytes("a.kymo") == place.bytes("b.kymo"))
  }
}
