// example begins
import KymographUIKit
import UIKit

/// Thirty photos in a grid. A pinch opens it into larger photos.
class AlbumController: UICollectionViewController {
  private(set) var recording: KymographRecording?
  var transition: UICollectionViewTransitionLayout?
  private let small = AlbumController.grid(side: 80)
  private let large = AlbumController.grid(side: 180)

  init() { super.init(collectionViewLayout: small) }

  required init?(coder: NSCoder) { super.init(coder: coder) }

  override func viewDidLoad() {
    super.viewDidLoad()
    recording = try? KymographRecording(named: "album", in: collectionView)
    recording?.recordTouches()
    recording?.release.rule = ReleaseRule(kind: .progress, threshold: 0.5)
    collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "photo")
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

  /// Whether the photos are small, or were small before the transition that is under way.
  private var isOpening: Bool {
    let layout = collectionView.collectionViewLayout
    return ((layout as? UICollectionViewTransitionLayout)?.currentLayout ?? layout) === small
  }

  /// The layout to which a transition goes.
  var otherLayout: UICollectionViewLayout { isOpening ? large : small }

  /// How far a pinch has come, to the large photos or back to the small ones.
  private func progress(of pinch: UIPinchGestureRecognizer) -> CGFloat {
    isOpening ? (pinch.scale - 1) / 1.5 : (1 - pinch.scale) / 0.6
  }

  private static func grid(side: CGFloat) -> UICollectionViewFlowLayout {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: side, height: side)
    return layout
  }

  override func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { 30 }

  override func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "photo", for: indexPath)
    cell.contentView.backgroundColor = UIColor(
      hue: CGFloat(indexPath.item) / 30, saturation: 0.6, brightness: 0.9, alpha: 1)
    return cell
  }
}
// example ends
