import TestSupport
import Testing
import TimelineModel
import TimelineStore

@Suite struct JournalRecordTests {
  private let salt = JournalFormat.salt(of: "01234567-89ab-4def-8123-456789abcdef")

  /// One record of every kind and shape, with numbers that are hard to keep.
  static let records: [JournalRecord] = {
    let time = Instant(nanoseconds: .min)
    let spatial =
      Transform3D(components: (0..<16).map { Double($0) - 0.5 }).map(ElementTransform.spatial)
      ?? .identity
    func element(_ transform: ElementTransform) -> ElementRecord {
      ElementRecord(
        item: ItemHandle(rawValue: .max), indexPath: ItemIndexPath(section: .min, item: .max),
        pose: Pose(
          center: Point2D(x: -0.0, y: .leastNonzeroMagnitude),
          size: Size2D(width: 1e308, height: 1.0 / 3), transform: transform, alpha: 0.5,
          zIndex: .min,
          isHidden: true))
    }
    let flat = ElementTransform.flat(Transform2D(a: 1, b: -0.0, c: 0, d: 1, tx: 0, ty: 0))
    var leftOut = LeftOutSamples()
    leftOut[.gap] = 7
    return [
      .key(
        KeyRecord(handle: KeyHandle(rawValue: 3), name: "håndtag", role: .animated, unit: "pt/s")),
      .key(KeyRecord(handle: KeyHandle(rawValue: 0), name: "", role: .custom, unit: "")),
      .item(
        ItemRecord(
          handle: ItemHandle(rawValue: 1),
          identity: ElementIdentity(category: .cell, id: "12345678"))),
      .item(
        ItemRecord(
          handle: ItemHandle(rawValue: 2),
          identity: ElementIdentity(category: .supplementary, elementKind: "", id: "a/header"))),
      .sample(
        KeyHandle(rawValue: Int32(JournalFormat.largestKey)), Sample(time: time, value: -0.0),
        .settling),
      .frame(
        FrameRecord(
          number: 9,
          state: FrameState(
            time: time, phase: .driving, progress: nil, contentOffset: Point2D(x: -0.0, y: 1),
            contentSize: Size2D(width: 2, height: 3)), isKeyFrame: true), changes: 4),
      .frame(
        FrameRecord(
          number: 10,
          state: FrameState(
            time: .zero, phase: .idle, progress: -0.0, contentOffset: .zero, contentSize: .zero),
          isKeyFrame: false), changes: 0),
      .frame(
        FrameRecord(
          number: 11,
          state: FrameState(
            time: .zero, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero,
            began: time, isUnread: true), isKeyFrame: false), changes: 0),
      .frame(
        FrameRecord(
          number: 12,
          state: FrameState(
            time: .zero, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero,
            isUnread: true), isKeyFrame: false), changes: 0),
      .change(.changed(element(.identity))), .change(.same(element(flat))),
      .change(.changed(element(spatial))), .change(.gone(ItemHandle(rawValue: 0))),
      .touch(
        TouchSample(
          time: time, contact: .max, slot: nil, trackingID: .min, phase: .cancelled,
          position: Point2D(x: 1, y: -0.0), isResampled: true)),
      .touch(
        TouchSample(
          time: time, contact: 0, phase: .moved, position: .zero, heard: .zero, touchHeard: time)),
      .touch(
        TouchSample(time: time, contact: 0, phase: .moved, position: .zero, touchHeard: time)),
      .event(
        JournalEvent(
          TimelineEvent(
            time: time, kind: .mark, fields: EventField.list(["text": "ünïcode \u{1F600}"])))),
      .decision(
        ReleaseDecision(
          transition: 1, time: time, outcome: .cancel, decidedBy: "rule", rule: "progress",
          ruleParameters: nil, ruleOutcome: .finish, threshold: 0.5, progress: 0.25,
          progressVelocity: -3, marginProgress: nil, projectedProgress: 7)),
      .estimate(
        ReleaseEstimate(
          transition: 1, time: time, key: KeyHandle(rawValue: 5), value: 1,
          estimate: VelocityEstimate(
            estimator: "lsq2", velocity: 1, chosen: nil, sampleCount: 4, leftOut: leftOut,
            liftGapNanoseconds: -1, opposesDisplacement: true), target: nil, remaining: 2,
          relativeVelocity: nil, settleTimeSeconds: 0.3)),
      .loss(
        LossRecord(what: .sample, key: KeyHandle(rawValue: 2), first: time, last: .zero, count: 9)),
      .loss(LossRecord(what: .estimate, key: nil, first: time, last: time, count: 1)),
    ]
  }()

  @Test func `every record comes back as it was written`() throws {
    for record in Self.records {
      let words = try #require(record.encoded(at: 77, salt: salt))
      words.withUnsafeBufferPointer { words in
        #expect(JournalRecord.length(words[0]) == words.count)
        #expect(JournalRecord.isIntact(words, at: 77, salt: salt))
        let read = JournalRecord(words)
        #expect(read == record)
        // Equality of numbers does not tell -0.0 from 0.0; the words do.
        #expect(read?.unchecked == record.unchecked)
      }
    }
    #expect(Set(Self.records.map(\.kind)).count == JournalFormat.Kind.allCases.count)
  }

  @Test func `no record passes at another place, in another session or with a bit turned`() throws {
    let other = JournalFormat.salt(of: "01234567-89ab-4def-8123-456789abcdee")
    for record in Self.records {
      var words = try #require(record.encoded(at: 4_096, salt: salt))
      func isIntact(at position: UInt64, salt: UInt64) -> Bool {
        words.withUnsafeBufferPointer {
          JournalRecord.isIntact($0, at: position, salt: salt)
        }
      }
      for position in [0, 1, 4_095, 4_097, 8_192, 4_096 + 524_288] as [UInt64] {
        #expect(!isIntact(at: position, salt: salt))
      }
      #expect(!isIntact(at: 4_096, salt: other))
      for bit in 0..<words.count * 64 {
        words[bit / 64] ^= 1 << UInt64(bit % 64)
        #expect(!isIntact(at: 4_096, salt: salt), "bit \(bit) of \(record)")
        words[bit / 64] ^= 1 << UInt64(bit % 64)
      }
      #expect(isIntact(at: 4_096, salt: salt))
    }
  }

  @Test func `what the recorder takes into its own code says what the format says`() {
    for word: UInt32 in [0, 1, 2 << 2 | 1, 0x0fff_ffff] {
      #expect(JournalCheck.sampleLead(word) == JournalFormat.lead(.sample, word))
      #expect(JournalCheck.changeLead(word) == JournalFormat.lead(.change, word))
    }
    for kind in JournalFormat.Kind.allCases {
      let first = UInt64(JournalFormat.lead(kind, 7)) | 0xffff_ffff_0000_0000
      #expect(JournalCheck.isSample(first) == (JournalFormat.kind(of: first) == .sample))
    }
    #expect(JournalCheck.sampleWords == JournalFormat.sampleWords)
  }

  @Test func `words that are no record are refused, whatever they are`() throws {
    var generator = SplitMix(seed: 5)
    var refused = 0
    for record in Self.records {
      let good = record.unchecked
      for turn in 0..<400 {
        var words = good
        words[0] = try #require(record.encoded(at: 0, salt: salt))[0]
        for _ in 0...turn % 3 {
          let place = Int(generator.next() % UInt64(words.count))
          words[place] = turn % 2 == 0 ? generator.next() : 1 << (generator.next() % 64)
        }
        if turn % 5 == 0 { words.removeLast() }
        let read = words.withUnsafeBufferPointer { JournalRecord($0) }
        if read == nil { refused += 1 }
      }
    }
    #expect(refused > 1_000)
    #expect([UInt64]().withUnsafeBufferPointer { JournalRecord($0) } == nil)
    #expect(JournalRecord.length(0) == nil)
    #expect(JournalRecord.length(UInt64(JournalFormat.lead(.event, 1))) == nil)
  }

  @Test func `a key beyond the largest has no record`() {
    let sample = Sample(time: .zero, value: 1)
    for number in [Int32(JournalFormat.largestKey) + 1, -1] {
      let record = JournalRecord.sample(KeyHandle(rawValue: number), sample, .idle)
      #expect(record.encoded(at: 0, salt: salt) == nil)
    }
  }
}
