/// The 95 % quantiles of Student's t for 1 to 30 degrees of freedom: two-sided 90 %.
///
/// Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.10, column A = 0.90, with more
/// digits (computed from the distribution 26.7.1).
private let tabulatedQuantiles: [Double] = [
  6.313751514675037,
  2.919985580353724,
  2.353363434801823,
  2.131846786326649,
  2.015048373333023,
  1.943180280515304,
  1.894578605090006,
  1.859548037530897,
  1.833112932656237,
  1.812461122811676,
  1.795884818704043,
  1.782287555649319,
  1.770933395986872,
  1.761310135774891,
  1.753050355692572,
  1.745883676276250,
  1.739606726075072,
  1.734063606617539,
  1.729132811521368,
  1.724718242920787,
  1.720742902811878,
  1.717144374380242,
  1.713871527747048,
  1.710882079909428,
  1.708140761251899,
  1.705617919759273,
  1.703288445722126,
  1.701130934265931,
  1.699127026533497,
  1.697260886593957,
]

/// The 95 % quantile of the normal distribution.
let normalQuantile95 = 1.644853626951473

/// The 95 % quantile of Student's t, so that plus and minus this many standard errors hold 90 %.
///
/// Up to 30 degrees of freedom from the table, above by the expansion in falling powers of the degrees
/// of freedom (Abramowitz and Stegun 26.7.5), which is good to 1e-8 there.
///
/// - Returns: nil without a degree of freedom.
package func studentQuantile95(degreesOfFreedom count: Int) -> Double? {
  guard count > 0 else { return nil }
  if count <= tabulatedQuantiles.count { return tabulatedQuantiles[count - 1] }
  let x = normalQuantile95
  let square = x * x
  let n = Double(count)
  let first = x * (square + 1) / 4
  let second = x * ((5 * square + 16) * square + 3) / 96
  let third = x * (((3 * square + 19) * square + 17) * square - 15) / 384
  let fourth = x * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160
  return x + (first + (second + (third + fourth / n) / n) / n) / n
}
