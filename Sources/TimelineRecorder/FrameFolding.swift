public import TimelineModel
import TimelineStore

/// The knowledge of the frames so far: which elements are present, and how each stood.
///
/// It works on memory of its own, reached by addresses, since an array in a class costs a check at each
/// access. An element has two bodies of words that lie as in a crash journal's change: how it stood in the
/// last frame kept, and how it stands in the open one. A frame that is kept exchanges the two. Used by one
/// thread at a time, which a session's frames belong to.
struct FrameFolding {
  struct Element {
    /// The open frame's turn in which it was given.
    var turn: Int64 = -1
    /// Which of its two bodies is the one kept: 0 or 1.
    var kept: Int32 = 0
    /// Whether it stands in the open frame as in the body kept.
    var isSame = false
  }

  /// How far a key frame may be from the last, in nanoseconds of the session's time, so that the state at a
  /// moment is found quickly and a 1 Hz film of the session is plain rows.
  static let keyFrameNanoseconds: Int64 = 1_000_000_000

  /// And in frames: five seconds at 120 Hz, for a session whose time stands still.
  static let keyFrameFrames = 600

  /// Words of a body: flags, section, item, center, size, alpha, z order, six of a flat transform, and one
  /// so that a body fills two cache lines.
  static let bodyWords = 16
  /// Words of a spatial transform, which lie apart.
  static let spatialWords = 16
  /// Words of a frame's record.
  static let frameWords = 9
  /// Words of a change to a pose with the identity as its transform.
  static let uprightWords = 10
  /// Words of a change to a pose with another flat transform.
  static let flatWords = 16
  /// Words of the longest change: to a pose with a transform in space.
  static let longestChange = 26
  /// Words of a change that says that an element is gone.
  static let goneWords = 2

  var open: FrameState?
  /// The number of the next frame.
  var number: Int64 = 0
  /// How many elements there is memory for.
  private(set) var capacity = 0

  var turn: Int64 = 0
  var elements: UnsafeMutablePointer<Element>
  var bodies: UnsafeMutablePointer<UInt64>
  var spatials: UnsafeMutablePointer<UInt64>?
  /// Elements of the last frame kept, in the order of their numbers.
  var present: UnsafeMutablePointer<Int32>
  var presentCount = 0
  /// Elements of the open frame in the order given.
  var given: UnsafeMutablePointer<Int32>
  var givenCount = 0
  var isAscending = true
  var isKeyFrame = false
  var lastKeyFrame: Int64 = 0
  var hasKeyFrame = false
  var framesSinceKey = 0
  /// How many rows of elements may come before the next key frame, so that a recording which is kept
  /// within a size can lose everything before it.
  var keyFrameRows = Int.max
  var rowsSinceKey = 0

  init() {
    elements = .allocate(capacity: 1)
    bodies = .allocate(capacity: 1)
    present = .allocate(capacity: 1)
    given = .allocate(capacity: 1)
  }

  func free() {
    elements.deallocate()
    bodies.deallocate()
    spatials?.deallocate()
    present.deallocate()
    given.deallocate()
  }

  /// Makes room for so many elements.
  mutating func grow(to count: Int) {
    var size = max(64, capacity)
    while size < count { size *= 2 }
    guard size > capacity else { return }
    func moved<Word>(
      _ old: UnsafeMutablePointer<Word>, _ each: Int, filledWith word: Word
    ) -> UnsafeMutablePointer<Word> {
      let new = UnsafeMutablePointer<Word>.allocate(capacity: size * each)
      new.moveInitialize(from: old, count: capacity * each)
      (new + capacity * each).initialize(repeating: word, count: (size - capacity) * each)
      old.deallocate()
      return new
    }
    elements = moved(elements, 1, filledWith: Element())
    // No pose has these flags, so the first pose of an element is a change.
    bodies = moved(bodies, 2 * FrameFolding.bodyWords, filledWith: .max)
    if let old = spatials { spatials = moved(old, 2 * FrameFolding.spatialWords, filledWith: 0) }
    present = moved(present, 1, filledWith: 0)
    given = moved(given, 1, filledWith: 0)
    capacity = size
  }
}

extension MotionPhase {
  /// The number that stands for the phase in a journal and in tables.
  @inlinable @inline(__always)
  var code: UInt32 {
    switch self {
    case .idle: 0
    case .driving: 1
    case .settling: 2
    }
  }
}
