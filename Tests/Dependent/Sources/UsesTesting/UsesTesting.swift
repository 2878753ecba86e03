import KymographAnalysis
import KymographTesting

/// As a test of an app calls it.
public func check(_ path: String, against golden: String) -> Bool {
  assertTimeline(path, matches: golden, within: Tolerances())
}

/// The same without a golden session.
public func check(_ path: String) -> Bool {
  expectMotion(path, [.settlesBy(.key("blur"), 0.4), .follows(.item("card", .centerY)), .hitch()])
}
