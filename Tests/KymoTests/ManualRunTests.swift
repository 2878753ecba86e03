import Foundation
import TestSupport
import Testing

/// Every command of the manual is run, and what it prints is what stands below it.
@Suite struct ManualRunTests {
  private static let runnable = manualPages.filter { page in
    page.blocks.contains { ["console", "sh"].contains($0.language) }
  }

  @Test(arguments: runnable)
  func `each command of a page ends as the page says, and prints what stands below it`(
    page: ManualPage
  ) throws {
    if page.name == "MeasureAScreenRecording.md", !DecoderOnMachine.isThere {
      print("\(page) is skipped: this machine has no ffmpeg.")
      return
    }
    let session = try ManualSession(
      isFirst: ["README.md", "GettingStarted.md"].contains(page.name))
    // README's Swift is compiled here, and its commands read what it records.
    if page.name == "README.md" { try session.runEngine() }
    var printed: [Int: String] = [:]
    for (number, block) in page.blocks.enumerated() {
      let body = page.text[block.body]
      if let name = block.directive("file") { try session.write(String(body), to: name) }
      if let name = block.directive("line of") {
        try session.write(try session.read(name) + body, to: "with-it-\(name)")
        let run = try session.run("kymo record --from-ndjson with-it-\(name) --into line.kymo")
        #expect(run.code == 0, "line \(block.line): \(run.errors)")
        #expect(run.errors == "", "line \(block.line): \(run.errors)")
      }
      guard ["console", "sh"].contains(block.language) else { continue }
      var text = ""
      for step in ManualStep.steps(of: String(body), isSession: block.language == "console") {
        text += step.shown
        guard step.isRun else {
          expectKnown(step, "line \(block.line)")
          continue
        }
        if step.needsBrowser, !BrowserOnMachine.hasShell {
          print("\(page), line \(block.line) is skipped: this machine has no headless shell.")
          text += step.output.map { $0 + "\n" }.joined()
          continue
        }
        let run = try session.run(step.command)
        if step.needsTerminal {
          #expect(run.code != 0, "line \(block.line): \(step.command)")
          #expect(run.errors.contains("terminal"), "line \(block.line): \(step.command)")
        } else {
          #expect(run.code == step.code, "line \(block.line): \(step.command)\n\(run.errors)")
        }
        let output = session.lines(of: run.output)
        text += output.map { $0 + "\n" }.joined()
        #expect(
          writesManual || block.language == "sh" || output == step.output
            || step.needsBrowser
              && output.map(\.withoutNumbers) == step.output.map(\.withoutNumbers),
          "line \(block.line): \(step.command)\nprints\n\(output.joined(separator: "\n"))")
      }
      if block.language == "console" { printed[number] = text }
    }
    try page.write(printed)
  }

  /// A command that is not run here names a script that is there, with options that it has.
  private func expectKnown(_ step: ManualStep, _ place: String) {
    guard step.command.hasPrefix("Tools/") else { return }
    let words = step.command.split(separator: "#")[0].split(whereSeparator: \.isWhitespace)
      .map(String.init)
    let script = packageFolder.appendingPathComponent(words[0])
    #expect(FileManager.default.isExecutableFile(atPath: script.path), "\(place): \(words[0])")
    let text = (try? String(contentsOf: script, encoding: .utf8)) ?? ""
    for word in words.dropFirst() where word.hasPrefix("--") {
      #expect(text.contains(word), "\(place): \(words[0]) \(word)")
    }
  }
}

extension String {
  /// The text with one sign in place of each number.
  fileprivate var withoutNumbers: String { replacing(/-?\d+(\.\d+)?/, with: "0") }
}

extension ManualPage {
  var name: String { String(path.split(separator: "/").last ?? "") }
}

/// One command of a block, and what the page says it prints.
struct ManualStep {
  /// The command's lines.
  var command = ""
  /// The same as the page shows it, with `$`.
  var shown = ""
  /// The lines below it.
  var output: [String] = []

  /// The exit code that the page gives it: `# ends with 1`.
  var code: Int32 {
    command.components(separatedBy: "# ends with ").dropFirst().first
      .flatMap { Int32($0.prefix { $0.isNumber }) } ?? 0
  }
  /// Whether it is marked `needs a browser`. Its numbers may differ, as browsers round the times of events by chance.
  var needsBrowser: Bool { command.contains("needs a browser\n") }
  /// Whether it is marked `# needs a terminal`.
  var needsTerminal: Bool { command.contains("# needs a terminal") }
  /// Builds, and the project's own scripts, are not run.
  var isRun: Bool { !["Tools/", "swift ", "export "].contains { command.hasPrefix($0) } }

  /// Whether more lines belong to it.
  private var isOpen: Bool {
    command.hasSuffix("\\\n")
      || (command.hasPrefix("for ") && !command.hasSuffix("done\n"))
  }

  /// The commands of a block: of a session those behind `$`, else every line; lines that end in a backslash, and
  /// loops, go on.
  static func steps(of body: String, isSession: Bool) -> [ManualStep] {
    var steps: [ManualStep] = []
    for line in body.split(separator: "\n", omittingEmptySubsequences: !isSession).map(String.init)
    {
      if steps.last?.isOpen == true {
        steps[steps.count - 1].command += line + "\n"
        steps[steps.count - 1].shown += line + "\n"
      } else if !isSession || line.hasPrefix("$ ") {
        steps.append(
          ManualStep(
            command: (isSession ? String(line.dropFirst(2)) : line) + "\n", shown: line + "\n"))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output.append(line)
      }
    }
    for index in steps.indices {
      while steps[index].output.last == "" { steps[index].output.removeLast() }
    }
    return steps
  }
}

/// A folder in which the commands of a page are run one after another.
final class ManualSession {
  private let place: Workplace
  /// What stands for each uuid's beginning.
  private var uuids: [String: String] = [:]

  /// Makes the folder, with `pinch.kymo` unless the page records that itself.
  init(isFirst: Bool) throws {
    place = try Workplace()
    try FileManager.default.createSymbolicLink(
      atPath: place.path("Tests"),
      withDestinationPath: packageFolder.appendingPathComponent("Tests").path)
    guard !isFirst else { return }
    for name in ["pinch-open", "pinch-back"] {
      try place.record(
        Scenarios.pinch, gesture: "\(name).evemu", into: "pinch.kymo", "--name", name)
    }
  }

  /// Makes `fruit.kymo` with the engine's example.
  func runEngine() throws { try recordAndPrint(in: place.folder.url.path) }

  func write(_ text: String, to name: String) throws { _ = try place.file(name, text) }

  func read(_ name: String) throws -> String {
    String(decoding: try place.bytes(name), as: UTF8.self)
  }

  func run(_ command: String) throws -> ProgramRun {
    try shell("cd \"$1\" || exit 9\n" + command, [place.folder.url.path])
  }

  /// What was printed, with uuids that are the same each time and no blanks at the ends of lines.
  func lines(of output: String) -> [String] {
    let full = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/
    let short = /\([0-9a-f]{8}\)/
    var text = output.replacing(full) { match in
      "\(stable(match.output.prefix(8)))-ed10-4c3a-9d1e-6b1f7a6f4c55"
    }
    text = text.replacing(short) { "(\(stable($0.output.dropFirst().prefix(8))))" }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.reversed().drop { $0 == " " || $0 == "\r" }.reversed())
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private func stable(_ beginning: Substring) -> String {
    let known = String(beginning)
    if let stable = uuids[known] ?? uuids.values.first(where: { $0 == known }) { return stable }
    let number = UInt32(truncatingIfNeeded: (uuids.count + 1) * 0x2545_F491)
    let digits = String(number, radix: 16)
    let stable = String(repeating: "0", count: 8 - digits.count) + digits
    uuids[known] = stable
    return stable
  }
}
