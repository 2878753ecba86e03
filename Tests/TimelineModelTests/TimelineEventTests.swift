import Testing
import TimelineModel

@Suite struct TimelineEventTests {
  @Test func `fields that are made when they are read are as good as given ones`() {
    let given = TimelineEvent(time: .zero, kind: .mark, fields: EventField.list(["text": "a"]))
    var made = TimelineEvent(time: .zero, kind: .mark) { EventField.list(["text": "a"]) }
    #expect(made == given)
    #expect(made.hashValue == given.hashValue)
    #expect(made.fields == given.fields)
    made.fields.append(EventField("more", .null))
    #expect(made != given)
    #expect(made.fields.map(\.name) == ["text", "more"])
  }
}
