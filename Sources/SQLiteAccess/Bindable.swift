/// What a place of a statement can be set to.
package protocol Bindable {
  /// Sets a place to the value; throws when it is longer than SQLite takes.
  func bind(to statement: borrowing Statement, at place: Int32) throws(SQLiteError)
}

extension Int64: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) {
    statement.bind(self, at: place)
  }
}

extension Int: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) {
    statement.bind(Int64(self), at: place)
  }
}

extension Bool: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) {
    statement.bind(Int64(self ? 1 : 0), at: place)
  }
}

extension Double: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) {
    statement.bind(self, at: place)
  }
}

extension String: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) throws(SQLiteError) {
    try statement.bind(self, at: place)
  }
}

extension [UInt8]: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) throws(SQLiteError) {
    try statement.bind(self, at: place)
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  package func bind(to statement: borrowing Statement, at place: Int32) throws(SQLiteError) {
    if let self { try self.bind(to: statement, at: place) } else { statement.bindNull(at: place) }
  }
}
