import TimelineModel
package import TimelineSession
import TimelineStore

/// The values of one session by the names that `--key` takes.
///
/// A name is that of a recorded key. Otherwise it is `item.ID.ATTRIBUTE`, which is read from its end, `item.ID` for all
/// attributes, `finger.x`, `finger.N.x`, or `viewport.…` of a session with frames.
package struct SessionSubjects: Sendable {
  private let keys: [String]
  private var viewportKeys: [String] = []
  private var fingers: [MotionSubject] = []
  private var ids: [String] = []
  private let known: Set<String>
  private var knownIDs: Set<String> = []

  /// Looks up what texts may name. Touches are read only if a text may be a finger's.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  package init(
    _ source: some SessionSource, for texts: [String]
  ) throws {
    var seen: Set<String> = []
    keys = try source.keys().map(\.name).filter { seen.insert($0).inserted }
    known = seen
    try source.forEachFrame(from: Instant(nanoseconds: .min)) { _ in
      viewportKeys = ViewportKeys.names
      return false
    }
    if texts.contains(where: { $0.contains("item.") }) {
      ids = try source.items().map(\.identity.id).filter {
        knownIDs.insert($0).inserted
      }
    }
    guard texts.contains(where: { $0.contains("finger.") }) else { return }
    let contacts = Set(try Contacts(source).all.map(\.number))
    guard !contacts.isEmpty else { return }
    fingers = ([nil] + contacts.sorted().map(Optional.some)).flatMap { contact in
      FingerAxis.allCases.map { .finger($0, contact: contact) }
    }
  }

  /// The subject of a name. `nil` if the session has none.
  package func subject(named name: String) -> MotionSubject? {
    if known.contains(name) { return .key(name) }
    guard let subject = MotionSubject(name) else { return nil }
    switch subject {
    case .key: return viewportKeys.contains(name) ? subject : nil
    case .finger: return fingers.contains(subject) ? subject : nil
    case .item(let id, _):
      if knownIDs.contains(id) { return subject }
      // The ID of an element may end like an attribute.
      let whole = String(name.dropFirst(MotionSubject.itemPrefix.count))
      return knownIDs.contains(whole) ? .item(whole, .frame) : nil
    case .event, .frames: return nil
    }
  }

  /// The names that a name which the session does not have may have meant: those of its kind.
  package func names(like name: String) -> [String] {
    guard name.hasPrefix(MotionSubject.itemPrefix), !ids.isEmpty else {
      return keys + viewportKeys + fingers.map(\.text)
    }
    let ending = name.dropFirst(MotionSubject.itemPrefix.count)
    guard let id = ids.first(where: { ending.hasPrefix($0 + ".") }) else {
      // More IDs than these are not looked through for a name that is near.
      let attribute = ItemAttribute.allCases.first { name.hasSuffix(".\($0.rawValue)") }
      return ids.prefix(10_000).map {
        MotionSubject.itemPrefix + $0 + (attribute.map { ".\($0.rawValue)" } ?? "")
      }
    }
    return ItemAttribute.numbers.map { MotionSubject.item(id, $0).text }
  }
}

/// Parts a list of names with commas between them. A name may contain commas: the longest one that is known counts.
package func partedNames(_ text: String, isKnown: (String) -> Bool) -> [String] {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  var names: [String] = []
  var start = 0
  while start < parts.count {
    // Longer names than this are not looked for.
    let last = min(parts.count, start + 64)
    func name(upTo end: Int) -> String { parts[start..<end].joined(separator: ",") }
    let end = (start + 1...last).reversed().first { isKnown(name(upTo: $0)) } ?? start + 1
    let found = name(upTo: end)
    names.append(isKnown(found) ? found : String(found.drop { $0 == " " }))
    start = end
  }
  return names
}
