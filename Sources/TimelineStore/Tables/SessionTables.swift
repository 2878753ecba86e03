import SQLiteAccess

/// The insertions of a session's rows.
final class SessionTables {
  let keys: KeyTable
  let items: ItemTable
  let samples: SampleTable
  let frames: FrameTable
  let attributes: AttributeTable
  let touches: TouchTable
  let events: EventTable
  let decisions: DecisionTable
  let estimates: EstimateTable
  let losses: LossTable

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    keys = try KeyTable(connection)
    items = try ItemTable(connection)
    samples = try SampleTable(connection)
    frames = try FrameTable(connection)
    attributes = try AttributeTable(connection)
    touches = try TouchTable(connection)
    events = try EventTable(connection)
    decisions = try DecisionTable(connection)
    estimates = try EstimateTable(connection)
    losses = try LossTable(connection)
  }
}
