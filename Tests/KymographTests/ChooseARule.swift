// An engine's view that decides with a rule of its own; the manual shows it.

// example begins
import KymographEngine

func chooseRule(of view: CollectionView) {
  view.release.rule = ReleaseRule(kind: .velocity, threshold: 0.4, velocityThreshold: 1)
}
// example ends
