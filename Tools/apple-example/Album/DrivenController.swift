import KymographUIKit
import UIKit

/// An album that drives two transitions by itself, one that finishes and one that is cancelled, and ends the program: a
/// recording without a finger, as `Tools/apple-example/fixture` makes it in a simulator.
final class DrivenController: AlbumController {
  private var link: CADisplayLink?
  private var start = 0.0
  private var isFinishing = true

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    begin()
  }

  private func begin() {
    start = CACurrentMediaTime()
    transition = collectionView.startInteractiveTransition(to: otherLayout, recording: recording) {
      [weak self] _, _ in self?.ended()
    }
    let link = CADisplayLink(target: self, selector: #selector(step(_:)))
    link.add(to: .main, forMode: .common)
    self.link = link
  }

  /// Reaches 0.7 of the distance, or 0.3, in half a second, faster and faster.
  @objc private func step(_ link: CADisplayLink) {
    let share = min(1, (link.targetTimestamp - start) / 0.5)
    transition?.transitionProgress = CGFloat((isFinishing ? 0.7 : 0.3) * share * share)
    transition?.invalidateLayout()
    guard share == 1 else { return }
    link.invalidate()
    if isFinishing {
      collectionView.finishInteractiveTransition(recording: recording)
    } else {
      collectionView.cancelInteractiveTransition(recording: recording)
    }
  }

  private func ended() {
    if isFinishing {
      isFinishing = false
      // UIKit is not done with the old transition as long as its completion runs.
      Task { @MainActor in self.begin() }
      return
    }
    do {
      try recording?.finish()
      exit(0)
    } catch {
      print(error)
      exit(1)
    }
  }
}
