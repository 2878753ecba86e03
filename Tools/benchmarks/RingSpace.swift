import KymographCLibrary
import TimelineModel
import TimelineRecorder

/// A recorder under the policy for apps whose ring is emptied where nobody measures: its thread is not
/// called before the ring is half full, and its time never comes.
final class RingSpace {
  let recorder: Recorder
  /// The cost of the measured calls.
  let stopwatch = Stopwatch(shortestStretch: RingSpace.shortestStretch)
  /// How many rounds fit before the ring has to be emptied.
  private let room: Int
  private var used = 0
  private var done = 0

  /// A fifth of a millisecond: to the thread's clock half a hundredth, and what is stored meanwhile
  /// fits a ring of the usual size.
  static let shortestStretch = 200_000.0

  /// Words of the usual ring that may be taken before the writer is called.
  private static let freeWords = RecorderSettings().ringBytes / 8 / 2

  /// Makes a recorder into a file without a name.
  ///
  /// - Parameter wordsEach: How many words of the ring a round of calls takes at most.
  init(wordsEach: Int) throws {
    let folder = try TemporaryFolder()
    recorder = try withExtendedLifetime(folder) { try folder.recorder() }
    // A sixteenth less, for names and for the rest of the ring.
    room = RingSpace.freeWords / wordsEach * 15 / 16
  }

  /// Work in pieces that fit the ring.
  ///
  /// - Parameters:
  ///   - burst: How many rounds a piece has. `nil`: as many as fit.
  ///   - unitsEach: How many units a round has.
  ///   - append: Stores so many rounds from a number on. All that is measured.
  func work(
    burst: Int? = nil, unitsEach: Int, _ append: @escaping (_ first: Int, _ count: Int) -> Void
  ) -> Benchmark.Work {
    Benchmark.Work(
      run: { [self] units in
        let rounds = (units + unitsEach - 1) / unitsEach
        var left = rounds
        while left > 0 {
          let wanted = burst ?? min(left, room)
          if used + wanted > room { empty() }
          if burst != nil { usleep(RingSpace.frameMicroseconds) }
          stopwatch.measure { append(done, wanted) }
          used += wanted
          done += wanted
          left -= wanted
        }
        return (rounds - left) * unitsEach
      }, tidyUp: { [self] in empty() }, stopwatch: stopwatch)
  }

  /// A display's frame, in microseconds.
  static let frameMicroseconds: UInt32 = 8_333

  private func empty() {
    recorder.writeBatch()
    used = 0
  }
}
