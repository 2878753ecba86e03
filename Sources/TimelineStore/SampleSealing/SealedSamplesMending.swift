package import SQLiteAccess

/// Makes the sealed samples of a recording that was salvaged contradict nothing, in the caller's transaction.
///
/// Segments that cannot be unpacked go. Of two that share an instant, the larger stays and what the other had
/// beyond it becomes plain rows: pages that were free hold the parts that a segment was put together from.
/// Plain rows that a segment has go. What each key did in each second is written anew.
///
/// - Throws: ``StoreError``: the recording cannot be read or written.
package func mendSealedSamples(
  _ connection: borrowing Connection, path: String
) throws(StoreError) {
  let sealed = SealedSamples(StatementMaker(connection))
  let writer = try naming(path, try SampleSegmentWriter(connection))
  var damaged: [(session: Int64, first: Int64)] = []
  try sealed.checkSegments(of: nil, path: path) { session, first, _ in
    damaged.append((session, first))
  }
  for segment in damaged {
    try naming(
      path, try writer.remove(from: segment.first...segment.first, session: segment.session))
  }
  let (kept, lost) = try segments(connection, path)
  let insertion = try naming(path) { () throws(SQLiteError) in
    try connection.execute(SampleSecondTable.removeAll)
    return try connection.prepare(SampleTable.insertMissing)
  }
  for segment in lost {
    let columns = try columns(segment, connection, sealed, path)
    try naming(path) { () throws(SQLiteError) in
      try columns.giveAll { time, slot, word throws(SQLiteError) in
        insertion.bind(segment.session, at: 1)
        insertion.bind(time, at: 2)
        insertion.bind(slot, at: 3)
        insertion.bindCompact(Double(bitPattern: word), at: 4)
        try insertion.run()
      }
      try writer.remove(from: segment.first...segment.first, session: segment.session)
    }
  }
  let removal = try naming(path, try connection.prepare(SampleTable.removeOne))
  for segment in kept {
    let columns = try columns(segment, connection, sealed, path)
    try naming(path) { () throws(SQLiteError) in
      try columns.giveAll { time, slot, _ throws(SQLiteError) in
        try removal.run(segment.session, time, slot)
      }
      guard let anew = SealedColumns(columns) else { return }
      try writer.remove(from: segment.first...segment.first, session: segment.session)
      try writer.insert(anew, session: segment.session)
    }
  }
}

private typealias Segment = (session: Int64, first: Int64, last: Int64, rowCount: Int64)

/// The segments that stay, and those that share an instant with one of them.
private func segments(
  _ connection: borrowing Connection, _ path: String
) throws(StoreError) -> (kept: [Segment], lost: [Segment]) {
  let statement = try naming(path, try connection.prepare(SampleSegmentTable.everyRow))
  var kept: [Segment] = []
  var lost: [Segment] = []
  while try naming(path, try statement.step()) {
    let row = try reading(SampleSegmentTable.name, path, try SampleSegmentTable.read(statement))
    let segment = (row.session, row.segment.first, row.segment.last, row.segment.rowCount)
    guard let before = kept.last, before.session == segment.0, before.last >= segment.1 else {
      kept.append(segment)
      continue
    }
    if before.rowCount < segment.3 {
      lost.append(kept.removeLast())
      kept.append(segment)
    } else {
      lost.append(segment)
    }
  }
  return (kept, lost)
}

private func columns(
  _ segment: Segment, _ connection: borrowing Connection, _ sealed: SealedSamples, _ path: String
) throws(StoreError) -> SampleColumns {
  let row = try naming(
    path, try connection.prepare(SampleSegmentTable.one, [segment.session, segment.first]))
  guard try naming(path, try row.step()) else { return SampleColumns() }
  return try unsealing(path, try sealed.columns(of: row))
}
