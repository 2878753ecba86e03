import JSONText
import MotionJudgement
import TimelineModel

/// The faults of a page as code scanning reads them: SARIF 2.1.0
/// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
struct SARIFDocument {
  private let story: MotionStory
  /// The page: a path or an address.
  private let source: String

  init(_ story: MotionStory, of source: String) { (self.story, self.source) = (story, source) }

  /// The document.
  var text: String { FieldValue.object(document).json + "\n" }

  private var document: [EventField] {
    let run = FieldValue.object(named: [
      "tool": FieldValue.object(named: ["driver": driver]),
      "results": FieldValue.list(
        story.lines.filter { $0.fact.isFault || $0.fact.isExcused }.map(result)),
      "columnKind": "utf16CodeUnits",
    ])
    return EventField.list([
      // By it the program knows a file that it may replace.
      "properties": FieldValue.object(named: ["origin": OriginMark.text]),
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": FieldValue.list([run]),
    ])
  }

  private var driver: FieldValue {
    let rules = MotionFault.all.map { fault in
      FieldValue.object(named: [
        "id": fault.id, "name": fault.name,
        "shortDescription": FieldValue.object(named: ["text": fault.condition]),
      ])
    }
    return .object(named: [
      "name": "kymo", "version": programVersion, "rules": FieldValue.list(rules),
    ])
  }

  /// A fault. A page has no line for it: the element is its logical location. One that was excused is suppressed.
  private func result(_ line: MotionStory.Line) -> FieldValue {
    let location = FieldValue.object(named: [
      "physicalLocation": FieldValue.object(named: [
        "artifactLocation": FieldValue.object(named: ["uri": source]),
        "region": FieldValue.object(named: ["startLine": 1]),
      ]),
      "logicalLocations": FieldValue.list([
        .object(named: ["name": line.fact.subject, "kind": "element"])
      ]),
    ])
    return .object(
      EventField.known([
        "ruleId": line.fact.kind.rawValue,
        "ruleIndex": MotionFault.all.firstIndex { $0.id == line.fact.kind.rawValue },
        "level": "error",
        "message": FieldValue.object(named: ["text": line.told]),
        "locations": FieldValue.list([location]),
        "suppressions": line.fact.isExcused
          ? FieldValue.list([.object(named: ["kind": "external", "status": "accepted"])]) : nil,
        // By it a server knows the fault from one build to the next, whatever the numbers are.
        "partialFingerprints": FieldValue.object(named: [
          "elementAndFault/v1": "\(line.fact.kind.rawValue):\(line.fact.subject)"
        ]),
      ]))
  }
}
