import Testing

@testable import TimelineRecorder

/// When what arrives slowly is written and synced: told the time, and so without a clock.
@Suite struct SlowInputTests {
  private let millisecond: Int64 = 1_000_000

  @Test func `nothing waits before something has come, and after it is safe`() {
    var input = SlowInput()
    #expect(input.patience(at: 0) == nil)
    input.arrived(at: 5)
    #expect(input.patience(at: 5) == 250)
    input.isSafe()
    #expect(input.patience(at: .max) == nil)
  }

  /// Plays lines at a distance for ten seconds, as the reader of a pipe does; the longest time that a line
  /// was not on the disk, in milliseconds.
  private func longestWait(linesEvery distance: Int64) -> Int64 {
    var input = SlowInput()
    var waiting: [Int64] = []
    var longest: Int64 = 0
    for line in stride(from: Int64(0), to: 10_000, by: Int(distance)) {
      // Between two lines the pipe is silent.
      var now = line
      input.arrived(at: now * millisecond)
      waiting.append(now)
      while let patience = input.patience(at: now * millisecond),
        now + Int64(patience) < line + distance
      {
        now += Int64(patience)
        longest = max(longest, now - (waiting.first ?? now))
        waiting = []
        input.isSafe()
      }
    }
    return longest
  }

  @Test(arguments: [1, 10, 50, 100, 200, 249, 250, 251, 400, 1_000, 3_000] as [Int64])
  func `no line waits for more than half a second and its next`(distance: Int64) {
    #expect((1...500).contains(longestWait(linesEvery: distance)))
  }

  @Test func `times at the ends of the clock`() {
    var input = SlowInput()
    input.arrived(at: 0)
    #expect(input.patience(at: .max) == 0)
  }
}
