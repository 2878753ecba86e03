#if canImport(UIKit)
  internal import UIKit

  /// Reports the display's frames: when one is shown and when the next is expected, in the host's seconds.
  @MainActor protocol FrameLink: AnyObject {
    /// Reports nothing more.
    func stop()
  }

  /// The source of the frames of a view's display, as long as it is kept.
  @MainActor func makeFrameLink(
    for view: UIView, _ report: @escaping @MainActor (_ shown: Double, _ next: Double) -> Void
  ) -> any FrameLink {
    #if targetEnvironment(macCatalyst)
      DisplayFrameLink(report)
    #else
      UpdateFrameLink(view, report)
    #endif
  }

  #if !targetEnvironment(macCatalyst)
    /// Reports each update after its commit, with the time at which it will be seen.
    @MainActor final class UpdateFrameLink: FrameLink {
      private let link: UIUpdateLink
      /// An update link does not say how long a frame is.
      private let display: DisplayFrameLink

      init(
        _ view: UIView, _ report: @escaping @MainActor (_ shown: Double, _ next: Double) -> Void
      ) {
        link = UIUpdateLink(view: view)
        display = DisplayFrameLink { _, _ in }
        link.addAction(to: .afterCATransactionCommit) { [weak display] link, info in
          // Who keeps a link that is enabled is not documented.
          guard let display else {
            link.isEnabled = false
            return
          }
          guard display.interval > 0 else { return }
          let shown = info.estimatedPresentationTime
          report(shown, shown + display.interval)
        }
        link.requiresContinuousUpdates = true
        link.isEnabled = true
      }

      func stop() {
        link.isEnabled = false
        display.stop()
      }
    }
  #endif

  /// Where there is no update link: at each callback what was laid out before it is on the screen.
  @MainActor final class DisplayFrameLink: NSObject, FrameLink {
    private var link: CADisplayLink?
    private let report: @MainActor (Double, Double) -> Void
    /// Seconds that the display gives a frame. 0 before the first.
    private(set) var interval = 0.0

    init(_ report: @escaping @MainActor (_ shown: Double, _ next: Double) -> Void) {
      self.report = report
      super.init()
      // The run loop keeps the link, and the link its target, until it is invalidated.
      let link = CADisplayLink(target: Relay(self), selector: #selector(Relay.tick(_:)))
      link.add(to: .main, forMode: .common)
      self.link = link
    }

    func stop() {
      link?.invalidate()
      link = nil
    }

    fileprivate func tick(_ link: CADisplayLink) {
      interval = link.targetTimestamp - link.timestamp
      report(link.timestamp, link.targetTimestamp)
    }
  }

  /// Is kept by the link in place of its receiver.
  @MainActor private final class Relay: NSObject {
    private weak var owner: DisplayFrameLink?

    init(_ owner: DisplayFrameLink) { self.owner = owner }

    @objc func tick(_ link: CADisplayLink) {
      guard let owner else { return link.invalidate() }
      owner.tick(link)
    }
  }
#endif
