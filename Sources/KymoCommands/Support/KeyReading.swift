import MotionJudgement
import TimelineModel
import TimelineSession
import TimelineStore

/// The flags that choose values and elements, and their reading, alike in every command.
extension Flags {
  /// Values by their names.
  static var keys: Flag<String> {
    .text("key", "NAMES", "only these values, with commas between", repeats: true)
  }

  /// Elements by their IDs. Alone it means all.
  static var items: Flag<String> {
    .text("items", "[IDS]", "only these elements, with commas between", repeats: true)
  }

  /// How values are named, for the discussion of a command that has ``keys``.
  static var keyGrammar: String {
    """
    NAMES are recorded keys, or item.ID.ATTRIBUTE such as item.card.center.y. item.ID means all
    attributes of an element. finger.x and finger.y are the touches, and finger.N.x is one contact.
    viewport.contentOffset.y and others of the viewport work, too.
    """
  }
}

/// The values that `--key` names, in the order named and each once. Each must be in one of the sessions.
///
/// - Throws: ``Failure`` for a name that no session has.
func namedValues(
  _ texts: [String], in sessions: [(session: SessionRecord, reader: RecordingReader)]
) throws -> [MotionSubject] {
  let known = try sessions.map {
    try SessionSubjects(FileSource($0.session, in: $0.reader), for: texts)
  }
  func subject(_ name: String) -> MotionSubject? {
    known.lazy.compactMap { $0.subject(named: name) }.first
  }
  var seen: Set<MotionSubject> = []
  return try texts.flatMap { text in partedNames(text) { subject($0) != nil } }.map { name in
    guard let found = subject(name) else {
      throw unknownKey(name, among: known.flatMap { $0.names(like: name) })
    }
    return found
  }.filter { seen.insert($0).inserted }
}

/// A name that nothing has.
func unknownKey(_ name: String, among names: [String]) -> Failure {
  var seen: Set<String> = []
  let names = names.filter { seen.insert($0).inserted }
  let list = name.hasPrefix("item.") ? "kymo replay --items" : "kymo list keys"
  return .usage("unknown key '\(name)'. \(choices(near: name, among: names, listedBy: list))")
}

extension [MotionSubject] {
  /// The names of their numbers: an element as a whole has several.
  var names: [String] { flatMap(\.numbers).map(\.text) }
}

extension Invocation {
  /// The values that `--key` names. `nil` without the flag.
  func namedValues(in sources: SessionArgument...) throws -> [MotionSubject]? {
    guard has(Flags.keys) else { return nil }
    return try KymoCommands.namedValues(
      texts(Flags.keys), in: sources.map { ($0.session, $0.reader) })
  }

  /// The IDs that `--items` names. `nil` without the flag, and all of them if it names none.
  func namedItems(in source: SessionArgument) throws -> Set<String>? {
    guard has(Flags.items) else { return nil }
    let ids = try source.reader.items(in: source.session.number).map(\.identity.id)
    let known = Set(ids)
    let named = texts(Flags.items).filter { !$0.isEmpty }
    guard !named.isEmpty else { return known }
    let names = named.flatMap { text in partedNames(text) { known.contains($0) } }
    if let name = names.first(where: { !known.contains($0) }) {
      var seen: Set<String> = []
      let ids = ids.filter { seen.insert($0).inserted }
      throw Failure.usage(
        "unknown element '\(name)'. "
          + choices(near: name, among: ids, listedBy: "kymo replay --items"))
    }
    return Set(names)
  }
}
