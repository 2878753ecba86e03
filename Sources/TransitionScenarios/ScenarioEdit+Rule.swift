import GestureInput
package import JSONText
import MotionPhysics
import TimelineModel

extension ScenarioEdit {
  /// Takes out the fields of `release` that another rule does not have, after the rule was changed.
  ///
  /// A field that a change names stays, so that a mistake is refused. A speed in another unit goes, and so does the old
  /// rule's own default if the new rule has another. The estimator and its window go if the new rule measures in its
  /// own way.
  ///
  /// - Parameter before: The JSON before all changes.
  /// - Returns: A sentence with all that was taken out. `nil`: nothing was.
  /// - Throws: the JSON is not an object. Nothing is taken out then.
  package mutating func takeOutFieldsOfOtherRule(
    since before: JSONValue
  ) throws(JSONError) -> String? {
    guard let now = Self.rule(in: value), let then = Self.rule(in: before), now != then,
      case .object(let release)? = ScenarioEdit(value).value(at: "release")
    else { return nil }
    let isNamed = { (name: String, changes: [String]) in
      changes.contains { $0.hasPrefix("release.\(name)=") }
    }
    var names = release.keys.filter { name in
      JSONReader.isField(name, of: now) == false
        || name == "velocityThreshold"
          && then.definition.usual.speed?.unit != now.definition.usual.speed?.unit
        || Self.isDefault(release[name], of: name, then, unlike: now)
    }.sorted()
    let estimator = release["estimator"].flatMap { Self.word($0) }.flatMap(
      Estimator.init(rawValue:))
    let isMeasured = Self.measure.contains { isNamed($0, changes) }
    if !isMeasured,
      now.definition.preset != nil || estimator.map({ !now.definition.accepts($0) }) ?? false
    {
      names += Self.measure.filter { release[$0] != nil }
    }
    var words: [String] = []
    for name in names where !isNamed(name, changes) {
      let left = release[name].map(\.sortedJSON) ?? ""
      try set("release.\(name)", to: .null)
      words.append("\(name) \(left)")
    }
    return words.isEmpty
      ? nil
      : "the rule '\(now.rawValue)' has no use for \(words.joined(separator: ", ")), so "
        + "\(words.count == 1 ? "it was" : "they were") left out"
  }

  /// The fields that say how velocities are measured.
  private static let measure = ["estimator", "preset", "window", "stopGap", "history"]

  /// The rule in the field `release.rule`, which is `progress` if it is missing. `nil` for an unknown name.
  private static func rule(in value: JSONValue) -> ReleaseRule.Kind? {
    guard let rule = ScenarioEdit(value).value(at: "release.rule") else { return .progress }
    return word(rule).flatMap(ReleaseRule.Kind.init(rawValue:))
  }

  /// Whether a number is the default of one rule, and another has another default.
  private static func isDefault(
    _ value: JSONValue?, of name: String, _ then: ReleaseRule.Kind, unlike now: ReleaseRule.Kind
  ) -> Bool {
    let own = ReleaseRule(kind: then).fields.first { $0.name == name }?.value
    let new = ReleaseRule(kind: now).fields.first { $0.name == name }?.value
    guard case .number(let number)? = own, case .number(let other)? = new, number != other else {
      return false
    }
    return value.flatMap { try? JSONReader($0).number() } == number
  }

  private static func word(_ value: JSONValue) -> String? {
    if case .string(let word) = value { word } else { nil }
  }
}
