/// Questions for all that a session holds, row by row in one order, whatever the file's version and whether
/// it is sealed.
enum ContentTexts {
  /// A table of content, with what stands before and behind the session's number in the question for it.
  private static let questions: [(name: String, start: String, end: String)] = [
    view("sessions", "session"), view("layouts", "position"), view("keys", "number"),
    (
      "samples",
      """
      SELECT s.t_ns, k.name AS key, k.role, CAST(s.value AS REAL) AS value,
        CASE s.slot & 3 WHEN 0 THEN 'idle' WHEN 1 THEN 'driving' WHEN 2 THEN 'settling' END AS phase,
        s.slot >> 32 AS ordinal
      FROM plain_sample AS s CROSS JOIN key AS k
        ON k.session = s.session AND k.key = (s.slot >> 2 & 1073741823)
      WHERE s.session =
      """, "ORDER BY s.t_ns, s.slot"
    ),
    view("items", "item"), view("frames", "frame"), view("attributes", "frame, item"),
    view("touches", "sequence"), view("events", "sequence"), view("decisions", "sequence"),
    view("estimates", "sequence"), view("losses", "sequence, what"),
  ]

  private static func view(
    _ name: String, _ order: String
  ) -> (name: String, start: String, end: String) {
    (name, "SELECT * FROM \(name) WHERE session =", "ORDER BY \(order)")
  }

  /// The names of what is asked for, in order.
  static var names: [String] { questions.map(\.name) }

  /// The question for a table of content. `nil` for any other name.
  static func question(_ name: String, session: Int64) -> String? {
    questions.first { $0.name == name }.map { "\($0.start) \(session) \($0.end)" }
  }
}
