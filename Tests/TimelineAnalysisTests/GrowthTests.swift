import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@testable import MotionJudgement
@testable import MotionMeasures

/// Twice as much takes twice the work, and not four times: counted in steps of SQLite.
@Suite struct GrowthTests {
  let hand: HandMade

  init() throws { hand = try HandMade() }

  /// Gestures far apart, each with a contact, a key that moves and, once at the beginning, one that does not.
  private func gestures(_ count: Int) throws -> RecordingReader {
    try hand.session(into: "\(count).kymo") { recorder in
      recorder.values(of: "still", [(0, 7)])
      for gesture in 0..<count {
        let start = Int64(gesture) * 100_000
        let places = track(6, every: 8, from: start) { $0 * $0 / 36 }
        for (number, place) in places.enumerated() {
          recorder.record(
            TouchSample(
              time: at(place.0), contact: gesture, phase: number == 0 ? .began : .moved,
              position: Point2D(x: place.1 * 100, y: 0)))
        }
        recorder.values(of: "progress", role: .progress, unit: "1", places)
        recorder.record(
          TouchSample(
            time: at(start + 44), contact: gesture, phase: .ended, position: .zero))
        recorder.decision(.finish, at: start + 44, progress: 0.69, transition: gesture)
      }
    }
  }

  @Test("Velocities of twice the gestures read twice the rows")
  func velocities() throws {
    func steps(_ count: Int) throws -> Int {
      let path = try gestures(count).path
      return try sqliteSteps {
        let reader = try RecordingReader(path: path)
        let report = try VelocityReport(of: try reader.sessionRecord(1), in: reader)
        #expect(report.releases.count == count)
        for release in report.releases {
          // The key, and both axes of the one contact that was down; what is still was set once.
          #expect(release.motions.count(where: { $0.subject.isPointer }) == 2)
          #expect(
            release.motions.contains { $0.subject.isProgress && $0.estimate.sampleCount == 6 })
        }
      }
    }
    #expect(try Double(steps(200)) < 2.2 * Double(steps(100)))
  }

  /// A transition of the engine that a finger holds for so many seconds and then moves, and the values that are doubled
  /// at its release.
  private func longTransition(seconds: Int64, doubled: [Double] = []) throws -> RecordingReader {
    try hand.session(into: "long \(seconds) \(doubled.count).kymo", engine: "1") { recorder in
      recorder.record(TimelineEvent(time: at(0), kind: .start))
      let end = seconds * 1000
      let held = track(Int(seconds) * 10 - 1, every: 100) { _ in 0.25 }
      let moved = track(7, every: 8, from: end - 48) { 0.25 + $0 * $0 / 80 }
      recorder.values(
        of: "progress", role: .progress, unit: "1", held + moved + doubled.map { (end, $0) })
      recorder.decision(.finish, at: end, progress: 0.7, transition: 0)
    }
  }

  @Test("The velocity at the end of a long transition reads its last minute")
  func longTransitions() throws {
    func found(_ seconds: Int64) throws -> (steps: Int, report: VelocityReport) {
      let path = try longTransition(seconds: seconds).path
      var report: VelocityReport?
      let steps = try sqliteSteps {
        let reader = try RecordingReader(path: path)
        report = try VelocityReport(of: try reader.sessionRecord(1), in: reader)
      }
      return (steps, try #require(report))
    }
    let (short, long) = (try found(120), try found(1200))
    #expect(Double(long.steps) < 1.1 * Double(short.steps))
    for report in [short.report, long.report] {
      let motions = try #require(report.releases.first).motions
      let progress = try #require(motions.first { $0.subject.isProgress })
      #expect(abs((progress.estimate.velocityPerSecond ?? 0) - 18.75) < 0.01)
    }
  }

  @Test("Two values at the release of a long transition count as they do in a short one")
  func doubledValues() throws {
    func velocity(_ seconds: Int64) throws -> Double? {
      let reader = try longTransition(seconds: seconds, doubled: [0.9, 0.95])
      let report = try VelocityReport(of: try reader.sessionRecord(1), in: reader)
      return report.releases.first?.motions.first { $0.subject.isProgress }?.estimate
        .velocityPerSecond
    }
    #expect(try velocity(200) == velocity(20))
  }

  @Test("The key of the progress is looked up once, and not for each key of each release")
  func progress() throws {
    let reader = try gestures(2)
    let source = try VelocitySource(
      FileSource(reader.sessionRecord(1), in: reader), asking: VelocityQuestion())
    #expect(source.progressKey?.name == "progress")
    #expect(Mirror(reflecting: source).children.contains { $0.label == "progressKey" })
  }

  @Test("A golden session is read twice for any number of runs that are held against it")
  func golden() throws {
    func run(_ file: String) throws -> RecordingReader {
      try hand.session(into: file) { recorder in
        let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "a"))
        for frame in 0..<500 {
          recorder.beginFrame(
            FrameState(
              time: at(Int64(frame)), phase: .idle, progress: nil, contentOffset: .zero,
              contentSize: .zero))
          recorder.record(
            Pose(center: Point2D(x: Double(frame), y: 0), size: Size2D(width: 9, height: 9)),
            of: item,
            at: ItemIndexPath(section: 0, item: 0))
          recorder.endFrame()
        }
      }
    }
    let (path, other) = (try run("golden.kymo").path, try run("run.kymo"))
    func steps(_ count: Int) throws -> Int {
      try sqliteSteps {
        let golden = try RecordingReader(path: path)
        var check = GoldenCheck(Tolerances())
        for _ in 0..<count {
          try check.add(
            other.sessionRecord(1), in: other, golden: golden.sessionRecord(1), in: golden)
        }
        #expect(check.passes)
        #expect(check.runs.allSatisfy { $0.comparison?.layout?.isEmpty == false })
      }
    }
    let two = try steps(2)
    #expect(try Double(steps(12)) < 1.5 * Double(two))
  }

  @Test("The values of twice the keys at a moment take twice the rows, and not one session more")
  func keysAtAMoment() throws {
    func steps(_ count: Int, frames: Int64) throws -> Int {
      let reader = try hand.session(into: "\(count) \(frames).kymo") { recorder in
        let keys = (0..<count).map { recorder.keyHandle(for: "k\($0)", role: .custom, unit: "") }
        for frame in 0..<frames {
          for (number, key) in keys.enumerated() {
            recorder.record(
              Double(number) + Double(frame), for: key, at: at(frame * 8), phase: .idle)
          }
        }
      }
      return try sqliteSteps {
        let reader = try RecordingReader(path: reader.path)
        let keys = try reader.keys(in: 1).map(\.handle)
        let found = try reader.newestSamples(
          of: keys, in: 1, from: Instant(nanoseconds: .min)...at(82))
        #expect(found.count == count)
        for (number, key) in keys.enumerated() {
          #expect(found[key]?.sample.value == Double(number + 10))
        }
      }
    }
    let first = try steps(100, frames: 20)
    #expect(try Double(steps(200, frames: 20)) < 2.2 * Double(first))
    #expect(try Double(steps(100, frames: 200)) < 1.1 * Double(first))
  }

  @Test("The values at a moment are those that the whole curve holds there")
  func sameAsTheWholeCurve() throws {
    let reader = try hand.session { recorder in
      // Doubled times, a key that ends early, one that begins late, one of one value.
      recorder.values(of: "a", [(0, 1), (10, 2), (10, 3), (20, 4), (20, 5), (30, 6)])
      recorder.values(of: "b", [(0, 1), (5, 2)])
      recorder.values(of: "c", [(25, 1), (35, 2)])
      recorder.values(of: "d", [(10, 9)], phase: .settling)
    }
    let keys = try reader.keys(in: 1).map(\.handle)
    var moments: [Instant] = [Instant(nanoseconds: .min), Instant(nanoseconds: .max)]
    moments += (-1...40).map { at($0) }
    for moment in moments {
      let before = Instant(nanoseconds: .min)...moment
      let held = try reader.newestSamples(of: keys, in: 1, from: before)
      for key in keys {
        let all = try reader.samples(of: key, in: 1).rest()
        #expect(held[key]?.sample.value == Curve(all.map(\.sample)).heldValue(at: moment))
        #expect(held[key] == all.last { $0.sample.time <= moment }, "\(key) \(moment)")
      }
    }
    #expect(try reader.newestSamples(of: [], in: 1, from: .zero...(.zero)).isEmpty)
  }
}

extension VelocityReport.Subject {
  fileprivate var isPointer: Bool {
    if case .pointer = self { true } else { false }
  }

  fileprivate var isProgress: Bool {
    if case .key(let key) = self { key.role == .progress } else { false }
  }
}
