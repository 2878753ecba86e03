public import TimelineModel

/// A display's clock on virtual time: whoever owns it moves it on, and it tells its listeners of every
/// frame that is passed. No wall clock is read.
///
/// Frame k is at round(k · 10⁹ / refreshRate) nanoseconds, k = 0, 1, 2, …, computed in integers from
/// the exact rate, so that nothing drifts in however long a session.
public final class DisplayClock {
  /// Frames per second.
  public let refreshRate: Double
  /// The moment that the clock was moved to.
  public private(set) var now: Instant = .zero

  private var nextFrame: Int64 = 0
  private var listeners: [(number: Int, body: (Instant) -> Void)] = []
  private var skipListeners: [(number: Int, body: (Int64, Instant) -> Void)] = []
  private var listenerCount = 0
  // The rate as the fraction numerator / 2^shift, numerator odd or shift 0.
  private let numerator: UInt128
  private let shift: Int

  /// The quickest display, in frames per second: far above any there is, and few enough for a settle
  /// to be written down frame by frame.
  public static let highestRefreshRate = 100_000.0

  /// The fewest frames that one advance shows before it skips. Ten minutes at 60 a second, longer than
  /// any hand rests in a recording. Our own choice.
  private static let fewestShown = 36_000.0

  /// How many frames one advance shows before it skips to the last one: time that nobody trusts must
  /// not run for ever, and no settle is cut.
  private let longestStretch: Int64

  /// Makes a clock at time 0.
  ///
  /// - Parameter refreshRate: Frames per second, above 0 and at most ``highestRefreshRate``.
  /// - Throws: `badValue` for any other rate.
  public init(refreshRate: Double = 60) throws(TransitionError) {
    guard refreshRate > 0, refreshRate <= DisplayClock.highestRefreshRate else {
      throw TransitionError(
        .badValue,
        "The refresh rate is \(refreshRate). It must be above 0 and at most "
          + "\(DisplayClock.highestRefreshRate) frames per second."
      )
    }
    self.refreshRate = refreshRate
    // significand · 2^exponent, with the significand's 52 fraction bits made whole.
    var bits = UInt128(refreshRate.significandBitPattern)
    var exponent = -1074
    if refreshRate.isNormal {
      bits |= 1 << 52
      exponent = Int(refreshRate.exponent) - 52
    }
    let zeros = bits.trailingZeroBitCount
    bits >>= UInt128(zeros)
    exponent += zeros
    numerator = exponent > 0 ? bits << UInt128(exponent) : bits
    shift = max(0, -exponent)
    longestStretch = Int64(
      max(DisplayClock.fewestShown, 2 * refreshRate * longestSettleSeconds))
  }

  /// The instant of a frame. `nil` where it lies beyond 64 bits of nanoseconds, or for a negative number.
  package func instant(ofFrame number: Int64) -> Instant? {
    guard number >= 0 else { return nil }
    let nanosecondsPerSecond: UInt128 = 1_000_000_000
    let scaled = UInt128(number) * nanosecondsPerSecond
    guard scaled == 0 || shift < scaled.leadingZeroBitCount - 1 else {
      return nil
    }
    // Twice the quotient, plus one, halved: rounds half up.
    let rounded = ((scaled << UInt128(shift + 1)) + numerator) / (2 * numerator)
    return Int64(exactly: rounded).map(Instant.init(nanoseconds:))
  }

  /// Calls `body` at every frame from now on, in the order of adding.
  ///
  /// - Returns: The listener's number, for ``removeListener(_:)``.
  @discardableResult
  public func onFrame(_ body: @escaping (Instant) -> Void) -> Int {
    listenerCount += 1
    listeners.append((listenerCount, body))
    return listenerCount
  }

  /// Calls `body` when frames are left out, with their number and the instant of the next one.
  ///
  /// - Returns: The listener's number, for ``removeListener(_:)``.
  @discardableResult
  package func onSkip(_ body: @escaping (_ count: Int64, _ next: Instant) -> Void) -> Int {
    listenerCount += 1
    skipListeners.append((listenerCount, body))
    return listenerCount
  }

  /// Calls a listener no more. A number that is not one changes nothing.
  public func removeListener(_ number: Int) {
    listeners.removeAll { $0.number == number }
    skipListeners.removeAll { $0.number == number }
  }

  /// Shows every frame earlier than `time`, then moves on to it. A time that is past changes nothing.
  ///
  /// In a stretch of more than 36,000 frames, and more than any settle takes, nothing can move any more:
  /// the frames after these are left out, up to the last.
  public func advance(before time: Instant) {
    var shown: Int64 = 0
    while let frame = instant(ofFrame: nextFrame), frame < time {
      if shown == longestStretch { skip(toLastBefore: time) } else { show(frame) }
      shown += 1
    }
    now = max(now, time)
  }

  /// Shows every frame up to and at `time`, then moves on to it. A time that is past changes nothing.
  /// Long stretches are shortened as by ``advance(before:)``.
  public func advance(through time: Instant) {
    advance(before: time)
    if let frame = instant(ofFrame: nextFrame), frame == time { show(frame) }
  }

  private func skip(toLastBefore time: Instant) {
    let left = frameCount(before: time) - 1
    guard left > 0 else { return }
    nextFrame += left
    guard let next = instant(ofFrame: nextFrame) else { return }
    for listener in skipListeners { listener.body(left, next) }
  }

  /// Shows the next frame, and moves on to it.
  ///
  /// - Returns: Its instant. `nil` when there is no further frame within 64 bits of nanoseconds.
  @discardableResult
  public func advanceToNextFrame() -> Instant? {
    guard let frame = instant(ofFrame: nextFrame) else { return nil }
    show(frame)
    return frame
  }

  /// How many frames ``advance(before:)`` would show: what a caller may look at before it follows a
  /// time from a file that it does not trust.
  package func frameCount(before time: Instant) -> Int64 {
    Int64((nextFrame..<Int64.max).firstOrdered { instant(ofFrame: $0).map { $0 >= time } ?? true })
  }

  /// The instant of the next frame that will be shown.
  public var nextFrameInstant: Instant? { instant(ofFrame: nextFrame) }

  private func show(_ frame: Instant) {
    nextFrame += 1
    now = max(now, frame)
    for listener in listeners { listener.body(frame) }
  }
}

/// A clock is moved in place. Use it, and the views on it, from one thread at a time.
@available(*, unavailable)
extension DisplayClock: Sendable {}
