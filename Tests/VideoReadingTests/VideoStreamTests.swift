import Foundation
import TestSupport
import Testing
import VideoReading

@Suite struct VideoStreamTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ script: String) throws -> ScriptedClip.Reading {
    try ScriptedClip(script).read(in: folder)
  }

  @Test func `each picture has its bytes and its own time`() throws {
    let reading = try read("picture 0 90; printf abcdefgh; picture 1 3090; printf ABCDEFGH")
    #expect(reading.error == nil)
    #expect(reading.pictures.map(\.ticks) == [90, 3090])
    #expect(reading.pictures.map(\.number) == [0, 1])
    #expect(
      reading.pictures.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "abcdefgh", "ABCDEFGH",
      ])
    #expect(reading.pictures.map { [$0.width, $0.height] } == [[4, 2], [4, 2]])
    #expect(reading.summary.timeBase?.description == "1/90000")
    #expect(reading.summary.pictureCount == 2)
    #expect(!reading.summary.endsEarly)
    #expect(reading.summary.errorCount == 0)
  }

  @Test func `what the decoder says of the file is kept`() throws {
    let facts = try read("picture 0 0; printf abcdefgh").summary.facts
    #expect(facts.decoderVersion == "5.1.9-test")
    #expect(facts.container == "mov,mp4,m4a")
    #expect(facts.codec == "h264")
    #expect(facts.pixelFormat == "yuv420p")
    #expect(facts.durationSeconds == 0.1)
    #expect(facts.startSeconds == 0.04)
    #expect(facts.rate == 30)
    #expect(facts.expectedPictures == 3)
  }

  @Test func `a decoder that is ahead waits, and nothing is lost`() throws {
    let reading = try read(
      "n=0; while [ $n -lt 300 ]; do picture $n $((n * 1500)) 512x512; head -c 262144 /dev/zero; n=$((n + 1)); done"
    )
    #expect(reading.pictures.count == 300)
    #expect(reading.pictures.last?.ticks == 448_500)
    #expect(reading.pictures.allSatisfy { $0.bytes.count == 262_144 })
  }

  @Test func `small pictures may come long after their lines`() throws {
    let reading = try read(
      "n=0; while [ $n -lt 3000 ]; do picture $n $n; n=$((n + 1)); done; head -c 24000 /dev/zero")
    #expect(reading.error == nil)
    #expect(reading.pictures.count == 3000)
  }

  @Test func `in color a picture has three bytes a pixel`() throws {
    let clip = ScriptedClip("picture 0 0 1x2; printf abcdef")
    let reading = try clip.read(in: folder, as: .rgb)
    #expect(reading.pictures.map(\.bytes) == [Array("abcdef".utf8)])
  }

  @Test func `JPEGs come whole`() throws {
    let part = "printf 'Content-type: image/jpeg\\r\\nContent-length: "
    let clip = ScriptedClip(
      "printf -- '--ff\\r\\n'; picture 0 0; \(part)3\\r\\n\\r\\nabc\\r\\n--ff\\r\\n'; "
        + "picture 1 9; \(part)5\\r\\n\\r\\ndefgh\\r\\n--ff\\r\\n'")
    let reading = try clip.read(in: folder, as: .jpeg(width: 100))
    #expect(reading.error == nil)
    #expect(
      reading.pictures.map { String(decoding: $0.bytes, as: UTF8.self) } == ["abc", "defgh"])
    #expect(reading.pictures.map(\.ticks) == [0, 9])
  }

  @Test func `a picture without a time of its own is left out and counted`() throws {
    let reading = try read(
      "picture 0 10; printf abcdefgh; picture 1 NOPTS; printf abcdefgh; picture 2 10; printf abcdefgh; "
        + "picture 3 11; printf abcdefgh")
    #expect(reading.pictures.map(\.ticks) == [10, 11])
    #expect(reading.summary.untimedCount == 2)
  }

  @Test func `a clip without times is refused`() throws {
    let error = try read("picture 0 NOPTS; printf abcdefgh").error
    #expect(error?.kind == .noPictures)
    #expect(error?.message.contains("have no times") == true)
  }

  @Test func `a picture that ends in the middle means that the file ends early`() throws {
    let reading = try read("picture 0 0; printf abcdefgh; picture 1 9; printf abc")
    #expect(reading.pictures.count == 1)
    #expect(reading.summary.endsEarly)
  }

  @Test func `a decoder that dies after some pictures ends the clip early`() throws {
    let reading = try read("picture 0 0; printf abcdefgh; kill -9 $$")
    #expect(reading.pictures.count == 1)
    #expect(reading.summary.endsEarly)
  }

  @Test func `a file that ends early is said`() throws {
    let reading = try read(
      "picture 0 0; printf abcdefgh; say '[mov @ 0x1] [error] stream 0, offset 0x13: partial file'")
    #expect(reading.summary.endsEarly)
    #expect(reading.summary.errorCount == 1)
    #expect(reading.summary.firstError == "stream 0, offset 0x13: partial file")
  }

  @Test func `another size of the picture ends the reading`() throws {
    let reading = try read(
      "picture 0 0; printf abcdefgh; picture 0 9 2x2; printf abcd; picture 1 19 2x2; printf abcd")
    #expect(reading.pictures.count == 1)
    #expect(reading.summary.otherSize == PictureSize(width: 2, height: 2))
  }

  @Test func `an older decoder gets other words`() throws {
    let reading = try read(
      "case \" $* \" in *' -fps_mode '*) say \"[fatal] Unrecognized option 'fps_mode'.\"; exit 1;; esac; "
        + "case \" $* \" in *' -vsync passthrough '*) picture 0 5; printf abcdefgh;; esac")
    #expect(reading.error == nil)
    #expect(reading.pictures.map(\.ticks) == [5])
  }

  @Test func `the decoder gets an open file, two protocols, and no list of files`() throws {
    let reading = try read("say \"[error] $*\"; exit 1")
    let words = try #require(reading.error?.message)
    #expect(words.contains("ffmpeg finds no pictures in it"))
    for part in ["-protocol_whitelist file,pipe", "-nostdin", "-format_whitelist mov,"] {
      #expect(words.contains(part), "\(words)")
    }
    #expect(!words.contains(folder.path("")))
  }

  @Test(arguments: [
    ("picture 0 0; printf abcdefghi; sleep 0.2", "more than the pictures"),
    ("picture 0 0; printf abcdefgh; picture 2 9; printf abcdefgh", "leaves out pictures"),
    ("picture 0 0 0x9; printf abcdefgh", "without a size"),
    ("picture 0 0 -4x2; printf abcdefgh", "without a size"),
    ("of 'config in time_base: 1/25, frame_rate: 1/1'", "changes the unit"),
    (
      "n=0; while [ $n -lt 99 ]; do picture $n $n 1024x1024; n=$((n + 1)); done; sleep 9",
      "do not come"
    ),
  ])
  func `a decoder that prints nonsense is one sentence`(script: String, part: String) throws {
    let error = try #require(try read(script).error)
    #expect(error.kind == .decoder)
    #expect(error.message.contains(part), "\(error.message)")
    #expect(!error.message.contains("\n"))
  }

  @Test func `a decoder that prints nothing is none`() throws {
    let error = try ScriptedClip("exit 0", head: "").read(in: folder).error
    #expect(error?.kind == .decoder)
    #expect(error?.message.contains("lists no pictures") == true)
  }

  @Test func `times need their unit`() throws {
    let clip = ScriptedClip(
      "echo '[Parsed_showinfo_0 @ 0x1] [info] n: 0 pts: 0 s:4x2' >&2; printf abcdefgh", head: "")
    #expect(try clip.read(in: folder).error?.message.contains("without their unit") == true)
  }

  @Test func `a picture above the limit is refused`() throws {
    let error = try read("picture 0 0 4097x16; head -c 65552 /dev/zero").error
    #expect(error?.kind == .limit)
    #expect(error?.message.contains("4097x16 is larger than 4096x4096") == true)
  }

  @Test func `the last error is the reason, without controls and cut`() throws {
    let reading = try read(
      "say \"[error] first\"; say \"[fatal] file:/dev/fd/3: $(printf 'a\\tb\\033[31m') $(head -c 900 /dev/zero | tr '\\0' x).\"; exit 1"
    )
    let message = try #require(reading.error?.message)
    #expect(message.hasPrefix("clip.mp4: ffmpeg finds no pictures in it: a b [31m xxx"))
    #expect(message.count < 260)
  }

  @Test func `a decoder that hangs is ended`() throws {
    let pid = folder.path("pid")
    let clip = ScriptedClip("picture 0 0; printf abcdefgh; echo $$ >\(pid); exec sleep 100")
    let reading = try clip.read(in: folder, patience: .milliseconds(400))
    #expect(reading.pictures.count == 1)
    #expect(reading.error?.message.contains("the decoder was silent for") == true)
    let number = try #require(
      pid_t(try String(contentsOfFile: pid, encoding: .utf8).dropLast()))
    #expect(kill(number, 0) != 0)
  }

  @Test func `a stream that is dropped ends the decoder`() throws {
    let pid = folder.path("pid")
    let clip = ScriptedClip(
      "echo $$ >\(pid); n=0; while true; do picture $n $n; printf abcdefgh; n=$((n + 1)); done")
    let path = folder.path("endless.mp4")
    try Data(clip.script.utf8).write(to: URL(fileURLWithPath: path))
    func readOne() throws {
      let stream = try VideoStream(
        VideoRequest(
          path: path, name: "endless.mp4", decoder: fixture("programs/decoder"),
          environment: ["PATH=/usr/bin:/bin"]))
      #expect(try stream.next()?.number == 0)
    }
    try readOne()
    let number = try #require(
      pid_t(try String(contentsOfFile: pid, encoding: .utf8).dropLast()))
    #expect(kill(number, 0) != 0)
  }

  @Test func `an interrupt ends the wait`() throws {
    let error = try ScriptedClip("sleep 100").read(in: folder, isInterrupted: { true }).error
    #expect(error?.kind == .interrupted)
  }

  @Test func `a file that is not there is said`() throws {
    let request = VideoRequest(
      path: folder.path("none.mp4"), name: "none.mp4", decoder: fixture("programs/decoder"),
      environment: [])
    #expect(throws: VideoError(.noPictures, "none.mp4 cannot be read: No such file or directory")) {
      try VideoStream(request)
    }
  }

  @Test func `a decoder that is no program is said`() throws {
    let path = folder.path("clip.mp4")
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    let request = VideoRequest(path: path, name: "clip.mp4", decoder: path, environment: [])
    let error = #expect(throws: VideoError.self) { try VideoStream(request) }
    #expect(error?.kind == .noDecoder)
  }
}

@Suite struct DecoderSearchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func install(_ name: String) -> String {
    _ = FileManager.default.createFile(
      atPath: folder.path(name), contents: nil, attributes: [.posixPermissions: 0o755])
    return folder.path(name)
  }

  private func find(_ name: String? = nil, _ variables: [String: String]) throws -> String {
    try DecoderSearch { variables[$0] }.path(named: name)
  }

  @Test func `a named decoder goes before the variable, and that before the search path`() throws {
    let (named, other, found) = (install("a"), install("b"), install("ffmpeg"))
    let variables = ["KYMO_FFMPEG": other, "PATH": "/nowhere:\(folder.url.path)"]
    #expect(try find(named, variables) == named)
    #expect(try find(nil, variables) == other)
    #expect(try find(nil, ["PATH": "/nowhere:\(folder.url.path)"]) == found)
    #expect(try find("a", ["PATH": folder.url.path]) == named)
  }

  @Test func `a decoder that is not there is said, with the next step`() throws {
    let none = #expect(throws: VideoError.self) { try find(nil, ["PATH": folder.url.path]) }
    #expect(
      none?.message
        == "no ffmpeg was found. Install it (apt install ffmpeg), or name it with --decoder or KYMO_FFMPEG"
    )
    let wrong = #expect(throws: VideoError.self) { try find(folder.url.path, [:]) }
    #expect(wrong?.message.hasSuffix("can be run. Name one with --decoder") == true)
    #expect(wrong?.kind == .noDecoder)
  }
}

@Suite struct TimeBaseTests {
  @Test(
    arguments: [
      (1, 90_000, 1, 11_111), (1, 90_000, 90_000, 1_000_000_000), (1, 3, 1, 333_333_333),
      (1, 3, 2, 666_666_667), (1, 3, -1, -333_333_333), (1001, 30_000, 7, 233_566_667),
      (1, 100, 3, 30_000_000), (1, 2_000_000_000, 1, 1), (1, 2_000_000_000, 0, 0),
    ] as [(Int64, Int64, Int64, Int64)])
  func `ticks become nanoseconds, rounded once`(
    numerator: Int64, denominator: Int64, ticks: Int64, nanoseconds: Int64
  ) throws {
    let base = try #require(TimeBase(numerator: numerator, denominator: denominator))
    #expect(base.nanoseconds(ticks) == nanoseconds)
  }

  @Test func `times beyond centuries are none`() throws {
    let base = try #require(TimeBase(numerator: 1, denominator: 1))
    #expect(base.nanoseconds(Int64.max) == nil)
    #expect(base.nanoseconds(10_000_000_000) == nil)
    #expect(TimeBase(numerator: 1, denominator: 0) == nil)
    #expect(TimeBase(numerator: -1, denominator: 5) == nil)
  }
}
