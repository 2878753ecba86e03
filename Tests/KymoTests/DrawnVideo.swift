import Foundation
import TestSupport

/// A clip whose pictures are computed: elements over a page, each where a test puts it. A stand-in for the decoder prints the
/// pictures, and ffmpeg makes a real file of them.
struct DrawnVideo {
  static let (width, height) = (120, 160)
  /// The size of an element, in pixels.
  static let element = (width: 40.0, height: 32.0)

  /// One picture: where the center of the element is, and when.
  struct Picture {
    /// From the beginning, in ticks of 1/90000 s.
    var ticks: Int
    var x: Double
    var y: Double
    /// 0: the element is not there.
    var opacity = 1.0
    /// The phase of the page, which is still as long as this is.
    var page = 0.0
  }

  var pictures: [Picture]

  /// An element that rests, goes up by a spring and rests again, 60 pictures a second.
  static func spring(_ count: Int = 40, from first: Int = 6) -> DrawnVideo {
    DrawnVideo(
      pictures: (0..<count).map { number in
        let way = spring(after: Double(number - first) / 60)
        return Picture(ticks: 1500 * number, x: 60.3, y: 120.4 - 70 * way)
      })
  }

  /// How far a critically damped spring of 400 is after some seconds, 0 to 1.
  static func spring(after seconds: Double) -> Double {
    seconds <= 0 ? 0 : 1 - (1 + 20 * seconds) * exp(-20 * seconds)
  }

  /// The outline in a picture, as the flag has it.
  func outline(in number: Int = 0) -> String {
    let picture = pictures[number]
    return "\(picture.x - Self.element.width / 2),\(picture.y - Self.element.height / 2),"
      + "\(Int(Self.element.width))x\(Int(Self.element.height))"
  }

  // MARK: Pixels

  private static func pattern(_ u: Double, _ v: Double) -> Double {
    128 + 50 * sin(u / 3.1 + 0.4) * sin(v / 3.7) + 30 * sin(u / 5 - v / 4.4)
      + 20 * sin(v / 7 + u / 9)
  }

  private static func page(_ x: Double, _ y: Double, _ phase: Double) -> Double {
    70 + 15 * sin(x / 9 + phase) * sin(y / 7 + 1) + 10 * sin((x + 2 * y) / 17 + phase)
  }

  private static func bytes(of picture: Picture) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height)
    func share(_ distance: Double, _ half: Double) -> Double {
      min(1, max(0, half + 0.5 - abs(distance)))
    }
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        var value = page(x, y, picture.page)
        let (u, v) = (x - picture.x, y - picture.y)
        let cover =
          picture.opacity * share(u, element.width / 2) * share(v, element.height / 2)
        if cover > 0 { value += cover * (pattern(u, v) - value) }
        bytes.append(UInt8(min(255, max(0, value.rounded()))))
      }
    }
    return bytes
  }

  // MARK: Files

  /// Writes a script that prints the pictures, and the pictures beside it.
  ///
  /// - Parameter more: What it does behind the last picture.
  func write(_ name: String, in place: Workplace, then more: String = "") throws -> String {
    let raw = place.path("\(name).raw")
    try Data(pictures.flatMap(Self.bytes)).write(to: URL(fileURLWithPath: raw))
    var script = """
      of() { echo "[Parsed_showinfo_0 @ 0x5581] [info] $*" >&2; }
      picture() { of "n: $1 pts: $2 pts_time:0.1 fmt:gray s:\(Self.width)x\(Self.height) i:P"
        dd if='\(raw)' bs=\(Self.width * Self.height) count=1 skip="$1" 2>/dev/null; }
      echo "[info] ffmpeg version 6.0-drawn Copyright" >&2
      echo "[info] Input #0, mov,mp4, from 'x':" >&2
      echo "[info]   Duration: 00:00:01.00, start: 0.000000, bitrate: 3 kb/s" >&2
      echo "[info]   Stream #0:0: Video: drawn, gray, \(Self.width)x\(Self.height), 60 fps, 90k tbn" >&2
      echo "[info] Stream mapping:" >&2
      of "config in time_base: 1/90000, frame_rate: 60/1"

      """
    for (number, picture) in pictures.enumerated() {
      script += "picture \(number) \(picture.ticks)\n"
    }
    return try place.file(name, script + more + "\n")
  }

  /// Makes a real file with ffmpeg, without losses and with 60 pictures a second.
  func encode(_ name: String, in place: Workplace) throws -> String {
    let raw = place.path("\(name).raw")
    try Data(pictures.flatMap(Self.bytes)).write(to: URL(fileURLWithPath: raw))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s",
      "\(Self.width)x\(Self.height)", "-r", "60", "-i", raw, "-c:v", "ffv1", place.path(name),
    ]
    try process.run()
    process.waitUntilExit()
    return place.path(name)
  }
}
