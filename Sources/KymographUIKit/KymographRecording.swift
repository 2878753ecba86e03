#if canImport(UIKit)
  internal import AppTimeline
  public import MotionPhysics
  public import TimelineModel
  internal import TimelineRecorder
  public import TimelineStore
  public import UIKit

  /// Records the motion of an app's interface into a file: transitions of collection views and view controllers, property
  /// animators, views, gestures and, when asked for, touches.
  ///
  /// ```swift
  /// recording = try? KymographRecording(named: "album", in: collectionView)
  /// recording?.recordTouches()
  /// ```
  ///
  /// Its own work is small and never waits for the disk. It asks for frames of the display only while something is
  /// under way or a view is watched. When the app enters the background the file is released, and opened again when
  /// it returns.
  ///
  /// Experimental: the article `StatusAndLimitations` describes how it was checked.
  @MainActor public final class KymographRecording: NSObject {
    /// Where the file is.
    public let path: String

    /// The name by which an item is known whatever its index path becomes. `nil`, or for an item that has none, its
    /// section and number.
    public var itemName: ((IndexPath) -> String?)?

    /// How releases are decided, named as `release` of the engine's collection view.
    public struct Release: Sendable {
      /// The rule by which the app decides between finish and cancel. With a rule each release has a decision with its
      /// margins. Without one the release is derived by whoever reads the recording.
      public var rule: ReleaseRule?
    }

    /// How releases are decided.
    public var release: Release {
      get { Release(rule: timeline.rule) }
      set { timeline.rule = newValue.rule }
    }

    let timeline: HostTimeline
    /// The transition layout under way.
    weak var layout: UICollectionViewTransitionLayout?
    /// Whether ``didLayOut(_:)`` says where the elements are.
    var isLaidOutByCalls = false
    /// Reads the progress of an animator or a coordinator, with each frame, at the time of reading.
    var readFraction: (@MainActor (Double) -> Void)?
    /// The kinds of supplementary views that a layout placed.
    var supplementaryKinds: [String] = []

    private let recorder: Recorder
    private let leavesOutTouches: Bool
    private weak var reference: UIView?
    private var watched: [WatchedView] = []
    private var link: (any FrameLink)?
    private var contacts: ContactRecognizer?
    private var isFinished = false

    private struct WatchedView {
      let identity: ElementIdentity
      weak var view: UIView?
    }

    /// Begins a session in `Library/Application Support/NAME.kymo`. A session is added to what is there.
    ///
    /// - Parameters:
    ///   - name: The file's name without its ending, and the session's.
    ///   - view: The view whose coordinates are those of the recording, for a scroll view those of its content. It is
    ///     not kept. Its size now is the recording's viewport.
    ///   - redaction: The texts that are left out.
    ///   - limit: How large and how old the file may become before its oldest seconds are taken out.
    /// - Throws: An error of the file system, or `StoreError`: the file cannot be made, is not a recording, or is being
    ///   recorded.
    public convenience init(
      named name: String, in view: UIView, redaction: Redaction = Redaction(),
      limit: RecordingLimit = RecordingLimit(sizeBytes: 200_000_000)
    ) throws {
      let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      try self.init(
        path: folder.appendingPathComponent(name + ".kymo").path, in: view, name: name,
        redaction: redaction, limit: limit)
    }

    /// Begins a session in any file. The other parameters are those of ``init(named:in:redaction:limit:)``.
    public init(
      path: String, in view: UIView, name: String? = nil, redaction: Redaction = Redaction(),
      limit: RecordingLimit = RecordingLimit(sizeBytes: 200_000_000)
    ) throws {
      var session = SessionDescription(clock: "device", name: name)
      session.viewport = Size2D(view.bounds.size)
      var settings = RecorderSettings()
      settings.limit = limit
      let recorder = try Recorder(
        path: path, session: redaction.redacted(session), policy: .live, settings: settings)
      // Both read the same clock: one zero for what has the host's time and for what has the recorder's.
      let origin = CACurrentMediaTime() - recorder.now.seconds
      self.path = path
      self.recorder = recorder
      leavesOutTouches = redaction.leavesOutTouches
      var sink: any TimelineSink = recorder
      if !redaction.isNone { sink = recorder.redacting(redaction) }
      timeline = HostTimeline(
        sink: sink, clock: HostClock(origin: origin), distance: session.viewport?.width)
      reference = view
      super.init()
      let center = NotificationCenter.default
      center.addObserver(
        self, selector: #selector(enteredBackground),
        name: UIApplication.didEnterBackgroundNotification, object: nil)
      center.addObserver(
        self, selector: #selector(entersForeground),
        name: UIApplication.willEnterForegroundNotification, object: nil)
    }

    /// Records the touches in the view, too. Those on a field for secure text are left out, and all of them where the
    /// redaction says so. Nothing of the app's own gestures changes.
    public func recordTouches() {
      guard contacts == nil, !leavesOutTouches, let reference else { return }
      let recognizer = ContactRecognizer(timeline: timeline)
      reference.addGestureRecognizer(recognizer)
      contacts = recognizer
    }

    /// Records a view's place on the screen in each frame, whatever animates it, until the view is gone or
    /// ``stopWatching(_:)`` is called. As long as a view is watched every frame of the display is asked for.
    public func watch(_ view: UIView, as name: String) {
      watched.append(
        WatchedView(
          identity: ElementIdentity(category: .supplementary, elementKind: "view", id: name),
          view: view))
      refresh()
    }

    /// Ends ``watch(_:as:)`` for a view.
    public func stopWatching(_ view: UIView) {
      for watched in watched where watched.view === view { timeline.see(watched.identity, nil) }
      watched.removeAll { $0.view === view }
      refresh()
    }

    /// Records when a gesture recognizer begins, ends and is cancelled. Its targets and its delegate stay the app's.
    /// Keep the recording as long as the recognizer: Apple does not document the fate of a target that is gone.
    public func follow(_ recognizer: UIGestureRecognizer) {
      recognizer.addTarget(self, action: #selector(changed(_:)))
    }

    /// Records a value of the app's own, at this moment.
    ///
    /// - Parameters:
    ///   - value: The value, in `unit`.
    ///   - key: Its name.
    ///   - unit: Free text ("pt", "1" for none), kept from the first call.
    public func setValue(_ value: Double, for key: String, unit: String) {
      timeline.setValue(value, forKey: key, unit: unit, at: CACurrentMediaTime())
    }

    /// Records a note of the app's, at this moment.
    public func mark(_ text: String) {
      timeline.note(.mark, [EventField("text", .text(text))], at: CACurrentMediaTime())
    }

    /// Ends the session and makes one file of the recording. Waits for the disk. Nothing is recorded afterwards.
    ///
    /// - Throws: `StoreError`: the end cannot be written. It may be called again once there is room.
    public func finish() throws {
      NotificationCenter.default.removeObserver(self)
      isFinished = true
      refresh()
      if let contacts { contacts.view?.removeGestureRecognizer(contacts) }
      contacts = nil
      let (end, outcome) = timeline.close()
      try recorder.finish(at: end, outcome: outcome)
    }

    @objc private func enteredBackground() {
      link?.stop()
      link = nil
      // Records of a failed commit stay in the rings.
      try? recorder.suspend()
    }

    @objc private func entersForeground() {
      // A file that cannot be opened is tried again the next time. Until then the rings have it.
      try? recorder.resume()
      refresh()
    }

    @objc private func changed(_ recognizer: UIGestureRecognizer) {
      let kind: TimelineEvent.Kind
      switch recognizer.state {
      case .began: kind = .gestureBegan
      case .ended: kind = .gestureEnded
      case .cancelled: kind = .gestureCancelled
      case .possible, .changed, .failed: return
      @unknown default: return
      }
      let name = recognizer.name ?? String(describing: type(of: recognizer))
      timeline.note(kind, [EventField("recognizer", .text(name))], at: CACurrentMediaTime())
    }
  }

  // MARK: - Frames

  extension KymographRecording {
    /// Asks for frames as long as something is under way or a view is watched.
    func refresh() {
      let isWanted = !isFinished && (timeline.needsFrame || !watched.isEmpty)
      if isWanted, link == nil, let reference {
        link = makeFrameLink(for: reference) { [weak self] shown, next in self?.show(shown, next) }
      } else if !isWanted {
        link?.stop()
        link = nil
      }
    }

    /// Records a frame that is shown at `shown`, the next one being expected at `next`, both in the host's seconds.
    private func show(_ shown: Double, _ next: Double) {
      guard let reference else {
        link?.stop()
        link = nil
        return
      }
      // What is read back is what it is now, as are values when they are set. The frame is seen later.
      let now = CACurrentMediaTime()
      readFraction?(now)
      readBack(at: now)
      seeViews(in: reference)
      // After finish or cancel either the layout is asked for each frame or Core Animation moves the cells: what the
      // cells show is right both ways.
      if timeline.phase == .settling || (timeline.phase == .driving && !isLaidOutByCalls),
        let collection = reference as? UICollectionView
      {
        seeElements(of: collection)
      }
      let scroll = reference as? UIScrollView
      timeline.showFrame(
        at: shown, next: next, offset: scroll.map { Point2D($0.contentOffset) } ?? .zero,
        size: scroll.map { Size2D($0.contentSize) } ?? .zero)
      watched.removeAll { $0.view == nil }
      refresh()
    }

    private func seeViews(in reference: UIView) {
      for watched in watched {
        let isShown = watched.view?.window != nil
        timeline.see(
          watched.identity, isShown ? watched.view.flatMap { pose(of: $0, in: reference) } : nil)
      }
    }

    /// The present content of the views of a collection view.
    private func seeElements(of collection: UICollectionView) {
      timeline.prepared(progress: layout.map { Double($0.transitionProgress) })
      for cell in collection.visibleCells {
        guard let path = collection.indexPath(for: cell) else { continue }
        place(cell, .cell, nil, path, collection)
      }
      for kind in supplementaryKinds {
        for path in collection.indexPathsForVisibleSupplementaryElements(ofKind: kind) {
          guard let view = collection.supplementaryView(forElementKind: kind, at: path) else {
            continue
          }
          place(view, .supplementary, kind, path, collection)
        }
      }
    }

    private func place(
      _ view: UIView, _ category: ElementCategory, _ kind: String?, _ path: IndexPath,
      _ collection: UICollectionView
    ) {
      guard let pose = pose(of: view, in: collection) else { return }
      timeline.place(
        ElementIdentity(category: category, elementKind: kind, id: name(of: path)),
        at: ItemIndexPath(path), pose)
    }

    /// The content of a view, in the coordinates of another one. `nil` while its place is not finite.
    private func pose(of view: UIView, in reference: UIView) -> Pose? {
      // Nothing was committed yet: there is no presentation layer, and the model is what will be shown.
      guard let layer = view.layer.presentation(), let base = reference.layer.presentation() else {
        return Pose(view.layer, in: reference.layer)
      }
      return Pose(layer, in: base)
    }

    /// While the rest runs by itself the layout's values are not set through it, but it has them. UIKit's own
    /// transition layout reports nothing, and is read with each frame.
    func readBack(at seconds: Double) {
      guard let layout, timeline.phase != .idle,
        timeline.phase == .settling || !isLaidOutByCalls
      else { return }
      timeline.setProgress(Double(layout.transitionProgress), at: seconds)
      for key in timeline.animatedKeys {
        timeline.setValue(Double(layout.value(forAnimatedKey: key)), forKey: key, at: seconds)
      }
    }

    /// The identity of an item.
    func name(of path: IndexPath) -> String {
      itemName?(path) ?? path.map { "\($0)" }.joined(separator: "/")
    }
  }
#endif
