package import MotionPhysics
import TimelineModel
package import TimelineSession
package import TimelineStore

extension ReleaseRecord {
  /// How far the progress was from the other outcome: as it was recorded, or else as the rule of a recorded decision says
  /// when it is asked again. Below 0 if the rule says the other outcome, and nil if nobody knows.
  ///
  /// - Parameter rule: What the rule says.
  package func marginProgress(asking rule: @autoclosure () throws -> ReleaseRule.Decision?)
    rethrows -> Double?
  {
    guard let recorded else { return nil }
    if let margin = recorded.marginProgress { return margin }
    return try rule().flatMap { $0.signed(for: outcome).marginProgress }
  }

  /// Whether a decision was recorded without its margin, as an app may do that decides by itself.
  var lacksMargin: Bool { recorded.map { $0.marginProgress == nil } ?? false }
}

extension SessionData {
  /// The margin of each release, as `kymo velocity` has it.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  package func margins(from source: FileSource) throws -> [Double?] {
    guard releases.contains(where: \.lacksMargin) else {
      return releases.map { $0.marginProgress(asking: nil) }
    }
    var question = VelocityQuestion()
    question.keyNames = []
    question.contacts = []
    question.isBrief = true
    let source = try VelocitySource(source, asking: question)
    return try releases.map { release in
      try release.marginProgress(asking: source.release(release).ruleDecision)
    }
  }
}
