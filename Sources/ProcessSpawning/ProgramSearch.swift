import KymographCLibrary

/// Finds programs of the system as a shell does.
package struct ProgramSearch {
  /// The value of an environment variable. `nil` if it is not set.
  private let variable: (String) -> String?

  package init(variable: @escaping (String) -> String?) { self.variable = variable }

  /// The path of a program: a name with a slash as it is, another one in the search path.
  ///
  /// - Returns: nil if no such file can be run.
  package func find(_ name: String) -> String? {
    if name.contains("/") { return Self.isProgram(name) ? name : nil }
    let folders = (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first(where: Self.isProgram)
  }

  /// Whether a path is a file that can be run.
  package static func isProgram(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
