/// The arithmetic in which the words of a block are predicted from those before them.
///
/// All of it is exact integer arithmetic or single IEEE 754 operations in a fixed order, so that every
/// processor predicts the same bits.
protocol WordLattice {
  /// What is added and subtracted.
  associatedtype Value

  static func value(_ word: UInt64) -> Value
  static func sum(_ one: Value, _ two: Value) -> Value
  static func difference(_ one: Value, _ two: Value) -> Value
  /// The word of a predicted value. `last` where the prediction is no such word.
  static func word(of predicted: Value, last: UInt64) -> UInt64
  /// What is kept of a word: small where the prediction was near, 0 where it was right.
  static func residual(_ word: UInt64, from predicted: UInt64) -> UInt64
  /// The word that a residual was made of.
  static func word(_ residual: UInt64, from predicted: UInt64) -> UInt64
}

/// Bits of numbers.
extension WordLattice where Value == Double {
  @inline(__always)
  static func sum(_ one: Double, _ two: Double) -> Double { one + two }
  @inline(__always)
  static func difference(_ one: Double, _ two: Double) -> Double { one - two }
  @inline(__always)
  static func residual(_ word: UInt64, from predicted: UInt64) -> UInt64 { word ^ predicted }
  @inline(__always)
  static func word(_ residual: UInt64, from predicted: UInt64) -> UInt64 { residual ^ predicted }
}

/// Bits of doubles: predicted as numbers, the bits then XORed.
enum DoubleLattice: WordLattice {
  @inline(__always)
  static func value(_ word: UInt64) -> Double { Double(bitPattern: word) }
  @inline(__always)
  static func word(of predicted: Double, last: UInt64) -> UInt64 {
    // The bits of a NaN differ between processors.
    predicted.isFinite ? predicted.bitPattern : last
  }
}

/// Bits of 32-bit floats in the low half of a word.
enum SingleLattice: WordLattice {
  @inline(__always)
  static func value(_ word: UInt64) -> Double {
    Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
  }
  @inline(__always)
  static func word(of predicted: Double, last: UInt64) -> UInt64 {
    let rounded = Float(predicted)
    return rounded.isFinite ? UInt64(rounded.bitPattern) : last
  }
}

/// Whole numbers: differences, the sign moved to the lowest bit.
enum IntegerLattice: WordLattice {
  @inline(__always)
  static func value(_ word: UInt64) -> UInt64 { word }
  @inline(__always)
  static func sum(_ one: UInt64, _ two: UInt64) -> UInt64 { one &+ two }
  @inline(__always)
  static func difference(_ one: UInt64, _ two: UInt64) -> UInt64 { one &- two }
  @inline(__always)
  static func word(of predicted: UInt64, last: UInt64) -> UInt64 { predicted }
  @inline(__always)
  static func residual(_ word: UInt64, from predicted: UInt64) -> UInt64 {
    let distance = Int64(bitPattern: word &- predicted)
    return UInt64(bitPattern: distance << 1 ^ distance >> 63)
  }
  @inline(__always)
  static func word(_ residual: UInt64, from predicted: UInt64) -> UInt64 {
    predicted &+ (residual >> 1 ^ (0 &- residual & 1))
  }
}
