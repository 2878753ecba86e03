// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import KymographCHeader
import TimelineModel
import TimelineRecorder
import TimelineStore

// A recorder: its beginning and end, its clock, its names.

@implementation @c
public func kymograph_recorder_open(
  _ path: UnsafePointer<CChar>!, _ pathLength: Int,
  _ options: UnsafePointer<kymograph_recorder_options>!,
  _ place: UnsafeMutablePointer<OpaquePointer?>!, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  guard let place else {
    return tell(
      KYMOGRAPH_MISUSE,
      "kymograph_recorder_open needs the address of a pointer for the recorder. Do not pass NULL.",
      error)
  }
  place.pointee = nil
  guard let path = String(path, pathLength) else {
    return tell(
      KYMOGRAPH_MISUSE, "kymograph_recorder_open has no path. Name the recording to write.", error)
  }
  keepLocks()
  let given = options.map { kymograph_recorder_options(of: $0) } ?? kymograph_recorder_options()
  let redaction = Redaction(given)
  guard !redaction.hashesItems || !redaction.salt.isEmpty else {
    return tell(
      KYMOGRAPH_MISUSE,
      "kymograph_recorder_open: KYMOGRAPH_HASH_NAMES needs a salt, because anybody can check a guessed name without one. "
        + "Set salt to a secret text.", error)
  }
  let trouble = NewestTrouble()
  do throws(StoreError) {
    let recorder = try Recorder(
      path: path, session: redaction.redacted(SessionDescription(given)),
      policy: Int(given.policy) == KYMOGRAPH_WAIT ? .wait : .live,
      settings: RecorderSettings(given), onTrouble: { trouble.set($0) })
    place.pointee = OpaquePointer(
      retaining: RecorderHandle(recorder, redaction: redaction, trouble: trouble))
    return tellSuccess(error)
  } catch let problem {
    return problem.tell(error)
  }
}

extension SessionDescription {
  fileprivate init(_ options: kymograph_recorder_options) {
    self.init(
      software: String(options.software), clock: "app", name: String(options.name))
    refreshRate = options.refresh_rate.positive
    if let width = options.viewport_width.positive, let height = options.viewport_height.positive {
      viewport = Size2D(width: width, height: height)
    }
  }
}

extension RecorderSettings {
  fileprivate init(_ options: kymograph_recorder_options) {
    self.init()
    sealsFromStart = Int(options.storage) != KYMOGRAPH_ROWS
    limit = RecordingLimit(
      sizeBytes: options.limit_bytes > 0 ? options.limit_bytes : nil,
      ageNanoseconds: options.limit_age_ns > 0 ? options.limit_age_ns : nil)
  }
}

extension Redaction {
  fileprivate init(_ options: kymograph_recorder_options) {
    self.init(
      leavesOutTouches: options.redaction & UInt32(KYMOGRAPH_WITHOUT_TOUCHES) != 0,
      hashesItems: options.redaction & UInt32(KYMOGRAPH_HASH_NAMES) != 0,
      salt: String(options.salt) ?? "")
  }
}

/// Does a piece of work that may fail. Success without a recorder.
private func attempt(
  _ handle: OpaquePointer?, _ error: ErrorPlace, _ work: (Recorder) throws(StoreError) -> Void
) -> Int32 {
  guard let handle else { return tellSuccess(error) }
  return handle.with(RecorderHandle.self) { handle in
    do throws(StoreError) {
      try work(handle.recorder)
      return tellSuccess(error)
    } catch let problem {
      return problem.tell(error)
    }
  }
}

@implementation @c
public func kymograph_recorder_finish(
  _ handle: OpaquePointer!, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { recorder throws(StoreError) in try recorder.finish() }
}

@implementation @c
public func kymograph_recorder_free(_ handle: OpaquePointer!) {
  handle?.release(RecorderHandle.self)
}

@implementation @c
public func kymograph_recorder_suspend(
  _ handle: OpaquePointer!, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { recorder throws(StoreError) in try recorder.suspend() }
}

@implementation @c
public func kymograph_recorder_resume(
  _ handle: OpaquePointer!, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { recorder throws(StoreError) in try recorder.resume() }
}

@implementation @c
public func kymograph_recorder_sync(
  _ handle: OpaquePointer!, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { recorder throws(StoreError) in try recorder.syncForeign() }
}

@implementation @c
public func kymograph_recorder_trouble(
  _ handle: OpaquePointer!, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  let trouble = handle?.with(RecorderHandle.self) { handle in
    handle.recorder.isInForkedChild ? nil : handle.trouble.take()
  }
  guard let trouble else { return tellSuccess(error) }
  switch trouble {
  case .backPressure: return tell(KYMOGRAPH_BACK_PRESSURE, trouble.message, error)
  case .longLog: return tell(KYMOGRAPH_LONG_LOG, trouble.message, error)
  case .writing(let problem), .checkpoint(let problem): return problem.tell(error)
  }
}

@implementation @c
public func kymograph_recorder_now(_ handle: OpaquePointer!) -> Int64 {
  handle?.with(RecorderHandle.self) { $0.recorder.now.nanoseconds } ?? 0
}

@implementation @c
public func kymograph_recorder_origin(_ handle: OpaquePointer!) -> Int64 {
  handle?.with(RecorderHandle.self) { $0.recorder.origin } ?? 0
}

@implementation @c
public func kymograph_recorder_session(_ handle: OpaquePointer!) -> Int64 {
  handle?.with(RecorderHandle.self) { $0.recorder.session } ?? 0
}

@implementation @c
public func kymograph_recorder_key(
  _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ nameLength: Int,
  _ unit: UnsafePointer<CChar>!, _ unitLength: Int
) -> Int32 {
  kymograph_recorder_key_of_role(
    handle, name, nameLength, unit, unitLength, Int32(KYMOGRAPH_CUSTOM))
}

@implementation @c
public func kymograph_recorder_key_of_role(
  _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ nameLength: Int,
  _ unit: UnsafePointer<CChar>!, _ unitLength: Int, _ role: Int32
) -> Int32 {
  guard let handle, let name = String(name, nameLength) else { return -1 }
  let unit = String(unit, unitLength) ?? "1"
  return handle.with(RecorderHandle.self) {
    $0.recorder.isInForkedChild
      ? -1 : $0.sink.keyHandle(for: name, role: KeyRole(header: role), unit: unit).rawValue
  }
}

@implementation @c
public func kymograph_recorder_item(
  _ handle: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ idLength: Int
) -> Int32 {
  guard let handle, let id = String(id, idLength) else { return -1 }
  return handle.with(RecorderHandle.self) {
    $0.recorder.isInForkedChild
      ? -1 : $0.sink.itemHandle(for: ElementIdentity(category: .cell, id: id)).rawValue
  }
}
