import GestureInput
import MotionJudgement
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The flags that several commands share. A command's own are beside it.
enum Flags {
  // MARK: Listings

  static var format: Flag<OutputFormat> {
    format("table, json, ndjson, csv or markdown").standard("table")
  }

  /// The format of a command that has only some of them.
  static func format(
    _ help: String, among formats: [OutputFormat] = OutputFormat.allCases
  ) -> Flag<OutputFormat> {
    .choice("format", "FORMAT", help, among: formats)
  }

  static var allLines: Flag<Bool> {
    .toggle("all", "print every line about the motion, not 12 for each action")
  }
  static var json: Flag<Bool> {
    .toggle("json", "the same as --format json")
  }

  static var precise: Flag<Bool> {
    .toggle("all-digits", "print all digits of each number in a table")
  }

  static var key: Flag<String> {
    .text("key", "NAME", "only this key")
  }

  static var from: Flag<Int64> {
    .time("from", "TIME", "only from this time on (0.25, 250ms, …)")
  }

  static var to: Flag<Int64> {
    .time("to", "TIME", "only up to this time")
  }

  static var every: Flag<Int64> {
    .length("every", "TIME", "at most one row in this much time")
  }

  /// Instants in their order.
  static var at: Flag<[Instant]> {
    Flag("at", "TIMES", "at these times, with commas between (0.25,250ms,…)") { text, name in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      // Each takes a look at the recording.
      guard parts.count <= 500 else { throw Failure.usage("--\(name) takes at most 500 times") }
      return try parts.map { part in
        guard let time = parseTime(String(part.trimmed)) else {
          throw Failure.usage("--\(name) must be times such as 0.25,250ms,1s (got '\(part)')")
        }
        return Instant(nanoseconds: time)
      }.sorted()
    }
  }

  static var all: Flag<Bool> {
    .toggle("all", "every row, also if its values are the same")
  }

  // MARK: Files

  static var into: Flag<String> {
    .text("into", "FILE.kymo", "the recording, which gets one more session if it exists")
  }

  static var out: Flag<String> {
    .text("out", "FILE", "the report").inSection(.output)
  }

  static var force: Flag<Bool> {
    .toggle("force", "replace a file without kymo's mark, such as JSON").inSection(.output)
  }

  static var page: Flag<String> {
    .text(
      "page", "FILE", "also write an HTML report of the session that differs most"
    ).inSection(.output)
  }

  static var junit: Flag<String> {
    .text("junit", "FILE", "also write JUnit XML").inSection(.output)
  }

  static var golden: Flag<String> {
    .text("golden", "FILE", "the golden recording")
  }

  static var tolerances: Flag<String> {
    .text(
      "tolerances", "FILE", "the tolerance file, in JSON (article \"Tolerance files\")"
    )
  }

  static var labels: Flag<String> {
    .text(
      "labels", "CSV", "labels from this file, which override those of the recordings")
  }

  static var requirements: Flag<String> {
    .text("requirements", "FILE", "the requirements, in JSON (article \"Requirement files\")")
  }

  static var subset: Flag<Bool> {
    .toggle("subset", "allow golden sessions without a match")
  }

  // MARK: Sessions

  static var name: Flag<String> {
    .text("name", "NAME", "a name for the session")
  }

  static var uuid: Flag<UUID> {
    Flag("uuid", "UUID", "the session's UUID, instead of a random one") { text, _ in
      guard let uuid = UUID(uuidString: text) else {
        throw Failure.usage(
          "--uuid: '\(text)' is not a UUID. Example: 123e4567-e89b-42d3-a456-426614174000")
      }
      return uuid
    }
  }

  /// Nanoseconds since 1970.
  static var wallClock: Flag<Int64> {
    Flag(
      "wall-clock", "TIME", "the start, instead of now: 2026-01-31T12:00:00Z, or seconds since 1970"
    ) { text, _ in
      guard let time = parseTimestamp(text) else {
        throw Failure.usage(
          "--wall-clock must be a time such as 2026-01-31T12:00:00Z, or seconds since 1970 (got '\(text)')"
        )
      }
      return time
    }
  }

  static var noTouches: Flag<Bool> {
    .toggle("no-touches", "leave out touches, and the device and file they came from")
  }

  static var hashItems: Flag<Bool> {
    .toggle(
      "hash-items",
      "replace names and texts of the app with hashes, and leave out the scenario")
  }

  static var salt: Flag<String> {
    .text("salt", "TEXT", "a secret that is mixed into each hash")
  }

  /// Bytes.
  static var maxSize: Flag<Int64> {
    .measure(
      "max-size", "SIZE", "remove the oldest sessions beyond this size (500MB, 2GB, bytes)",
      units: [("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("", 1)], such: "500MB or 2GB"
    ).checked { size, name in
      guard size >= RecordingLimit.smallestSizeBytes else {
        throw Failure.usage("--\(name) must be at least \(RecordingLimit.smallestSizeBytes) bytes")
      }
    }
  }

  /// Nanoseconds.
  static var maxAge: Flag<Int64> {
    .measure(
      "max-age", "AGE", "remove ended sessions beyond this age (7d, 12h, 30min)",
      units: [("min", 60e9), ("h", 3_600e9), ("d", 86_400e9)], such: "7d or 12h")
  }

  static var pack: Flag<Bool> {
    .toggle("pack", "pack poses and samples into blocks from the first second on")
  }

  static var precision: Flag<SealPrecision> {
    .choice(
      "precision", "P",
      SealPrecision.allCases.map(\.rawValue).joined(separator: ", ")
        + ", of which exact loses nothing"
    ).standard("exact")
  }

  // MARK: Comparison and playback

  static var align: Flag<RunComparison.Alignment> {
    Flag("align", "HOW", "start, none, release, xcorr, progress or manual=MS") { text, name in
      guard let alignment = RunComparison.Alignment(rawValue: text) else {
        throw Failure.unknown(text, of: name, among: RunComparison.Alignment.names)
      }
      return alignment
    }.offering(RunComparison.Alignment.names)
  }

  /// The alignment of two runs that are drawn: nobody who only watches sees the fit that the other ways look for.
  static var alignOfDrawing: Flag<RunComparison.Alignment> {
    let names = ["start", "none", "release", "manual=MS"]
    return Flag(
      "align", "HOW", "of two sessions: start, none, release or manual=MS"
    ) { text, name in
      guard let alignment = RunComparison.Alignment(rawValue: text), alignment != .xcorr,
        alignment != .progress
      else {
        throw Failure.unknown(text, of: name, among: names)
      }
      return alignment
    }.offering(names)
  }

  static var lagLimit: Flag<Int64> {
    .time("lag-limit", "TIME", "the largest lag that is searched for").standard("50ms")
  }

  static var seed: Flag<UInt64> {
    .seed("seed", "N", "seed of the bootstrap intervals in the JSON").standard("1")
  }

  static var speed: Flag<Double> {
    .number("speed", "S", "recorded seconds per second").standard("1")
  }

  // MARK: Many files

  /// More children at once would not end sooner.
  static var mostJobs: Int { 1024 }

  static var jobs: Flag<Int> {
    .wholeNumber(
      "jobs", "N", in: 1...mostJobs,
      "how many files are read at once"
    ).standard("one per core")
  }

  static var timeLimit: Flag<Int64> {
    .time("time-limit", "TIME", "leave out files that take longer (60s)").standard("none")
  }

  // MARK: Gesture files

  static var gestureFormat: Flag<GestureFormat> {
    .choice(
      "gesture-format", "NAME",
      "of a file of touches, if the content is ambiguous: a name of kymo help formats")
  }

  static var deltas: Flag<DeltaKind> {
    .choice(
      "deltas", "NAME",
      "of libinput-events: accelerated, as compositors receive them, or unaccelerated, 0.0254 mm each"
    ).standard("accelerated")
  }

  static var abi: Flag<EvdevABI> {
    .choice(
      "abi", "BITS",
      "of evdev, if the content is ambiguous: 64 for records of 24 bytes, 32 for 16")
  }

  static var timeUnit: Flag<TimeUnit> {
    .choice(
      "time-unit", "UNIT", "of times without a unit of their own: ns, us, ms, s"
    ).standard("as the name says or the steps fit")
  }

  static var columns: Flag<String> {
    .text(
      "columns", "LIST",
      "which columns of a table are what: 't=stamp:ms,x=px,y=py,id=finger,phase=what'")
  }

  static var pattern: Flag<String> {
    .text(
      "pattern", "TEXT", "the shape of a log's lines, with holes: 'touch {x},{y} at {t:ms}'")
  }

  // MARK: Velocity

  static var estimator: Flag<EstimatorChoice> {
    var choices = Choices(of: Estimator.self)
    choices.offered.append("all")
    return Flag(
      "estimator", "NAME", "the estimator of velocities, one of the list above"
    ) { text, name in
      if text == "all" { return .all }
      if let estimator = Estimator(rawValue: text) { return .one(estimator) }
      throw Failure.unknown(text, of: name, among: choices.offered)
    }
    .offering(choices)
    .standard("the session's own")
  }

  static var preset: Flag<EstimationPreset> {
    .choice(
      "preset", "NAME",
      "the window and, without --estimator, the estimator of "
        + EstimationPreset.allCases.map(\.rawValue).joined(separator: ", ")
    )
    .standard("the session's own, or that of a compositor's --rule")
  }

  static var clamp: Flag<SpeedLimits> {
    Flag(
      "clamp", "MIN:MAX", "also show the velocity clamped to this range of speeds"
    ) { text, name in
      let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == 2, let minimum = numbers[0], let maximum = numbers[1], minimum >= 0,
        maximum >= minimum, maximum.isFinite
      else { throw Failure.usage("--\(name) must be two speeds such as 50:8000 (got '\(text)')") }
      return SpeedLimits(minimum: minimum, maximum: maximum)
    }
  }

  // MARK: Release rule

  static var rule: Flag<ReleaseRule.Kind> {
    .choice(
      "rule", "NAME",
      "the rule that decides: " + ReleaseRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    )
    .standard("the session's own")
  }

  /// The one direction of an app's swipes.
  static var towards: Flag<SwipeDirection> {
    .choice(
      "towards", "DIRECTION",
      "judge the touches, and count their distance towards left, right, up or down alone"
    ).standard("the direction of the fingers, or a recorded progress").inSection(.rule)
  }

  /// Fields of a scenario. Commands that search or sweep describe the lists and ranges that they take.
  static var set: Flag<Setting> {
    Flag(
      "set", "PATH=VALUE",
      "change a field of release as in a scenario file, such as release.threshold=0.4",
      repeats: true
    ) { text, _ in try Setting(text) }
  }

  // MARK: Lists

  static var listing: [FlagDeclaration] { list(format, json, precise).inSection(.rows) }
  static var timeFilter: [FlagDeclaration] { list(from, to, every) }
  /// The flags of every command over many files.
  static var manyFiles: [FlagDeclaration] { list(jobs, timeLimit).inSection(.manyFiles) }
  /// The reading of a gesture file whose content is ambiguous.
  static var gestureReading: [FlagDeclaration] {
    list(gestureFormat, timeUnit, columns, pattern, deltas, abi).inSection(.gestureFiles)
  }
  /// Which texts a command reads in the place of recordings, for the discussion of one that has ``gestureReading``.
  static var texts: String {
    "FILE may also be a text: a gesture file in any format, a table of values, or the lines of an app. - is standard "
      + "input, and kymo help list touches describes the flags of texts."
  }
  /// The estimator of velocities and the preset of its window.
  static var estimation: [FlagDeclaration] {
    list(estimator, preset).inSection(.estimate)
  }
  /// The rule that decides finish or cancel.
  static var releaseRule: [FlagDeclaration] { list(rule).inSection(.rule) }
  /// What a recording leaves out.
  static var redaction: [FlagDeclaration] {
    list(noTouches, hashItems, salt).inSection(.privacy)
  }
  /// How large and how old a recording may become.
  static var limits: [FlagDeclaration] { list(maxSize, maxAge) }

  private static func list(_ flags: any FlagSource...) -> [FlagDeclaration] {
    flags.flatMap(\.declarations)
  }
}
