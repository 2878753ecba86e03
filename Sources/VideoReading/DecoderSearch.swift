import ProcessSpawning

/// Finds `ffmpeg`, which is a program of the system. Nothing is ever downloaded.
package struct DecoderSearch {
  /// The value of an environment variable. `nil` if it is not set.
  private let variable: (String) -> String?

  package init(variable: @escaping (String) -> String?) { self.variable = variable }

  private var search: ProgramSearch { ProgramSearch(variable: variable) }

  package static let variableName = "KYMO_FFMPEG"

  /// The path of a decoder: one that is named, before `KYMO_FFMPEG`, before the first in the search path.
  ///
  /// - Throws: ``VideoError``: there is none, or one is named and is not there.
  package func path(named name: String?) throws(VideoError) -> String {
    if let name = name ?? variable(Self.variableName), !name.isEmpty {
      guard let path = search.find(name) else {
        throw VideoError(
          .noDecoder,
          "no decoder: \(name) is not a program that can be run. Name one with --decoder")
      }
      return path
    }
    guard let path = search.find("ffmpeg") else {
      throw VideoError(
        .noDecoder,
        "no ffmpeg was found. Install it (apt install ffmpeg), or name it with --decoder or "
          + Self.variableName)
    }
    return path
  }
}
