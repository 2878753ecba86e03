import Testing
import TimelineModel

@Suite struct RedactionTests {
  @Test func `a name's hash is the beginning of SHA-256 of salt, a zero and the name`() {
    // sha256 of "\0apple" and of "pepper\0apple", by coreutils' sha256sum.
    #expect(Redaction(hashesItems: true).pseudonym(of: "apple") == "03cfd2a81065d4f0")
    #expect(
      Redaction(hashesItems: true, salt: "pepper").pseudonym(of: "apple") == "2ec61b3103fdf0e9")
  }

  @Test func `names of any length have hashes of one length`() {
    let redaction = Redaction(hashesItems: true)
    let hashes = (0..<200).map { redaction.pseudonym(of: String(repeating: "x", count: $0)) }
    #expect(Set(hashes).count == 200)
    #expect(hashes.allSatisfy { $0.utf8.count == 16 })
  }

  @Test func `known names are replaced in values and in JSON, names of fields are not`() {
    let redaction = Redaction(hashesItems: true)
    var names = RedactedNames(redaction)
    let apple = names.replacement(of: "apple")
    let quoted = names.replacement(of: "a \"b\"")
    #expect(
      names.redacted(
        .object([Field("id", .text("apple")), Field("apple", .list([.text("pear")]))]))
        == .object([Field("id", .text(apple)), Field("apple", .list([.text("pear")]))]))
    #expect(
      names.redacted(json: #"{"apple": ["apple","a \"b\"","apples"], "n":1}"#)
        == #"{"apple": ["\#(apple)","\#(quoted)","apples"], "n":1}"#)
    for odd in ["", "\"", "\"apple", "\"\\", "{}"] { #expect(names.redacted(json: odd) == odd) }
  }

  @Test func `a description loses what a redaction leaves out, and says so`() {
    var description = SessionDescription(software: "tests", clock: "app", name: "run")
    description.scenario = "{}"
    description.device = "phone"
    description.gestureSource = "touch.evemu"
    description.layouts = [LayoutDescription(name: "a", type: "fixed", parameters: "[1]")]
    #expect(Redaction().redacted(description) == description)
    let kept = Redaction(leavesOutTouches: true, hashesItems: true).redacted(description)
    #expect(kept.scenario == nil && kept.device == nil && kept.gestureSource == nil)
    #expect(kept.layouts[0].parameters == "{}")
    #expect(kept.redaction == #"["touches","item ids"]"#)
  }
}
