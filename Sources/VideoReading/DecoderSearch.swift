import KymographCLibrary

/// Finds `ffmpeg`, which is a program of the system. Nothing is ever downloaded.
package struct DecoderSearch {
  /// The value of an environment variable. `nil` if it is not set.
  private let variable: (String) -> String?

  package init(variable: @escaping (String) -> String?) { self.variable = variable }

  package static let variableName = "KYMO_FFMPEG"

  /// The path of a decoder: one that is named, before `KYMO_FFMPEG`, before the first in the search path.
  ///
  /// - Throws: ``VideoError``: there is none, or one is named and is not there.
  package func path(named name: String?) throws(VideoError) -> String {
    if let name = name ?? variable(Self.variableName), !name.isEmpty {
      guard let path = find(name) else {
        throw VideoError(
          .noDecoder,
          "no decoder: \(name) is not a program that can be run. Name one with --decoder")
      }
      return path
    }
    guard let path = find("ffmpeg") else {
      throw VideoError(
        .noDecoder,
        "no ffmpeg was found. Install it (apt install ffmpeg), or name it with --decoder or "
          + Self.variableName)
    }
    return path
  }

  /// A name with a slash as it is, another one in the search path.
  private func find(_ name: String) -> String? {
    if name.contains("/") { return Self.isProgram(name) ? name : nil }
    let folders = (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first(where: Self.isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
