/// What a recording leaves out on purpose.
public struct Redaction: Hashable, Sendable {
  /// Reports of contacts, and what is said of the device and the file that they came from.
  public var leavesOutTouches: Bool
  /// Names of elements: each is replaced by a hash of it, in events too, and scenario and layouts'
  /// parameters, which hold them, are left out.
  public var hashesItems: Bool
  /// Mixed into each hash. Without one that is kept secret, whoever guesses a name can check it.
  public var salt: String

  /// Makes a redaction that leaves nothing out but what is asked for.
  public init(leavesOutTouches: Bool = false, hashesItems: Bool = false, salt: String = "") {
    self.leavesOutTouches = leavesOutTouches
    self.hashesItems = hashesItems
    self.salt = salt
  }

  /// Whether everything is kept.
  public var isNone: Bool { !leavesOutTouches && !hashesItems }

  /// What a session keeps of it: a JSON array of what was left out; nil when nothing was.
  public var note: String? {
    isNone
      ? nil
      : FieldValue.list(
        (leavesOutTouches ? [.text("touches")] : []) + (hashesItems ? [.text("item ids")] : [])
      ).json
  }

  /// What stands in an element's name's place: the first 64 bits of SHA-256 of salt and name, as 16
  /// hexadecimal digits. The same name gets the same hash in every recording of one salt.
  public func pseudonym(of id: String) -> String {
    let bytes = SHA256.digest(Array(salt.utf8) + [0] + Array(id.utf8)).prefix(8)
    return bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// A session's description without what is left out.
  public func redacted(_ description: SessionDescription) -> SessionDescription {
    var kept = description
    if leavesOutTouches {
      kept.gestureSource = nil
      kept.device = nil
    }
    if hashesItems {
      kept.scenario = nil
      for index in kept.layouts.indices { kept.layouts[index].parameters = "{}" }
    }
    kept.redaction = note ?? description.redaction
    return kept
  }
}
