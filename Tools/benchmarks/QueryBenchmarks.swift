import MotionJudgement
import MotionPhysics
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

/// The three questions of the store design, 4g, each beside the same rows stepped through in C.
let queryBenchmarks: [Benchmark] =
  velocityQuestions + stateQuestions + comparisonQuestions + readingQuestions

/// A hundred milliseconds of a key before a release, and a fit to them.
private let velocityQuestions: [Benchmark] = [
  Benchmark(
    name: "query-velocity-c-10min", group: "query-velocity", unit: "question",
    summary: "a key's last 100 ms of ten minutes of 16 keys, read in C: the yardstick"
  ) {
    let recording = try TenMinutes.shared()
    let query = PlainQuery(recording.path, keyInRange)
    return .each { unit in
      let lift = recording.release(unit)
      query.run(1, lift - windowNanoseconds, lift, fittedKey)
    }
  },
  velocity(isSealed: false), velocity(isSealed: true), velocityInTenHours,
]

private func velocity(isSealed: Bool) -> Benchmark {
  velocity(
    isSealed ? "query-velocity-sealed-10min" : "query-velocity-10min",
    isSealed
      ? "the same of packed samples"
      : "the same, and a fit of the second degree: the velocity at a release"
  ) { try isSealed ? TenMinutes.sealed() : TenMinutes.shared() }
}

/// A session of ten hours, sealed: 70 million samples in 150 MB.
private let velocityInTenHours = velocity(
  "query-velocity-sealed-10h", "the same in a session of ten hours", isOnRequest: true
) { try TenMinutes(isSealed: true, seconds: 36_000, sessions: 1) }

private func velocity(
  _ name: String, _ summary: String, isOnRequest: Bool = false,
  _ recording: @escaping @Sendable () throws -> TenMinutes
) -> Benchmark {
  Benchmark(
    name: name, group: "query-velocity", unit: "question", isOnRequest: isOnRequest,
    bars: [.nanoseconds(50_000)], summary: summary
  ) {
    let recording = try recording()
    let reader = try RecordingReader(path: recording.path)
    let key = KeyHandle(rawValue: Int32(fittedKey))
    return .each { unit in
      let lift = Instant(nanoseconds: recording.release(unit))
      let rows = try reader.samples(
        of: key, in: 1, from: lift.advanced(byNanoseconds: -windowNanoseconds)...lift
      ).rest()
      let velocity = Estimator.lsq2.velocity(rows.map(\.sample), lift: lift)
      precondition(velocity != nil, "There is no velocity.")
    }
  }
}

/// One key of a session over all its time.
private let readingQuestions: [Benchmark] = [
  Benchmark(
    name: "query-read-c-10min", group: "query-read", unit: "question",
    summary: "a key's ten minutes of a session of 16 keys, read in C: the yardstick"
  ) {
    let recording = try TenMinutes.shared()
    let query = PlainQuery(recording.path, keyInRange)
    return .each { _ in query.run(1, .min, .max, fittedKey) }
  },
  reading(isSealed: false), reading(isSealed: true),
]

private func reading(isSealed: Bool) -> Benchmark {
  Benchmark(
    name: isSealed ? "query-read-sealed-10min" : "query-read-10min", group: "query-read",
    unit: "question", bars: isSealed ? [.nanoseconds(3_000_000)] : [.speed(1 / 1.2)],
    summary: isSealed ? "the same of packed samples" : "the same through the reader"
  ) {
    let recording = try isSealed ? TenMinutes.sealed() : TenMinutes.shared()
    let reader = try RecordingReader(path: recording.path)
    let key = KeyHandle(rawValue: Int32(fittedKey))
    return .each { _ in
      let rows = try reader.samples(of: key, in: 1)
      var count = 0
      while try rows.next() != nil { count += 1 }
      precondition(count == 600 * SampleLoad.framesPerSecond, "A sample is missing.")
    }
  }
}

/// One key of two sessions over all their time.
private let comparisonQuestions: [Benchmark] = [
  Benchmark(
    name: "query-compare-c-10min", group: "query-compare", unit: "question",
    summary: "a key's ten minutes of both sessions, read in C: the yardstick"
  ) {
    let recording = try TenMinutes.shared()
    let query = PlainQuery(recording.path, keyInRange)
    return .each { _ in
      for session in 1...2 { query.run(Int64(session), .min, .max, fittedKey) }
    }
  },
  comparison(isSealed: false), comparison(isSealed: true),
]

private func comparison(isSealed: Bool) -> Benchmark {
  Benchmark(
    name: isSealed ? "query-compare-sealed-10min" : "query-compare-10min", group: "query-compare",
    unit: "question", bars: [.nanoseconds(isSealed ? 15_000_000 : 150_000_000)],
    summary: isSealed
      ? "the same of packed samples"
      : "the same, and where and by how much they differ, with the lag between them"
  ) {
    let recording = try isSealed ? TenMinutes.sealed() : TenMinutes.shared()
    let reader = try RecordingReader(path: recording.path)
    let key = KeyHandle(rawValue: Int32(fittedKey))
    return .each { _ in
      let curves = try [Int64(1), 2].map { session in
        let rows = try reader.samples(of: key, in: session)
        var curve = Curve([])
        curve.reserveCapacity(600 * SampleLoad.framesPerSecond)
        while let row = try rows.next() { curve.append(row.sample) }
        return curve
      }
      let comparison = CurveComparison(curves[0], curves[1])
      precondition(comparison.overlapSeconds > 0, "The curves do not meet.")
    }
  }
}

/// All 200 elements at a moment of a minute.
private let stateQuestions: [Benchmark] = [
  Benchmark(
    name: "query-state-c-1min", group: "query-state", unit: "question",
    summary: "the rows from a key frame to a moment, 200 items, read in C: the yardstick"
  ) {
    let recording = try PoseRecording(isSealed: false)
    let query = PlainQuery(
      recording.path,
      "SELECT * FROM plain_attribute WHERE session = ?1 AND frame BETWEEN ?2 AND ?3 ORDER BY frame, item"
    )
    return .each { unit in
      let frame = recording.frame(unit)
      query.run(1, frame - frame % Int64(AttributeLoad.framesPerSecond), frame)
    }
  },
  state(isSealed: false, "plain rows"), state(isSealed: true, "packed blocks"),
]

private func state(isSealed: Bool, _ what: String) -> Benchmark {
  Benchmark(
    name: "query-state-\(isSealed ? "sealed" : "rows")-1min", group: "query-state",
    unit: "question", bars: [.nanoseconds(2_000_000)],
    summary: "the state of 200 items at a moment, from \(what), in a reader that is open"
  ) {
    let recording = try PoseRecording(isSealed: isSealed)
    let reader = try RecordingReader(path: recording.path)
    return .each { unit in
      let time = Instant(
        nanoseconds: recording.frame(unit) * 1_000_000_000 / Int64(AttributeLoad.framesPerSecond))
      let frame = try reader.frame(shownAt: time, in: 1)
      let folded = try reader.foldedFrame(frame?.number ?? 0, in: 1)
      precondition(folded?.elements.count == AttributeLoad.items, "An item is missing.")
    }
  }
}

private let keyInRange = """
  SELECT t_ns, value FROM plain_sample WHERE session = ?1 AND t_ns BETWEEN ?2 AND ?3
  AND slot >> 2 & 1073741823 = ?4 ORDER BY t_ns, slot
  """

private let fittedKey: Int64 = 10
private let windowNanoseconds: Int64 = 100_000_000

/// Sessions of sixteen keys, usually two of ten minutes, the second a little later than the first.
private final class TenMinutes {
  var path: String { folder.recording }
  private let folder: TemporaryFolder
  private let load = SampleLoad()
  private let frames: Int

  /// The recording that somebody holds, or a new one: cases that take turns share it.
  static func shared() throws -> TenMinutes {
    if let kept { return kept }
    let new = try TenMinutes()
    kept = new
    return new
  }

  /// The same, sealed.
  static func sealed() throws -> TenMinutes {
    if let keptSealed { return keptSealed }
    let new = try TenMinutes(isSealed: true)
    keptSealed = new
    return new
  }

  // The program has one thread that measures.
  private nonisolated(unsafe) static weak var kept: TenMinutes?
  private nonisolated(unsafe) static weak var keptSealed: TenMinutes?

  fileprivate init(isSealed: Bool = false, seconds: Int = 600, sessions: Int = 2) throws {
    folder = try TemporaryFolder()
    frames = seconds * SampleLoad.framesPerSecond
    var settings = RecorderSettings.byHand
    settings.sealsFromStart = isSealed
    for shift in 0..<sessions {
      let recorder = try folder.recorder(.live, .ofBenchmarks, settings)
      load.record(
        shift..<shift + frames, into: recorder, load.keys(in: recorder), isSealing: isSealed)
      try recorder.finish(
        at: Instant(nanoseconds: load.time(ofFrame: shift + frames)), outcome: .finished)
    }
  }

  /// A moment with a window before it: another one each time, not in order.
  func release(_ turn: Int) -> Int64 { load.time(ofFrame: 120 + turn * 311 % (frames - 120)) }
}

/// A minute of 200 elements.
private final class PoseRecording {
  var path: String { folder.recording }
  private let folder: TemporaryFolder
  private static let frames = 60 * AttributeLoad.framesPerSecond

  init(isSealed: Bool) throws {
    folder = try writeRecording(AttributeLoad(seconds: 8), frames: Self.frames, isSealed: isSealed)
  }

  /// A frame of it: another one each time, not in order.
  func frame(_ turn: Int) -> Int64 { Int64(turn * 311 % Self.frames) }
}
