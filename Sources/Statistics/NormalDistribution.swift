import CLibrary

/// The probability that a standard normal number is above z; by the C library's complementary error function.
func normalUpperTail(_ z: Double) -> Double {
  0.5 * erfc(z * 0.5.squareRoot())
}

/// The number that a standard normal number exceeds with a probability.
///
/// - Parameter probability: Above 0 and at most 1/2.
/// - Returns: 0 or more, to the last digit or two; found by halving, since it is asked for a few times a run.
func normalQuantile(upperTail probability: Double) -> Double {
  // Beyond 38.5 the tail is below the smallest number there is.
  var low = 0.0
  var high = 38.5
  while true {
    let middle = 0.5 * (low + high)
    guard middle > low, middle < high else { return middle }
    if normalUpperTail(middle) > probability { low = middle } else { high = middle }
  }
}
