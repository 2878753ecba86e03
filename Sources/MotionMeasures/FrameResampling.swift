import MotionPhysics
import TimelineModel
package import TimelineStore

/// Frames at a steady rate from frames as they were recorded.
///
/// Between two recorded frames progress, content offset, content size and poses are mixed linearly.
/// Phase, index paths and elements that only one of the two frames has are held from the earlier one.
package struct FrameResampling {
  private let next: () throws -> FoldedFrame?
  private let rate: Double
  private var before: FoldedFrame?
  private var after: FoldedFrame?
  private var number: Int64 = 0

  /// Makes a resampling.
  ///
  /// - Parameters:
  ///   - rate: Frames per second, above 0.
  ///   - next: Gives the recorded frames in the order of their times. `nil` at the end.
  package init(
    rate: Double,
    next: @escaping () throws -> FoldedFrame?
  ) {
    precondition(rate > 0, "A rate of frames is above 0. Check it before resampling.")
    self.rate = rate
    self.next = next
  }

  /// The next frame, at round(k · 10⁹ / rate) ns for k = 0, 1, 2, …, from the first recorded frame's
  /// instant to the last one's. `nil` after it.
  package mutating func nextFrame() throws -> FoldedFrame? {
    if before == nil {
      before = try next()
      guard let first = before else { return nil }
      let exact = max(0, (first.frame.state.time.seconds * rate).rounded(.up))
      guard let whole = Int64(exactly: exact) else { return nil }
      number = whole
      after = try next()
    }
    guard let time = Instant(seconds: Double(number) / rate) else { return nil }
    while let following = after, following.frame.state.time <= time {
      before = following
      after = try next()
    }
    guard let before, after != nil || before.frame.state.time >= time else { return nil }
    number += 1
    return mixed(before, after, at: time)
  }

  private func mixed(_ before: FoldedFrame, _ after: FoldedFrame?, at time: Instant) -> FoldedFrame
  {
    var result = before
    result.frame.state.time = time
    let start = before.frame.state
    guard let after, time > start.time else { return result }
    let end = after.frame.state
    let span = end.time.seconds(since: start.time)
    let share = span > 0 ? time.seconds(since: start.time) / span : 0
    if let from = start.progress, let to = end.progress {
      result.frame.state.progress = lerp(from, to, share)
    }
    result.frame.state.contentOffset = lerp(start.contentOffset, end.contentOffset, share)
    result.frame.state.contentSize = lerp(start.contentSize, end.contentSize, share)
    var following: [ItemHandle: Pose] = [:]
    for element in after.elements { following[element.item] = element.pose }
    for index in result.elements.indices {
      guard let pose = following[result.elements[index].item] else { continue }
      result.elements[index].pose = Pose.mixed(
        result.elements[index].pose, pose, progress: share, transforms: .decomposed)
    }
    return result
  }
}

/// Not Sendable: it reads on from frame to frame.
@available(*, unavailable)
extension FrameResampling: Sendable {}
