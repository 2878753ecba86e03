import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// `kymo fit FILE`: an observed settle as parameters.
func fitCommand() -> Command {
  Command(
    name: "fit", summary: "the spring, decay or curve that an observed settle was",
    arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo fit pinch.kymo --key progress", "kymo fit app.kymo#2 --item card --attribute center.y",
      "kymo fit app.kymo --key offset --model spring --json",
      "kymo fit app.kymo --key offset --from 1.25 --known duration=0.35",
    ],
    discussion: """
      Fits a spring, a decay, a cubic that keeps the velocity, Bézier curves and AHEasing's
      curves to what keys or an element do from the release on, by least squares, and takes the
      model with the least corrected Akaike criterion. Prints its numbers with 90 % intervals,
      what is left (rms) beside the step that values are rounded to, models that explain it as
      well, what samples leave open, and the motion in the words of eight systems, to be pasted.
      Without --key and --item every key that moves is fitted; where there are several
      releases, from each. Ends with 1 where a value has no fit: nothing leaves less than 0.45
      steps or 0.2 % of the range (the nearest model is printed then, and named so), there are
      fewer than \(MotionFit.fewestSamples) samples, or it moves by less than two steps.
      --model also takes the name of a curve (kymo curve ease --list) or cubic-bezier(…). --known says
      what a recording cannot: duration=SECONDS, that of the motion where it is not slowed down
      (of a spring its response), by which all times are scaled, and mass=M.
      At most \(MotionFit.mostSamples) samples of a settle are read and fitted.
      """,
    flags: [
      Flags.key, Flags.item.described("an element, read from the frames"), FitFlags.attribute,
      FitFlags.model,
      FitFlags.from,
      Flags.to.described("only up to this time"),
      FitFlags.known, FitFlags.format, Flags.json,
      Flags.precise,
    ], run: runFit)
}

/// The flags of `kymo fit` alone.
enum FitFlags {
  static var attribute: Flag<ItemAttribute> {
    .choice(
      "attribute", "NAME",
      "of the element: " + ObservedSettle.attributes.map(\.rawValue).joined(separator: ", "),
      among: ObservedSettle.attributes)
  }
  static var model: Flag<FittedModel> {
    Flag(
      "model", "NAME",
      "auto (default), " + MotionFit.Model.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or a curve's name"
    ) { text, name in try FittedModel(text, of: name) }
  }
  static var from: Flag<Int64> {
    Flags.from.described("from this time on (0.25, 250ms, …) instead of from each release")
  }
  /// One of the numbers of ``MotionFit/Known``.
  static var known: Flag<MotionFit.Known> {
    Flag(
      "known", "NAME=VALUE", "duration=0.35 or mass=2; may be given again", repeats: true
    ) { text, name in
      let parts = text.split(separator: "=", maxSplits: 1).map { String($0.trimmed) }
      guard parts.count == 2, ["duration", "mass"].contains(parts[0]) else {
        throw Failure.usage("--\(name) expects duration=SECONDS or mass=M, not '\(text)'")
      }
      let isDuration = parts[0] == "duration"
      let number =
        isDuration ? parseTime(parts[1]).map { Double($0) / 1e9 } : Double(parts[1])
      guard let number, number > 0, number.isFinite else {
        throw Failure.usage("--\(name) \(parts[0]) expects a number above 0, not '\(parts[1])'")
      }
      return isDuration ? MotionFit.Known(durationSeconds: number) : MotionFit.Known(mass: number)
    }
  }
  static var format: Flag<OutputFormat> {
    Flags.format("table (default) or json", among: [.table, .json])
  }
}

/// The motions that a settle is fitted with.
enum FittedModel {
  /// All of them; the best one is taken.
  case all
  case one(MotionFit.Model)
  case curve(Easing)

  var model: MotionFit.Model? { if case .one(let model) = self { model } else { nil } }
  var curve: Easing? { if case .curve(let curve) = self { curve } else { nil } }

  /// Reads the value of a flag.
  init(_ text: String, of flag: String) throws {
    if text == "auto" {
      self = .all
      return
    }
    if let model = MotionFit.Model(rawValue: text) {
      self = .one(model)
      return
    }
    let curve: Easing
    do {
      curve = try Easing(reading: text)
    } catch {
      guard error.code == .unknownName else { throw Failure.usage("--\(flag): \(error.message)") }
      let names = ["auto"] + MotionFit.Model.allCases.map(\.rawValue)
      throw Failure.usage(
        "--\(flag) does not know '\(text)'; it takes \(names.joined(separator: ", ")), or a curve of kymo curve ease --list"
      )
    }
    guard !curve.isStaircase else {
      throw Failure.usage("--\(flag) \(text) has steps; a settle is fitted with what moves")
    }
    self = .curve(curve)
  }
}

private func runFit(_ invocation: Invocation) throws -> ExitCode {
  let format = try invocation.outputFormat(FitFlags.format)
  let fitted = try invocation.value(FitFlags.model) ?? .all
  let known = try invocation.knownOfFit()
  let source = try SessionArgument(invocation)
  let question = try invocation.settleQuestion(source)
  let settles = try ObservedSettle.all(source.session, in: source.reader, asking: question)
  guard !settles.isEmpty else {
    throw Failure(
      .no, "nothing moves \(question.range) in \(source.session.label); there is no settle to fit")
  }
  var fits: [FittedSettle] = []
  let bar = ProgressBar(invocation.console, label: "fitting")
  for (index, settle) in settles.prefix(FitAnswer.most).enumerated() {
    bar.update(Double(index) / Double(settles.count))
    fits.append(FittedSettle(settle, model: fitted.model, curve: fitted.curve, known: known))
  }
  bar.finish()
  let answer = FitAnswer(source, fits)
  if settles.count > FitAnswer.most {
    invocation.note(
      "\(settles.count - FitAnswer.most) more values move; name one with --key or --item")
  }
  switch format {
  case .json: invocation.output.write(data: DisplayText.escaped(json: answer.json) + "\n")
  default: try answer.printForPeople(invocation)
  }
  return answer.isComplete ? .yes : .no
}

extension SettleQuestion {
  /// From where on it is asked, in words.
  fileprivate var range: String {
    if case .releases = origin { "behind a release" } else { "from that time on" }
  }
}

extension Invocation {
  fileprivate func knownOfFit() throws -> MotionFit.Known {
    var known = MotionFit.Known()
    for one in try allValues(FitFlags.known) {
      guard one.durationSeconds == nil || known.durationSeconds == nil else {
        throw Failure.usage("--known duration is given twice")
      }
      guard one.mass == nil || known.mass == nil else {
        throw Failure.usage("--known mass is given twice")
      }
      known.durationSeconds = one.durationSeconds ?? known.durationSeconds
      known.mass = one.mass ?? known.mass
    }
    return known
  }

  /// Which values are asked about, each of which must be there.
  fileprivate func settleQuestion(_ source: SessionArgument) throws -> SettleQuestion {
    var question = SettleQuestion()
    question.item = text(Flags.item)
    if let key = text(Flags.key) {
      guard question.item == nil else {
        throw Failure.usage("--key and --item each name a value; give one of them")
      }
      question.keys = try source.keys(named: key).map(\.name)
    }
    if let item = question.item { try source.requireItem(item) }
    question.attribute = try value(FitFlags.attribute)
    guard question.attribute == nil || question.item != nil else {
      throw Failure.usage("--attribute goes with --item")
    }
    question.origin =
      try value(FitFlags.from).map { .time(Instant(nanoseconds: $0)) } ?? .releases
    if case .time(let instant) = question.origin {
      try source.requireOverlap(instant...instant, flag: "from")
    }
    if let end = try value(Flags.to) {
      question.end = Instant(nanoseconds: end)
      if case .time(let start) = question.origin, start > question.end {
        throw Failure.usage("--from is later than --to")
      }
      try source.requireOverlap(question.end...question.end, flag: "to")
    }
    return question
  }
}
