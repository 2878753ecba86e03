import KymographUIKit

/// As an app says its rule; where there is no UIKit the product passes recorder and rules on.
public func rule(threshold: Double) -> ReleaseRule { ReleaseRule(threshold: threshold) }

#if canImport(UIKit)
  /// As an app begins to record.
  @MainActor public func record(_ recording: KymographRecording) {
    recording.release.rule = rule(threshold: 0.5)
    recording.recordTouches()
  }
#endif
