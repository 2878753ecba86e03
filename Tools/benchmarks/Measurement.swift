import KymographCLibrary

/// A timed stretch lasts at least this long, in nanoseconds: the thread's clock is exact to about a
/// microsecond, so that its error stays under a tenth of a thousandth.
private let shortestStretch = 20_000_000.0

/// So many stretches are timed and the quickest counts: what slows one down is not the work.
private let stretches = 9

/// The times that units of several works take on this thread, in nanoseconds, whatever else the machine
/// does. The works take turns, so that what slows the machine down for a while slows all of them.
func nanosecondsPerUnit(_ works: [Benchmark.Work]) throws -> [Double] {
  var best = try works.map { work in
    var units = 1
    var first = try warmTime(units, of: work)
    while first.nanoseconds < work.stopwatch?.shortestStretch ?? shortestStretch, units < 1 << 40 {
      units *= 2
      first = try warmTime(units, of: work)
    }
    return (units: units, nanoseconds: first.nanoseconds / Double(first.units))
  }
  for _ in 1..<stretches {
    for (index, work) in works.enumerated() {
      let next = try time(best[index].units, of: work)
      best[index].nanoseconds = min(best[index].nanoseconds, next.nanoseconds / Double(next.units))
    }
  }
  return best.map(\.nanoseconds)
}

/// The second of two times: the first makes what a thread's first call makes.
private func warmTime(
  _ units: Int, of work: Benchmark.Work
) throws -> (nanoseconds: Double, units: Int) {
  let first = try time(units, of: work)
  return try first.nanoseconds > 1e9 ? first : time(units, of: work)
}

private func time(
  _ units: Int, of work: Benchmark.Work
) throws -> (nanoseconds: Double, units: Int) {
  work.stopwatch?.reset()
  let start = Stopwatch.read(CLOCK_THREAD_CPUTIME_ID)
  let done = try work.run(units)
  let nanoseconds = Stopwatch.read(CLOCK_THREAD_CPUTIME_ID) - start
  work.tidyUp()
  return (work.stopwatch?.nanoseconds ?? nanoseconds, max(1, done))
}
