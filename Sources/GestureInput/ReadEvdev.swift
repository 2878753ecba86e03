/// How wide the kernel's times are in a file of `struct input_event`.
package enum EvdevABI: String, CaseIterable, Sendable {
  /// 16 bytes a record, seconds and microseconds of 32 bits: what programs of 32 bits read.
  case records32 = "32"
  /// 24 bytes a record, seconds and microseconds of 64 bits.
  case records64 = "64"

  fileprivate var recordLength: Int { self == .records32 ? 16 : 24 }
}

/// Reads the bytes that a device file gives (`cat /dev/input/event5`): little-endian records of seconds, microseconds,
/// type, code and value.
///
/// - Parameter abi: How long the records are. `nil` to find it by the content.
/// - Returns: Nil, as no device is named.
func readEvdev(
  _ source: GestureSource, abi: EvdevABI?, into log: inout TouchLog
) throws(GestureError) -> String? {
  let recognized = recognizedEvdevABI(of: source.bytes)
  let abi = abi ?? recognized ?? likelyEvdevABI(of: source.bytes)
  if let recognized, recognized != abi {
    throw source.error(
      .unsupported, "The records have \(recognized.rawValue) bits, not \(abi.rawValue).")
  }
  let records = EvdevRecords(bytes: source.bytes, abi: abi)
  log.losses.noun = "Record"
  guard records.count <= GestureSource.mostLines else {
    throw source.error(
      .unsupported,
      "The file has more than \(GestureSource.mostLines) records. Cut it into shorter files.")
  }
  var events: [KernelEvent] = []
  for index in 0..<records.count {
    let record = records[index]
    if record.isPlausible,
      let time = nanoseconds(seconds: record.seconds, microseconds: record.microseconds)
    {
      events.append(
        KernelEvent(
          nanoseconds: time, line: index + 1, kind: .init(type: record.type, code: record.code),
          value: record.value))
    } else {
      log.losses.add(
        line: index + 1, "This is not an event of \(abi.rawValue) bits. It was left out.")
    }
  }
  guard events.count * 2 >= records.count else {
    throw source.error(
      .unsupported,
      "\(records.count - events.count) of \(records.count) records are not events of \(abi.rawValue) bits. The file is"
        + " of another kind, or its records have another length.")
  }
  let rest = source.bytes.count % abi.recordLength
  if rest > 0 {
    log.losses.add(
      line: records.count + 1,
      "The file ends after \(rest) of its \(abi.recordLength) bytes. It was left out.")
  }
  log.lastLine = records.count
  readTouches(from: events, into: &log)
  return nil
}

/// The records that a file is made of, as there is no mark at its beginning. `nil` where it is none: sensible numbers, times
/// that never go back, and a report behind a place, which keeps out a file of zeros. The file may be cut off anywhere.
func recognizedEvdevABI(of bytes: [UInt8]) -> EvdevABI? {
  [EvdevABI.records64, .records32].first { abi in
    let records = EvdevRecords(bytes: bytes, abi: abi)
    var latest: (seconds: Int64, microseconds: Int64) = (0, 0)
    var (hasPosition, hasReport) = (false, false)
    for index in 0..<records.count {
      let record = records[index]
      let time = (record.seconds, record.microseconds)
      guard record.isPlausible, time >= latest else { return false }
      latest = time
      hasPosition = hasPosition || record.type == 3
      hasReport = hasReport || hasPosition && record.type == 0 && record.code == 0
    }
    return hasReport
  }
}

/// The records that a damaged file most likely consists of.
private func likelyEvdevABI(of bytes: [UInt8]) -> EvdevABI {
  func share(_ abi: EvdevABI) -> Double {
    let records = EvdevRecords(bytes: bytes, abi: abi)
    let plausible = (0..<min(records.count, 100)).count { records[$0].isPlausible }
    return Double(plausible) / Double(max(1, min(records.count, 100)))
  }
  return share(.records32) > share(.records64) ? .records32 : .records64
}

/// A file as an array of records. The rest after the last whole one is left out.
private struct EvdevRecords {
  struct Record {
    var seconds: Int64
    var microseconds: Int64
    var type: UInt16
    var code: UInt16
    var value: Int32

    /// Whether the numbers are in the kernel's ranges (`EV_MAX` and `KEY_MAX` of `input-event-codes.h`).
    var isPlausible: Bool {
      seconds >= 0 && (0..<1_000_000).contains(microseconds) && type <= 0x1f && code <= 0x2ff
    }
  }

  let bytes: [UInt8]
  let abi: EvdevABI

  var count: Int { bytes.count / abi.recordLength }

  subscript(index: Int) -> Record {
    let start = index * abi.recordLength
    let fields = start + abi.recordLength - 8
    return bytes.withUnsafeBytes { raw in
      func number<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type) -> Number {
        Number(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: type))
      }
      let isWide = abi == .records64
      return Record(
        seconds: isWide ? number(start, as: Int64.self) : Int64(number(start, as: Int32.self)),
        microseconds: isWide
          ? number(start + 8, as: Int64.self) : Int64(number(start + 4, as: Int32.self)),
        type: number(fields, as: UInt16.self), code: number(fields + 2, as: UInt16.self),
        value: number(fields + 4, as: Int32.self))
    }
  }
}
