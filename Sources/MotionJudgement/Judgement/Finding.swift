package import TimelineModel

/// A number that was measured of a session, or why there is none. It knows no limit.
package struct Finding: Hashable, Sendable {
  /// What it is about: a key, an element's value (`item.ID.frame.center`), or empty for the sessions.
  package var subject: String
  /// Which number, its unit at its end (`max_abs`, `lag_ms`, `excess_pt`).
  package var measure: String
  /// The number. `nil`: it cannot be told.
  package var value: Double?
  /// The bounds that hold the number in 90 of 100 cases. `nil`: it is exact, or there is none.
  package var interval: ClosedRange<Double>?
  /// Whether the bounds come from how exactly elements were seen in pictures, or pictures do not say the number.
  package var isOfPictures = false
  /// When it was so, or was worst. `nil`: at no instant.
  package var instant: Instant?
  /// Of a jump, how far it goes from one sample to the next. `nil` of other measures.
  package var step: Double?
  /// Why there is no number, or what else has to be known of it. `nil`: nothing.
  package var note: String?

  package init(
    subject: String, measure: String, value: Double? = nil, interval: ClosedRange<Double>? = nil,
    instant: Instant? = nil, note: String? = nil
  ) {
    (self.subject, self.measure, self.value) = (subject, measure, value)
    (self.interval, self.instant, self.note) = (interval, instant, note)
  }

  /// The number with its bounds. `nil` without a number.
  var estimate: Estimated? {
    value.map { Estimated($0, low: interval?.lowerBound ?? $0, high: interval?.upperBound ?? $0) }
  }

  /// The same with bounds by the errors of pictures, if they have a width.
  func seen(within bounds: ClosedRange<Double>?) -> Finding {
    guard let bounds, bounds.lowerBound < bounds.upperBound else { return self }
    var finding = self
    (finding.interval, finding.isOfPictures) = (bounds, true)
    return finding
  }
}
