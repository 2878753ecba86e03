// The manual's example, word for word between the two marks; a test compares them.
// example begins
import Kymograph

func recordFade(into path: String) throws {
  let session = SessionDescription(software: "MyApp 1.0", clock: "app", name: "fade")
  let recorder = try Recorder(path: path, session: session, policy: .live)
  let alpha = recorder.keyHandle(for: "alpha", role: .custom, unit: "1")
  for frame in 0..<120 {
    let time = Instant(nanoseconds: Int64(frame) * 8_333_333)
    recorder.record(Double(frame) / 119, for: alpha, at: time, phase: .driving)
  }
  try recorder.finish(at: Instant(nanoseconds: 119 * 8_333_333), outcome: .none)
}
// example ends
