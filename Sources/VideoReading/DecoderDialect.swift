/// The words for a version of `ffmpeg`.
struct DecoderDialect {
  /// How pictures keep their own times.
  private let passthrough: [String]
  /// The filter that lists each picture.
  private let listing: String

  /// From 5.1 on, and before.
  static let all = [
    DecoderDialect(passthrough: ["-fps_mode", "passthrough"], listing: "showinfo=checksum=0"),
    DecoderDialect(passthrough: ["-vsync", "passthrough"], listing: "showinfo"),
  ]

  /// Kinds of files that contain pictures with their times. Lists of other files, devices and streams without times are not
  /// among them.
  private static let formats = [
    "mov", "matroska", "webm", "gif", "apng", "avi", "flv", "mpegts", "mpeg", "ogg", "nut", "asf",
    "ivf", "yuv4mpegpipe", "mxf", "wtv", "rm", "dv",
  ]

  /// Whether an error says that a word is not known.
  static func isUnknownOption(_ error: String) -> Bool {
    ["Unrecognized option", "Option not found", "Error splitting the argument list"].contains {
      error.contains($0)
    }
  }

  func arguments(file: String, _ form: PictureForm) -> [String] {
    var words = [
      "-nostdin", "-nostats", "-loglevel", "repeat+level+info", "-protocol_whitelist", "file,pipe",
      "-format_whitelist", Self.formats.joined(separator: ","), "-i", file, "-map", "0:V:0",
    ]
    switch form {
    case .grey: words += ["-vf", listing] + passthrough + ["-f", "rawvideo", "-pix_fmt", "gray"]
    case .rgb: words += ["-vf", listing] + passthrough + ["-f", "rawvideo", "-pix_fmt", "rgb24"]
    case .jpeg(let width):
      words += ["-vf", "\(listing),scale='min(\(width),iw)':-2"] + passthrough
      words += ["-f", "mpjpeg", "-c:v", "mjpeg", "-q:v", "5", "-pix_fmt", "yuvj420p"]
    }
    return words + ["pipe:1"]
  }
}
