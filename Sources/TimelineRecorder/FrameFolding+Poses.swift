import TimelineModel

// The poses of the open frame, compared with those of the last frame kept.

extension FrameFolding {
  /// Opens a frame.
  mutating func begin(_ state: FrameState) {
    open = state
    turn += 1
    givenCount = 0
    isAscending = true
  }

  /// Sets an element's pose in the open frame. The last call for an element counts.
  ///
  /// - Parameter item: The element's number, below ``capacity``.
  /// - Returns: false when a number of the pose is not finite. Then nothing is set.
  mutating func set(_ pose: Pose, _ indexPath: ItemIndexPath, of item: Int) -> Bool {
    setFlat(pose, indexPath, of: item) || setSpatial(pose, indexPath, of: item)
  }

  /// Sets an element's pose where its transform is flat, which nearly all are: without a call, and all
  /// that is compared is looked at together, since a branch for each number costs more than the number.
  ///
  /// - Returns: false for a transform in space and where a number is not finite. Then nothing is set.
  @inline(__always)
  mutating func setFlat(_ pose: borrowing Pose, _ indexPath: ItemIndexPath, of item: Int) -> Bool {
    guard case .flat(let flat) = pose.transform else { return false }
    let element = elements + item
    let pair = bodies + item &* (2 &* FrameFolding.bodyWords)
    let keptSide = Int(element.pointee.kept)
    let kept = UnsafePointer(pair + keptSide &* FrameFolding.bodyWords)
    let isIdentity = FrameFolding.isIdentity(flat)
    let flags: UInt64 = (pose.isHidden ? 1 << 34 : 0) | (isIdentity ? 0 : 1 << 35)
    var difference = (kept[0] ^ flags) | (kept[1] ^ UInt64(bitPattern: Int64(indexPath.section)))
    difference |= kept[2] ^ UInt64(bitPattern: Int64(indexPath.item))
    difference |= (kept[3] ^ pose.center.x.bitPattern) | (kept[4] ^ pose.center.y.bitPattern)
    difference |= (kept[5] ^ pose.size.width.bitPattern) | (kept[6] ^ pose.size.height.bitPattern)
    difference |=
      (kept[7] ^ pose.alpha.bitPattern) | (kept[8] ^ UInt64(bitPattern: Int64(pose.zIndex)))
    if !isIdentity { difference |= FrameFolding.difference(kept + 9, flat) }
    let isSame = difference == 0
    if !isSame {
      // A finite number gives zero when it is taken from itself, everything else a NaN.
      let zero =
        (pose.center.x - pose.center.x) + (pose.center.y - pose.center.y)
        + (pose.size.width - pose.size.width) + (pose.size.height - pose.size.height)
        + (pose.alpha - pose.alpha)
      guard zero == 0, isIdentity || FrameFolding.isFinite(flat) else { return false }
      let destination = pair + (1 &- keptSide) &* FrameFolding.bodyWords
      destination[0] = flags
      destination[1] = UInt64(bitPattern: Int64(indexPath.section))
      destination[2] = UInt64(bitPattern: Int64(indexPath.item))
      destination[3] = pose.center.x.bitPattern
      destination[4] = pose.center.y.bitPattern
      destination[5] = pose.size.width.bitPattern
      destination[6] = pose.size.height.bitPattern
      destination[7] = pose.alpha.bitPattern
      destination[8] = UInt64(bitPattern: Int64(pose.zIndex))
      if !isIdentity { FrameFolding.store(flat, at: destination + 9) }
    }
    element.pointee.isSame = isSame
    list(item)
    return true
  }

  /// Whether the numbers are those of the identity, bit by bit.
  @inline(__always)
  private static func isIdentity(_ flat: Transform2D) -> Bool {
    let one = 1.0.bitPattern
    let others =
      flat.b.bitPattern | flat.c.bitPattern | flat.tx.bitPattern | flat.ty.bitPattern
    return (flat.a.bitPattern ^ one) | (flat.d.bitPattern ^ one) | others == 0
  }

  /// 0 when six words are those of a transform.
  @inline(__always)
  private static func difference(
    _ words: UnsafePointer<UInt64>, _ flat: Transform2D
  ) -> UInt64 {
    (words[0] ^ flat.a.bitPattern) | (words[1] ^ flat.b.bitPattern)
      | (words[2] ^ flat.c.bitPattern) | (words[3] ^ flat.d.bitPattern)
      | (words[4] ^ flat.tx.bitPattern) | (words[5] ^ flat.ty.bitPattern)
  }

  @inline(__always)
  private static func isFinite(_ flat: Transform2D) -> Bool {
    (flat.a - flat.a) + (flat.b - flat.b) + (flat.c - flat.c) + (flat.d - flat.d)
      + (flat.tx - flat.tx) + (flat.ty - flat.ty) == 0
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
    _ pose: Pose, _ indexPath: ItemIndexPath, of item: Int
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

  /// Lets an element stand as it stood in the frame before. Nothing when it was not there.
  mutating func keep(_ item: Int) {
    guard elements[item].turn != turn else { return }
    let number = Int32(truncatingIfNeeded: item)
    guard UnsafeBufferPointer(start: present, count: presentCount).contains(number) else { return }
    elements[item].isSame = true
    list(item)
  }
}
