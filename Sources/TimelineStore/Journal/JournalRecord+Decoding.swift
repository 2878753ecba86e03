import TimelineModel

extension JournalRecord {
  /// How many words the record takes whose first word this is. `nil` for a word that begins none.
  package static func length(_ first: UInt64) -> Int? {
    guard let kind = JournalFormat.kind(of: first) else { return nil }
    if kind == .sample { return JournalFormat.sampleWords }
    let count = Int(JournalFormat.information(of: first))
    return count >= 2 ? count : nil
  }

  /// Whether the words are those that were written at a position of this session.
  ///
  /// - Parameters:
  ///   - words: As many as ``length(_:)`` says.
  ///   - position: Where they begin in their lane.
  ///   - salt: The session's number from ``JournalFormat/salt(of:)``.
  package static func isIntact(
    _ words: UnsafeBufferPointer<UInt64>, at position: UInt64, salt: UInt64
  ) -> Bool {
    guard let start = words.baseAddress, words.count >= 2 else { return false }
    let lead = UInt32(truncatingIfNeeded: words[0])
    return words[0]
      == JournalFormat.firstWord(lead, of: start, count: words.count, at: position, salt: salt)
  }

  /// Reads one record. The words may hold anything, and nothing of the check is looked at.
  ///
  /// - Parameter words: The whole record, as many words as ``length(_:)`` says.
  /// - Returns: nil when they are no record.
  package init?(_ words: UnsafeBufferPointer<UInt64>) {
    guard let first = words.first, let kind = JournalFormat.kind(of: first),
      JournalRecord.length(first) == words.count
    else { return nil }
    var reader = JournalWordReader(words)
    let read: JournalRecord? =
      switch kind {
      case .key: JournalRecord.key(&reader)
      case .item: JournalRecord.item(&reader)
      case .sample: JournalRecord.sample(JournalFormat.information(of: first), &reader)
      case .frame: JournalRecord.frame(&reader)
      case .change: JournalRecord.change(&reader)
      case .touch: JournalRecord.touch(&reader)
      case .event: JournalRecord.event(&reader)
      case .decision: JournalRecord.decision(&reader)
      case .estimate: JournalRecord.estimate(&reader)
      case .loss: JournalRecord.loss(&reader)
      }
    guard let read, reader.isAtEnd else { return nil }
    self = read
  }
}

// MARK: - Kind by kind

extension JournalRecord {
  private static func handle(_ word: UInt64) -> Int32? {
    Int32(exactly: UInt32(truncatingIfNeeded: word))
  }

  private static func key(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let word = reader.word(), let number = handle(word),
      let role = StoredCode.name(word >> 32, in: StoredCode.roles), let texts = reader.texts(2)
    else { return nil }
    return .key(
      KeyRecord(
        handle: KeyHandle(rawValue: number), name: texts[0], role: role, unit: texts[1]))
  }

  private static func item(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let word = reader.word(), let number = handle(word), word >> 41 == 0,
      let category = StoredCode.name(word >> 32 & 0xff, in: StoredCode.categories),
      let texts = reader.texts(2)
    else { return nil }
    return .item(
      ItemRecord(
        handle: ItemHandle(rawValue: number),
        identity: ElementIdentity(
          category: category, elementKind: word >> 40 == 1 ? texts[0] : nil, id: texts[1])))
  }

  private static func sample(
    _ information: UInt32, _ reader: inout JournalWordReader
  ) -> JournalRecord? {
    guard let phase = StoredCode.name(UInt64(information & 3), in: StoredCode.phases),
      let time = reader.instant(), let value = reader.number()
    else { return nil }
    return .sample(
      KeyHandle(rawValue: Int32(information >> 2)), Sample(time: time, value: value), phase)
  }

  private static func frame(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let number = reader.integer(), number >= 0, let time = reader.instant(),
      let flags = reader.word(), flags & 0xffff_ffff < 1 << 12,
      let phase = StoredCode.name(flags & 0xff, in: StoredCode.phases),
      let progress = reader.number(), let offsetX = reader.number(),
      let offsetY = reader.number(), let width = reader.number(), let height = reader.number(),
      let began = reader.instant(if: flags & 1 << 10 != 0)
    else { return nil }
    return .frame(
      FrameRecord(
        number: number,
        state: FrameState(
          time: time, phase: phase, progress: flags & 1 << 9 == 0 ? nil : progress,
          contentOffset: Point2D(x: offsetX, y: offsetY),
          contentSize: Size2D(width: width, height: height), began: began,
          isUnread: flags & 1 << 11 != 0), isKeyFrame: flags & 1 << 8 != 0),
      changes: Int(flags >> 32))
  }

  private static func change(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let flags = reader.word(), let number = handle(flags), flags >> 37 == 0
    else { return nil }
    let item = ItemHandle(rawValue: number)
    let code = flags >> 32 & 3
    if code == 2 { return flags >> 34 == 0 ? .change(.gone(item)) : nil }
    guard code < 2, let section = reader.int(), let index = reader.int(),
      let x = reader.number(), let y = reader.number(), let width = reader.number(),
      let height = reader.number(), let alpha = reader.number(), let zIndex = reader.int(),
      let transform = transform(flags >> 35, &reader)
    else { return nil }
    let element = ElementRecord(
      item: item, indexPath: ItemIndexPath(section: section, item: index),
      pose: Pose(
        center: Point2D(x: x, y: y), size: Size2D(width: width, height: height),
        transform: transform,
        alpha: alpha, zIndex: zIndex, isHidden: flags & 1 << 34 != 0))
    return .change(code == 0 ? .changed(element) : .same(element))
  }

  private static func transform(
    _ code: UInt64, _ reader: inout JournalWordReader
  ) -> ElementTransform? {
    let count = code == 0 ? 0 : code == 1 ? 6 : 16
    guard code < 3 else { return nil }
    var numbers: [Double] = []
    for _ in 0..<count {
      guard let number = reader.number() else { return nil }
      numbers.append(number)
    }
    switch code {
    case 0: return .identity
    case 1:
      return .flat(
        Transform2D(
          a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4],
          ty: numbers[5]))
    default: return Transform3D(components: numbers).map(ElementTransform.spatial)
    }
  }

  private static func touch(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let time = reader.instant(), let contact = reader.int(), let flags = reader.word(),
      flags < 1 << 13, let phase = StoredCode.name(flags & 0xff, in: StoredCode.touchPhases),
      let slot = reader.int(), let trackingID = reader.int(), let x = reader.number(),
      let y = reader.number(), let heard = reader.instant(if: flags & 1 << 11 != 0),
      let touchHeard = reader.instant(if: flags & 1 << 12 != 0)
    else { return nil }
    return .touch(
      TouchSample(
        time: time, contact: contact, slot: flags & 1 << 8 == 0 ? nil : slot,
        trackingID: flags & 1 << 9 == 0 ? nil : trackingID, phase: phase,
        position: Point2D(x: x, y: y), isResampled: flags & 1 << 10 != 0,
        heard: heard, touchHeard: touchHeard))
  }

  private static func event(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let time = reader.instant(), let texts = reader.texts(2) else { return nil }
    return .event(
      JournalEvent(time: time, kind: TimelineEvent.Kind(rawValue: texts[0]), fieldsJSON: texts[1]))
  }

  private static func decision(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let time = reader.instant(), let transition = reader.int(), let flags = reader.word(),
      flags < 1 << 17, let outcome = StoredCode.name(flags & 0xff, in: StoredCode.outcomes),
      let ruleOutcome = StoredCode.name(flags >> 8 & 0xff, in: StoredCode.outcomes),
      let threshold = reader.number(), let progress = reader.number(),
      let numbers = reader.optionalNumbers(ReleaseDecision.numbers.count),
      let texts = reader.texts(3)
    else { return nil }
    var decision = ReleaseDecision(
      transition: transition, time: time, outcome: outcome, decidedBy: DecisionSource(texts[0]),
      rule: RuleName(texts[1]),
      ruleParameters: flags & 1 << 16 == 0 ? nil : texts[2], ruleOutcome: ruleOutcome,
      threshold: threshold, progress: progress, progressVelocity: nil, marginProgress: nil)
    for (field, number) in zip(ReleaseDecision.numbers, numbers) {
      decision[keyPath: field.path] = number
    }
    return .decision(decision)
  }

  private static func estimate(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let time = reader.instant(), let transition = reader.int(), let flags = reader.word(),
      flags >> 36 == 0, let key = handle(flags), let value = reader.number(),
      let sampleCount = reader.int(), let liftGap = reader.integer()
    else { return nil }
    var leftOut = LeftOutSamples()
    for reason in StoredCode.leftOutReasons {
      guard let count = reader.int() else { return nil }
      leftOut[reason] = count
    }
    guard let numbers = reader.optionalNumbers(ReleaseEstimate.numbers.count),
      let texts = reader.texts(2)
    else { return nil }
    var estimate = ReleaseEstimate(
      transition: transition, time: time, key: KeyHandle(rawValue: key), value: value,
      estimate: VelocityEstimate(
        estimator: EstimatorName(texts[0]), velocity: nil,
        chosen: flags & 1 << 34 == 0 ? nil : texts[1],
        sampleCount: sampleCount, leftOut: leftOut,
        liftGapNanoseconds: flags & 1 << 35 == 0 ? nil : liftGap,
        opposesDisplacement: flags & 1 << 32 != 0, liftArtefactSuspected: flags & 1 << 33 != 0),
      target: nil, remaining: nil, relativeVelocity: nil, settleTimeSeconds: nil)
    for (field, number) in zip(ReleaseEstimate.numbers, numbers) {
      estimate[keyPath: field.path] = number
    }
    return .estimate(estimate)
  }

  private static func loss(_ reader: inout JournalWordReader) -> JournalRecord? {
    guard let flags = reader.word(), let key = Int32(exactly: flags >> 32),
      flags & 0xffff_ffff < 1 << 9,
      let what = StoredCode.name(flags & 0xff, in: StoredCode.losses),
      let first = reader.instant(), let last = reader.instant(), let count = reader.integer(),
      count > 0
    else { return nil }
    return .loss(
      LossRecord(
        what: what, key: flags & 1 << 8 == 0 ? nil : KeyHandle(rawValue: key), first: first,
        last: last, count: count))
  }
}

/// Reads the words of one record, which may hold anything, and never beyond its end.
struct JournalWordReader {
  private let words: UnsafeBufferPointer<UInt64>
  private var next = 1

  init(_ words: UnsafeBufferPointer<UInt64>) { self.words = words }

  /// Whether every word was read.
  var isAtEnd: Bool { next == words.count }

  mutating func word() -> UInt64? {
    guard next < words.count else { return nil }
    defer { next += 1 }
    return words[next]
  }

  mutating func integer() -> Int64? { word().map { Int64(bitPattern: $0) } }

  mutating func int() -> Int? { integer().flatMap { Int(exactly: $0) } }

  mutating func instant() -> Instant? { integer().map(Instant.init(nanoseconds:)) }

  /// An instant where a record has one: nil where it has none, nothing at all where it lacks the word.
  mutating func instant(if isThere: Bool) -> Instant?? {
    guard isThere else { return .some(nil) }
    return instant().map { .some($0) }
  }

  /// A finite number. The recorder takes no other.
  mutating func number() -> Double? {
    word().map { Double(bitPattern: $0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// So many texts, as ``JournalWordWriter`` wrote them.
  mutating func texts(_ count: Int) -> [String]? {
    var lengths: [Int] = []
    for pair in stride(from: 0, to: count, by: 2) {
      guard let word = word() else { return nil }
      lengths.append(Int(word & 0xffff_ffff))
      if pair + 1 < count {
        lengths.append(Int(word >> 32))
      } else if word >> 32 != 0 {
        return nil
      }
    }
    let total = lengths.reduce(0, +)
    guard (total + 7) / 8 <= words.count - next else { return nil }
    var byteOffset = next * 8
    next += (total + 7) / 8
    var texts: [String] = []
    for length in lengths {
      let bytes = (byteOffset..<byteOffset + length).lazy.map { [words] byteOffset in
        UInt8(truncatingIfNeeded: words[byteOffset / 8] >> UInt64(byteOffset % 8 * 8))
      }
      guard let text = String(validating: Array(bytes), as: UTF8.self) else { return nil }
      texts.append(text)
      byteOffset += length
    }
    return texts
  }

  mutating func optionalNumbers(_ count: Int) -> [Double?]? {
    guard let mask = word(), mask >> UInt64(count) == 0 else { return nil }
    var numbers: [Double?] = []
    for index in 0..<count {
      if mask >> UInt64(index) & 1 == 1 {
        guard let number = number() else { return nil }
        numbers.append(number)
      } else {
        guard word() != nil else { return nil }
        numbers.append(nil)
      }
    }
    return numbers
  }
}
