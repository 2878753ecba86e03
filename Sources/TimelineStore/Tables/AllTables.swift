/// What the tests hold against the schema: each table's name, columns and texts.
enum AllTables {
  struct Facts: Sendable {
    let name: String
    let columns: [String]
    let texts: [String]
  }

  static let facts: [Facts] = [
    of(MigrationTable.self), of(SessionTable.self), of(LayoutTable.self), of(KeyTable.self),
    of(KeySummaryTable.self), of(ItemTable.self), of(SampleTable.self), of(FrameTable.self),
    of(AttributeTable.self), of(TouchTable.self), of(EventTable.self), of(DecisionTable.self),
    of(EstimateTable.self), of(LossTable.self), of(SegmentTable.self), of(BlockTable.self),
    of(ItemSummaryTable.self), of(JournalTable.self), of(RemovalTable.self),
    of(TransitionTable.self),
  ]

  static func of<Table: RecordingTable & ~Copyable>(_ table: Table.Type) -> Facts {
    Facts(name: Table.name, columns: Table.columns, texts: Table.texts)
  }
}
