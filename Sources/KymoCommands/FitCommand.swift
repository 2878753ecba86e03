import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo fit FILE`: an observed settle as parameters.
func fitCommand() -> Command {
  Command(
    name: "fit", summary: "Recover the spring, decay or curve of a recorded settle",
    arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo fit pinch.kymo --key progress", "kymo fit pinch.kymo#2 --key item.apple.center.y",
      "kymo fit app.kymo --key progress --model spring --json",
      "kymo fit app.kymo --key progress --from 0.4 --known duration=0.35",
    ],
    exits: [
      .no: "if a value has no fit, or nothing moves",
      .loss: "if a part of a text could not be read",
    ],
    discussion: """
      Fits models to the values from each release on, or in a session without a release from each
      lift of the fingers. FILE alone means its last session. Without --key, every key that moves is
      fitted, and if no key moves, the elements that move, elements that move alike once.

      \(Flags.texts)

      The models are fitted by least squares: a spring, a decay, a cubic that keeps the velocity,
      Bézier curves and AHEasing's curves. The model with the lowest corrected Akaike criterion
      (AICc) is chosen.

      \(Flags.keyGrammar)

      Prints the parameters with 90 % intervals, the residual (rms) and the step to which values are
      rounded. Then come other models that fit as well, and the numbers that the samples do not
      determine. The last lines are the motion for eight systems, which you can paste.

      A measured value has an interval (the keys item.ID.error_x and error_y beside an element). It
      begins to move when it leaves its rest by four half-widths, and each sample is weighted by its
      own. Motion that begins between two frames is fitted with its start free. kymo then prints when
      it begins.

      A value has no fit if it has fewer than \(MotionFit.fewestSamples) samples, or if it moves by
      less than two steps. It also has no fit if every model leaves more than 0.45 steps, 0.2 % of
      the range and the half-width of its intervals. kymo then prints the nearest model.
      At most \(MotionFit.mostSamples) samples of a settle are read.

      --model also takes the name of a curve (kymo curve ease --list) or cubic-bezier(…). --known
      duration=SECONDS is the duration at full speed (the response of a spring), and scales all
      times. --known mass=M is the mass of a spring.
      """,
    columns: FitAnswer.columns,
    flags: [
      Flags.keys, FitFlags.model, FitFlags.from,
      Flags.to.described("only up to this time"),
      FitFlags.known, Flags.gestureReading, FitFlags.format, Flags.json,
      Flags.precise,
    ], run: runFit)
}

/// The flags of `kymo fit` alone.
enum FitFlags {
  static var model: Flag<FittedModel> {
    Flag(
      "model", "NAME",
      "auto, " + MotionFit.Model.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or a curve's name"
    ) { text, name in try FittedModel(text, of: name) }
    .offering(
      Choices(
        offered: ["auto"] + MotionFit.Model.allCases.map(\.rawValue) + Easing.offeredNames,
        others: Easing.unofferedNames)
    ).standard("auto")
  }
  static var from: Flag<Int64> {
    Flags.from.described("from this time on instead of from each release or lift (0.25, 250ms, …)")
  }
  /// One of the numbers of ``MotionFit/Known``.
  static var known: Flag<MotionFit.Known> {
    Flag(
      "known", "NAME=VALUE", "a number that is known: duration=0.35 or mass=2", repeats: true
    ) { text, name in
      let parts = text.split(separator: "=", maxSplits: 1).map { String($0.trimmed) }
      guard parts.count == 2, ["duration", "mass"].contains(parts[0]) else {
        throw Failure.usage("--\(name) must be duration=SECONDS or mass=M (got '\(text)')")
      }
      let isDuration = parts[0] == "duration"
      let number =
        isDuration ? parseTime(parts[1]).map { Double($0) / 1e9 } : Double(parts[1])
      guard let number, number > 0, number.isFinite else {
        throw Failure.usage("--\(name) \(parts[0]) must be a number above 0 (got '\(parts[1])')")
      }
      return isDuration ? MotionFit.Known(durationSeconds: number) : MotionFit.Known(mass: number)
    }
  }
  static var format: Flag<OutputFormat> {
    Flags.format("table or json", among: [.table, .json]).standard("table")
  }
}

/// The motions that a settle is fitted with.
enum FittedModel {
  /// All of them. The best one is taken.
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
        "--\(flag): unknown value '\(text)'. "
          + choices(near: text, among: names, listedBy: nil)
          + ", or a curve of kymo curve ease --list"
      )
    }
    guard !curve.isStaircase else {
      throw Failure.usage("--\(flag) must be a curve without steps (got '\(text)')")
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
      .no,
      "nothing moves \(question.range) in \(source.session.label), so that nothing can be fitted")
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
    let more = settles.count - FitAnswer.most
    invocation.note(
      "\(settles.count < ObservedSettle.mostOfElements ? "" : "at least ")\(more) more values move, and are not "
        + "fitted. Name them with --key")
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
    if case .releases = origin { "after a release or lift" } else { "from that time on" }
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
    question.subjects = try namedValues(in: source)
    question.origin =
      try value(FitFlags.from).map { .time(Instant(nanoseconds: $0)) } ?? .releases
    if case .time(let instant) = question.origin {
      try source.requireOverlap(instant...instant, flag: "from")
    }
    if let end = try value(Flags.to) {
      question.end = Instant(nanoseconds: end)
      if case .time(let start) = question.origin, start > question.end {
        throw Failure.usage("--from must not be later than --to")
      }
      try source.requireOverlap(question.end...question.end, flag: "to")
    }
    return question
  }
}
