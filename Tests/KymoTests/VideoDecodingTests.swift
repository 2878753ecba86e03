import Foundation
import TestSupport
import Testing

/// ffmpeg of this machine, for tests that need it.
enum DecoderOnMachine {
  static let isThere = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }
}

/// `kymo record --video` of real files, and of what is none, with ffmpeg.
@Suite(.enabled(if: DecoderOnMachine.isThere, "this machine has no ffmpeg"))
struct VideoDecodingTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func record(_ clip: String, _ track: String = "a=10,10,40x40") throws -> ProgramRun {
    try kymo("record", "--video", clip, "--track", track, "--into", place.path("clip.kymo"))
  }

  @Test func `a real file gives the positions`() throws {
    let drawn = DrawnVideo.spring(30)
    let run = try record(try drawn.encode("clip.mkv", in: place), "a=\(drawn.outline())")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("clip.mkv: 120x160, 30 pictures in 0.483 s, 60 a second"))
    let rows = try answers("replay", place.path("clip.kymo"), "--items", "a")
    #expect(rows.count == 30)
    for (row, picture) in zip(rows, drawn.pictures) {
      let frame = try #require(row["frame"].numbers)
      #expect(abs(frame[1] + frame[3] / 2 - picture.y) < 0.1)
    }
  }

  @Test func `a report has the pictures of the clip, and of no other one`() throws {
    let drawn = DrawnVideo.spring(30)
    let clip = try drawn.encode("clip.mkv", in: place)
    _ = try record(clip, "a=\(drawn.outline())")
    let page = place.path("clip.html")
    func report(_ words: String...) throws -> ProgramRun {
      try kymo(["report", place.path("clip.kymo"), "-o", page, "--force"] + words)
    }
    func pictures() throws -> Int {
      try String(contentsOfFile: page, encoding: .utf8).components(separatedBy: "\"/9j/").count - 1
    }
    #expect(try report("--video", clip).code == 0)
    #expect(try pictures() == 30)
    #expect(try report().code == 0)
    #expect(try pictures() == 0)
    let plain = try Data(contentsOf: URL(fileURLWithPath: page)).count
    let small = try report("--video", clip, "--page-size", "\(plain + 20_000)")
    #expect(small.code == 3)
    #expect(small.errors.contains("pictures of the clip. Allow more with --page-size"))
    #expect(try (1..<30).contains(pictures()))
    let other = try report("--video", drawn.encode("other.mp4", in: place))
    #expect(other.code == 2)
    #expect(other.errors.contains("other.mp4 is not the clip of this recording"), "\(other.errors)")
    let two = try kymo(
      "report", place.path("clip.kymo"), place.path("clip.kymo"), "--video", clip, "-o", page)
    #expect(two.code == 2)
    #expect(try report("--decoder", "ffmpeg").code == 2)
  }

  @Test(arguments: [
    "", "some text\n", "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n",
    "ffconcat version 1.0\nfile 'http://127.0.0.1:9/a.mp4'\n",
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n",
    "RIFF\u{0}\u{0}\u{0}\u{0}AVI LIST", "GIF89a", "\u{1a}E\u{7f}\u{3f}",
    "<?xml version='1.0'?><MPD/>",
  ])
  func `what is no clip is one sentence`(content: String) throws {
    let run = try record(try place.file("clip.mp4", content))
    #expect(run.code == 4)
    #expect(run.errors.hasPrefix("kymo record: clip.mp4: ffmpeg finds no pictures in it"))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(!(try place.names().contains("clip.kymo")))
  }

  @Test func `a file that is cut anywhere gives what is there, or a sentence`() throws {
    let drawn = DrawnVideo.spring(12)
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: try drawn.encode("whole.mkv", in: place)))
    for cut in 1..<10 {
      let path = place.path("cut\(cut).mkv")
      try whole.prefix(whole.count * cut / 10).write(to: URL(fileURLWithPath: path))
      let run = try record(path, "a=\(drawn.outline())")
      #expect([2, 3, 4].contains(run.code), "\(cut): \(run.code) \(run.errors)")
    }
  }

  @Test func `a clip of one pixel has no element`() throws {
    let path = place.path("one.gif")
    let gif: [UInt8] =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    try Data(gif).write(to: URL(fileURLWithPath: path))
    let run = try record(path)
    #expect(run.code == 2)
    #expect(run.errors.contains("is outside of the picture, 1x1"), "\(run.errors)")
  }
}
