import TimelineModel
import TimelineStore

// The part of a frame that goes into its lane, and the part that stays for the next one to be compared with.

extension FrameFolding {
  /// Puts the open frame's elements in order and settles whether it is a key frame.
  ///
  /// - Returns: false when no frame is open.
  mutating func prepare() -> Bool {
    guard let open else { return false }
    if !isAscending {
      var list = UnsafeMutableBufferPointer(start: given, count: givenCount)
      list.sort()
    }
    isAscending = true
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
    frameWords + givenCount * FrameFolding.longestChange
      + presentCount * FrameFolding.goneWords
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
    visit { item, code in
      offset &+= storeChange(
        item, code, into: destination + offset, at: position &+ UInt64(truncatingIfNeeded: offset),
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
    visit { item, code in
      count += code == Code.gone ? FrameFolding.goneWords : changeWords(body(item, code)[0])
    }
    return count
  }

  /// Makes the prepared frame the base of the next comparison, and closes it.
  ///
  /// - Parameter rows: How many changes it was stored with.
  mutating func accept(rows: Int) {
    guard let state = open else { return }
    open = nil
    number += 1
    for index in 0..<givenCount {
      let element = elements + Int(given[index])
      if !element.pointee.isSame { element.pointee.kept = 1 - element.pointee.kept }
    }
    swap(&present, &given)
    presentCount = givenCount
    givenCount = 0
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
    givenCount = 0
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
  private func visit(_ each: (_ item: Int, _ code: UInt64) -> Void) {
    var old = 0
    var index = 0
    while index < givenCount {
      let item = given[index]
      while old < presentCount, present[old] < item {
        each(Int(present[old]), Code.gone)
        old &+= 1
      }
      let wasPresent = old < presentCount && present[old] == item
      if wasPresent { old &+= 1 }
      if !(wasPresent && elements[Int(item)].isSame) {
        each(Int(item), Code.changed)
      } else if isKeyFrame {
        each(Int(item), Code.same)
      }
      index &+= 1
    }
    while old < presentCount {
      each(Int(present[old]), Code.gone)
      old &+= 1
    }
  }

  /// The body that an element stands by in the open frame.
  @inline(__always)
  private func body(_ item: Int, _ code: UInt64) -> UnsafeMutablePointer<UInt64> {
    bodies + side(item) &* FrameFolding.bodyWords
  }

  @inline(__always)
  private func side(_ item: Int) -> Int {
    let kept = Int(elements[item].kept)
    return item &* 2 &+ (elements[item].isSame ? kept : 1 &- kept)
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

  // One function for all three places that need it: taken into each of them it leaves no register free.
  @inline(never)
  private func storeChange(
    _ item: Int, _ code: UInt64, into destination: UnsafeMutablePointer<UInt64>,
    at position: UInt64,
    salt: UInt64
  ) -> Int {
    let number = UInt64(UInt32(truncatingIfNeeded: item)) | code << 32
    if code == Code.gone {
      destination[1] = number
      destination[0] = JournalFormat.firstWord(
        JournalFormat.lead(.change, UInt32(FrameFolding.goneWords)), of: destination,
        count: FrameFolding.goneWords, at: position, salt: salt)
      return FrameFolding.goneWords
    }
    let body = UnsafePointer(body(item, code))
    let flags = number | body[0]
    guard flags >> 36 == 0 else {
      return storeSpatialChange(item, flags, into: destination, at: position, salt: salt)
    }
    let isIdentity = flags >> 35 == 0
    let count = isIdentity ? FrameFolding.uprightWords : FrameFolding.flatWords
    let lead = JournalCheck.changeLead(UInt32(truncatingIfNeeded: count))
    // The sum of the check is taken while the words go by, each written out so that its factor is a
    // constant. See JournalFormat.firstWord.
    var sum =
      JournalCheck.seed(at: position, salt: salt) &+ UInt64(lead) &* JournalCheck.factor(at: 0)
    sum &+= FrameFolding.put(flags, 1, destination)
    sum &+= FrameFolding.put(body[1], 2, destination) &+ FrameFolding.put(body[2], 3, destination)
    sum &+= FrameFolding.put(body[3], 4, destination) &+ FrameFolding.put(body[4], 5, destination)
    sum &+= FrameFolding.put(body[5], 6, destination) &+ FrameFolding.put(body[6], 7, destination)
    sum &+= FrameFolding.put(body[7], 8, destination) &+ FrameFolding.put(body[8], 9, destination)
    if !isIdentity {
      sum &+=
        FrameFolding.put(body[9], 10, destination) &+ FrameFolding.put(body[10], 11, destination)
      sum &+=
        FrameFolding.put(body[11], 12, destination) &+ FrameFolding.put(body[12], 13, destination)
      sum &+=
        FrameFolding.put(body[13], 14, destination) &+ FrameFolding.put(body[14], 15, destination)
    }
    destination[0] = sum & 0xffff_ffff_0000_0000 | UInt64(lead)
    return count
  }

  /// Stores a word of a record and gives its part of the check.
  @inline(__always)
  private static func put(
    _ word: UInt64, _ index: Int, _ destination: UnsafeMutablePointer<UInt64>
  ) -> UInt64 {
    destination[index] = word
    return word &* JournalCheck.factor(at: index)
  }

  @inline(never)
  private func storeSpatialChange(
    _ item: Int, _ flags: UInt64, into destination: UnsafeMutablePointer<UInt64>,
    at position: UInt64,
    salt: UInt64
  ) -> Int {
    let side = side(item)
    destination[1] = flags
    (destination + 2).update(from: bodies + side &* FrameFolding.bodyWords + 1, count: 8)
    if let spatials {
      (destination + 10).update(
        from: spatials + side &* FrameFolding.spatialWords, count: FrameFolding.spatialWords)
    }
    let count = FrameFolding.longestChange
    destination[0] = JournalFormat.firstWord(
      JournalFormat.lead(.change, UInt32(count)), of: destination, count: count, at: position,
      salt: salt)
    return count
  }
}
