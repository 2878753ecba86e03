import SQLiteAccess
import TimelineStore

/// The new recording that salvaged rows go into.
struct SalvageOutput: ~Copyable {
  /// The fate of a row.
  enum Fate {
    case kept
    /// A row with its key is there already.
    case doubled
    /// Its values break a rule of the table.
    case refused
  }

  let shapes: [TableShape]
  private var insertions: [String: KeptStatement] = [:]
  private var isChecking = true
  private let path: String
  // Declared last, so that it is closed after its statements.
  let connection: Connection

  /// Begins an empty recording of a schema version.
  init(path: String, version: Int64) throws(StoreError) {
    self.path = path
    let connection = try naming(path, try Connection(path: path, for: .writing))
    try naming(path, try connection.keepJournalInMemory())
    try Migrator.make(version: version, connection)
    shapes = try naming(path) { () throws(SQLiteError) in
      var shapes: [TableShape] = []
      for table in AllTables.names(in: version) {
        if let shape = try TableShape(table, from: connection) { shapes.append(shape) }
      }
      return shapes
    }
    self.connection = connection
  }

  /// Writes a row.
  mutating func insert(
    _ values: [SalvagedValue], into shape: TableShape
  ) throws(StoreError) -> Fate {
    // Sessions are counted from 1.
    if shape.columns.first?.name == "session", case .integer(let session) = values.first,
      session < 1
    {
      // The schema's own row, which the new recording has too.
      return shape.name == "plain_sample" && session == 0 ? .doubled : .refused
    }
    do {
      try check(!shape.isOfAttributes)
      let insertion = try self.insertion(into: shape, count: values.count)
      for (index, value) in values.enumerated() {
        try insertion.statement.bind(value, at: Int32(index + 1))
      }
      try insertion.statement.run()
      return .kept
    } catch {
      switch error.kind {
      case .constraint: return error.isDuplicate ? .doubled : .refused
      case .tooLarge, .beyondLimits, .other: return .refused
      default: throw StoreError(error, path: path)
      }
    }
  }

  /// Switches the schema's CHECKs on and off. Every statement is compiled again then.
  ///
  /// Each CHECK of `plain_attribute` has a list of three, for which SQLite makes a table at every row: ten
  /// times the time of the row itself. The shape has looked at what they ask for.
  private mutating func check(_ isOn: Bool) throws(SQLiteError) {
    guard isOn != isChecking else { return }
    if isOn { try connection.checkValues() } else { try connection.trustOwnValues() }
    isChecking = isOn
  }

  private mutating func insertion(
    into shape: TableShape, count: Int
  ) throws(SQLiteError) -> KeptStatement {
    let name = "\(shape.name) \(count)"
    if let known = insertions[name] { return known }
    let text = SalvageTexts.insert(
      into: shape.name, shape.columns.map(\.name).prefix(count))
    let insertion = KeptStatement(try connection.prepare(text))
    insertions[name] = insertion
    return insertion
  }

  /// Lets go of the insertions, before the schema changes.
  mutating func endInsertions() { insertions = [:] }
}

extension Statement {
  fileprivate func bind(_ value: SalvagedValue, at parameter: Int32) throws(SQLiteError) {
    switch value {
    case .null: bindNull(at: parameter)
    case .integer(let number): bind(number, at: parameter)
    case .real(let number): bind(number, at: parameter)
    case .text: try bind(value.string, at: parameter)
    case .blob(let bytes): try bind(bytes, at: parameter)
    }
  }
}
