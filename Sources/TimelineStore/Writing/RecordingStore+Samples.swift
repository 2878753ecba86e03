import SQLiteAccess

extension RecordingStore: SampleDestination {
  package func insert(_ sealed: SealedColumns) throws(StoreError) {
    try naming(path, try sampleSegments.insert(sealed, session: session))
  }

  package func insertPlain(_ columns: SampleColumns) throws(StoreError) {
    try naming(path) { () throws(SQLiteError) in
      try columns.giveAll { time, slot, word throws(SQLiteError) in
        try tables.samples.insert(at: time, slot: slot, Double(bitPattern: word))
      }
    }
  }

  package func replaceSamples(
    by sealed: SealedColumns, _ rows: SampleColumns
  ) throws(StoreError) {
    let range = sealed.record.first...sealed.record.last
    try naming(path) { () throws(SQLiteError) in
      if rows.rowCount > 0 {
        let removal = try connection.prepare(SampleTable.removeOne)
        try rows.giveAll { time, slot, _ throws(SQLiteError) in
          try removal.run(session, time, slot)
        }
      }
      try sampleSegments.remove(from: range, session: session)
      try sampleSegments.insert(sealed, session: session)
    }
  }
}
