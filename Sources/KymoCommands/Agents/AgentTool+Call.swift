import JSONText
import KymographCLibrary
import PageBrowser
import TimelineModel
import TimelineRendering

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AgentTool {
  /// What a call gives back.
  struct Answer {
    /// What the command printed, and behind it its notes.
    var text: String
    var code: ExitCode
    /// A PNG before it. `nil`: there is none.
    var picture: [UInt8]?

    /// Whether the call itself was wrong or could not be done. An answer of no is not an error.
    var isError: Bool { [.usage, .unreadable, .interrupted].contains(code) }

    /// The result as the protocol has it. The text stands in both forms, since clients show only one of them.
    var result: FieldValue {
      .object(named: [
        "content": FieldValue.list(
          (picture.map { [Self.content(of: $0)] } ?? [])
            + [.object(named: ["type": "text", "text": text])]),
        "structuredContent": FieldValue.object(named: [
          "exit_code": Int(code.rawValue), "text": text,
        ]),
        "isError": isError,
      ])
    }

    private static func content(of picture: [UInt8]) -> FieldValue {
      .object(named: [
        "type": "image", "data": Data(picture).base64EncodedString(), "mimeType": "image/png",
      ])
    }
  }

  /// The most bytes of an answer's text. `kymo show` of a file with many sessions is the longest.
  static let mostBytes = 32_000

  /// Runs the command in this process.
  ///
  /// - Parameters:
  ///   - arguments: The arguments as the definition has them. `nil`: none.
  ///   - words: Flags that the agent does not choose.
  ///   - paths: Where files may be. `nil`: anywhere.
  ///   - console: That of the server, of which the command gets environment and clock alone.
  ///   - input: A descriptor without bytes: the server's own has the agent's next calls.
  ///   - isCancelled: Whether the agent wants no answer any more.
  func answer(
    to arguments: JSONReader?, adding words: [String], within paths: FolderLimit? = nil,
    on console: Console,
    input: Int32, isCancelled: @escaping () -> Bool
  ) -> Answer {
    var (output, notes) = ([UInt8](), "")
    let own = Console(
      input: input, errors: console.errors, program: console.program,
      ownsProcess: console.ownsProcess, variable: console.variable, now: console.now,
      takingAnswers: { output += $0 })
    own.isCancelled = isCancelled
    own.notesGiven = console.notesGiven
    own.noteHandler = { notes += "kymo \(command.name): \(DisplayText.harmless($0))\n" }
    let code: ExitCode
    var scratch: ScratchFolder?
    do {
      if isOfClips { scratch = try ScratchFolder(for: "a picture") }
      let given = try self.words(arguments, within: paths, scratch: scratch?.path ?? "")
      code = CommandLineRun([command.name] + words + given, on: own).run()
    } catch {
      // JSON of the wrong type is a call that was put wrongly, not a file.
      let failure = (error as? JSONError).map { Failure.usage($0.description) } ?? explain(error)
      own.note(failure.message)
      code = failure.code
    }
    let picture = scratch.flatMap {
      FileManager.default.contents(atPath: $0.path + Self.pictureName)
    }
    return Answer(
      text: Self.shortened(output) + notes, code: code, picture: picture.map(Array.init))
  }

  /// The text up to the last line that fits.
  static func shortened(_ output: [UInt8]) -> String {
    guard output.count > mostBytes else { return String(decoding: output, as: UTF8.self) }
    let end = output[..<mostBytes].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? mostBytes
    return String(decoding: output[..<end], as: UTF8.self)
      + "… and \(output.count - end) more bytes. Ask for less, such as FILE#SESSION\n"
  }

  // MARK: Words

  /// The file of a picture in a folder.
  private static let pictureName = "/candidates.png"

  /// The words of the command line that mean the same as the arguments.
  ///
  /// A value can never be taken for a flag: values of flags stand behind `=`, and no other one begins with a dash.
  ///
  /// Each value is taken for a path, so that none is forgotten: what is not one is not outside of a folder either.
  ///
  /// - Parameter scratch: The folder for a picture.
  /// - Throws: ``Failure`` or `JSONError`: an argument is unknown, missing, of another type, or a path outside.
  func words(
    _ arguments: JSONReader?, within paths: FolderLimit? = nil, scratch: String = ""
  ) throws -> [String] {
    let fields = try (arguments ?? JSONReader(.object([:]))).object()
    let parameters = parameters
    let names = parameters.map(\.parameter.name)
    if let name = fields.names.first(where: { !names.contains($0) }) {
      throw Failure.usage("unknown argument '\(name)'. \(choices(near: name, among: names))")
    }
    var (flagWords, positionals) = ([String](), [String]())
    var hasPicture = false
    for (parameter, isRequired) in parameters {
      guard let field = fields[parameter.name], !field.isNull else {
        guard !isRequired else { throw Failure.usage("missing argument '\(parameter.name)'") }
        continue
      }
      switch parameter {
      case .positional(_, let repeats):
        for text in try repeats ? Self.texts(field) : [Self.text(field)] {
          guard !text.hasPrefix("-"), !text.isEmpty else {
            throw Failure.usage("'\(text)' is not a name of a file. Write ./ before a dash")
          }
          try paths?.check(text)
          positionals.append(text)
        }
      case .actions(let flags):
        for text in try Self.texts(field) {
          flagWords += try Self.words(text, among: flags, within: paths)
        }
      case .list(let flag):
        for text in try Self.texts(field) {
          try paths?.check(text)
          flagWords.append("--\(flag.name)=\(text)")
        }
      case .picture(let flag):
        if try field.bool() {
          flagWords.append("--\(flag.name)=\(scratch)\(Self.pictureName)")
          hasPicture = true
        }
      case .flag(let flag) where flag.value == nil:
        if try field.bool() { flagWords.append("--\(flag.name)") }
      case .flag(let flag):
        let text = try Self.text(field)
        try paths?.check(text)
        flagWords.append("--\(flag.name)=\(text)")
      }
    }
    guard isOfClips, let clip = positionals.first else { return flagWords + positionals }
    flagWords.append("--\(VideoFlags.video.name)=\(clip)")
    if !hasPicture {
      let recording = Self.recording(beside: clip)
      try paths?.check(recording)
      flagWords.append("--\(Flags.into.name)=\(recording)")
    }
    return flagWords
  }

  /// The recording of a clip: `a/clip.kymo` of `a/clip.mp4`.
  private static func recording(beside clip: String) -> String {
    let start = clip.lastIndex(of: "/").map(clip.index(after:)) ?? clip.startIndex
    let end = clip[start...].lastIndex(of: ".").map { $0 > start ? $0 : clip.endIndex }
    return clip[..<(end ?? clip.endIndex)] + ".kymo"
  }

  /// The words of an action: `swipe #sheet up` is `--swipe=#sheet` and `up`.
  private static func words(
    _ action: String, among flags: [FlagDeclaration], within paths: FolderLimit?
  ) throws -> [String] {
    let parts = action.split(separator: " ", maxSplits: 1).map(String.init)
    let name = parts.first ?? ""
    guard let flag = flags.first(where: { $0.name == name }) else {
      throw Failure.usage(
        "unknown action '\(name)'. \(choices(near: name, among: flags.map(\.name)))")
    }
    let value = parts.dropFirst().first ?? ""
    if name == WatchFlags.gesture.name { try paths?.check(value) }
    guard flag.wordCount == 2 else { return ["--\(name)=\(value)"] }
    guard let blank = value.lastIndex(of: " ") else {
      throw Failure.usage("missing value: \(name) \(flag.value ?? "")")
    }
    return ["--\(name)=\(value[..<blank])", String(value[value.index(after: blank)...])]
  }

  /// A text. Of a number its digits.
  private static func text(_ field: JSONReader) throws -> String {
    switch field.value {
    case .integer(let integer): "\(integer)"
    case .number(let number): FieldValue.jsonNumber(number)
    default: try field.string()
    }
  }

  /// A list of texts. A text alone is a list of one.
  private static func texts(_ field: JSONReader) throws -> [String] {
    guard case .array = field.value else { return [try text(field)] }
    return try field.array().map(text)
  }
}
