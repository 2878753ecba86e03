extension CollectionData.ItemNames: Hashable {
  /// Whether both stand for the same ids in the same order.
  static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    var (leftPiece, rightPiece) = (0, 0)
    var place = 0
    while place < left.count {
      let (leftStart, rightStart) = (
        left.start(ofPiece: leftPiece), right.start(ofPiece: rightPiece)
      )
      let (a, b) = (left.pieces[leftPiece], right.pieces[rightPiece])
      let (leftEnd, rightEnd) = (leftStart + a.indices.count, rightStart + b.indices.count)
      let end = min(leftEnd, rightEnd)
      guard a.isEqual(place - leftStart, to: b, place - rightStart, count: end - place)
      else { return false }
      if leftEnd == end { leftPiece += 1 }
      if rightEnd == end { rightPiece += 1 }
      place = end
    }
    return true
  }

  /// Takes the number of ids alone, since the same ids may be kept in several ways.
  func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension CollectionData.ItemNames.Piece {
  /// Whether `count` ids from a place are the same as those of another piece from its own place.
  fileprivate func isEqual(_ place: Int, to other: Self, _ otherPlace: Int, count: Int) -> Bool {
    switch (self, other) {
    case (.numbered(let prefix, let numbers), .numbered(let otherPrefix, let otherNumbers)):
      // The last slash divides prefix and number, so that no two pairs make the same id.
      prefix == otherPrefix
        && numbers.lowerBound + place == otherNumbers.lowerBound + otherPlace
    case (.listed(let ids), .listed(let others)):
      ids[place..<place + count] == others[otherPlace..<otherPlace + count]
    default:
      (0..<count).allSatisfy { id(at: place + $0) == other.id(at: otherPlace + $0) }
    }
  }
}
