import TimelineModel
import TimelineSession
import TimelineStore

extension RunComparison {
  /// How the two clocks are laid on each other.
  public enum Alignment: RawRepresentable, CaseIterable, Hashable, Sendable {
    /// The sessions' own starts.
    case none
    /// The first transition's start. The session's where there is none.
    case start
    /// The first release. The first transition's start where there is none.
    case release
    /// As `start`, and then the one shift of B within the limit that brings all keys nearest to each other:
    /// the sum of their mean squares, each in units of the key's range in A, is smallest.
    case xcorr
    /// B's time is stretched so that equal progress falls together while a transition is driven. See
    /// `TimeMap`.
    case progress
    /// B's clock is moved by this many nanoseconds from its session's own. Above 0 is later.
    case manual(nanoseconds: Int64)

    /// Every way that needs no number.
    public static let allCases: [Alignment] = [.none, .start, .release, .xcorr, .progress]

    /// Every way as it is written.
    public static let names = allCases.map(\.rawValue) + ["manual=MS"]

    /// The way as it is written: a word, or `manual=` and milliseconds.
    public var rawValue: String {
      if case .manual(let nanoseconds) = self {
        return "manual=" + FieldValue.jsonNumber(Double(nanoseconds) / 1e6)
      }
      return "\(self)"
    }

    /// Reads what ``rawValue`` writes. `nil` for anything else, and for a shift beyond 292 years.
    public init?(rawValue: String) {
      if let plain = Alignment.allCases.first(where: { $0.rawValue == rawValue }) {
        self = plain
        return
      }
      guard rawValue.hasPrefix("manual="), let milliseconds = Double(rawValue.dropFirst(7)),
        let nanoseconds = Int64(exactly: (milliseconds * 1e6).rounded())
      else { return nil }
      self = .manual(nanoseconds: nanoseconds)
    }
  }
}

extension RunComparison.Alignment {
  /// Whether B's clock is moved from where the anchors lay it.
  var movesBeyondAnchors: Bool {
    switch self {
    case .none, .start, .release: false
    case .xcorr, .progress, .manual: true
    }
  }
}

extension SessionData {
  /// The instant that an alignment lays on the other session's.
  func anchor(_ alignment: RunComparison.Alignment) -> Instant {
    switch alignment {
    case .none, .manual: .zero
    case .start, .xcorr, .progress: starts.first ?? .zero
    case .release: releases.first?.time ?? starts.first ?? .zero
    }
  }
}
