/// A small random number generator of 64 bits: Steele, Lea and Flood's SplitMix64 (Fast splittable pseudorandom
/// number generators, 2014), so that a seed gives the same numbers on every machine and in every release.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the generator; any seed will do.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A whole number from 0 up to a count, which it never reaches: the upper half of a product (Lemire, Fast
  /// random integer generation in an interval, 2019). That some come up more often by one in 2^64/count is
  /// left as it is.
  mutating func index(below count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
