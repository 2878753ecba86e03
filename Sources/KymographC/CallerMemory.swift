import KymographCHeader

// Texts, errors and structs in a caller's memory.

extension String {
  /// A text of the caller's. `nil` for NULL. Bytes that are not UTF-8 are replaced.
  init?(_ utf8: UnsafePointer<CChar>?, _ length: Int) {
    guard let utf8 else { return nil }
    if length < 0 {
      self.init(cString: utf8)
    } else {
      self.init(
        decoding: UnsafeRawBufferPointer(start: utf8, count: length), as: UTF8.self)
    }
  }

  /// A text of the caller's. `nil` if it is not given.
  init?(_ text: kymograph_text) { self.init(text.utf8, text.length) }
}

/// Where a caller wants an error. `nil`: nowhere.
typealias ErrorPlace = UnsafeMutablePointer<kymograph_error>?

/// Writes an error into the caller's memory.
///
/// - Returns: the code.
func tell(_ code: Int, _ message: String, _ place: ErrorPlace) -> Int32 {
  let code = Int32(truncatingIfNeeded: code)
  guard let place else { return code }
  place.pointee.code = code
  var message = message
  withUnsafeMutableBytes(of: &place.pointee.message) { memory in
    message.withUTF8 { bytes in
      var count = min(bytes.count, memory.count - 1)
      // No character is cut in two.
      while count > 0, count < bytes.count, bytes[count] & 0xc0 == 0x80 { count -= 1 }
      memory.copyBytes(from: bytes.prefix(count))
      memory[count] = 0
    }
  }
  return code
}

/// Says in the caller's memory that there is no error.
func tellSuccess(_ place: ErrorPlace) -> Int32 {
  place?.pointee.code = 0
  place?.pointee.message.0 = 0
  return 0
}

/// A struct of the header that may grow: its first field is its size, as its caller knows it.
protocol SizedStruct {
  init()
  var size: UInt32 { get set }
}

extension SizedStruct {
  /// How many bytes a caller and this library both know of the struct. Nothing after them may be touched.
  private static func knownBytes(of caller: UnsafeRawPointer) -> Int {
    min(Int(caller.load(as: UInt32.self)), MemoryLayout<Self>.size)
  }

  /// The struct of a caller that may be older or newer: its fields, and zeros.
  init(of caller: UnsafePointer<Self>) {
    self.init()
    let bytes = UnsafeRawBufferPointer(start: caller, count: Self.knownBytes(of: caller))
    withUnsafeMutableBytes(of: &self) { $0.copyMemory(from: bytes) }
  }

  /// Writes the fields that the caller knows, and leaves the size as it is.
  func write(to caller: UnsafeMutablePointer<Self>) {
    let count = Self.knownBytes(of: caller)
    var copy = self
    copy.size = UnsafeRawPointer(caller).load(as: UInt32.self)
    withUnsafeBytes(of: copy) { bytes in
      UnsafeMutableRawBufferPointer(start: caller, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    }
  }
}

extension kymograph_recorder_options: SizedStruct {}
extension kymograph_frame: SizedStruct {}
extension kymograph_decision: SizedStruct {}
extension kymograph_session: SizedStruct {}
extension kymograph_key_info: SizedStruct {}

extension Double {
  /// nil for the header's `KYMOGRAPH_NONE`.
  var known: Double? { isNaN ? nil : self }
  /// nil for 0, in the header's options "not known", and for anything that is not a length or a rate.
  var positive: Double? { isFinite && self > 0 ? self : nil }
}
