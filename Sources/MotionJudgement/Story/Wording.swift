import MotionMeasures
import TimelineModel

// The English about motion: what a verdict says.

extension Verdict {
  /// The verdict in a sentence without an end, what moved differently first and the figures behind it: "progress
  /// settles in 804 instead of 346 ms: max_abs 0.03 is above 0.02 (limit 1 'progress')".
  public var sentence: String {
    if let requirement { return "\(requirementText) (\(requirement.name))" }
    guard let difference, grade != .pass else { return figures(of: subject) }
    // What comes late is told once.
    let isTold = measure == Measure.lag.rawValue && difference.contains(" comes ")
    if isTold, let limit { return "\(difference) \(told(limit))" }
    return kind < .motion ? difference + place : "\(difference): \(figures(of: ""))"
  }

  /// The limit of a tolerance file that decided. Empty without one.
  private var place: String { rule.map { " (\($0))" } ?? "" }

  private func told(_ limit: Double) -> String {
    "(\(rule.map { "\($0):" } ?? "limit") \(six(limit)))"
  }

  private func six(_ number: Double) -> String { NumberText.short(number, digits: 6) }

  private func figures(of subject: String) -> String {
    let name = subject.isEmpty ? measure : "\(subject): \(measure)"
    guard let value else {
      // Something that should be in both runs is not. The measure says it.
      return (limit == nil ? "\(subject) is \(measure)" : "\(name) is not known") + place
    }
    guard let limit else { return "\(name) is \(six(value))\(place)" }
    if grade != .pass, let offset {
      return (subject.isEmpty ? "" : "\(subject) ")
        + "\(offset) \(isOfGolden ? "golden" : "A") \(told(limit))"
    }
    let relation = grade == .pass ? "is within" : value < 0 ? "is beyond" : "is above"
    return "\(name) \(six(value)) \(relation) \(six(limit))\(place)"
  }

  private var undecided: String {
    finding.isOfPictures ? "cannot be told from pictures" : "too short to tell"
  }

  /// What was found of a requirement: "blur: settled_ms 640 at 0.94 s is above 520".
  private var requirementText: String {
    var text = "\(subject): \(measure)"
    guard let value else {
      if isUndecided { text += ": \(undecided)" }
      return text + (finding.note.map { ": \($0)" } ?? "")
    }
    text += " \(six(value))"
    if let interval = finding.interval {
      text += " (\(six(interval.lowerBound)) to \(six(interval.upperBound)))"
    }
    if let instant = finding.instant {
      text += " at \(six((instant.seconds * 1e4).rounded() / 1e4)) s"
    }
    if let limit, isUndecided {
      text += " is within \(six(limit)) or not: \(undecided)"
    } else if let limit {
      let isLeast = requirement?.kind.isLeast == true
      text +=
        passes
        ? (isLeast ? " is at least " : " is within ") : value > limit ? " is above " : " is below "
      text += six(limit)
    }
    return text + (finding.note.map { "; \($0)" } ?? "")
  }
}

extension Verdict.Requirement {
  /// The requirement as people find it: by its id, or counted from 1 with its kind, "requirement 2
  /// 'settles_by'".
  var name: String {
    "requirement " + (id.map { "'\($0)'" } ?? "\(index + 1) '\(kind.rawValue)'")
  }
}
