// example begins
import KymographUIKit
import UIKit

final class AlbumController: PhotoController {
  private var recording: KymographRecording?
  private var transition: UICollectionViewTransitionLayout?

  override func viewDidLoad() {
    super.viewDidLoad()
    recording = try? KymographRecording(named: "album", in: collectionView)
    recording?.recordTouches()
    recording?.release.rule = ReleaseRule(kind: .progress, threshold: 0.5)
    collectionView.addGestureRecognizer(
      UIPinchGestureRecognizer(target: self, action: #selector(pinched)))
  }

  override func collectionView(
    _ view: UICollectionView, transitionLayoutForOldLayout old: UICollectionViewLayout,
    newLayout new: UICollectionViewLayout
  ) -> UICollectionViewTransitionLayout {
    RecordingTransitionLayout(currentLayout: old, nextLayout: new)
  }

  @objc private func pinched(_ pinch: UIPinchGestureRecognizer) {
    switch pinch.state {
    case .began:
      transition = collectionView.startInteractiveTransition(
        to: otherLayout, recording: recording
      ) { _, _ in pinch.isEnabled = true }
    case .changed:
      transition?.transitionProgress = progress(of: pinch)
      transition?.invalidateLayout()
    case .ended, .cancelled:
      let isFinishing = pinch.state == .ended && progress(of: pinch) > 0.5
      // UIKit ends an app that starts a transition during the rest of another one.
      pinch.isEnabled = false
      if isFinishing {
        collectionView.finishInteractiveTransition(recording: recording)
      } else {
        collectionView.cancelInteractiveTransition(recording: recording)
      }
    default: break
    }
  }
}
// example ends
