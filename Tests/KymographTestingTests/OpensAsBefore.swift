// The manual's example, word for word between the two marks; a test compares them.
// example begins
import KymographTesting
import Testing

func expectOpeningAsBefore() {
  assertTimeline("opening.kymo", matches: "Goldens/opening.kymo")
}
// example ends
