import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineStore

/// Test results as build servers read them: JUnit's XML, one suite.
struct JUnitDocument {
  /// One thing that was judged.
  private struct Case {
    /// Which part it belongs to ("keys").
    var group: String
    /// What was judged.
    var name: String
    /// The file it came from. `nil`: of none, or of several.
    var file: String?
    /// Why it failed, a sentence each, the worst first. Empty: it passed.
    var failures: [String] = []
    /// Why it could not be judged. `nil`: it could.
    var error: String?
    /// What else is worth reading.
    var notes: [String] = []
  }

  /// What was tried, for people.
  private let name: String
  /// What was judged, in order.
  private var cases: [Case] = []
  /// The groups and names that are given.
  private var taken: Set<[String]> = []

  /// Begins a suite.
  ///
  /// - Parameter name: What was tried, for people.
  init(name: String) { self.name = name }

  /// Adds what was judged of one thing. A name that is there already gets a number, since build servers know a case by
  /// its group and name, from one build to the next.
  mutating func add(
    _ group: String, _ name: String, _ verdicts: [Verdict], file: String? = nil
  ) {
    let verdicts = verdicts.byImportance
    add(
      group, name, failures: verdicts.filter { $0.grade == .fail }.map(\.sentence),
      notes: verdicts.filter { $0.grade == .warn }.map { "warning: \($0.sentence)" }, file: file)
  }

  /// Adds one thing with why it failed, a sentence each, the worst first, and what else is worth reading.
  mutating func add(
    _ group: String, _ name: String, failures: [String], notes: [String], file: String? = nil
  ) {
    cases.append(
      Case(
        group: group, name: unique(name, in: group), file: file, failures: failures, notes: notes))
  }

  /// Adds something that could not be judged, and why.
  mutating func add(_ group: String, _ name: String, error: String) {
    cases.append(Case(group: group, name: unique(name, in: group), error: error))
  }

  private mutating func unique(_ name: String, in group: String) -> String {
    var (unique, count) = (name, 1)
    while !taken.insert([group, unique]).inserted {
      count += 1
      unique = "\(name) (\(count))"
    }
    return unique
  }

  /// The document.
  var text: String {
    let errors = cases.filter { $0.error != nil }.count
    let failed = cases.filter { !$0.failures.isEmpty }.count
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(OriginMark.text)\n<testsuites>\n"
    text += "  <testsuite name=\"\(JUnitDocument.escaped(name))\" tests=\"\(cases.count)\" "
    text += "failures=\"\(failed)\" errors=\"\(errors)\" skipped=\"0\">\n"
    for entry in cases {
      text += "    <testcase classname=\"\(JUnitDocument.escaped(entry.group))\" "
      text += "name=\"\(JUnitDocument.escaped(entry.name))\""
      if let file = entry.file { text += " file=\"\(JUnitDocument.escaped(file))\"" }
      if entry.failures.isEmpty, entry.notes.isEmpty, entry.error == nil {
        text += "/>\n"
        continue
      }
      text += ">\n"
      if let error = entry.error {
        text += "      <error message=\"\(JUnitDocument.escaped(error))\"/>\n"
      }
      if let first = entry.failures.first {
        text += "      <failure message=\"\(JUnitDocument.escaped(first))\">"
        text += JUnitDocument.escaped(entry.failures.joined(separator: "\n")) + "</failure>\n"
      }
      if !entry.notes.isEmpty {
        text += "      <system-out>"
        text += JUnitDocument.escaped(entry.notes.joined(separator: "\n")) + "</system-out>\n"
      }
      text += "    </testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  /// Also in a name, line ends and tabs stay what they are.
  private static func escaped(_ text: String) -> String {
    escapedXML(text, keeping: "\n\t").text
  }
}

extension RunComparison {
  /// What was judged, by what matters: decisions, structure, keys, then each element that a limit is about or that
  /// differs.
  func junit(name: String) -> JUnitDocument {
    var document = JUnitDocument(name: "kymo compare \(name)")
    let ofRuns = verdicts.filter(\.subject.isEmpty).sorted { $0.kind < $1.kind }
    let decided = ofRuns.first {
      $0.measure == Measure.decision.rawValue && $0.grade == .fail
    }
    // After another decision all else moves otherwise, which is no failure of its own.
    let consequences = decided.map { decided in
      allVerdicts.filter { $0.grade == .fail && $0 != decided && $0.kind != .structure }
    }
    func add(_ group: String, _ name: String, _ verdicts: [Verdict]) {
      guard let decided, let consequences else { return document.add(group, name, verdicts) }
      if verdicts == [decided] {
        return document.add(
          group, name, failures: [decided.sentence] + consequences.map(\.sentence), notes: [])
      }
      let found = verdicts.byImportance
      document.add(
        group, name,
        failures: found.filter { $0.grade == .fail && $0.kind == .structure }.map(\.sentence),
        notes: found.filter { $0.grade == .fail && $0.kind != .structure }.map {
          "after the other decision: \($0.sentence)"
        } + found.filter { $0.grade == .warn }.map { "warning: \($0.sentence)" })
    }
    for verdict in ofRuns { add("sessions", verdict.measure, [verdict]) }
    for key in keys { add("keys", key.name, key.verdicts) }
    var ofItems = Dictionary(grouping: verdicts.filter { !$0.subject.isEmpty }, by: \.subject)
    for verdict in verdicts {
      guard let found = ofItems.removeValue(forKey: verdict.subject) else { continue }
      add("items", verdict.subject, found)
    }
    return document
  }
}

extension RunJudge {
  /// What was judged, for build servers, which know a case by its class and name from one build to the next. The golden
  /// recording's name has a case for each session, and that of the requirements one for each of them and each session.
  /// One case is for all sessions together, and one for each file that could not be read.
  func junit(without files: ManyFiles) -> JUnitDocument {
    var document = JUnitDocument(name: "kymo check")
    let group = (golden?.reader.path).map(fileName)
    let rulesGroup = (requirements?.path).map(fileName)
    let usual = check.usualWarnings
    for run in check.runs {
      let name = run.session.description.name ?? "without a name"
      if golden != nil || hasTolerances {
        let found = run.verdicts.filter { $0.requirement == nil }.byImportance
        let isFailed = run.grade == .fail
        let warnings = found.filter { $0.grade == .warn }
        let own = warnings.filter { !isFailed || !usual.contains(GoldenCheck.name(of: $0)) }
        document.add(
          group ?? fileName(run.path), name,
          failures: found.filter { $0.grade == .fail }.map(\.sentence),
          notes: own.map { "warning: \($0.sentence)" }
            + [GoldenCheck.usualInWords(warnings.count - own.count)].compactMap { $0 },
          file: run.path)
      }
      guard let requirements, let rulesGroup, run.isJudged else { continue }
      for (index, rule) in requirements.rules.enumerated() {
        let verdicts = run.verdicts.filter { $0.requirement?.index == index }.byMargin
        document.add(
          rulesGroup, "\(name): \(rule.title)",
          failures: verdicts.filter { !$0.passes }.map(\.sentence),
          notes: verdicts.filter { $0.passes && ($0.finding.note != nil || $0.isUndecided) }.map(
            \.sentence), file: run.path)
      }
    }
    let together = check.aggregated
    if !together.isEmpty { document.add("all sessions", "together", together) }
    for file in files.leftOut {
      document.add(
        group ?? rulesGroup ?? fileName(file.name), "reading \(fileName(file.name))",
        error: file.why)
    }
    return document
  }
}
