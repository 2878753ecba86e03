#if os(Linux)
  import Foundation

  /// Processes of this machine, as Linux lists them in /proc.
  enum RunningProcess {
    /// Kills the processes in which the browser of a program has its pages.
    ///
    /// - Returns: Whether there was one.
    static func killRenderers(of program: Int32) -> Bool {
      let parents = Dictionary(
        uniqueKeysWithValues: (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?
          .compactMap { Int32($0) }.map { ($0, parent(of: $0)) } ?? [])
      func belongs(_ process: Int32) -> Bool {
        var (process, steps) = (process, 0)
        while process > 1, process != program, steps < 64 {
          (process, steps) = (parents[process] ?? 0, steps + 1)
        }
        return process == program
      }
      let renderers = parents.keys.filter { process in
        let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
        return words.range(of: Data("--type=renderer".utf8)) != nil && belongs(process)
      }
      for renderer in renderers { kill(renderer, SIGKILL) }
      return !renderers.isEmpty
    }

    /// The fourth field of `stat`, behind a name in parentheses; 0: it has ended.
    private static func parent(of process: Int32) -> Int32 {
      let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
    }
  }
#endif
