import KymographCLibrary
import WebRecorder

/// `kymo web-recorder`: the browser recorder as files.
func webRecorderCommand() -> Command {
  Command(
    name: "web-recorder", summary: "Write the browser recorder and a pad that records gestures",
    arguments: "[--out FOLDER]", argumentCount: 0...0,
    examples: ["kymo web-recorder -o public", "kymo web-recorder"],
    discussion: """
      record.js records pointers, the elements of each frame, animations, and values and events of the
      page. record.min.js is the same file minified, for a bookmark. kymo record --from-ndjson reads
      the lines that kymo.stop() returns.

      If the elements of a page have no names, load record-auto.js after record.js. With items:
      "auto" it finds the elements that move. record-auto.min.js is the same file minified.

      record.html is a pad that saves a gesture. None of the files loads or sends anything.
      """,
    flags: [
      Flags.out.described("the folder of the files", value: "FOLDER").standard(".")
        .inSection(.output),
      Flags.force.described("replace files that kymo did not make").inSection(.output),
    ], run: runWeb)
}

private func runWeb(_ invocation: Invocation) throws -> ExitCode {
  let folder = invocation.text(Flags.out) ?? "."
  guard !folder.isEmpty, folder != "-" else {
    throw Failure.usage("--out must be the name of a folder (got '\(folder)')")
  }
  if mkdir(folder, 0o777) != 0, errno != EEXIST {
    throw Failure.unreadable("\(folder) cannot be made: \(String(cString: strerror(errno)))")
  }
  var facts = stat()
  guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
    throw Failure.unreadable("--out must be a folder, or the name of a new one (got '\(folder)')")
  }
  let prefix = folder.hasSuffix("/") ? folder : folder + "/"
  // All are begun before any is finished: when one is in the way, none is written.
  let outputs = try WebFile.all.map { file in
    (file, try FileOutput(invocation, path: prefix == "./" ? file.name : prefix + file.name))
  }
  for (file, output) in outputs {
    try output.finish(with: file.bytes)
    output.announce()
  }
  return .yes
}
