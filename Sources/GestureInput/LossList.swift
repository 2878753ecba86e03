/// Sentences about what a file lost, with the first ones kept and the rest counted, so that a file
/// of nothing but garbage needs no memory for its complaints.
struct LossList {
  /// How many are kept word for word.
  static let limit = 20

  private var kept: [(line: Int, sentence: String)] = []
  private var further = 0

  mutating func add(line: Int, _ sentence: @autoclosure () -> String) {
    if kept.count < Self.limit {
      kept.append((line, sentence()))
    } else {
      further += 1
    }
  }

  /// All that is to be said, in the order of the lines.
  var sentences: [String] {
    let sentences = kept.sorted { $0.line < $1.line }.map { "Line \($0.line): \($0.sentence)" }
    return further == 0
      ? sentences : sentences + ["There are \(further) further faults of this sort."]
  }
}
