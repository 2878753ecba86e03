/// A small random number generator with a fixed beginning (Steele, Lea and Flood's SplitMix64), so that
/// a trial can be run again by its seed, as far as the system's scheduling allows.
struct SplitMixGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Makes the generator; the same seed gives the same numbers.
  init(seed: UInt64) { state = seed }

  /// The next number.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
