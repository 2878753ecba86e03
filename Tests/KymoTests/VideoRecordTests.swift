import Foundation
import JSONText
import TestSupport
import Testing

/// `kymo record --video`, with a stand-in for the decoder.
@Suite struct VideoRecordTests {
  let place: Workplace
  private static let decoder = fixture("programs/decoder")
  private static let identity = [
    "--uuid", "123e4567-e89b-42d3-a456-426614174000", "--wall-clock", "2026-01-31T12:00:00Z",
  ]

  init() throws { place = try Workplace() }

  private func record(
    _ clip: String, _ tracks: [String], into name: String = "clip.kymo", _ more: String...
  ) throws -> ProgramRun {
    let words = ["record", "--video", clip, "--decoder", Self.decoder, "--into", place.path(name)]
    return try kymo(words + tracks.flatMap { ["--track", $0] } + more)
  }

  /// The poses of an element by the time of their frame, in nanoseconds.
  private func poses(_ id: String, _ name: String = "clip.kymo") throws -> [Int: [Double]] {
    var found: [Int: [Double]] = [:]
    for row in try answers("replay", place.path(name), "--items", id) {
      guard let time = row["t_ns"].number, let frame = row["frame"].numbers else { continue }
      found[Int(time)] = frame
    }
    return found
  }

  private func events(_ kind: String, _ name: String = "clip.kymo") throws -> [Row] {
    try answers("list", "events", place.path(name)).filter { $0["event"].text == kind }
  }

  // MARK: Positions

  @Test func `positions are those of the element, each at its own time`() throws {
    let drawn = DrawnVideo.spring()
    let clip = try drawn.write("clip.mp4", in: place)
    let run = try record(clip, ["sheet=\(drawn.outline())"])
    #expect(run.code == 0, "\(run.errors)")
    let poses = try poses("sheet")
    #expect(poses.count == 40)
    for (number, picture) in drawn.pictures.enumerated() {
      let time = Int((Double(number) * 1e9 / 60).rounded())
      let frame = try #require(poses[time])
      #expect(abs(frame[0] + frame[2] / 2 - picture.x) < 0.1, "\(number)")
      #expect(abs(frame[1] + frame[3] / 2 - picture.y) < 0.1, "\(number)")
    }
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "clip.mp4: 120x160, 40 pictures in 0.650 s, 60 a second in motion (ticks of 1/90000 s)")
    #expect(lines.last?.hasPrefix("sheet: 40 of 40 frames, moves; 90 % of the positions") == true)
  }

  @Test func `the session keeps the clip, its errors and its rate`() throws {
    let drawn = DrawnVideo.spring()
    _ = try record(try drawn.write("clip.mp4", in: place), ["sheet=\(drawn.outline())"])
    let session = try #require(try answers("list", "sessions", place.path("clip.kymo")).first)
    #expect(session["refresh_rate"].number == 60)
    #expect(session["clock"].text == "video, ticks of 1/90000 s")
    #expect(session["software"].text == "kymo record --video")
    let keys = try answers("list", "keys", place.path("clip.kymo"))
    #expect(
      Set(keys.compactMap { $0["key"].text })
        == ["item.sheet.error_x", "item.sheet.error_y", "item.sheet.match", "item.sheet.seen"])
    #expect(keys.allSatisfy { $0["samples"].number == 40 })
    let event = try #require(try events("video").first)
    #expect(event["file"].text == "clip.mp4")
    #expect(event["codec"].text == "drawn")
    #expect(event["time_base"].text == "1/90000")
    #expect(event["pictures"].number == 40)
    #expect(event["sha256"].text?.count == 64)
  }

  @Test func `the same clip gives the same bytes`() throws {
    let drawn = DrawnVideo.spring(20)
    let clip = try drawn.write("clip.mp4", in: place)
    for name in ["a.kymo", "b.kymo"] {
      let words = ["record", "--video", clip, "--decoder", Self.decoder]
      let run = try kymo(
        words + ["--track", "a=\(drawn.outline())", "--into", place.path(name)] + Self.identity)
      #expect(run.code == 0, "\(run.errors)")
    }
    #expect(try place.bytes("a.kymo") == place.bytes("b.kymo"))
  }

  @Test func `an element that is marked in the last picture, or at a time, is followed back`()
    throws
  {
    let drawn = DrawnVideo.spring(30)
    let clip = try drawn.write("clip.mp4", in: place)
    let run = try record(
      clip, ["last=\(drawn.outline(in: 29))@end", "middle=\(drawn.outline(in: 12))@200ms"])
    #expect(run.code == 0, "\(run.errors)")
    for name in ["last", "middle"] {
      let poses = try poses(name)
      #expect(poses.count == 30)
      for (number, picture) in drawn.pictures.enumerated() {
        let time = Int((Double(number) * 1e9 / 60).rounded())
        let frame = try #require(poses[time])
        #expect(abs(frame[1] + frame[3] / 2 - picture.y) < 0.15, "\(name) \(number)")
      }
    }
    #expect(try place.names().filter { $0.hasPrefix("kymo-") }.isEmpty)
  }

  @Test func `with a scale lengths are points`() throws {
    let drawn = DrawnVideo.spring(12)
    _ = try record(
      try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"], "--scale", "2")
    let frame = try #require(try poses("a")[0])
    #expect(abs(frame[2] - 20) < 0.01)
    #expect(abs(frame[1] + frame[3] / 2 - 60.2) < 0.01)
    let session = try #require(try answers("list", "sessions", place.path("clip.kymo")).first)
    #expect(session["viewport"].numbers == [60, 80])
  }

  @Test func `only a stretch is recorded`() throws {
    let drawn = DrawnVideo.spring(30)
    let clip = try drawn.write("clip.mp4", in: place)
    let run = try record(
      clip, ["a=\(drawn.outline(in: 6))"], into: "clip.kymo", "--from", "0.1", "--to", "0.3")
    #expect(run.code == 0, "\(run.errors)")
    let poses = try poses("a")
    #expect(poses.keys.min() == 0)
    #expect(poses.keys.max() == 200_000_000)
    #expect(poses.count == 13)
    // A time that was rounded is still that of its picture.
    let rounded = try record(
      clip, ["a=\(drawn.outline(in: 7))@0.1167"], into: "r.kymo", "--from", "0.1167", "--to",
      "0.2333")
    #expect(rounded.code == 0, "\(rounded.errors)")
    #expect(try self.poses("a", "r.kymo").count == 8)
    let none = try record(clip, ["a=\(drawn.outline())"], into: "n.kymo", "--from", "9")
    #expect(none.code == 2)
    #expect(none.errors.contains("no picture in this stretch"))
  }

  @Test func `the tracks of a session are taken to another clip`() throws {
    let drawn = DrawnVideo.spring(20)
    let clip = try drawn.write("clip.mp4", in: place)
    _ = try record(
      clip, ["a=\(drawn.outline())", "b=\(drawn.outline(in: 19))@end"], into: "old.kymo",
      "--scale", "2")
    let again = try kymo(
      "record", "--video", clip, "--decoder", Self.decoder, "--again", place.path("old.kymo"),
      "--into", place.path("new.kymo"))
    #expect(again.code == 0, "\(again.errors)")
    for name in ["a", "b"] { #expect(try poses(name, "new.kymo") == poses(name, "old.kymo")) }
    let other = try place.record(Scenarios.script, into: "other.kymo")
    let wrong = try kymo(
      "record", "--video", clip, "--decoder", Self.decoder, "--again", other, "--into",
      place.path("c.kymo"))
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("has no tracks of a clip"))
  }

  // MARK: What cannot be seen

  @Test func `a lost stretch is a gap with events, and not a pose`() throws {
    var drawn = DrawnVideo.spring(30)
    for number in 20..<25 { drawn.pictures[number].opacity = 0 }
    let run = try record(try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"])
    #expect(run.code == 3)
    #expect(run.output.contains("a: 25 of 30 frames"))
    #expect(run.output.contains("a: lost from 0.333 s to 0.417 s: "))
    #expect(try poses("a").count == 25)
    let lost = try #require(try events("video.lost").first)
    #expect(lost["t_ns"].number == 333_333_333)
    #expect(lost["item"].text == "a")
    #expect(try events("video.found").map { $0["t_ns"].number } == [416_666_667])
  }

  @Test func `a picture that repeats in motion is said, and its time counts`() throws {
    var drawn = DrawnVideo(pictures: [])
    for number in 0..<24 {
      let shown = number == 12 ? 11 : number
      drawn.pictures.append(
        .init(
          ticks: 1500 * number, x: 60, y: 130 - 4 * Double(shown), page: 0.2 * Double(shown)))
    }
    let run = try record(try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"])
    #expect(run.output.contains(", 1 repeated"))
    let repeated = try events("video.repeated")
    #expect(repeated.map { $0["t_ns"].number } == [200_000_000])
    #expect(repeated.first?["pictures"].number == 1)
    let frames = try answers("replay", place.path("clip.kymo"))
    #expect(frames.filter { $0["unread"] == .bool(true) }.count <= 1)
  }

  @Test func `an element that stands while the page goes on is held`() throws {
    var drawn = DrawnVideo(pictures: [])
    for number in 0..<24 {
      let shown = number == 12 ? 11 : number
      drawn.pictures.append(
        .init(
          ticks: 1500 * number, x: 60, y: 130 - 4 * Double(shown), page: 0.2 * Double(number)))
    }
    _ = try record(try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"])
    #expect(try events("video.held").map { $0["item"].text } == ["a"])
    #expect(try events("video.repeated").isEmpty)
  }

  @Test func `a slow clip says which springs it cannot show`() throws {
    var drawn = DrawnVideo.spring(16)
    for number in drawn.pictures.indices { drawn.pictures[number].ticks = 7500 * number }
    let run = try record(try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"])
    let first = run.output.split(separator: "\n").first.map(String.init) ?? ""
    #expect(first.contains("12 a second in motion"))
    #expect(first.hasSuffix("Springs above a stiffness of 89 cannot be told"))
  }

  @Test func `few positions are recorded, and too few for a fit`() throws {
    let drawn = DrawnVideo.spring(5)
    let run = try record(try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"])
    #expect(run.code == 3)
    #expect(run.output.contains("a: 5 positions are too few for a fit"))
  }

  @Test func `a file that ends early is recorded up to there`() throws {
    let drawn = DrawnVideo.spring(20)
    let run = try record(
      try drawn.write("clip.mp4", in: place, then: "kill -9 $$"), ["a=\(drawn.outline())"])
    #expect(run.code == 3)
    #expect(run.output.contains("the file ends early: 20 pictures of about 60"))
    #expect(try poses("a").count == 20)
  }

  @Test func `a picture of another size ends the recording`() throws {
    let drawn = DrawnVideo.spring(20)
    let run = try record(
      try drawn.write(
        "clip.mp4", in: place, then: "of 'n: 0 pts: 99000 s:40x20'; head -c 800 /dev/zero"),
      ["a=\(drawn.outline())"])
    #expect(run.code == 3)
    #expect(run.output.contains("the picture becomes 40x20 after 20 pictures"))
  }

  // MARK: A finger

  @Test func `a finger is touches, with the earliest and the latest lift`() throws {
    var drawn = DrawnVideo(pictures: [])
    for number in 0..<20 {
      drawn.pictures.append(
        .init(
          ticks: 1500 * number, x: 60, y: 120 - 3 * Double(min(number, 14)),
          opacity: number < 15 ? 1 : 0))
    }
    _ = try record(try drawn.write("clip.mp4", in: place), ["finger=\(drawn.outline())"])
    let touches = try answers("list", "touches", place.path("clip.kymo"))
    #expect(
      touches.compactMap { $0["phase"].text }
        == ["began"] + Array(repeating: "moved", count: 14) + ["ended"])
    #expect(touches.last?["t_ns"].number == 250_000_000)
    let lift = try #require(try events("video.lift").first)
    #expect(lift["contact"].number == 0)
    #expect(lift["earliest_ns"].number == 233_333_333)
    #expect(lift["latest_ns"].number == 250_000_000)
    let session = try #require(try answers("list", "sessions", place.path("clip.kymo")).first)
    #expect(session["items"].number ?? 0 == 0)
  }

  @Test func `a finger that is down at the end has no lift`() throws {
    let drawn = DrawnVideo.spring(20)
    _ = try record(try drawn.write("clip.mp4", in: place), ["finger=\(drawn.outline())"])
    let touches = try answers("list", "touches", place.path("clip.kymo"))
    #expect(touches.last?["phase"].text == "moved")
    #expect(try events("video.lift").isEmpty)
  }

  @Test(arguments: [true, false])
  func `where a finger was marked is left out with the touches`(isLeftOut: Bool) throws {
    let drawn = DrawnVideo.spring(20)
    let clip = try drawn.write("clip.mp4", in: place)
    let tracks = ["finger=\(drawn.outline())", "card=\(drawn.outline())"]
    let run = try record(clip, tracks, into: "clip.kymo", isLeftOut ? "--no-touches" : "--json")
    #expect(run.code == 0, "\(run.errors)")
    let event = try #require(try events("video").first)
    #expect(event["tracks"].array.count == 1)
    #expect(event["finger_tracks"].array.count == 1)
    let finger = event["finger_tracks"].array.first
    #expect((finger?["left"].number == nil) == isLeftOut)
    #expect((finger?["top"].number == nil) == isLeftOut)
    let again = try kymo(
      "record", "--video", clip, "--decoder", Self.decoder, "--again", place.path("clip.kymo"),
      "--into",
      place.path("again.kymo"))
    #expect(again.code == 0, "\(again.errors)")
    #expect(try answers("list", "touches", place.path("again.kymo")).isEmpty == isLeftOut)
  }

  // MARK: Words

  @Test func `JSON has the same with all numbers`() throws {
    let drawn = DrawnVideo.spring(20)
    let run = try record(
      try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"], into: "clip.kymo", "--json")
    let row = try #require(try rows(run.output).first)
    #expect(row["frames"].number == 20)
    #expect(row["video"]["width"].number == 120)
    #expect(row["video"]["pictures_hz"].number == 60)
    guard case .array(let tracks) = row["tracks"], let track = tracks.first else {
      Issue.record("\(run.output)")
      return
    }
    #expect(track["name"].text == "a")
    #expect(track["found"].number == 20)
    #expect(track["moves"] == .bool(true))
    #expect((track["half_width"].number ?? 1) < 0.2)
  }

  @Test(arguments: [
    (["a=0,0,4x40"], 2, "a: 0,0,4x40 is smaller than 8x8"),
    (["a=500,10,80x40"], 2, "a: 500,10,80x40 is outside of the picture, 120x160"),
    (["a=0,0,120x160"], 2, "a: 0,0,120x160 is more than 90 % of the picture, 120x160"),
    (["a=10,10,40"], 2, "--track must be NAME=X,Y,WxH"),
    (["10,10,40x40"], 2, "--track must be NAME=X,Y,WxH"),
    (["a=10,10,40x40@soon"], 2, "--track must be NAME=X,Y,WxH"),
    (["a\nb=10,10,40x40"], 2, "a name cannot have control characters"),
    (["a=40,100,40x32", "a=40,100,40x32"], 2, "the name a is given twice"),
    (["a=40,100,40x32@9"], 2, "a: @9 is after the last picture, at 0.150 s"),
    ((1...17).map { "t\($0)=40,100,40x32" }, 2, "17 tracks are more than 16, the limit"),
    ([], 2, "missing --track"),
  ])
  func `a mark that cannot be followed is one sentence`(
    tracks: [String], code: Int32, part: String
  ) throws {
    let clip = try DrawnVideo.spring(10).write("clip.mp4", in: place)
    let run = try record(clip, tracks)
    #expect(run.code == code)
    #expect(run.errors.contains(part), "\(run.errors)")
    #expect(!(try place.names().contains("clip.kymo")))
  }

  @Test func `a rectangle of one colour is refused`() throws {
    var drawn = DrawnVideo.spring(10)
    for number in drawn.pictures.indices { drawn.pictures[number].opacity = 0 }
    let raw = place.path("flat.raw")
    try Data(repeating: 90, count: 120 * 160).write(to: URL(fileURLWithPath: raw))
    let clip = try drawn.write("clip.mp4", in: place)
    try Data(repeating: 90, count: 120 * 160 * 10).write(
      to: URL(fileURLWithPath: place.path("clip.mp4.raw")))
    let run = try record(clip, ["a=40,40,40x40"])
    #expect(run.code == 1)
    #expect(
      run.errors.contains(
        "a: the rectangle has one colour; nothing can be followed. Include an edge"))
  }

  @Test func `a clip beyond the limit of time names the remedy`() throws {
    var drawn = DrawnVideo.spring(3)
    drawn.pictures[2].ticks = 601 * 90_000
    let run = try record(try drawn.write("clip.mp4", in: place), ["a=\(drawn.outline())"])
    #expect(run.code == 2)
    #expect(run.errors.contains("is longer than 10 min, the limit"))
    #expect(run.errors.contains("--from and --to"))
  }

  @Test func `without a decoder the sentence says how to get one`() throws {
    let clip = try place.file("clip.mp4", "x")
    let run = try kymo(
      ["record", "--video", clip, "--track", "a=1,1,20x20", "--into", place.path("a.kymo")],
      environment: ["PATH": place.folder.url.path, "KYMO_FFMPEG": ""])
    #expect(run.code == 4)
    #expect(
      run.errors
        == "kymo record: no ffmpeg was found. Install it (apt install ffmpeg), or name it with --decoder or KYMO_FFMPEG\n"
    )
  }

  @Test func `a name with control characters is quoted`() throws {
    let clip = try place.file("a\nb\u{1b}[31m.mp4", "echo '[error] no pictures' >&2; exit 1")
    let run = try record(clip, ["a=1,1,20x20"])
    #expect(run.code == 4)
    #expect(
      run.errors
        == "kymo record: \"a b_[31m.mp4\": ffmpeg finds no pictures in it: no pictures\n")
  }

  @Test func `names, the file and its digest are hashed on request`() throws {
    let drawn = DrawnVideo.spring(10)
    let run = try record(
      try drawn.write("secret.mp4", in: place), ["private=\(drawn.outline())"], into: "clip.kymo",
      "--hash-items", "--salt", "s")
    #expect(run.code == 0, "\(run.errors)")
    let text = String(decoding: try place.bytes("clip.kymo"), as: UTF8.self)
    #expect(!text.contains("secret"))
    #expect(!text.contains("private"))
    let event = try #require(try events("video").first)
    #expect(event["sha256"].text?.count == 16)
    #expect(event["pictures"].number == 10)
    let keys = try answers("list", "keys", place.path("clip.kymo")).compactMap { $0["key"].text }
    #expect(keys.filter { $0.hasSuffix(".error_x") }.count == 1)
  }
}
