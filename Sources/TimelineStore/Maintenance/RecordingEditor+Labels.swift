import SQLiteAccess
package import TimelineModel

extension RecordingEditor {
  /// What becomes of what was said of a transition.
  package enum LabelChange: Hashable, Sendable {
    /// This is said of it from now on.
    case set(ReleaseLabel)
    /// Nothing is said any more of the transition of this number.
    case remove(Int)
  }

  /// The number that a session has, whatever it was when it was looked at before.
  ///
  /// - Throws: ``StoreError`` of the code `busy` where the session is not here any more.
  package func number(of uuid: String) throws(StoreError) -> Int64 {
    let number = try naming(path) { () throws(SQLiteError) -> Int64? in
      let row = try connection.prepare(SessionTable.withUUID)
      try row.bind(uuid)
      return try row.step() ? row.int64(at: 0) : nil
    }
    guard let number else { throw .changedMeanwhile(path, "it has no session \(uuid) any more") }
    return number
  }

  /// Writes labels into the recording, all of them or none.
  ///
  /// - Parameter changes: For each session's number what changes, the last one of a transition counts.
  /// - Throws: ``StoreError``: there is no such session, or the file cannot be written.
  package func label(_ changes: [(session: Int64, change: LabelChange)]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for (session, change) in changes {
        _ = try self.session(session)
        try naming(path) { () throws(SQLiteError) in
          switch change {
          case .set(let label): try LabelTable.write(label, session: session, into: connection)
          case .remove(let transition):
            try connection.run(LabelTable.removal, [session, Int64(transition)])
          }
        }
      }
    }
  }
}
