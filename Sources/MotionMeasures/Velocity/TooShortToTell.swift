/// Why an estimate cannot be made: the words behind "too short to tell: ".
package enum TooShortToTell: String, Error, Hashable, Sendable {
  /// Fewer frames than an estimate needs.
  case fewFrames = "there are too few frames"
  /// A finger that hardly moved.
  case littleWay = "the distance is too short"
  /// An item that stays where it is.
  case noMotion = "nothing moves"
  /// A finger that rested before it was lifted.
  case stopped = "the finger had stopped before it was lifted"
  /// A finger of which nothing was reported between its last move and a lift elsewhere.
  case unreported = "it is not known what the finger did right before its lift"
  /// A finger so slow that its speed may be 0.
  case slow = "the finger is too slow"
  /// A frame that was not shown, or not recorded, near the lift.
  case missingFrame = "a frame is missing"
  /// An interval so wide that it says nothing.
  case wide = "the interval is too wide"
  /// Numbers that are not finite, or that a fit cannot hold.
  case outOfRange = "the numbers are out of range"
}
