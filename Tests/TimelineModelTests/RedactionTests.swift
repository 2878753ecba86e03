import Testing

@testable import TimelineModel

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

  private func event(_ kind: TimelineEvent.Kind, _ fields: [EventField]) -> TimelineEvent {
    TimelineEvent(time: .zero, kind: kind, fields: fields)
  }

  @Test func `what is not the engine's own is hashed, wherever it stands`() {
    let redaction = Redaction(hashesItems: true)
    let apple = redaction.pseudonym(of: "apple")
    let fields = EventField.list([
      "to": "apple", "cause": "layout", "reason": "apple",
      "apple": FieldValue.list([
        .text("an apple at 3"), .number(0.5), .object(EventField.list(["id": "apple"])),
      ]), "key": "item.apple.alpha", "progress": 0.5,
    ])
    let kept = redaction.redacted(event(.animation, fields))
    #expect(kept.kind == .animation)
    #expect(
      kept.fields == [
        EventField("to", .text(apple)), EventField("cause", .text("layout")),
        EventField("reason", .text(apple)),
        EventField(
          apple,
          .list([
            .text(redaction.pseudonym(of: "an apple at 3")), .number(0.5),
            .object(EventField.list(["id": apple])),
          ])), EventField("key", .text("item.\(apple).alpha")),
        EventField("progress", .number(0.5)),
      ])
    let named = redaction.redacted(event(TimelineEvent.Kind(rawValue: "apple"), []))
    #expect(named.kind.rawValue == apple)
    #expect(
      redaction.redacted("item.a.b.alpha", as: .key)
        == "item.\(redaction.pseudonym(of: "a.b")).alpha")
    #expect(redaction.redacted("item.apple.apple", as: .key) == "item.\(apple).\(apple)")
    #expect(redaction.redacted("progress", as: .key) == "progress")
    #expect(redaction.redacted("header", as: .word) == "header")
    #expect(
      redaction.redacted("cubic-bezier(0.5,0,1,0.5)", as: .word) == "cubic-bezier(0.5,0,1,0.5)")
    #expect(redaction.redacted("steps(apple)", as: .word) != "steps(apple)")
  }

  @Test func `without touches an event keeps the values of the engine's own fields alone`() {
    let redaction = Redaction(leavesOutTouches: true)
    let place = FieldValue.list([.number(12), .number(34)])
    let own = redaction.redacted(
      event(.gestureBegan, EventField.list(["contacts": 1, "x": 12.0])))
    #expect(own.fields == EventField.list(["contacts": 1, "x": FieldValue.null]))
    let apps = redaction.redacted(
      event(
        TimelineEvent.Kind(rawValue: "tap"),
        EventField.list(["to": place, "at": "12, 34"])))
    #expect(
      apps.fields
        == EventField.list(["to": FieldValue.list([.null, .null]), "at": FieldValue.null]))
    #expect(
      redaction.redacted(event(.bounds, EventField.list(["to": place]))).fields
        == EventField.list(["to": place]))
  }

  @Test func `a text of fields is redacted as the fields are, and a broken one is left out`() throws
  {
    let fields = EventField.list([
      "id": "a \"b\"\n\u{7}\u{7f}é😀\\",
      "n": FieldValue.list([.integer(-3), .number(-0.0), .number(1e300)]),
      "to": FieldValue.object([]), "progress": FieldValue.null, "completed": true,
    ])
    for redaction in [
      Redaction(hashesItems: true, salt: "s"), Redaction(leavesOutTouches: true),
      Redaction(leavesOutTouches: true, hashesItems: true),
    ] {
      let json = FieldValue.object(fields).json
      #expect(FieldValue(json: json.utf8) == .object(fields))
      #expect(
        redaction.redacted(fieldsJSON: json, ofEvent: "start")
          == FieldValue.object(redaction.redacted(event(.start, fields)).fields).json)
      let deep = String(repeating: "[", count: 100_000)
      for odd in [
        "", "\"", "[1]", "{\"apple\"", "{\"apple\":1", "{\"a\":\"\\u12\"}", "{} apple",
        "{\"a\":" + deep,
      ] {
        #expect(redaction.redacted(fieldsJSON: odd, ofEvent: "start") == "{}")
      }
    }
    #expect(Redaction().redacted(fieldsJSON: "apple", ofEvent: nil) == "apple")
  }

  @Test func `a description loses what a redaction leaves out, and says so`() {
    var description = SessionDescription(software: "tests", clock: "app", name: "run")
    description.scenario = "{}"
    description.device = "phone"
    description.gestureSource = "touch.evemu"
    description.layouts = [LayoutDescription(name: "a", type: "fixed", parameters: "[1]")]
    #expect(Redaction().redacted(description) == description)
    let kept = Redaction(leavesOutTouches: true, hashesItems: true).redacted(description)
    #expect(kept.scenario == nil)
    #expect(kept.device == nil)
    #expect(kept.gestureSource == nil)
    #expect(kept.layouts[0].parameters == "{}")
    #expect(kept.layouts[0].type == "fixed")
    #expect(kept.name != "run")
    #expect(kept.layouts[0].name != "a")
    #expect(kept.redaction == #"["touches","item ids"]"#)
  }

  @Test func `software and the versions of engines are hashed, but for our engine's own number`() {
    var description = SessionDescription(software: "alice's app", clock: "app", name: "run")
    description.engineVersion = "1"
    description.origin = SessionOrigin(
      uuid: "u", file: nil, engineVersion: "alice's engine", changes: [])
    let redaction = Redaction(hashesItems: true)
    let kept = redaction.redacted(description)
    #expect(kept.software == redaction.pseudonym(of: "alice's app"))
    #expect(kept.engineVersion == "1")
    #expect(kept.origin?.engineVersion == redaction.pseudonym(of: "alice's engine"))
    description.engineVersion = "alice's engine"
    #expect(
      redaction.redacted(description).engineVersion == redaction.pseudonym(of: "alice's engine"))
  }
}
