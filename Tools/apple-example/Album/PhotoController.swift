import UIKit

/// Shows thirty coloured photos, small or large.
class PhotoController: UICollectionViewController {
  private let small = PhotoController.layout(side: 80)
  private let large = PhotoController.layout(side: 180)

  init() { super.init(collectionViewLayout: small) }

  required init?(coder: NSCoder) { super.init(coder: coder) }

  private static func layout(side: CGFloat) -> UICollectionViewFlowLayout {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: side, height: side)
    return layout
  }

  /// Whether the photos are small, or were before the transition that is under way.
  private var isOpening: Bool {
    let layout = collectionView.collectionViewLayout
    return ((layout as? UICollectionViewTransitionLayout)?.currentLayout ?? layout) === small
  }

  /// Where a transition goes to.
  var otherLayout: UICollectionViewLayout { isOpening ? large : small }

  /// How far a pinch has come: opening to the large photos, closing to the small ones.
  func progress(of pinch: UIPinchGestureRecognizer) -> CGFloat {
    isOpening ? (pinch.scale - 1) / 1.5 : (1 - pinch.scale) / 0.6
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "photo")
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
