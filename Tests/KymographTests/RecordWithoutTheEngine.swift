// The manual's example, word for word between the two marks; a test compares them.
// example begins
import Kymograph

func recordFade(into path: String) throws {
  let recorder = try Recorder(path: path)
  let alpha = recorder.key("alpha", unit: "1")
  for frame in 0..<120 {
    let time = Instant(nanoseconds: Int64(frame) * 8_333_333)
    alpha.record(Double(frame) / 119, at: time, phase: .driving)
  }
  try recorder.finish()
}
// example ends
