/// A key that was pressed in the player.
package enum PlayerKey: Hashable, Sendable {
  /// A printed character.
  case character(Character)
  case left
  case right
  /// Arrow to the left with shift.
  case shiftLeft
  /// Arrow to the right with shift.
  case shiftRight
  case home
  case end
  case tab
  /// Tab with shift.
  case backTab
  /// Escape alone.
  case escape
  /// Control-C.
  case interrupt
  /// Control-Z.
  case suspend
  /// Control-L: draw everything again.
  case redraw
}

/// Finds keys in the bytes that a terminal sends. Unknown sequences and anything but text are skipped.
package struct PlayerKeyReader: Hashable, Sendable {
  /// The beginning of a sequence whose rest has not come yet.
  private var pending: [UInt8] = []

  /// A sequence longer than this is none (ECMA-48 sets no limit; keys need at most 8 bytes).
  private static let longestSequence = 32

  private static let escapeByte: UInt8 = 0x1b
  private static let finalBytes: ClosedRange<UInt8> = 0x40...0x7e

  package init() {}

  /// Whether a sequence has begun and not ended. A lone escape is distinguished by waiting.
  package var isWaiting: Bool { !pending.isEmpty }

  /// Takes bytes as they come, in pieces of any length.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> [PlayerKey] {
    var keys: [PlayerKey] = []
    for byte in bytes {
      if pending.isEmpty {
        if byte == PlayerKeyReader.escapeByte {
          pending = [byte]
        } else if let key = PlayerKeyReader.key(of: byte) {
          keys.append(key)
        }
        continue
      }
      if byte == PlayerKeyReader.escapeByte {
        // The one before was escape alone, or a sequence that was broken off.
        if pending.count == 1 { keys.append(.escape) }
        pending = [byte]
        continue
      }
      pending.append(byte)
      if let key = takeSequence() { keys.append(key) }
    }
    return keys
  }

  /// Says that nothing more came in time: what has begun is over.
  package mutating func flush() -> [PlayerKey] {
    defer { pending = [] }
    return pending.count == 1 ? [.escape] : []
  }

  /// The key of a whole sequence. `nil` while it goes on, and for one that means nothing here.
  private mutating func takeSequence() -> PlayerKey? {
    let introducer = pending[1]
    guard introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O") else {
      // Alt with a key: the key alone means something else.
      pending = []
      return nil
    }
    guard pending.count > 2 else { return nil }
    guard PlayerKeyReader.finalBytes.contains(pending[pending.count - 1]) else {
      if pending.count >= PlayerKeyReader.longestSequence { pending = [] }
      return nil
    }
    defer { pending = [] }
    return PlayerKeyReader.key(
      parameters: pending[2..<pending.count - 1], final: pending[pending.count - 1])
  }

  private static func key(of byte: UInt8) -> PlayerKey? {
    switch byte {
    case 0x03: .interrupt
    case 0x09: .tab
    case 0x0c: .redraw
    case 0x1a: .suspend
    case 0x1c: .interrupt
    case 0x20...0x7e: .character(Character(Unicode.Scalar(byte)))
    default: nil
    }
  }

  /// xterm's sequences. The lower-case arrows with shift are rxvt's.
  private static func key(parameters: ArraySlice<UInt8>, final: UInt8) -> PlayerKey? {
    let text = String(decoding: parameters, as: UTF8.self)
    let isShifted = text.hasSuffix(";2")
    switch (final, text) {
    case (UInt8(ascii: "C"), _): return isShifted ? .shiftRight : .right
    case (UInt8(ascii: "D"), _): return isShifted ? .shiftLeft : .left
    case (UInt8(ascii: "c"), ""): return .shiftRight
    case (UInt8(ascii: "d"), ""): return .shiftLeft
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): return .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): return .end
    case (UInt8(ascii: "Z"), _): return .backTab
    default: return nil
    }
  }
}
