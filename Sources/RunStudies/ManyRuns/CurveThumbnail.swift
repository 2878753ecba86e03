import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStore

/// One key of a golden session and of a session, small enough for a row of a table: 64 values each, in a byte each.
package struct CurveThumbnail: Sendable, Hashable {
  /// How many values a curve has.
  package static let count = 64
  /// The byte of a value that is missing, because the session has none there.
  package static let none: UInt8 = 255
  /// The byte of the highest value. 0 is the lowest.
  package static let highest = 254.0

  /// The key's name.
  package var key: String
  /// The lowest value of both, in the key's unit.
  package var low: Double
  /// The highest value of both.
  package var high: Double
  /// Seconds from the first of the values to the last.
  package var seconds: Double
  /// The golden session's. Empty where there is none.
  package var golden: [UInt8]
  /// The session's, on the golden session's clock. Empty where there is none.
  package var run: [UInt8]

  /// Puts together what was drawn before.
  package init(
    key: String, low: Double, high: Double, seconds: Double, golden: [UInt8], run: [UInt8]
  ) {
    (self.key, self.low, self.high, self.seconds) = (key, low, high, seconds)
    (self.golden, self.run) = (golden, run)
  }

  /// Draws a key of one session or of both.
  ///
  /// - Parameters:
  ///   - golden: The golden session's key. `nil` where there is none.
  ///   - run: The session's key, of the same name. `nil` where there is none.
  ///   - map: Where the session's clock lies on the golden session's. `nil` where there is one session.
  /// - Returns: nil where neither has a value.
  /// - Complexity: linear in the key's samples.
  init?(golden: Track?, run: Track?, map: TimeMap?) {
    let isStep = (golden ?? run)?.isStep ?? false
    let runCurve = run.map { key in
      map.map { key.curve.mapped(by: $0, zero: .zero) } ?? key.curve
    }
    let curves = [golden?.curve, runCurve]
    let ranges = curves.compactMap { $0?.valueRange }
    guard let name = (golden ?? run)?.record.name, let low = ranges.map(\.lowerBound).min(),
      let high = ranges.map(\.upperBound).max()
    else { return nil }
    guard let first = curves.compactMap({ $0?.times.first }).min(),
      let last = curves.compactMap({ $0?.times.last }).max()
    else { return nil }
    // Each alone may be as long as 64 bits go.
    let span = Double(last.nanoseconds) - Double(first.nanoseconds)
    let instants = (0..<CurveThumbnail.count).map { index in
      let share = Double(index) / Double(CurveThumbnail.count - 1)
      let time = (Double(first.nanoseconds) + span * share).rounded()
      return min(max(Instant(nanoseconds: Int64(exactly: time) ?? last.nanoseconds), first), last)
    }
    let (middle, half) = (low / 2 + high / 2, high / 2 - low / 2)
    let bytes = curves.map { curve -> [UInt8] in
      guard let curve, let start = curve.times.first, let end = curve.times.last else { return [] }
      return instants.map { time in
        guard (start...end).contains(time),
          let value = isStep ? curve.heldValue(at: time) : curve.value(at: time)
        else { return CurveThumbnail.none }
        let share = half > 0 ? (value - middle) / half : 0
        return UInt8(((share + 1) / 2 * CurveThumbnail.highest).rounded())
      }
    }
    self.init(
      key: name, low: low, high: high, seconds: span / 1e9, golden: bytes[0], run: bytes[1])
  }
}
