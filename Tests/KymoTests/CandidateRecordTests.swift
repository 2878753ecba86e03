import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel

/// `kymo record --candidates`, and tracks by number, with a stand-in for the decoder.
@Suite struct CandidateRecordTests {
  let place: Workplace
  private static let decoder = fixture("programs/decoder")

  init() throws { place = try Workplace() }

  private func candidates(_ clip: String, _ words: String...) throws -> ProgramRun {
    try kymo(
      [
        "record", "--video", clip, "--decoder", Self.decoder, "--candidates",
        place.path("clip.png"),
      ]
        + words)
  }

  private func record(_ clip: String, _ track: String) throws -> ProgramRun {
    try kymo([
      "record", "--video", clip, "--decoder", Self.decoder, "--track", track, "--into",
      place.path("clip.kymo"),
    ])
  }

  private func rows(_ run: ProgramRun) throws -> [JSONValue] {
    try parseJSON(Array(run.output.utf8)).array
  }

  @Test func `an element that moves is a row, with its outline for a track`() throws {
    let clip = try DrawnVideo.spring().write("clip.mp4", in: place)
    let run = try candidates(clip, "--json")
    #expect(run.code == 0, "\(run.errors)")
    let rows = try rows(run)
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row["number"].integer == 1)
    #expect(abs((row["x"].number ?? 0) - 40.3) < 3)
    #expect(abs((row["y"].number ?? 0) - 104.4) < 3)
    #expect(abs((row["width"].number ?? 0) - 40) < 4)
    #expect(abs((row["height"].number ?? 0) - 32) < 4)
    #expect(row["does"].text?.hasSuffix("px up") == true)
    #expect(abs((row["begins_s"].number ?? 0) - 0.133) < 0.05)
    let track = try #require(row["track"].text)
    #expect(try record(clip, "sheet=\(track)").code == 0)
  }

  @Test func `the picture is a PNG as large as the clip`() throws {
    let clip = try DrawnVideo.spring().write("clip.mp4", in: place)
    #expect(try candidates(clip).code == 0)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: place.path("clip.png"))))
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(bytes[16..<24] == [0, 0, 0, 120, 0, 0, 0, 160])
    // A picture that is there stays.
    #expect(try candidates(clip).code == 2)
    #expect(try candidates(clip, "--force").code == 0)
  }

  @Test func `a picture of another kind is refused before the clip is read`() throws {
    for name in ["clip.jpg", "clip", "clip.png.txt"] {
      let run = try kymo(
        "record", "--video", place.path("none.mp4"), "--decoder", Self.decoder, "--candidates",
        place.path(name))
      #expect(run.code == 2)
      #expect(run.errors.contains("--candidates writes a PNG. Name it OUT.png"))
      #expect(!FileManager.default.fileExists(atPath: place.path(name)))
    }
  }

  @Test func `another picture is shown with --at`() throws {
    let clip = try DrawnVideo.spring().write("clip.mp4", in: place)
    let row = try #require(try rows(try candidates(clip, "--at", "end", "--json")).first)
    #expect(row["track"].text?.hasSuffix("@end") == true)
    #expect(abs((row["y"].number ?? 0) - 34.4) < 3)
    #expect(try candidates(clip, "--at", "later", "--force").code == 2)
  }

  @Test func `a track takes the outline of a number`() throws {
    let clip = try DrawnVideo.spring().write("clip.mp4", in: place)
    let run = try record(clip, "sheet=#1")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("sheet: 40 of 40 frames, moves"))
    let missing = try record(clip, "sheet=#7")
    #expect(missing.code == 2)
    #expect(missing.errors.contains("there is no candidate #7, only 1"))
  }

  @Test func `a clip in which nothing changes has a picture and no rows`() throws {
    let still = DrawnVideo(pictures: (0..<5).map { .init(ticks: 1500 * $0, x: 60, y: 60) })
    let run = try candidates(try still.write("clip.mp4", in: place))
    #expect(run.code == 0)
    #expect(run.output.contains("Nothing changes"))
    #expect(FileManager.default.fileExists(atPath: place.path("clip.png")))
  }

  @Test func `an agent gets the picture, or a recording beside the clip`() throws {
    let clip = try DrawnVideo.spring().write("clip.mp4", in: place)
    func call(_ more: String) throws -> JSONValue {
      let line = AgentServerTests.request(
        "tools/call",
        #"{"name": "video", "arguments": {"file": \#(FieldValue.text(clip).json)\#(more)}}"#)
      let run = try kymo(
        ["mcp", "--any-path"], input: Data(line.utf8), environment: ["KYMO_FFMPEG": Self.decoder])
      return try parseJSON(Array(run.output.utf8))["result"]
    }
    let picture = try call(#", "candidates": true"#)["content"].array
    #expect(picture.first?["type"].text == "image")
    #expect(picture.first?["mimeType"].text == "image/png")
    #expect(picture.first?["data"].text?.hasPrefix("iVBORw0KGgo") == true)
    #expect(picture.last?["text"].text?.contains("px up") == true)
    let recorded = try call(#", "track": ["sheet=#1"]"#)
    #expect(recorded["structuredContent"]["exit_code"].integer == 0)
    #expect(FileManager.default.fileExists(atPath: place.path("clip.kymo")))
    #expect(try call("")["structuredContent"]["exit_code"].integer == 2)
  }
}
