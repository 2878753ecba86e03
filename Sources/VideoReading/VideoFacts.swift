/// What the decoder says of a file. Nothing in it is needed for pictures and their times.
package struct VideoFacts: Hashable, Sendable {
  /// The decoder's version, such as `5.1.6`.
  package var decoderVersion: String?
  /// The kind of file, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  package var container: String?
  /// The codec, such as `h264`.
  package var codec: String?
  /// How pixels are stored, such as `yuv420p`.
  package var pixelFormat: String?
  /// The length that the file claims, in seconds.
  package var durationSeconds: Double?
  /// The time of its first picture or sound, in seconds.
  package var startSeconds: Double?
  /// The mean rate that the file claims, in pictures a second.
  package var rate: Double?
  private var isOver = false

  /// How many pictures the file claims to have.
  package var expectedPictures: Int? {
    guard let durationSeconds, let rate else { return nil }
    let count = (durationSeconds * rate).rounded()
    return count > 0 && count < 1e9 ? Int(count) : nil
  }

  /// Takes what a line tells. Lines behind the list of streams are of other things.
  mutating func take(_ line: DecoderLine) {
    guard !isOver else { return }
    let text = line.text.drop { $0 == " " }
    if text.hasPrefix("ffmpeg version ") {
      decoderVersion = decoderVersion ?? text.split(separator: " ").dropFirst(2).first.map(cut)
    } else if text.hasPrefix("Input #0, ") {
      container = text.dropFirst(10).split(separator: " ").first.map { cut($0.drop(endsWith: ",")) }
    } else if text.hasPrefix("Duration: ") {
      let words = text.split { $0 == " " || $0 == "," }
      durationSeconds = words.dropFirst().first.flatMap(seconds)
      startSeconds = words.firstIndex(of: "start:").flatMap {
        $0 + 1 < words.count ? Double(words[$0 + 1]) : nil
      }
    } else if text.hasPrefix("Stream #0:"), codec == nil {
      take(stream: text)
    } else if text.hasPrefix("Stream mapping:") || text.hasPrefix("Output #0") {
      isOver = true
    }
  }

  private mutating func take(stream text: Substring) {
    let words = text.split(separator: " ")
    guard let kind = words.firstIndex(of: "Video:"), kind + 1 < words.count,
      !text.hasSuffix("(attached pic)")
    else { return }
    codec = cut(words[kind + 1].drop(endsWith: ","))
    let parts = words[(kind + 1)...].joined(separator: " ").split(separator: ",")
    if parts.count > 1 {
      pixelFormat = cut(parts[1].drop { $0 == " " }.prefix { $0 != "(" && $0 != " " })
    }
    rate =
      parts.lazy.compactMap { part -> Double? in
        let words = part.split(separator: " ")
        return words.count == 2 && words[1] == "fps" ? Double(words[0]) : nil
      }.first
  }

  /// `00:00:01.58` in seconds.
  private func seconds(_ text: Substring) -> Double? {
    let parts = text.split(separator: ":").map { Double($0) }
    guard parts.count == 3, let h = parts[0], let m = parts[1], let s = parts[2] else { return nil }
    return h * 3600 + m * 60 + s
  }

  /// A word of somebody else's, at most 60 letters.
  private func cut(_ text: Substring) -> String { String(text.prefix(60)) }
}

extension Substring {
  fileprivate func drop(endsWith letter: Character) -> Substring {
    last == letter ? dropLast() : self
  }
}
