import SQLiteAccess
import TimelineModel

extension JournalRecord {
  /// The record's words, ready for its place.
  ///
  /// - Parameters:
  ///   - position: Where it begins in its lane.
  ///   - salt: The session's number from ``JournalFormat/salt(of:)``.
  /// - Returns: nil for a record that is longer than a record can be, or a key beyond the largest.
  package func encoded(at position: UInt64, salt: UInt64) -> [UInt64]? {
    var words = unchecked
    guard words.count <= JournalFormat.longestRecord else { return nil }
    if case .sample(let key, let sample, let phase) = self {
      guard key.rawValue >= 0, key.rawValue <= JournalFormat.largestKey else { return nil }
      words[0] = JournalCheck.firstWord(
        ofSample: JournalFormat.lead(
          .sample, UInt32(key.rawValue) << 2 | UInt32(truncatingIfNeeded: phase.stored)),
        UInt64(bitPattern: sample.time.nanoseconds), sample.value.bitPattern, at: position,
        salt: salt)
      return words
    }
    JournalRecord.seal(&words, kind, at: position, salt: salt)
    return words
  }

  /// Writes the first word of a record that is no sample.
  package static func seal(
    _ words: inout [UInt64], _ kind: JournalFormat.Kind, at position: UInt64, salt: UInt64
  ) {
    let lead = JournalFormat.lead(kind, UInt32(words.count))
    words.withUnsafeMutableBufferPointer { words in
      guard let start = words.baseAddress else { return }
      start[0] = JournalFormat.firstWord(
        lead, of: start, count: words.count, at: position, salt: salt)
    }
  }

  /// What sort of record it is.
  package var kind: JournalFormat.Kind {
    switch self {
    case .key: .key
    case .item: .item
    case .sample: .sample
    case .frame: .frame
    case .change: .change
    case .touch: .touch
    case .event: .event
    case .decision: .decision
    case .estimate: .estimate
    case .loss: .loss
    }
  }

  /// Every word. The first is 0.
  package var unchecked: [UInt64] {
    var writer = JournalWordWriter()
    switch self {
    case .key(let key): write(key, to: &writer)
    case .item(let item): write(item, to: &writer)
    case .sample(_, let sample, _):
      writer.write(sample.time.nanoseconds)
      writer.write(sample.value)
    case .frame(let frame, let changes): write(frame, changes, to: &writer)
    case .change(let change): write(change, to: &writer)
    case .touch(let touch): write(touch, to: &writer)
    case .event(let event):
      writer.write(event.time.nanoseconds)
      writer.write([event.kind.rawValue, event.fieldsJSON])
    case .decision(let decision): write(decision, to: &writer)
    case .estimate(let estimate): write(estimate, to: &writer)
    case .loss(let loss): write(loss, to: &writer)
    }
    return writer.words
  }
}

// MARK: - Kind by kind

extension JournalRecord {
  private func write(_ key: KeyRecord, to writer: inout JournalWordWriter) {
    writer.write(
      UInt64(UInt32(bitPattern: key.handle.rawValue)) | StoredCode.code(
        key.role, in: StoredCode.roles) << 32)
    writer.write([key.name, key.unit])
  }

  private func write(_ item: ItemRecord, to writer: inout JournalWordWriter) {
    writer.write(
      UInt64(UInt32(bitPattern: item.handle.rawValue))
        | StoredCode.code(item.identity.category, in: StoredCode.categories) << 32
        | (item.identity.elementKind == nil ? 0 : 1) << 40)
    writer.write([item.identity.elementKind ?? "", item.identity.id])
  }

  private func write(_ frame: FrameRecord, _ changes: Int, to writer: inout JournalWordWriter) {
    writer.write(frame.number)
    writer.write(frame.state.time.nanoseconds)
    let flags: UInt64 =
      (frame.isKeyFrame ? 1 << 8 : 0) | (frame.state.progress == nil ? 0 : 1 << 9)
      | (frame.state.began == nil ? 0 : 1 << 10) | (frame.state.isUnread ? 1 << 11 : 0)
    writer.write(UInt64(frame.state.phase.stored) | flags | UInt64(UInt32(clamping: changes)) << 32)
    let (offset, size) = (frame.state.contentOffset, frame.state.contentSize)
    writer.write(frame.state.progress ?? 0, offset.x, offset.y, size.width, size.height)
    // Not there in journals before schema 6, nor in frames without it.
    if let began = frame.state.began { writer.write(began.nanoseconds) }
  }

  private func write(_ change: AttributeChange, to writer: inout JournalWordWriter) {
    let item = UInt64(UInt32(bitPattern: change.item.rawValue))
    let element: ElementRecord
    let code: UInt64
    switch change {
    case .changed(let record): (element, code) = (record, 0)
    case .same(let record): (element, code) = (record, 1)
    case .gone: return writer.write(item | 2 << 32)
    }
    let pose = element.pose
    let numbers: [Double]
    let transform: UInt64
    switch pose.transform {
    case .flat(let flat):
      transform = flat.isExactlyIdentity ? 0 : 1
      numbers = flat.isExactlyIdentity ? [] : flat.components
    case .spatial(let spatial): (transform, numbers) = (2, spatial.components)
    }
    writer.write(item | code << 32 | (pose.isHidden ? 1 : 0) << 34 | transform << 35)
    writer.write(element.indexPath.section)
    writer.write(element.indexPath.item)
    writer.write(
      pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha)
    writer.write(pose.zIndex)
    for number in numbers { writer.write(number) }
  }

  private func write(_ touch: TouchSample, to writer: inout JournalWordWriter) {
    writer.write(touch.time.nanoseconds)
    writer.write(touch.contact)
    let flags: UInt64 =
      (touch.slot == nil ? 0 : 1 << 8) | (touch.trackingID == nil ? 0 : 1 << 9)
      | (touch.isResampled ? 1 << 10 : 0) | (touch.heard == nil ? 0 : 1 << 11)
      | (touch.touchHeard == nil ? 0 : 1 << 12)
    writer.write(StoredCode.code(touch.phase, in: StoredCode.touchPhases) | flags)
    writer.write(touch.slot ?? 0)
    writer.write(touch.trackingID ?? 0)
    writer.write(touch.position.x, touch.position.y)
    // Not there in journals before schema 6, nor in touches without them.
    if let heard = touch.heard { writer.write(heard.nanoseconds) }
    if let heard = touch.touchHeard { writer.write(heard.nanoseconds) }
  }

  private func write(_ decision: ReleaseDecision, to writer: inout JournalWordWriter) {
    writer.write(decision.time.nanoseconds)
    writer.write(decision.transition)
    writer.write(
      StoredCode.code(decision.outcome, in: StoredCode.outcomes) | StoredCode.code(
        decision.ruleOutcome, in: StoredCode.outcomes) << 8
        | (decision.ruleParameters == nil ? 0 : 1) << 16)
    writer.write(decision.threshold, decision.progress)
    writer.write(ReleaseDecision.numbers.map { decision[keyPath: $0.path] })
    writer.write([
      decision.decidedBy.description, decision.rule.description, decision.ruleParameters ?? "",
    ])
  }

  private func write(_ record: ReleaseEstimate, to writer: inout JournalWordWriter) {
    let estimate = record.estimate
    writer.write(record.time.nanoseconds)
    writer.write(record.transition)
    writer.write(
      UInt64(UInt32(bitPattern: record.key.rawValue)) | (estimate.opposesDisplacement ? 1 : 0) << 32
        | (estimate.liftArtefactSuspected ? 1 : 0) << 33 | (estimate.chosen == nil ? 0 : 1) << 34
        | (estimate.liftGapNanoseconds == nil ? 0 : 1) << 35)
    writer.write(record.value)
    writer.write(estimate.sampleCount)
    writer.write(estimate.liftGapNanoseconds ?? 0)
    for reason in StoredCode.leftOutReasons { writer.write(estimate.leftOut[reason]) }
    writer.write(ReleaseEstimate.numbers.map { record[keyPath: $0.path] })
    writer.write([estimate.estimator.description, estimate.chosen ?? ""])
  }

  private func write(_ loss: LossRecord, to writer: inout JournalWordWriter) {
    let key = loss.key.map { UInt64(UInt32(bitPattern: $0.rawValue)) }
    writer.write(
      StoredCode.code(loss.what, in: StoredCode.losses) | (key == nil ? 0 : 1) << 8 | (key ?? 0)
        << 32)
    writer.write(loss.first.nanoseconds)
    writer.write(loss.last.nanoseconds)
    writer.write(loss.count)
  }
}

/// Gathers the words of one record, its first word left open for the check.
struct JournalWordWriter {
  private(set) var words: [UInt64] = [0]

  mutating func write(_ word: UInt64) { words.append(word) }

  mutating func write(_ number: Int64) { words.append(UInt64(bitPattern: number)) }

  mutating func write(_ number: Int) { write(Int64(number)) }

  mutating func write(_ numbers: Double...) { words += numbers.map(\.bitPattern) }

  /// Texts, packed byte after byte. Their lengths come before them, two in a word.
  mutating func write(_ texts: [String]) {
    for pair in stride(from: 0, to: texts.count, by: 2) {
      let second = pair + 1 < texts.count ? UInt64(UInt32(clamping: texts[pair + 1].utf8.count)) : 0
      words.append(UInt64(UInt32(clamping: texts[pair].utf8.count)) | second << 32)
    }
    var word: UInt64 = 0
    var filled: UInt64 = 0
    for text in texts {
      for byte in text.utf8 {
        word |= UInt64(byte) << filled
        filled += 8
        if filled == 64 {
          words.append(word)
          word = 0
          filled = 0
        }
      }
    }
    if filled > 0 { words.append(word) }
  }

  /// Optional numbers: a word that says which are there, then each one's word, 0 for none.
  mutating func write(_ numbers: [Double?]) {
    var mask: UInt64 = 0
    for (index, number) in numbers.enumerated() where number != nil { mask |= 1 << UInt64(index) }
    words.append(mask)
    for number in numbers { words.append(number?.bitPattern ?? 0) }
  }
}

extension AttributeTable {
  func insert(_ change: AttributeChange, frame: Int64, session: Int64) throws(SQLiteError) {
    let words = JournalRecord.change(change).unchecked
    try words.withUnsafeBufferPointer { words throws(SQLiteError) in
      try insert(words, frame: frame, session: session)
    }
  }
}

extension OpenSegment {
  /// Takes a row of the newest frame.
  mutating func add(_ change: AttributeChange) {
    JournalRecord.change(change).unchecked.withUnsafeBufferPointer { add($0) }
  }
}
