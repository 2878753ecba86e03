import KymographAnalysis
import KymographTesting

/// As a test of an app calls it.
public func check(_ path: String, against golden: String) -> Bool {
  assertTimeline(path, matches: golden, within: Tolerances())
}
