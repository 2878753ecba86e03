import Foundation
import TestSupport
import VideoReading

/// A clip that is a script, which a stand-in for the decoder runs: it prints what a decoder would.
struct ScriptedClip {
  /// What comes before the pictures.
  static let head = """
    say() { echo "$*" >&2; }
    of() { say "[Parsed_showinfo_0 @ 0x5581] [info] $*"; }
    picture() { of "n:   $1 pts:   $2 pts_time:0.1 pos: 48 fmt:yuv420p sar:0/1 s:${3:-4x2} i:P iskey:1 type:I"; }
    say "[info] ffmpeg version 5.1.9-test Copyright (c) some people"
    say "[info] Input #0, mov,mp4,m4a, from 'file:/dev/fd/3':"
    say "[info]   Duration: 00:00:00.10, start: 0.040000, bitrate: 352 kb/s"
    say "[info]   Stream #0:0[0x1](und): Audio: aac (LC), 44100 Hz"
    say "[info]   Stream #0:1[0x2](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 4x2 [SAR 1:1 DAR 2:1], 3 kb/s, 30 fps, 30 tbr, 90k tbn (default)"
    say "[info] Stream mapping:"
    say "[info]   Stream #0:1 -> #0:0 (h264 (native) -> rawvideo (native))"
    of "config in time_base: 1/90000, frame_rate: 30/1"

    """

  let script: String

  init(_ script: String, head: String = ScriptedClip.head) { self.script = head + script }

  /// What became of reading it.
  struct Reading {
    var pictures: [VideoPicture] = []
    var summary = VideoSummary()
    var error: VideoError?
  }

  /// Reads all of it.
  func read(
    in folder: TemporaryFolder, as form: PictureForm = .grey, patience: Duration = .seconds(10),
    isInterrupted: @escaping () -> Bool = { false }
  ) throws -> Reading {
    let path = folder.path("clip.mp4")
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    var request = VideoRequest(
      path: path, name: "clip.mp4", decoder: fixture("programs/decoder"),
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }, form: form)
    request.patience = patience
    var reading = Reading()
    do {
      let stream = try VideoStream(request, isInterrupted: isInterrupted)
      while let picture = try stream.next() { reading.pictures.append(picture) }
      reading.summary = stream.summary
    } catch {
      reading.error = error
    }
    return reading
  }
}
