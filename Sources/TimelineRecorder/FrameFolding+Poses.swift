import KymographCThread
import TimelineModel

// The poses of the open frame, compared with those of the last frame kept.

extension FrameFolding {
  /// Opens a frame.
  ///
  /// - Parameter itemCount: How many elements have a number.
  mutating func begin(_ state: FrameState, itemCount: Int) {
    open = state
    turn += 1
    openCount = min(itemCount, capacity)
  }

  /// Makes room in the open frame for so many elements.
  mutating func makeRoom(itemCount: Int) {
    if itemCount > capacity { grow(to: itemCount) }
    openCount = itemCount
  }

  /// Sets an element's pose in the open frame. The last call for an element counts.
  ///
  /// - Parameter item: The element's number, below ``capacity``.
  /// - Returns: false when a number of the pose is not finite. Then nothing is set.
  mutating func set(_ pose: Pose, _ indexPath: ItemIndexPath, of item: Int) -> Bool {
    let element = elements[item]
    let kept = element.turn == turn ? element.sideBefore : element.side
    var words = Words(pose, indexPath)
    var difference: UInt64 = 0
    switch pose.transform {
    case .flat(let flat) where FrameFolding.isIdentity(flat): break
    case .flat(let flat):
      words.flags |= 1 << 35
      difference = FrameFolding.difference(makeTransform(item, kept), flat)
    case .spatial(let spatial):
      words.flags |= 2 << 35
      let place = makeTransform(item, kept)
      for (index, number) in spatial.components.enumerated() {
        difference |= place[index] ^ number.bitPattern
      }
    }
    difference |= words.difference(from: body(item, kept))
    if difference != 0 {
      guard pose.isFinite else { return false }
      words.store(at: body(item, 1 &- kept))
      if let place = transform(item, 1 &- kept) {
        switch pose.transform {
        case .flat(let flat): FrameFolding.store(flat, at: place)
        case .spatial(let spatial):
          for (index, number) in spatial.components.enumerated() {
            place[index] = number.bitPattern
          }
        }
      }
    }
    list(item, element, isChanged: difference != 0, kept)
    return true
  }

  /// Sets the first pose of an element in the open frame where it is upright, as nearly all are: without a call,
  /// and all that is compared is looked at together, since a branch for each number costs more than the number.
  ///
  /// - Returns: false where no frame is open, and for every other pose, element and turn. Then nothing is set,
  ///   and ``set(_:_:of:)`` knows more.
  @inline(__always)
  mutating func setUpright(
    _ pose: borrowing Pose, _ indexPath: ItemIndexPath, of handle: ItemHandle
  ) -> Bool {
    let item = Int(handle.rawValue)
    guard UInt(bitPattern: item) < UInt(bitPattern: openCount),
      case .flat(let flat) = pose.transform, FrameFolding.isIdentity(flat)
    else { return false }
    let element = elements[item]
    guard element.turn != turn else { return false }
    let words = Words(pose, indexPath)
    let isChanged = words.difference(from: body(item, element.side)) != 0
    if isChanged {
      guard words.hasFiniteSum else { return false }
      words.store(at: body(item, 1 &- element.side))
    }
    list(item, element, isChanged: isChanged, element.side)
    return true
  }

  /// Puts an element on the open frame's list, once.
  ///
  /// - Parameters:
  ///   - element: Its state so far.
  ///   - kept: Which of its bodies stands for the last frame kept.
  @inline(__always)
  private mutating func list(_ item: Int, _ element: Element, isChanged: Bool, _ kept: Int) {
    elements[item] = Element(turn: turn, isChanged: isChanged, side: kept ^ (isChanged ? 1 : 0))
    if element.turn != turn { given.append(Int32(truncatingIfNeeded: item)) }
  }

  /// What a body has of a pose.
  private struct Words {
    var flags, section, item, x, y, width, height, alpha, zIndex: UInt64

    /// The words of an upright pose. Others have 1 << 35 in their flags, or 2 << 35 in space.
    @inline(__always)
    init(_ pose: borrowing Pose, _ indexPath: ItemIndexPath) {
      flags = pose.isHidden ? 1 << 34 : 0
      section = UInt64(bitPattern: Int64(indexPath.section))
      item = UInt64(bitPattern: Int64(indexPath.item))
      x = FrameFolding.word(pose.center.x)
      y = FrameFolding.word(pose.center.y)
      width = FrameFolding.word(pose.size.width)
      height = FrameFolding.word(pose.size.height)
      alpha = FrameFolding.word(pose.alpha)
      zIndex = kymograph_word(UInt64(bitPattern: Int64(pose.zIndex)))
    }

    /// 0 when a body has the same.
    @inline(__always)
    func difference(from body: UnsafePointer<UInt64>) -> UInt64 {
      (body[0] ^ flags) | (body[1] ^ section) | (body[2] ^ item) | (body[3] ^ x) | (body[4] ^ y)
        | (body[5] ^ width) | (body[6] ^ height) | (body[7] ^ alpha) | (body[8] ^ zIndex)
    }

    /// Whether it is sure that all numbers are finite: their sum is. It may overflow where they are.
    @inline(__always)
    var hasFiniteSum: Bool {
      let sum =
        Double(bitPattern: x) + Double(bitPattern: y) + Double(bitPattern: width)
        + Double(bitPattern: height) + Double(bitPattern: alpha)
      return sum - sum == 0
    }

    @inline(__always)
    func store(at body: UnsafeMutablePointer<UInt64>) {
      body[0] = flags
      body[1] = section
      body[2] = item
      body[3] = x
      body[4] = y
      body[5] = width
      body[6] = height
      body[7] = alpha
      body[8] = zIndex
    }
  }

  /// A number's bits, loaded alone. See `kymograph_word`.
  @inline(__always)
  private static func word(_ number: Double) -> UInt64 { kymograph_word(number.bitPattern) }

  /// Whether the numbers are those of the identity, bit by bit.
  @inline(__always)
  private static func isIdentity(_ flat: Transform2D) -> Bool {
    let one = 1.0.bitPattern
    let others = word(flat.b) | word(flat.c) | word(flat.tx) | word(flat.ty)
    return (word(flat.a) ^ one) | (word(flat.d) ^ one) | others == 0
  }

  /// 0 when six words are those of a transform.
  @inline(__always)
  private static func difference(_ words: UnsafePointer<UInt64>, _ flat: Transform2D) -> UInt64 {
    (words[0] ^ flat.a.bitPattern) | (words[1] ^ flat.b.bitPattern)
      | (words[2] ^ flat.c.bitPattern) | (words[3] ^ flat.d.bitPattern)
      | (words[4] ^ flat.tx.bitPattern) | (words[5] ^ flat.ty.bitPattern)
  }

  @inline(__always)
  private static func store(_ flat: Transform2D, at destination: UnsafeMutablePointer<UInt64>) {
    destination[0] = flat.a.bitPattern
    destination[1] = flat.b.bitPattern
    destination[2] = flat.c.bitPattern
    destination[3] = flat.d.bitPattern
    destination[4] = flat.tx.bitPattern
    destination[5] = flat.ty.bitPattern
  }

  /// Lets an element stand as it stood in the frame before. Nothing when it was not there.
  mutating func keep(_ item: Int) {
    let element = elements[item]
    guard element.turn != turn, present.contains(Int32(truncatingIfNeeded: item)) else { return }
    list(item, element, isChanged: false, element.side)
  }
}
