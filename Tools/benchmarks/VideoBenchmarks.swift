import KymographCLibrary

/// The motion of a card in a clip of a phone's size, 1080x2400 at 60 Hz, with the decoder and without. They are measured by the
/// clock on the wall, because the decoder and the tracker have a core each.
let videoBenchmarks: [Benchmark] = [
  Benchmark(
    name: "video-decode", group: "video", unit: "picture", isOnRequest: true, isTimed: false,
    summary: "ffmpeg alone decodes the clip to grey: the part of the decoder"
  ) {
    let clip = try PhoneClip.shared()
    return clip.work(
      bar: nil, program: try PhoneClip.ffmpeg(),
      [
        "-nostdin", "-v", "error", "-i", clip.path, "-fps_mode", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "gray", "-y", "/dev/null",
      ])
  },
  Benchmark(
    name: "video-record", group: "video", unit: "picture", isOnRequest: true, isTimed: false,
    summary: "kymo record --video with one track: decoder, tracker and recording"
  ) {
    let clip = try PhoneClip.shared()
    return clip.work(
      bar: 250, program: try BuiltProgram.kymo,
      [
        "record", "--video", clip.path, "--track", "card=60,1400,960x320", "--into",
        clip.path + ".kymo",
      ])
  },
]

/// A card that a spring moves over a page, five seconds long. ffmpeg draws and encodes it.
private struct PhoneClip {
  let path: String
  private let folder: TemporaryFolder
  private static let pictures = 300

  static func ffmpeg() throws -> BuiltProgram {
    guard let program = BuiltProgram(installed: "ffmpeg") else {
      throw UsageError("ffmpeg is missing. Install it: apt install ffmpeg")
    }
    return program
  }

  private init(_ folder: TemporaryFolder) {
    (self.folder, path) = (folder, folder.path + "/phone.mp4")
  }

  static func shared() throws -> PhoneClip {
    let clip = PhoneClip(try TemporaryFolder())
    func still(_ size: String, _ luma: String) -> String {
      "color=s=\(size):r=60:d=0.01,format=gray,geq=lum='\(luma)',loop=loop=-1:size=1"
    }
    let page = still("1080x2400", "90+25*sin(X/31)*sin(Y/23)+60*lt(mod(Y,120),6)")
    let card = still(
      "960x320",
      "150+50*sin(X*X/6000+Y/19)*sin(Y*Y/1700+X/70)+40*lt(mod(X*X/900+Y*Y/300,90),9)")
    let code = try ffmpeg().run([
      "-nostdin", "-v", "error", "-f", "lavfi", "-i", page, "-f", "lavfi", "-i", card,
      "-filter_complex",
      "[0][1]overlay=x=60:y='1400-900*(1-(1+6*max(0,t-0.5))*exp(-6*max(0,t-0.5)))'", "-frames:v",
      "\(pictures)", "-pix_fmt", "yuv420p", "-b:v", "20M", clip.path,
    ]).code
    guard code == 0 else { throw UsageError("ffmpeg cannot make a clip: it exits with \(code)") }
    return clip
  }

  /// Runs a program on the clip three times: the best speed, and the largest process.
  ///
  /// - Parameter bar: The most memory of its largest process, in megabytes.
  func work(bar: Double?, program: BuiltProgram, _ arguments: [String]) -> Benchmark.Work {
    Benchmark.Work(
      run: { $0 },
      figures: {
        var (peak, rate, cpu) = (0.0, 0.0, 0.0)
        for _ in 0..<3 {
          let start = Stopwatch.read(CLOCK_MONOTONIC)
          let ended = program.run(arguments)
          let seconds = (Stopwatch.read(CLOCK_MONOTONIC) - start) / 1e9
          precondition(ended.code == 0, "\(arguments) ended with \(ended.code).")
          peak = max(peak, ended.peakBytes)
          rate = max(rate, Double(Self.pictures) / seconds)
          cpu = ended.nanoseconds / 1e6 / Double(Self.pictures)
        }
        return withExtendedLifetime(folder) {
          [
            Figure(name: "speed", value: rate, unit: "pictures a second"),
            Figure(name: "a picture", value: cpu, unit: "ms of all cores"),
            Figure(name: "largest process", value: peak / 1e6, unit: "MB", limit: bar),
          ]
        }
      })
  }
}
