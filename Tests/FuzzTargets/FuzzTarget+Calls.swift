#if KYMOGRAPH_C
  import Foundation
  import KymographCHeader

  extension FuzzTarget {
    /// Calls functions of the library for C in any order with any arguments, and reads the recording back.
    ///
    /// The library lets this process's SQLite lock by open file description, so this belongs into a process of its own.
    func takeCalls(_ bytes: [UInt8]) {
      var calls = LibraryCalls(FuzzBytes(bytes))
      calls.run()
    }
  }

  /// A caller of the library that knows nothing of its rules but one: a handle that was freed is gone.
  private struct LibraryCalls {
    private var bytes: FuzzBytes
    private let path: String
    private var recorder: OpaquePointer?
    private var timeline: OpaquePointer?
    private var reader: OpaquePointer?
    private var error = kymograph_error()

    init(_ bytes: FuzzBytes) {
      self.bytes = bytes
      path =
        FileManager.default.temporaryDirectory
        .appendingPathComponent(
          "kymograph-calls-\(ProcessInfo.processInfo.processIdentifier).kymo"
        )
        .path
    }

    mutating func run() {
      for ending in ["", "-wal", "-shm", "-crash1"] { unlink(path + ending) }
      open()
      while !bytes.isAtEnd { call(bytes.byte()) }
      kymograph_timeline_free(timeline)
      kymograph_recorder_finish(recorder, &error)
      kymograph_recorder_free(recorder)
      kymograph_reader_free(reader)
      expectHealthy()
    }

    /// Everything of every session can be read.
    private mutating func expectHealthy() {
      var last: OpaquePointer?
      require(kymograph_reader_open(path, KYMOGRAPH_NUL, &last, &error))
      for index in 0..<kymograph_reader_session_count(last) {
        var session = kymograph_session()
        session.size = UInt32(MemoryLayout<kymograph_session>.size)
        require(kymograph_reader_session(last, index, &session, &error))
        require(kymograph_reader_load(last, session.number, &error))
      }
      kymograph_reader_free(last)
    }

    private func require(_ code: Int32) {
      guard code != Int32(KYMOGRAPH_OK) else { return }
      let message = withUnsafeBytes(of: error.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      fatalError("The recording of these calls is not healthy: \(code), \(message)")
    }

    private mutating func open() {
      guard recorder == nil else { return }
      var options = kymograph_recorder_options()
      options.size = UInt32(bytes.byte())
      options.policy = Int32(bytes.byte() % 3)
      options.refresh_rate = number()
      options.limit_bytes = Int64(bytes.byte() % 2) << 40
      options.storage = UInt32(bytes.byte() % 3)
      kymograph_recorder_open(path, KYMOGRAPH_NUL, &options, &recorder, &error)
    }

    // MARK: - Arguments

    private mutating func number() -> Double {
      switch bytes.byte() {
      case 0: .nan
      case 1: .infinity
      case 2: -.greatestFiniteMagnitude
      case 3: Double(bitPattern: bytes.word())
      case let small: Double(small) / 64 - 2
      }
    }

    private mutating func time() -> Int64 {
      switch bytes.byte() {
      case 0: .min
      case 1: .max
      case 2: Int64(bitPattern: bytes.word())
      case let small: Int64(small) * 4_000_000
      }
    }

    private mutating func small() -> Int32 { Int32(Int8(bitPattern: bytes.byte())) % 8 }

    /// A text of up to seven bytes; nil for NULL.
    private mutating func text() -> [CChar]? {
      let count = Int(bytes.byte() % 9)
      return count == 8 ? nil : bytes.take(count).map { CChar(bitPattern: $0) } + [0]
    }

    private mutating func pose() -> kymograph_pose {
      var pose = kymograph_pose()
      (pose.center_x, pose.center_y, pose.width) = (number(), number(), number())
      (pose.height, pose.alpha, pose.a, pose.tx) = (number(), number(), number(), number())
      (pose.z_index, pose.flags) = (small(), UInt32(bytes.byte()))
      return pose
    }

    private mutating func frame() -> kymograph_frame {
      var frame = kymograph_frame()
      frame.size = UInt32(bytes.byte() % 80)
      (frame.phase, frame.time_ns, frame.progress) = (small(), time(), number())
      (frame.offset_x, frame.content_width) = (number(), number())
      return frame
    }

    // MARK: - Calls

    private mutating func call(_ choice: UInt8) {
      switch choice % 4 {
      case 0: callRecorder(choice / 4)
      case 1: record(choice / 4)
      case 2: callTimeline(choice / 4)
      default: choice < 16 ? read() : record(choice / 4)
      }
    }

    private mutating func callRecorder(_ choice: UInt8) {
      switch choice % 16 {
      case 0: kymograph_recorder_finish(recorder, &error)
      case 1:
        kymograph_recorder_free(recorder)
        recorder = nil
        open()
      case 2: kymograph_recorder_suspend(recorder, nil)
      case 3, 4: kymograph_recorder_resume(recorder, &error)
      case 5: kymograph_recorder_sync(recorder, nil)
      case 6: kymograph_recorder_trouble(recorder, &error)
      case 7, 8, 9:
        let (name, unit) = (text(), text())
        kymograph_recorder_key_of_role(
          recorder, name, KYMOGRAPH_NUL, unit, KYMOGRAPH_NUL, small())
      default:
        let id = text()
        kymograph_recorder_item(recorder, id, id.map { $0.count - 1 } ?? 3)
      }
    }

    private mutating func record(_ choice: UInt8) {
      switch choice % 12 {
      case 0, 1, 2: kymograph_record_value(recorder, small(), time(), number(), small())
      case 3:
        let keys = [small(), small(), small()]
        let (times, values) = ([time(), time(), time()], [number(), number(), number()])
        kymograph_record_values(
          recorder, 3, keys, Int(bytes.byte() % 2) * 4, times, Int(bytes.byte() % 2) * 8, values, 8,
          small())
      case 4:
        var (state, items, poses) = (frame(), [small(), small()], [pose(), pose()])
        kymograph_record_frame(recorder, &state, 2, &items, &poses)
      case 5:
        var state = frame()
        kymograph_frame_begin(recorder, &state)
      case 6, 7:
        var pose = pose()
        kymograph_frame_pose(recorder, small(), &pose)
      case 8: kymograph_frame_end(recorder)
      case 9:
        kymograph_record_touch(recorder, Int64(small()), small(), number(), number(), time())
      case 10: recordEvent()
      default: recordDecision()
      }
    }

    private mutating func recordEvent() {
      let (kind, name, content) = (text(), text(), text() ?? [0])
      content.withUnsafeBufferPointer { content in
        var field = kymograph_field()
        field.name = kymograph_text(utf8: content.baseAddress, length: KYMOGRAPH_NUL)
        (field.kind, field.flag, field.integer, field.number) = (small(), 2, time(), number())
        field.text = field.name
        kymograph_record_event(
          recorder, kind ?? name, KYMOGRAPH_NUL, time(), &field, 1, Int32(bytes.byte() / 250))
      }
    }

    private mutating func recordDecision() {
      var decision = kymograph_decision()
      decision.size = UInt32(bytes.byte())
      (decision.transition, decision.time_ns, decision.outcome) = (small(), time(), small())
      (decision.threshold, decision.progress) = (number(), number())
      decision.progress_velocity = number()
      kymograph_record_decision(recorder, &decision)
    }

    private mutating func callTimeline(_ choice: UInt8) {
      switch choice % 16 {
      case 0:
        kymograph_timeline_free(timeline)
        timeline = kymograph_timeline_new(recorder, number())
      case 1:
        if timeline == nil { timeline = kymograph_timeline_new(recorder, number()) }
        let rules = ["progress", "velocity", "gnome", "nonsense", ""]
        kymograph_timeline_set_rule(
          timeline, rules[Int(bytes.byte()) % rules.count], KYMOGRAPH_NUL, number(), number(),
          &error)
      case 2, 3:
        if timeline == nil { timeline = kymograph_timeline_new(recorder, number()) }
        let (from, to) = (text(), text())
        kymograph_timeline_start(timeline, from, KYMOGRAPH_NUL, to, KYMOGRAPH_NUL, time())
      case 4, 5, 6: kymograph_timeline_progress(timeline, number(), time())
      case 7:
        let name = text()
        kymograph_timeline_value(
          timeline, name, KYMOGRAPH_NUL, nil, KYMOGRAPH_NUL, number(), time())
      case 8, 9:
        kymograph_timeline_touch(timeline, Int64(small()), small(), number(), number(), time())
      case 10, 11: kymograph_timeline_release(timeline, small(), time())
      case 12: kymograph_timeline_complete(timeline, small(), time())
      case 13:
        var pose = pose()
        let id = text()
        kymograph_timeline_see(timeline, id, KYMOGRAPH_NUL, &pose)
      default:
        kymograph_timeline_frame(timeline, time(), time())
        _ = kymograph_timeline_needs_frame(timeline)
      }
    }

    private mutating func read() {
      if reader == nil {
        kymograph_reader_open(path, KYMOGRAPH_NUL, &reader, &error)
      }
      kymograph_reader_load(reader, Int64(small()), nil)
      var (count, key) = (0, kymograph_key_info())
      key.size = UInt32(bytes.byte() % 64)
      kymograph_reader_key(reader, Int64(small()), Int64(small()), &key, &error)
      kymograph_reader_columns(reader, small(), &count, nil, nil, nil, &error)
      if bytes.byte() % 4 == 0 {
        kymograph_reader_free(reader)
        reader = nil
      }
    }
  }
#endif
