import KymographCLibrary

/// Trials up to which 2^−n is a normal floating-point number, so that the probabilities are plain products.
private let plainTrials = 1000

/// The probability of `successes` in `trials` of one half each. 0 outside of 0 to `trials`.
///
/// - Complexity: O(n) up to 1000 trials, constant above.
func binomialHalf(_ trials: Int, _ successes: Int) -> Double {
  guard trials >= 0, successes >= 0, successes <= trials else { return 0 }
  let few = min(successes, trials - successes)
  if trials <= plainTrials {
    // Multiplied and divided in turn, C(n, k) stays whole as long as it fits.
    var ways = 1.0
    for step in 0..<few { ways = ways * Double(trials - step) / Double(step + 1) }
    return ways * exp2(-Double(trials))
  }
  let logarithm =
    logarithmOfFactorial(trials) - logarithmOfFactorial(few) - logarithmOfFactorial(trials - few)
    - Double(trials) * 0.693_147_180_559_945_3
  return exp(logarithm)
}

/// Trials above which a tail is the normal distribution's: it is off by about 1/n of itself there, and a sum
/// would take thousands of terms.
private let mostSummedTrials = 1_000_000

/// The probability of at most `successes` in `trials` of one half each. Above a million trials by the normal
/// distribution.
///
/// - Complexity: O(n) up to 1000 trials, O(√n) up to a million, constant above.
func binomialHalfTail(_ trials: Int, atMost successes: Int) -> Double {
  guard successes >= 0 else { return 0 }
  guard successes < trials else { return 1 }
  guard trials <= mostSummedTrials else {
    let n = Double(trials)
    return normalUpperTail((n / 2 - Double(successes) - 0.5) / (n.squareRoot() / 2))
  }
  // The smaller tail is summed up from its largest term down. The terms fall off quickly.
  guard 2 * successes < trials else {
    return 1 - binomialHalfTail(trials, atMost: trials - successes - 1)
  }
  // The two factors of 1/2 cancel each other without rounding.
  return binomialSum(binomialHalf(trials, successes), trials, downFrom: successes, share: 0.5)
}

/// ln n!: summed up for small numbers, above by Stirling's series, whose first term that is left out,
/// 1/(1260 n⁵), is below 1e-15 at 250.
func logarithmOfFactorial(_ number: Int) -> Double {
  if number < plainTrials / 4 {
    return number < 2 ? 0 : (2...number).reduce(0) { $0 + log(Double($1)) }
  }
  let n = Double(number)
  let halfLogarithmOfTwoPi = 0.918_938_533_204_672_8
  return (n + 0.5) * log(n) - n + halfLogarithmOfTwoPi + 1 / (12 * n) - 1 / (360 * n * n * n)
}
