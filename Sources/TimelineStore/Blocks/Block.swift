/// A block of a segment on its way to or from its row.
package struct Block: Equatable, Sendable {
  /// What it holds.
  package var property: BlockProperty
  /// Its bytes.
  package var data: [UInt8]

  /// Makes a block.
  package init(property: BlockProperty, data: [UInt8]) {
    self.property = property
    self.data = data
  }
}

/// Why a segment's rows could not be read, and in which block.
package struct SegmentError: Error, Equatable, Sendable {
  /// The block.
  package var property: BlockProperty
  /// What is wrong with it.
  package var reason: BlockError
}
