/// Changes of elements in the order of frames and elements, from plain rows and from sealed ones.
final class AttributeChangeCursor {
  private let plain: RowCursor<(frame: Int64, change: AttributeChange)>
  private let sealed: SealedRowCursor?
  private let path: String
  private var pending: (frame: Int64, change: AttributeChange)?
  private var hasBegun = false

  /// Merges two sources that are each in order.
  ///
  /// - Parameters:
  ///   - plain: The rows of the table.
  ///   - sealed: The rows of blocks; nil where there are none.
  ///   - path: The file, for errors.
  init(
    plain: RowCursor<(frame: Int64, change: AttributeChange)>, sealed: SealedRowCursor?,
    path: String
  ) {
    self.plain = plain
    self.sealed = sealed
    self.path = path
  }

  /// The next change; nil after the last.
  func next() throws(StoreError) -> (frame: Int64, change: AttributeChange)? {
    if !hasBegun {
      hasBegun = true
      pending = try plain.next()
    }
    guard let sealed, let frame = sealed.frame, let rows = sealed.rows else {
      return try takePlain()
    }
    if let pending, pending.frame <= frame {
      guard pending.frame < frame else {
        throw .damaged(path, "the attributes of frame \(frame) stand both as rows and in blocks")
      }
      return try takePlain()
    }
    let change = rows.change(at: sealed.place)
    do {
      try sealed.advance()
    } catch {
      throw error.storeError(path)
    }
    return (frame, change)
  }

  private func takePlain() throws(StoreError) -> (frame: Int64, change: AttributeChange)? {
    guard let row = pending else { return nil }
    pending = try plain.next()
    return row
  }
}
