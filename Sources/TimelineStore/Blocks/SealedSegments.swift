package import SQLiteAccess

/// Why sealed rows could not be read.
enum SealedRowsError: Error {
  /// SQLite could not read the file.
  case sqlite(SQLiteError)
  /// A block or a segment's row is damaged. The text says which.
  case damage(String)
  /// A session has so many samples, more than are read.
  case tooMany(Int64, most: Int64)

  /// The error of a reader of the file at `path`.
  func storeError(_ path: String) -> StoreError {
    switch self {
    case .sqlite(let error): StoreError(error, path: path)
    case .damage(let what): .damaged(path, what)
    case .tooMany(let count, let most): .tooManySamples(path, count, most: most)
    }
  }

  /// The error of a virtual table.
  var virtualTableError: VirtualTableError {
    switch self {
    case .sqlite(let error): VirtualTableError(error.message)
    case .damage(let what): VirtualTableError(what)
    case .tooMany: VirtualTableError(storeError("the recording").message)
    }
  }
}

/// Unpacks what is sealed, and gives its errors the file's name and advice.
func unsealing<Value: ~Copyable>(
  _ path: String, _ work: @autoclosure () throws(SealedRowsError) -> Value
) throws(StoreError) -> Value {
  do {
    return try work()
  } catch {
    throw error.storeError(path)
  }
}

/// The next row that a statement selects. `nil` behind the last.
func nextRow<Row>(
  of statement: KeptStatement, _ table: String,
  _ read: (borrowing Statement) throws(BadValue) -> Row
) throws(SealedRowsError) -> Row? {
  do {
    guard try statement.statement.step() else { return nil }
  } catch {
    throw .sqlite(error)
  }
  do {
    return try read(statement.statement)
  } catch {
    throw .damage("a row of \(table) has \(error.found) in the column \(error.column)")
  }
}

/// A segment with the session that it belongs to.
package struct SealedSegment: Equatable {
  package var session: Int64
  package var record: SegmentRecord
}

/// Unpacks the segments of a recording. Keeps the one used last, since questions that follow each other
/// mostly ask for frames of the same second.
package final class SealedSegments {
  private let statements: StatementMaker
  private var latest: (segment: SealedSegment, rows: SegmentRowsInFrameOrder)?

  package init(_ statements: StatementMaker) { self.statements = statements }

  /// The segments that have frames of a range, in order.
  ///
  /// - Parameter session: The session. `nil`: all.
  func segments(
    of session: Int64?, frames: ClosedRange<Int64>
  ) throws(SealedRowsError) -> KeptStatement {
    do {
      let text = session == nil ? SegmentTable.inRangeOfAnySession : SegmentTable.inRange
      let values = (session.map { [$0] } ?? []) + [frames.lowerBound, frames.upperBound]
      return KeptStatement(try statements.prepare(text, values))
    } catch {
      throw .sqlite(error)
    }
  }

  /// The next segment of a list. `nil` behind the last.
  static func next(of segments: KeptStatement) throws(SealedRowsError) -> SealedSegment? {
    try nextRow(of: segments, SegmentTable.name, SegmentTable.readWithSession).map {
      SealedSegment(session: $0.session, record: $0.segment)
    }
  }

  /// Decodes every segment, and says of each that cannot be decoded why.
  ///
  /// - Parameters:
  ///   - session: The session. `nil`: all.
  ///   - path: The file, for the errors.
  /// - Throws: ``StoreError``: the list of segments itself cannot be read.
  package func checkBlocks(
    of session: Int64?, path: String, _ takeDamaged: (SealedSegment, StoreError) -> Void
  ) throws(StoreError) {
    let segments = try unsealing(
      path, try segments(of: session, frames: Int64.min...Int64.max))
    while let segment = try unsealing(path, try Self.next(of: segments)) {
      do {
        _ = try rows(of: segment)
      } catch {
        takeDamaged(segment, error.storeError(path))
      }
    }
  }

  /// A segment's rows, each block's checksum looked at.
  func rows(of segment: SealedSegment) throws(SealedRowsError) -> SegmentRowsInFrameOrder {
    if let latest, latest.segment == segment { return latest.rows }
    let blocks = try blocks(of: segment)
    do {
      let rows = try SegmentRows(segment.record) { property throws(SegmentError) in
        guard let block = blocks.first(where: { $0.property == property.rawValue }) else {
          return nil
        }
        let checksum = block.data.withUnsafeBytes {
          BlockChecksum.of($0, property: property, in: segment.record)
        }
        guard checksum == block.checksum else {
          throw SegmentError(property: property, reason: .checksum)
        }
        return block.data
      }
      let ordered = rows.inFrameOrder()
      latest = (segment, ordered)
      return ordered
    } catch {
      throw .damage(Self.damage(of: segment, "\(error.property.rawValue)", error.reason.found))
    }
  }

  /// A segment's blocks as they stand in the file.
  func blocks(of segment: SealedSegment) throws(SealedRowsError) -> [BlockTable.Row] {
    do {
      let statement = try statements.prepare(
        BlockTable.ofSegment, [segment.session, segment.record.firstFrame])
      var blocks: [BlockTable.Row] = []
      while try statement.step() {
        // A row that cannot be read is no block of any property, which is then missing.
        if let block = BlockTable.read(statement) { blocks.append(block) }
      }
      return blocks
    } catch {
      throw .sqlite(error)
    }
  }

  private static func damage(
    of segment: SealedSegment, _ property: String, _ found: String
  ) -> String {
    "the block \(property) of the frames \(segment.record.firstFrame) to \(segment.record.lastFrame) "
      + "of session \(segment.session) cannot be used: \(found)"
  }
}
