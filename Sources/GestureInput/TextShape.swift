/// A shape of log lines that touches are read from. Adding one is an entry in ``all`` and a fixture.
package struct TextShape: Sendable {
  /// The name that `--gesture-format` takes.
  package var name: String
  /// What the lines are, in the words of those who have them.
  package var title: String
  /// A line of it, for help.
  package var example: String
  /// The patterns of lines (``ShapePattern``). Each begins a report, or tells all of it.
  var lines: [String]
  /// Patterns that are looked for after that beginning, in any order: on the same line, or on the next ones if it was broken.
  var fields: [String] = []
  /// Whether a report always goes over several lines, up to the next beginning.
  var isSpread = false
  /// Words of phases that ``WrittenPhase`` does not have, or has with another meaning.
  var phases: [String: WrittenPhase] = [:]
  /// The shapes that tell the same touches less well. They do not count if this one fits.
  var instead: [String] = []
  /// Why there are no touches in such lines, and the command that records them.
  package var refusal: String?

  package var format: GestureFormat { GestureFormat(name: name, title: title) }

  /// A shape that is ready to read.
  struct Compiled: Sendable {
    let shape: TextShape
    let lines: [ShapePattern]
    let fields: [ShapePattern]

    init(_ shape: TextShape) throws(ShapePattern.Fault) {
      self.shape = shape
      var patterns: [ShapePattern] = []
      for pattern in shape.lines { patterns.append(try ShapePattern(pattern)) }
      lines = patterns
      patterns = []
      for pattern in shape.fields { patterns.append(try ShapePattern(pattern)) }
      fields = patterns
    }

    /// The holes of all patterns.
    var holes: Set<ShapePattern.Hole> {
      (lines + fields).reduce(into: []) { $0.formUnion($1.holes) }
    }
  }

  /// All shapes, ready to read. One with an error is left out.
  static let compiled: [Compiled] = all.compactMap { try? Compiled($0) }

  /// The shapes whose patterns have an error.
  package static var faults: [String] {
    all.map(\.name).filter { name in !compiled.contains { $0.shape.name == name } }
  }
}
