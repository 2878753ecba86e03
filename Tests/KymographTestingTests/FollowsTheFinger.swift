// The manual's example, word for word between the two marks; a test compares them.
// example begins
import KymographTesting
import Testing

func expectFollowing() {
  expectMotion(
    "swipe.kymo",
    [
      .follows(.item("card", .centerY)), .continuous(.item("*", .center)),
      .settlesBy(.key("blur"), 0.52, target: 0), .hitch(),
    ])
}
// example ends
