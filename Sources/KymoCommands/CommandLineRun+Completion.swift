import KymographCLibrary
import TimelineRendering

extension CommandLineRun {
  /// Prints the words that may stand at the end of a command line: a word on a line, with a tab and its meaning.
  /// A last line `:files` or `:folders` asks the shell to add those.
  func writeCompletions(of words: [String]) {
    // A shell that waits for a locked or damaged recording would seem to hang.
    if console.ownsProcess {
      signal(SIGALRM) { _ in _exit(0) }
      alarm(Completion.mostSeconds)
    }
    let completion = Completion(of: words) { try command(of: $0) }
    for candidate in completion.candidates {
      let meaning = DisplayText.harmless(candidate.meaning)
      console.output.write(data: candidate.word + (meaning.isEmpty ? "" : "\t\(meaning)") + "\n")
    }
    if completion.names != .none { console.output.write(data: completion.names.rawValue + "\n") }
  }
}
