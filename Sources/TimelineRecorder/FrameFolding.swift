import TimelineModel
import TimelineStore

/// What is known of the frames so far: which elements are present, and how each stood.
///
/// It works on memory of its own, reached by addresses, since an array in a class costs a check at each
/// access. An element has two bodies of words that lie as in a crash journal's change: how it stood in the
/// last frame kept, and how it stands in the open one; a frame that is kept exchanges the two. Used by one
/// thread at a time, which a session's frames belong to.
struct FrameFolding {
  /// One element.
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
  /// Words of a change of an element without a transform, as most are.
  static let uprightChange = 10
  /// Words of the longest change.
  static let longestChange = 26
  /// Words of a change that says that an element is gone.
  static let goneWords = 2

  /// The open frame.
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

  init() {
    elements = .allocate(capacity: 1)
    bodies = .allocate(capacity: 1)
    present = .allocate(capacity: 1)
    given = .allocate(capacity: 1)
  }

  /// Gives the memory back.
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

// MARK: - Taking poses in

extension FrameFolding {
  /// Opens a frame.
  mutating func begin(_ state: FrameState) {
    open = state
    turn += 1
    givenCount = 0
    isAscending = true
  }

  /// Sets an element's pose in the open frame; the last call for an element counts.
  ///
  /// - Parameter item: The element's number, below ``capacity``.
  /// - Returns: false when a number of the pose is not finite; then nothing is set.
  @inline(__always)
  mutating func set(_ pose: borrowing Pose, _ indexPath: IndexPath, of item: Int) -> Bool {
    let element = elements + item
    let pair = bodies + item &* (2 &* FrameFolding.bodyWords)
    let keptSide = Int(element.pointee.kept)
    let kept = pair + keptSide &* FrameFolding.bodyWords
    guard case .flat(let flat) = pose.transform else {
      return setSpatial(copy pose, indexPath, of: item)
    }
    let a = flat.a.bitPattern
    let b = flat.b.bitPattern
    let c = flat.c.bitPattern
    let d = flat.d.bitPattern
    let tx = flat.tx.bitPattern
    let ty = flat.ty.bitPattern
    let one = 1.0.bitPattern
    let isIdentity = (a ^ one) | b | c | (d ^ one) | tx | ty == 0
    let flags: UInt64 = (pose.isHidden ? 1 << 34 : 0) | (isIdentity ? 0 : 1 << 35)
    var difference = (kept[0] ^ flags) | (kept[1] ^ UInt64(bitPattern: Int64(indexPath.section)))
    difference |= kept[2] ^ UInt64(bitPattern: Int64(indexPath.item))
    difference |= (kept[3] ^ pose.center.x.bitPattern) | (kept[4] ^ pose.center.y.bitPattern)
    difference |= (kept[5] ^ pose.size.width.bitPattern) | (kept[6] ^ pose.size.height.bitPattern)
    difference |=
      (kept[7] ^ pose.alpha.bitPattern) | (kept[8] ^ UInt64(bitPattern: Int64(pose.zIndex)))
    if !isIdentity {
      difference |= (kept[9] ^ a) | (kept[10] ^ b) | (kept[11] ^ c)
      difference |= (kept[12] ^ d) | (kept[13] ^ tx) | (kept[14] ^ ty)
    }
    if difference == 0 {
      element.pointee.isSame = true
    } else {
      // What is finite gives zero when it is taken from itself, everything else a NaN.
      let zero =
        (pose.center.x - pose.center.x) + (pose.center.y - pose.center.y)
        + (pose.size.width - pose.size.width) + (pose.size.height - pose.size.height)
        + (pose.alpha - pose.alpha)
      let flatZero =
        (flat.a - flat.a) + (flat.b - flat.b) + (flat.c - flat.c) + (flat.d - flat.d)
        + (flat.tx - flat.tx) + (flat.ty - flat.ty)
      guard zero == 0, flatZero == 0 else { return false }
      let place = pair + (1 &- keptSide) &* FrameFolding.bodyWords
      place[0] = flags
      place[1] = UInt64(bitPattern: Int64(indexPath.section))
      place[2] = UInt64(bitPattern: Int64(indexPath.item))
      place[3] = pose.center.x.bitPattern
      place[4] = pose.center.y.bitPattern
      place[5] = pose.size.width.bitPattern
      place[6] = pose.size.height.bitPattern
      place[7] = pose.alpha.bitPattern
      place[8] = UInt64(bitPattern: Int64(pose.zIndex))
      if !isIdentity {
        place[9] = a
        place[10] = b
        place[11] = c
        place[12] = d
        place[13] = tx
        place[14] = ty
      }
      element.pointee.isSame = false
    }
    list(item)
    return true
  }

  /// Puts an element on the open frame's list, once.
  @inline(__always)
  private mutating func list(_ item: Int) {
    guard elements[item].turn != turn else { return }
    elements[item].turn = turn
    if givenCount > 0, given[givenCount &- 1] > Int32(truncatingIfNeeded: item) {
      isAscending = false
    }
    given[givenCount] = Int32(truncatingIfNeeded: item)
    givenCount &+= 1
  }

  @inline(never)
  private mutating func setSpatial(
    _ pose: Pose, _ indexPath: IndexPath, of item: Int
  ) -> Bool {
    guard pose.isFinite, case .spatial(let spatial) = pose.transform else { return false }
    let apart = spatials ?? makeSpatials()
    let keptSide = Int(elements[item].kept)
    let side = item * 2 + 1 - keptSide
    let body = bodies + side * FrameFolding.bodyWords
    let numbers = [
      UInt64(pose.isHidden ? 1 << 34 : 0) | 2 << 35, UInt64(bitPattern: Int64(indexPath.section)),
      UInt64(bitPattern: Int64(indexPath.item)), pose.center.x.bitPattern,
      pose.center.y.bitPattern, pose.size.width.bitPattern, pose.size.height.bitPattern,
      pose.alpha.bitPattern, UInt64(bitPattern: Int64(pose.zIndex)),
    ]
    let components = spatial.components.map(\.bitPattern)
    let keptBody = bodies + (item * 2 + keptSide) * FrameFolding.bodyWords
    let keptApart = apart + (item * 2 + keptSide) * FrameFolding.spatialWords
    elements[item].isSame =
      numbers.elementsEqual(UnsafeBufferPointer(start: keptBody, count: numbers.count))
      && components.elementsEqual(
        UnsafeBufferPointer(start: keptApart, count: FrameFolding.spatialWords))
    if !elements[item].isSame {
      for (index, number) in numbers.enumerated() { body[index] = number }
      for (index, number) in components.enumerated() {
        apart[side * FrameFolding.spatialWords + index] = number
      }
    }
    list(item)
    return true
  }

  private mutating func makeSpatials() -> UnsafeMutablePointer<UInt64> {
    let count = capacity * 2 * FrameFolding.spatialWords
    let new = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    new.initialize(repeating: 0, count: count)
    spatials = new
    return new
  }

  /// Lets an element stand as it stood in the frame before; nothing when it was not there.
  mutating func keep(_ item: Int) {
    guard elements[item].turn != turn else { return }
    let number = Int32(truncatingIfNeeded: item)
    guard UnsafeBufferPointer(start: present, count: presentCount).contains(number) else { return }
    elements[item].isSame = true
    list(item)
  }
}

extension Phase {
  /// The number that stands for the phase in a journal and in tables.
  @inline(__always)
  var code: UInt32 {
    switch self {
    case .idle: 0
    case .driving: 1
    case .settling: 2
    }
  }
}
