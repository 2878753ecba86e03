import Foundation
import Synchronization
import TimelineModel
import TimelineRecorder
import TimelineStatistics

/// The process that is killed: records one session after the other, as fast as an app would at its
/// busiest, and says after each call that it has returned.
struct RecordingChild {
  let path: String
  let acknowledgements: Acknowledgements
  var generator: SplitMix64
  var kind = TrialKind.recording
  /// Whether the first session lasts until the process is killed.
  var isEndless = false

  /// So many things a thread records before it sleeps for a millisecond: 20,000 a second and thread.
  private static let burst = 20

  /// So often a session is suspended: some two tenths of a second's worth.
  private static let suspensionsPerSession = 20

  /// Records until the process ends.
  mutating func run() throws {
    for session in 0..<Acknowledgements.sessions {
      let recorder = try Recorder(
        path: path, session: SessionDescription(software: "kymo-crash", clock: "virtual"),
        policy: .live, settings: kind.settings)
      acknowledgements.store(UInt64(recorder.session), .number, session: session)
      try record(recorder, session)
      try recorder.finish(at: Instant(nanoseconds: .max), outcome: .none)
      acknowledgements.store(1, .finished, session: session)
    }
  }

  private mutating func record(_ recorder: Recorder, _ session: Int) throws {
    let isOver = Flag()
    let group = DispatchGroup()
    for thread in 0..<Load.threads {
      let worker = RecordingThread(
        recorder: recorder, acknowledgements: acknowledgements, session: session, number: thread,
        burst: Self.burst, isOver: isOver)
      group.enter()
      Thread.detachNewThread {
        worker.run()
        group.leave()
      }
    }
    while isEndless { usleep(100_000) }
    switch kind {
    case .recording, .sealing:
      // Up to a tenth of a second a session, so that openings and ends are hit too.
      usleep(UInt32(5_000 + generator.next() % 95_000))
    case .checkpoint: usleep(UInt32(200_000 + generator.next() % 200_000))
    case .suspending: try suspendAndResume(recorder, session)
    }
    isOver.raise()
    group.wait()
  }

  /// The other threads go on recording meanwhile.
  private mutating func suspendAndResume(_ recorder: Recorder, _ session: Int) throws {
    for _ in 0..<Self.suspensionsPerSession {
      usleep(UInt32(generator.next() % 4_000))
      enter(.suspending, session)
      try recorder.suspend()
      enter(.suspended, session)
      usleep(UInt32(generator.next() % 4_000))
      enter(.resuming, session)
      try recorder.resume()
      enter(.recording, session)
    }
  }

  private func enter(_ stage: Acknowledgements.Stage, _ session: Int) {
    acknowledgements.store(stage.rawValue, .stage, session: session)
  }
}

/// Tells threads to end.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

/// One thread of a recording child.
struct RecordingThread: Sendable {
  let recorder: Recorder
  let acknowledgements: Acknowledgements
  let session: Int
  let number: Int
  let burst: Int
  let isOver: Flag

  /// Records until it has to end.
  func run() {
    let key = recorder.keyHandle(for: "thread \(number)", role: .custom, unit: "1")
    let items = (0..<Load.items).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
    var count: UInt64 = 0
    while !isOver.isRaised {
      for _ in 0..<burst {
        recorder.record(Load.value(count), for: key, at: Load.time(count), phase: .driving)
        acknowledgements.store(count + 1, .values, session: session, thread: number)
        switch number {
        case 0: recordFrame(count, items)
        case 1:
          recorder.record(Load.touch(count))
          acknowledgements.store(count + 1, .touches, session: session)
        case 2:
          recorder.record(Load.event(count))
          acknowledgements.store(count + 1, .events, session: session)
        default: break
        }
        count += 1
      }
      usleep(1_000)
    }
  }

  private func recordFrame(_ index: UInt64, _ items: [ItemHandle]) {
    recorder.beginFrame(Load.frame(index))
    for (place, item) in items.enumerated() {
      recorder.record(
        Load.pose(place, in: index), of: item, at: ItemIndexPath(section: 0, item: place))
    }
    recorder.endFrame()
    acknowledgements.store(index + 1, .frames, session: session)
  }
}
