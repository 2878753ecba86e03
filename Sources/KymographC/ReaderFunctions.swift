// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import KymographCHeader
import TimelineModel
import TimelineStore

// A reader.

@implementation @c
public func kymograph_reader_open(
  _ path: UnsafePointer<CChar>!, _ pathLength: Int, _ place: UnsafeMutablePointer<OpaquePointer?>!,
  _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  guard let place else {
    return tell(
      KYMOGRAPH_MISUSE,
      "kymograph_reader_open needs the address of a pointer for the reader. Do not pass NULL.",
      error)
  }
  place.pointee = nil
  guard let path = String(path, pathLength) else {
    return tell(
      KYMOGRAPH_MISUSE, "kymograph_reader_open has no path. Name the recording to read.", error)
  }
  keepLocks()
  do throws(StoreError) {
    place.pointee = OpaquePointer(retaining: try ReaderHandle(path: path))
    return tellSuccess(error)
  } catch let problem {
    return problem.tell(error)
  }
}

@implementation @c
public func kymograph_reader_free(_ handle: OpaquePointer!) {
  // A copy in a child of fork is its parent's: it stays where it is.
  guard let handle, !handle.with(ReaderHandle.self, \.isInForkedChild) else { return }
  handle.release(ReaderHandle.self)
}

@implementation @c
public func kymograph_reader_session_count(_ handle: OpaquePointer!) -> Int64 {
  handle?.with(ReaderHandle.self) { Int64($0.sessions.count) } ?? 0
}

/// Does a piece of work that may fail, or answers with the sentence that says why there is nothing to do.
private func attempt(
  _ handle: OpaquePointer?, _ error: ErrorPlace,
  _ work: (ReaderHandle) throws(StoreError) -> String?
) -> Int32 {
  guard let handle else {
    return tell(
      KYMOGRAPH_MISUSE, "The reader is NULL. Open one with kymograph_reader_open.", error)
  }
  return handle.with(ReaderHandle.self) { handle in
    guard !handle.isInForkedChild else {
      return tell(
        KYMOGRAPH_MISUSE,
        "The reader belongs to the process that opened it. Open the recording again in the child process.",
        error)
    }
    do throws(StoreError) {
      let mistake = try work(handle)
      return mistake.map { tell(KYMOGRAPH_MISUSE, $0, error) } ?? tellSuccess(error)
    } catch let problem {
      return problem.tell(error)
    }
  }
}

@implementation @c
public func kymograph_reader_session(
  _ handle: OpaquePointer!, _ index: Int64, _ place: UnsafeMutablePointer<kymograph_session>!,
  _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { handle throws(StoreError) in
    guard let place else {
      return "kymograph_reader_session needs the address of a session. Do not pass NULL."
    }
    guard index >= 0, index < Int64(handle.sessions.count) else {
      return "There is no session with the index \(index). The recording has "
        + "\(handle.sessions.count), the first with the index 0."
    }
    let session = handle.sessions[Int(index)]
    var info = kymograph_session()
    info.is_clean = session.isClean ? 1 : 0
    info.number = session.number
    info.end_ns = session.end?.nanoseconds ?? -1
    info.sample_count = session.counts?.samples ?? -1
    info.frame_count = session.counts?.frames ?? -1
    info.touch_count = session.counts?.touches ?? -1
    info.event_count = session.counts?.events ?? -1
    info.lost_count = session.counts?.lost ?? -1
    info.key_count = Int32(truncatingIfNeeded: try handle.keys(in: session.number).count)
    info.item_count = Int32(truncatingIfNeeded: try handle.reader.items(in: session.number).count)
    info.name = handle.text(session.description.name)
    info.uuid = handle.text(session.uuid)
    info.software = handle.text(session.description.software)
    info.outcome = handle.text(session.outcome?.rawValue)
    info.write(to: place)
    return nil
  }
}

@implementation @c
public func kymograph_reader_key(
  _ handle: OpaquePointer!, _ session: Int64, _ index: Int64,
  _ place: UnsafeMutablePointer<kymograph_key_info>!,
  _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { handle throws(StoreError) in
    guard let place else {
      return "kymograph_reader_key needs the address of a key. Do not pass NULL."
    }
    let keys = try handle.keys(in: session)
    guard index >= 0, index < Int64(keys.count) else {
      return "There is no key with the index \(index) in session \(session), which has "
        + "\(keys.count) keys."
    }
    let key = keys[Int(index)]
    var info = kymograph_key_info()
    info.key = key.handle.rawValue
    info.role = key.role.headerCode
    info.sample_count =
      handle.loaded == session ? Int64(handle.column(of: info.key)?.count ?? 0) : -1
    info.name = handle.text(key.name)
    info.unit = handle.text(key.unit)
    info.write(to: place)
    return nil
  }
}

@implementation @c
public func kymograph_reader_load(
  _ handle: OpaquePointer!, _ session: Int64, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { handle throws(StoreError) in
    try handle.load(session)
    return nil
  }
}

@implementation @c
public func kymograph_reader_columns(
  _ handle: OpaquePointer!, _ key: Int32, _ count: UnsafeMutablePointer<Int>!,
  _ times: UnsafeMutablePointer<UnsafePointer<Int64>?>!,
  _ values: UnsafeMutablePointer<UnsafePointer<Double>?>!,
  _ phases: UnsafeMutablePointer<UnsafePointer<UInt8>?>!,
  _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  attempt(handle, error) { handle throws(StoreError) in
    guard let column = handle.column(of: key) else {
      return handle.loaded == 0
        ? "No session is loaded. Call kymograph_reader_load first."
        : "The loaded session \(handle.loaded) has no key with the number \(key)."
    }
    count?.pointee = column.count
    times?.pointee = UnsafePointer(column.times)
    values?.pointee = UnsafePointer(column.values)
    phases?.pointee = UnsafePointer(column.phases)
    return nil
  }
}
