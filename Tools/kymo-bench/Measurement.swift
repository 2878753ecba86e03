#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A timed stretch lasts at least this long, in nanoseconds: the thread's clock is exact to about a
/// microsecond, so that its error stays under a tenth of a thousandth.
private let shortestStretch = 20_000_000.0

/// So many stretches are timed and the quickest counts: what slows one down is not the work.
private let stretches = 9

/// The time that one unit takes on this thread, in nanoseconds, whatever else the machine does.
func nanosecondsPerUnit(_ work: Benchmark.Work) -> Double {
  var units = 1
  var best = time(units, of: work)
  while best.nanoseconds < shortestStretch, units < 1 << 40 {
    units *= 2
    best = time(units, of: work)
  }
  for _ in 1..<stretches {
    let next = time(units, of: work)
    if next.nanoseconds * Double(best.units) < best.nanoseconds * Double(next.units) { best = next }
  }
  return best.nanoseconds / Double(best.units)
}

private func time(_ units: Int, of work: Benchmark.Work) -> (nanoseconds: Double, units: Int) {
  let start = threadNanoseconds()
  let done = work.run(units)
  let nanoseconds = threadNanoseconds() - start
  work.tidyUp()
  return (nanoseconds, max(1, done))
}

private func threadNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// A number with so many digits after the point.
func decimal(_ value: Double, _ digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let scaled = (abs(value) * scale).rounded()
  guard scaled < 9e15 else { return String(value) }
  let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
  let fraction = String(rest)
  let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
  return (value < 0 ? "-" : "") + (digits > 0 ? "\(whole).\(zeros)\(fraction)" : "\(whole)")
}
