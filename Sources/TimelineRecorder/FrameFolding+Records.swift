import TimelineModel
import TimelineStore

// The part of a frame that goes into its lane, and the part that stays for the next one to be compared with.

extension FrameFolding {
  /// Puts the open frame's elements in order and settles whether it is a key frame.
  ///
  /// - Returns: false when no frame is open.
  mutating func prepare() -> Bool {
    guard let open else { return false }
    given.finish()
    isKeyFrame = isKeyFrameDue(at: open.time)
    return true
  }

  private func isKeyFrameDue(at time: Instant) -> Bool {
    guard hasKeyFrame, framesSinceKey + 1 < FrameFolding.keyFrameFrames,
      rowsSinceKey < keyFrameRows
    else { return true }
    let distance = time.nanoseconds(since: Instant(nanoseconds: lastKeyFrame))
    return distance >= FrameFolding.keyFrameNanoseconds
      || distance <= -FrameFolding.keyFrameNanoseconds
  }

  /// How many words the open frame's own record takes: one more where it says when it began.
  private var frameWords: Int { FrameFolding.frameWords + (open?.began == nil ? 0 : 1) }

  /// As many words as the prepared frame's records take at most.
  var mostWords: Int {
    frameWords + given.count * FrameFolding.longestChange
      + present.count * FrameFolding.goneWords
  }

  /// Stores the prepared frame's records, one after the other.
  ///
  /// - Parameters:
  ///   - destination: Room for ``mostWords``, or for ``words`` if those were counted.
  ///   - position: Where they begin in their lane.
  ///   - salt: The session's number in every check.
  /// - Returns: how many words they take.
  func store(into destination: UnsafeMutablePointer<UInt64>, at position: UInt64, salt: UInt64)
    -> Int
  {
    guard let open else { return 0 }
    let frameWords = frameWords
    var offset = frameWords
    var changes = 0
    visit { item, element, code in
      offset &+= storeChange(
        item, element, code, into: destination + offset,
        at: position &+ UInt64(truncatingIfNeeded: offset), salt: salt)
      changes &+= 1
    } gone: { item in
      offset &+= storeGone(
        item, into: destination + offset, at: position &+ UInt64(truncatingIfNeeded: offset),
        salt: salt)
      changes &+= 1
    }
    destination[1] = UInt64(bitPattern: number)
    destination[2] = UInt64(bitPattern: open.time.nanoseconds)
    let flags: UInt64 =
      (isKeyFrame ? 1 << 8 : 0) | (open.progress == nil ? 0 : 1 << 9)
      | (open.began == nil ? 0 : 1 << 10) | (open.isUnread ? 1 << 11 : 0)
    destination[3] =
      UInt64(open.phase.code) | flags | UInt64(UInt32(truncatingIfNeeded: changes)) << 32
    destination[4] = (open.progress ?? 0).bitPattern
    destination[5] = open.contentOffset.x.bitPattern
    destination[6] = open.contentOffset.y.bitPattern
    destination[7] = open.contentSize.width.bitPattern
    destination[8] = open.contentSize.height.bitPattern
    if let began = open.began { destination[9] = UInt64(bitPattern: began.nanoseconds) }
    destination[0] = JournalFormat.firstWord(
      JournalFormat.lead(.frame, UInt32(frameWords)), of: destination, count: frameWords,
      at: position, salt: salt)
    return offset
  }

  /// How many words the prepared frame's records take.
  var words: Int {
    var count = frameWords
    visit { item, element, _ in
      count += changeWords(body(item, element.side)[0])
    } gone: { _ in
      count += FrameFolding.goneWords
    }
    return count
  }

  /// Makes the prepared frame the base of the next comparison, and closes it.
  ///
  /// - Parameter rows: How many changes it was stored with.
  mutating func accept(rows: Int) {
    guard let state = open else { return }
    open = nil
    openCount = 0
    number += 1
    swap(&present, &given)
    given.removeAll()
    if isKeyFrame {
      lastKeyFrame = state.time.nanoseconds
      hasKeyFrame = true
      framesSinceKey = 0
      rowsSinceKey = 0
    } else {
      framesSinceKey += 1
      rowsSinceKey += rows
    }
  }

  /// Closes the prepared frame as if it had never been: the next one is compared with the last kept.
  mutating func discard() {
    open = nil
    openCount = 0
    for index in 0..<given.count {
      let item = Int(given.start[index])
      elements[item] = Element(side: elements[item].sideBefore)
    }
    given.removeAll()
  }
}

// MARK: - Changes

extension FrameFolding {
  /// A change as a crash journal stores it.
  private enum Code {
    static let changed: UInt64 = 0
    static let same: UInt64 = 1
    static let gone: UInt64 = 2
  }

  /// Goes through the prepared frame's changes in the order of the elements' numbers.
  @inline(__always)
  private func visit(
    _ each: (_ item: Int, _ element: Element, _ code: UInt64) -> Void, gone: (_ item: Int) -> Void
  ) {
    let (elements, isKeyFrame) = (elements, isKeyFrame)
    var (given, present) = (UnsafePointer(given.start), UnsafePointer(present.start))
    while true {
      let item = given.pointee
      while present.pointee < item {
        gone(Int(present.pointee))
        present += 1
      }
      guard item != ElementList.end else { return }
      let element = elements[Int(item)]
      let isNew = present.pointee != item
      if isNew || element.isChanged {
        each(Int(item), element, Code.changed)
      } else if isKeyFrame {
        each(Int(item), element, Code.same)
      }
      if !isNew { present += 1 }
      given += 1
    }
  }

  /// Length of a change's record by its flags.
  @inline(__always)
  private func changeWords(_ flags: UInt64) -> Int {
    switch flags >> 35 {
    case 0: FrameFolding.uprightWords
    case 1: FrameFolding.flatWords
    default: FrameFolding.longestChange
    }
  }

  @inline(never)
  private func storeGone(
    _ item: Int, into destination: UnsafeMutablePointer<UInt64>, at position: UInt64, salt: UInt64
  ) -> Int {
    destination[1] = UInt64(UInt32(truncatingIfNeeded: item)) | Code.gone << 32
    destination[0] = JournalFormat.firstWord(
      JournalFormat.lead(.change, UInt32(FrameFolding.goneWords)), of: destination,
      count: FrameFolding.goneWords, at: position, salt: salt)
    return FrameFolding.goneWords
  }

  @inline(__always)
  private func storeChange(
    _ item: Int, _ element: Element, _ code: UInt64,
    into destination: UnsafeMutablePointer<UInt64>, at position: UInt64, salt: UInt64
  ) -> Int {
    let body = UnsafePointer(body(item, element.side))
    let flags = UInt64(UInt32(truncatingIfNeeded: item)) | code << 32 | body[0]
    guard flags >> 35 == 0 else {
      return storeTurned(item, element, flags, into: destination, at: position, salt: salt)
    }
    let lead = JournalCheck.changeLead(UInt32(FrameFolding.uprightWords))
    let sum =
      JournalCheck.seed(at: position, salt: salt) &+ UInt64(lead) &* JournalCheck.factor(at: 0)
      &+ FrameFolding.put(body, flags, destination)
    destination[0] = sum & 0xffff_ffff_0000_0000 | UInt64(lead)
    return FrameFolding.uprightWords
  }

  /// Stores a change to a pose with a transform other than the identity.
  @inline(never)
  private func storeTurned(
    _ item: Int, _ element: Element, _ flags: UInt64,
    into destination: UnsafeMutablePointer<UInt64>, at position: UInt64, salt: UInt64
  ) -> Int {
    let count = changeWords(flags)
    let lead = JournalCheck.changeLead(UInt32(truncatingIfNeeded: count))
    var sum =
      JournalCheck.seed(at: position, salt: salt) &+ UInt64(lead) &* JournalCheck.factor(at: 0)
      &+ FrameFolding.put(body(item, element.side), flags, destination)
    if let transform = transform(item, element.side) {
      for index in 0..<6 { sum &+= FrameFolding.put(transform[index], 10 &+ index, destination) }
      for index in 16..<max(16, count) {
        sum &+= FrameFolding.put(transform[index &- 10], index, destination)
      }
    }
    destination[0] = sum & 0xffff_ffff_0000_0000 | UInt64(lead)
    return count
  }

  /// Stores a body as words 1 to 9 of a record, each written out so that its factor is a constant.
  ///
  /// - Returns: their part of the check. See ``JournalFormat/firstWord(_:of:count:at:salt:)``.
  @inline(__always)
  private static func put(
    _ body: UnsafePointer<UInt64>, _ flags: UInt64, _ destination: UnsafeMutablePointer<UInt64>
  ) -> UInt64 {
    var sum = put(flags, 1, destination)
    sum &+= put(body[1], 2, destination) &+ put(body[2], 3, destination)
    sum &+= put(body[3], 4, destination) &+ put(body[4], 5, destination)
    sum &+= put(body[5], 6, destination) &+ put(body[6], 7, destination)
    sum &+= put(body[7], 8, destination) &+ put(body[8], 9, destination)
    return sum
  }

  /// Stores a word of a record and gives its part of the check.
  @inline(__always)
  private static func put(
    _ word: UInt64, _ index: Int, _ destination: UnsafeMutablePointer<UInt64>
  ) -> UInt64 {
    destination[index] = word
    return word &* JournalCheck.factor(at: index)
  }
}
