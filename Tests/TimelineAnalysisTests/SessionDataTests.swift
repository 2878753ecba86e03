import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

/// The parts of a session as columns.
@Suite struct SessionDataTests {
  let hand: HandMade

  init() throws { hand = try HandMade() }

  /// Ten seconds in which two keys, two elements and a finger move. A card rides on a sheet that goes down by 90 points.
  private func session(
    _ file: String, isSealed: Bool = false, isReleased: Bool = true
  ) throws -> FileSource {
    let reader = try hand.session(into: file) { recorder in
      let x = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
      let page = recorder.keyHandle(for: "page", role: .custom, unit: "1")
      let items = ["sheet", "card"].map {
        recorder.itemHandle(for: ElementIdentity(category: .cell, id: $0))
      }
      for step in 0..<1_000 {
        let time = at(Int64(step) * 10)
        let phase: MotionPhase = step < 300 ? .driving : step < 600 ? .settling : .idle
        recorder.record(Double(step * 7_919 % 101), for: x, at: time, phase: phase)
        // Of two values at one instant the newer counts.
        if step == 5 { recorder.record(-1, for: x, at: time, phase: .settling) }
        if step % 3 == 0 { recorder.record(Double(step / 500), for: page, at: time, phase: phase) }
        guard step % 10 == 0, step < 100 else { continue }
        recorder.beginFrame(
          FrameState(
            time: time, phase: phase, progress: nil, contentOffset: .zero,
            contentSize: Size2D(width: 100, height: 1_000), isUnread: step == 50))
        for (number, item) in items.enumerated() {
          let center = Point2D(x: 50, y: Double(100 + step + 10 * number))
          recorder.record(
            Pose(center: center, size: Size2D(width: 80, height: 40)), of: item,
            at: ItemIndexPath(section: 0, item: number))
        }
        recorder.endFrame()
        recorder.record(
          TouchSample(
            time: time, contact: 0, phase: step == 0 ? .began : step == 90 ? .ended : .moved,
            position: Point2D(x: 9, y: Double(step))))
      }
      if isReleased { recorder.decision(.finish, at: 3_000, progress: 0.5, transition: 0) }
    }
    if isSealed { #expect(try RecordingEditor(path: reader.path).seal(session: 1).rows > 1_000) }
    let opened = try RecordingReader(path: reader.path)
    return FileSource(try opened.sessionRecord(1), in: opened)
  }

  private func named(_ subjects: [MotionSubject]) -> SessionParts {
    var parts = SessionParts()
    for subject in subjects { parts.add(subject, isDense: false) }
    return parts
  }

  @Test func `a file and its packed copy have the same columns`() throws {
    let (plain, sealed) = (try session("plain.kymo"), try session("sealed.kymo", isSealed: true))
    let subjects: [MotionSubject] = [.key("*"), .item("*", .center), .finger(.y)]
    for parts in [SessionParts.allKeys(), named(subjects)] {
      let (one, other) = (
        try SessionData(plain, reading: parts), try SessionData(sealed, reading: parts)
      )
      #expect(one.tracks.all.map(\.curve) == other.tracks.all.map(\.curve))
      #expect(one.tracks.all.map(\.otherColumns) == other.tracks.all.map(\.otherColumns))
      #expect(one.tracks.all.map(\.phases) == other.tracks.all.map(\.phases))
      #expect(one.tracks.all.map(\.isStep) == other.tracks.all.map(\.isStep))
      #expect(one.frames == other.frames)
      #expect(one.stretches == other.stretches)
    }
  }

  @Test(arguments: [false, true])
  func `a key that is read alone has the values that it has among all`(isSealed: Bool) throws {
    let source = try session("long.kymo", isSealed: isSealed)
    let held = try SessionData(source, reading: .allKeys()).tracks
    let apart = try SessionData(source, reading: .allKeys(apartFrom: 0)).tracks
    #expect(apart.readsApart)
    #expect(apart.all.filter { !$0.record.isComputed }.map(\.curve.count) == [0, 0])
    for (track, known) in zip(apart.all, held.all) {
      var memory = Curve([Sample(time: .zero, value: 9)])
      let whole = try apart.whole(track, from: source, keepsPhases: true, memory: &memory)
      #expect(whole.curve == known.curve)
      #expect(whole.phases == known.phases)
      #expect(whole.isStep == known.isStep)
      let plain = try apart.whole(track, from: source, memory: &memory)
      #expect(plain.curve == known.curve)
      #expect(plain.isStep == known.isStep)
    }
  }

  @Test(arguments: [0, 1 << 20])
  func `values that are spilled come back key by key`(heldBytes: Int) throws {
    let keys = [3, 70_000, 5].map { KeyHandle(rawValue: $0) }
    var writer = SpillWriter(keys, heldBytes: heldBytes)
    var samples: [[Sample]] = [[], [], []]
    for step in 0..<1_000 {
      for key in 0..<3 where key < 2 || step % 7 == 0 {
        // Two values of one instant, one that goes back in time, and one that is no number.
        let time = Int64(step == 401 ? 400 : step == 500 ? 3 : step)
        let value = step == 600 ? Double.nan : Double(step * (key + 1))
        writer.add(time, value, at: key)
        samples[key].append(Sample(time: Instant(nanoseconds: time), value: value))
      }
    }
    let spilled = try writer.finish()
    for (key, samples) in zip(keys, samples) {
      #expect(spilled.count(of: key) == samples.count)
      var curve = Curve([])
      try spilled.add(key, to: &curve)
      #expect(curve == Curve(samples))
    }
    var curve = Curve([])
    try spilled.add(KeyHandle(rawValue: 4), to: &curve)
    #expect(curve.count == 0)
  }

  @Test func `of two values at one instant the newer counts`() throws {
    let tracks = try SessionData(session("two.kymo"), reading: .allKeys()).tracks.all
    let x = try #require(tracks.first { $0.name == "x" })
    #expect(x.curve.count == 1_000)
    #expect(x.curve.values[5] == -1)
    #expect(x.phases[5] == .settling)
  }

  @Test func `what nobody names is not read`() throws {
    let source = try session("named.kymo")
    let nothing = try SessionData(source, reading: SessionParts())
    #expect(nothing.tracks.all.isEmpty)
    #expect(nothing.frames.times.isEmpty)
    #expect(nothing.contacts.all.isEmpty)
    let one = try SessionData(source, reading: named([.key("page")]))
    #expect(one.tracks.all.map(\.name) == ["page"])
    #expect(one.tracks.all[0].isStep)
  }

  @Test func `without a release contacts make the stretches`() throws {
    let data = try SessionData(
      session("lift.kymo", isReleased: false), reading: SessionParts())
    #expect(data.contacts.all.count == 1)
    #expect(data.stretches.map(\.release) == [at(900)])
    let whole = try SessionData(
      session("lift.kymo", isReleased: false), reading: .allKeys(derivesReleases: true))
    #expect(whole.stretches == data.stretches)
  }

  @Test func `an element at rest leaves two values, and each frame if that is asked`() throws {
    let source = try session("rest.kymo")
    var dense = SessionParts()
    dense.add(.item("sheet", .width), isDense: true)
    let (sparse, all) = (
      try SessionData(source, reading: named([.item("sheet", .width)])),
      try SessionData(source, reading: dense)
    )
    #expect(sparse.tracks.all[0].curve.times == [at(0), at(900)])
    // One of ten frames was over before it could be read.
    #expect(all.tracks.all[0].curve.count == 9)
  }

  @Test func `what rides has no way of its own`() throws {
    let elements = try Elements(session("ride.kymo"))
    #expect(elements.read.times.count == 9)
    #expect(elements.frames.times.count == 10)
    let riding = elements.relativeToCarriers(
      [(item: "card", carrier: "sheet")], findsElements: false)
    #expect(riding.all.map { $0.y.extent } == [90, 0])
    #expect(riding.all.map(\.carrier) == [nil, "sheet"])
    let alone = elements.relativeToCarriers([], findsElements: false)
    #expect(alone.all.map { $0.y.extent } == [90, 90])
    #expect(alone.all.map { $0.y.first } == [0, 0])
  }
}
