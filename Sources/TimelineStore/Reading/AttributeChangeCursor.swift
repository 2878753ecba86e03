/// Changes of elements in the order of frames and elements, from plain rows and from sealed ones.
package final class AttributeChangeCursor {
  private let plain: RowCursor<(frame: Int64, change: AttributeChange)>
  private let beginSealed: () throws(SealedRowsError) -> SealedRowCursor
  private var sealed: SealedRowCursor?
  private let path: String
  private var pending: (frame: Int64, change: AttributeChange)?
  private var hasBegun = false

  /// Merges two sources that are each in order.
  ///
  /// - Parameters:
  ///   - plain: The rows of the table.
  ///   - sealed: Makes the rows of blocks. It is asked when the first plain row has been read, so that
  ///     both see one state of a file that is being recorded: a row is in the table or in a block, never
  ///     in both or in none.
  ///   - path: The file, for errors.
  init(
    plain: RowCursor<(frame: Int64, change: AttributeChange)>, path: String,
    sealed: @escaping () throws(SealedRowsError) -> SealedRowCursor
  ) {
    self.plain = plain
    beginSealed = sealed
    self.path = path
  }

  /// The next change; nil after the last.
  package func next() throws(StoreError) -> (frame: Int64, change: AttributeChange)? {
    if !hasBegun {
      hasBegun = true
      pending = try plain.next()
      sealed = try unsealing(path, try beginSealed())
    }
    guard let sealed, let frame = sealed.frame, let rows = sealed.rows else {
      return try takePlain()
    }
    if let pending, pending.frame <= frame {
      guard pending.frame < frame else {
        throw .damaged(
          path, "the attributes of frame \(frame) are stored both as rows and in blocks")
      }
      return try takePlain()
    }
    let change = rows.change(at: sealed.position)
    try unsealing(path, try sealed.advance())
    return (frame, change)
  }

  private func takePlain() throws(StoreError) -> (frame: Int64, change: AttributeChange)? {
    guard let row = pending else { return nil }
    pending = try plain.next()
    return row
  }
}

@available(*, unavailable, message: "its reader's connection belongs to one thread at a time")
extension AttributeChangeCursor: Sendable {}
