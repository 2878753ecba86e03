// The manual's example, word for word between the two marks; a test compares them.
// example begins
import Kymograph

func recordByName(with recorder: Recorder) {
  recorder.record(480, for: "speed", unit: "pt/s")
  recorder.record(12, for: "item.photos/7.cornerRadius", unit: "pt")
}
// example ends
