public import TimelineModel
import TimelineStore

/// The knowledge of the frames so far: which elements are present, and how each stood.
///
/// It works on memory of its own, reached by addresses, since an array in a class costs a check at each
/// access. An element has two bodies of words in the order of a crash journal's change: how it stood in the
/// last frame kept, and how it stands in the open one. Between two frames an app empties the caches, so a body
/// has only the words of every pose, and transforms are apart.
/// Used by one thread at a time, which a session's frames belong to.
struct FrameFolding {
  /// The state of an element in one word: a frame fetches it for each.
  struct Element {
    private let word: UInt64

    /// - Parameter side: Which of its two bodies it stands by: 0 or 1.
    init(turn: UInt64 = 0, isChanged: Bool = false, side: Int = 0) {
      word = turn << 2 | (isChanged ? 2 : 0) | UInt64(truncatingIfNeeded: side)
    }

    /// The turn of the last frame in which it was given, unless that frame was lost.
    var turn: UInt64 { word >> 2 }
    /// Whether it differed there from the frame before, so that this one's body is the other one.
    var isChanged: Bool { word & 2 != 0 }
    /// Which of its two bodies it stands by since then: 0 or 1.
    var side: Int { Int(truncatingIfNeeded: word & 1) }
    /// Which of them it stood by in the frame before that.
    var sideBefore: Int { Int(truncatingIfNeeded: (word ^ word >> 1) & 1) }
  }

  /// How far a key frame may be from the last, in nanoseconds of the session's time, so that the state at a
  /// moment is found quickly and a 1 Hz film of the session is plain rows.
  static let keyFrameNanoseconds: Int64 = 1_000_000_000

  /// And in frames: five seconds at 120 Hz, for a session whose time stands still.
  static let keyFrameFrames = 600

  /// Words of a body: flags, section, item, center, size, alpha, z order.
  static let bodyWords = 9
  /// Words of a transform: six of a flat one, sixteen of one in space.
  static let transformWords = 16
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

  /// How many elements ``setUpright(_:_:of:)`` takes: those with a number and memory. 0 without an open frame.
  var openCount = 0
  /// The open frame's number among all that were opened.
  var turn: UInt64 = 0
  var elements: UnsafeMutablePointer<Element>
  /// The first bodies of all elements, then the second ones.
  private var bodies: UnsafeMutablePointer<UInt64>
  /// The same of the transforms other than the identity. `nil` before there is one.
  private var transforms: UnsafeMutablePointer<UInt64>?
  /// Elements of the last frame kept, in order.
  var present = ElementList()
  /// Elements of the open frame.
  var given = ElementList()
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
  }

  func free() {
    elements.deallocate()
    bodies.deallocate()
    transforms?.deallocate()
    present.free()
    given.free()
  }

  /// The place of one of an element's two bodies.
  @inline(__always)
  func body(_ item: Int, _ side: Int) -> UnsafeMutablePointer<UInt64> {
    bodies + (side &* capacity &+ item) &* FrameFolding.bodyWords
  }

  /// The place of the transform of one of an element's two bodies. `nil` before there is a transform.
  @inline(__always)
  func transform(_ item: Int, _ side: Int) -> UnsafeMutablePointer<UInt64>? {
    transforms.map { $0 + (side &* capacity &+ item) &* FrameFolding.transformWords }
  }

  /// The same, after making room for transforms where there is none.
  mutating func makeTransform(_ item: Int, _ side: Int) -> UnsafeMutablePointer<UInt64> {
    if let place = transform(item, side) { return place }
    let count = capacity * 2 * FrameFolding.transformWords
    let new = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    new.initialize(repeating: 0, count: count)
    transforms = new
    return new + (side &* capacity &+ item) &* FrameFolding.transformWords
  }

  /// Makes room for so many elements.
  mutating func grow(to count: Int) {
    var size = max(64, capacity)
    while size < count { size *= 2 }
    guard size > capacity else { return }
    func moved<Word>(
      _ old: UnsafeMutablePointer<Word>, _ each: Int, parts: Int, filledWith word: Word
    ) -> UnsafeMutablePointer<Word> {
      let new = UnsafeMutablePointer<Word>.allocate(capacity: size * each * parts)
      let (known, more) = (capacity * each, (size - capacity) * each)
      for part in 0..<parts {
        let place = new + part * size * each
        place.moveInitialize(from: old + part * known, count: known)
        (place + known).initialize(repeating: word, count: more)
      }
      old.deallocate()
      return new
    }
    elements = moved(elements, 1, parts: 1, filledWith: Element())
    // No pose has these flags, so the first pose of an element is a change.
    bodies = moved(bodies, FrameFolding.bodyWords, parts: 2, filledWith: .max)
    transforms = transforms.map {
      moved($0, FrameFolding.transformWords, parts: 2, filledWith: 0)
    }
    present.grow(to: size)
    given.grow(to: size)
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
