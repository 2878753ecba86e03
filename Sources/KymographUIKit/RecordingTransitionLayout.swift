#if canImport(UIKit)
  internal import AppTimeline
  internal import TimelineModel
  public import UIKit

  /// A transition layout that records its progress, its keys and its elements. An app with a subclass of its own makes
  /// this its superclass, or forwards the four calls that it makes to ``KymographRecording``.
  ///
  /// Experimental: the article `StatusAndLimitations` describes how it was checked.
  open class RecordingTransitionLayout: UICollectionViewTransitionLayout {
    /// Where it is recorded. `nil`: nowhere. `startInteractiveTransition(to:recording:completion:)` of a collection view
    /// sets it.
    public weak var recording: KymographRecording?

    /// Makes a layout between two.
    public override init(
      currentLayout: UICollectionViewLayout, nextLayout newLayout: UICollectionViewLayout
    ) {
      super.init(currentLayout: currentLayout, nextLayout: newLayout)
    }

    /// Makes a layout from an archive.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var transitionProgress: CGFloat {
      get { super.transitionProgress }
      set {
        super.transitionProgress = newValue
        recording?.didSetProgress(of: self)
      }
    }

    open override func updateValue(_ value: CGFloat, forAnimatedKey key: String) {
      super.updateValue(value, forAnimatedKey: key)
      recording?.didUpdate(value, forAnimatedKey: key)
    }

    open override func prepare() {
      super.prepare()
      recording?.didPrepare(self)
    }

    open override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      let attributes = super.layoutAttributesForElements(in: rect)
      recording?.didLayOut(attributes)
      return attributes
    }
  }

  extension KymographRecording {
    /// For an app's own subclass: after its `transitionProgress` was set.
    public func didSetProgress(of layout: UICollectionViewTransitionLayout) {
      timeline.setProgress(Double(layout.transitionProgress), at: CACurrentMediaTime())
    }

    /// For an app's own subclass: after `updateValue(_:forAnimatedKey:)`.
    public func didUpdate(_ value: CGFloat, forAnimatedKey key: String) {
      timeline.setValue(Double(value), forKey: key, at: CACurrentMediaTime())
    }

    /// For an app's own subclass: after `prepare()`.
    public func didPrepare(_ layout: UICollectionViewTransitionLayout) {
      readBack(at: CACurrentMediaTime())
      timeline.prepared(progress: Double(layout.transitionProgress))
    }

    /// For an app's own subclass: with what `layoutAttributesForElements(in:)` returns.
    public func didLayOut(_ attributes: [UICollectionViewLayoutAttributes]?) {
      isLaidOutByCalls = true
      for element in attributes ?? [] {
        let identity = ElementIdentity(element, name: name(of: element.indexPath))
        if identity.category == .supplementary, let kind = identity.elementKind,
          !supplementaryKinds.contains(kind)
        {
          supplementaryKinds.append(kind)
        }
        timeline.place(identity, at: ItemIndexPath(element.indexPath), Pose(element))
      }
    }
  }

  extension UICollectionView {
    /// Starts an interactive transition and records it. `nil` records nothing.
    public func startInteractiveTransition(
      to layout: UICollectionViewLayout, recording: KymographRecording?,
      completion: LayoutInteractiveTransitionCompletion? = nil
    ) -> UICollectionViewTransitionLayout {
      guard let recording else {
        return startInteractiveTransition(to: layout, completion: completion)
      }
      let number = recording.timeline.start(
        from: String(describing: type(of: collectionViewLayout)),
        to: String(describing: type(of: layout)), at: CACurrentMediaTime())
      recording.isLaidOutByCalls = false
      recording.readFraction = nil
      let transition = startInteractiveTransition(to: layout) { completed, finished in
        recording.complete(number, completed: completed, finished: finished)
        completion?(completed, finished)
      }
      (transition as? RecordingTransitionLayout)?.recording = recording
      recording.layout = transition
      recording.refresh()
      return transition
    }

    /// Finishes the transition and records that. `nil` records nothing.
    public func finishInteractiveTransition(recording: KymographRecording?) {
      recording?.timeline.release(finish: true, at: CACurrentMediaTime())
      finishInteractiveTransition()
    }

    /// Cancels the transition and records that. `nil` records nothing.
    public func cancelInteractiveTransition(recording: KymographRecording?) {
      recording?.timeline.release(finish: false, at: CACurrentMediaTime())
      cancelInteractiveTransition()
    }
  }
#endif
