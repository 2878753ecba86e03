import KymographCLibrary
import WebRecorder

/// `kymo web-recorder`: the browser recorder as files.
func webRecorderCommand() -> Command {
  Command(
    name: "web-recorder", summary: "write the browser recorder, record.js, and a pad for gestures",
    arguments: "[--out FOLDER]", argumentCount: 0...0,
    examples: ["kymo web-recorder -o public", "kymo web-recorder"],
    discussion: """
      record.js records what a page does: pointers, elements in each frame, animations, the page's
      own values and events. record.min.js is the same, small enough for a bookmark. What
      kymo.stop() hands out is read by kymo record --from-ndjson. record.html is a pad that saves
      a gesture. Nothing of these loads anything or sends anything by itself.
      """,
    flags: [
      Flags.out.described(
        "where they are written; -o is short for it, . is the default", value: "FOLDER"),
      Flags.force.described("replace files that are there already and were not made by kymo"),
    ], run: runWeb)
}

private func runWeb(_ invocation: Invocation) throws -> ExitCode {
  let folder = invocation.text(Flags.out) ?? "."
  guard !folder.isEmpty, folder != "-" else {
    throw Failure.usage("--out wants a folder; three files do not go to standard output")
  }
  if mkdir(folder, 0o777) != 0, errno != EEXIST {
    throw Failure.unreadable("\(folder) cannot be made: \(String(cString: strerror(errno)))")
  }
  var facts = stat()
  guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
    throw Failure.unreadable("\(folder) is no folder; --out wants one, or the name of a new one")
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
