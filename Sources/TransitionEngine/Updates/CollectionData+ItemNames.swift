extension CollectionData {
  /// The ids of a section's items: listed one by one, or a prefix with a range of numbers, or pieces
  /// of both. An edit cuts pieces and joins what fits. It never spells out a counted id.
  struct ItemNames: Sendable {
    /// Neighbouring ids that are kept in one way.
    enum Piece: Sendable {
      /// Ids that were given one by one.
      case listed([String])
      /// The ids `<prefix>/<number>` of a range of numbers.
      case numbered(prefix: String, numbers: Range<Int>)
    }

    /// The pieces in order. None is empty.
    private(set) var pieces: [Piece] = []
    /// The number of ids up to the end of each piece.
    private var ends: [Int] = []

    init() {}

    init(_ piece: Piece) { append(piece) }

    /// How many ids there are.
    var count: Int { ends.last ?? 0 }

    /// All ids in order.
    var all: [String] { pieces.flatMap { piece in piece.indices.map(piece.id(at:)) } }

    /// The id at a place. `nil` where there is none.
    func id(at position: Int) -> String? {
      guard position >= 0, position < count else { return nil }
      let number = pieces.count == 1 ? 0 : ends.firstOrdered { $0 > position }
      return pieces[number].id(at: position - start(ofPiece: number))
    }

    /// The first place of an id.
    func index(of wanted: String) -> Int? {
      let numbered = NumberedName(wanted)
      for (number, piece) in pieces.enumerated() {
        let position: Int?
        switch piece {
        case .listed(let ids):
          position = ids.firstIndex(of: wanted)
        case .numbered(let prefix, let numbers):
          guard let numbered, numbered.prefix == prefix, numbers.contains(numbered.number)
          else { continue }
          position = numbered.number - numbers.lowerBound
        }
        if let position { return start(ofPiece: number) + position }
      }
      return nil
    }

    func start(ofPiece number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }

    /// Adds a piece after the others, and joins it with the last where they fit.
    mutating func append(_ piece: Piece) {
      let size = piece.indices.count
      guard size > 0 else { return }
      let end = count + size
      if case .listed(let more) = piece, case .listed? = pieces.last,
        // Taken out, so that the list grows in place.
        case .listed(var ids)? = pieces.popLast()
      {
        ids += more
        pieces.append(.listed(ids))
        ends[ends.count - 1] = end
      } else if case .numbered(let next, let more) = piece,
        case .numbered(let prefix, let numbers)? = pieces.last,
        prefix == next, numbers.upperBound == more.lowerBound
      {
        pieces[pieces.count - 1] = .numbered(
          prefix: prefix, numbers: numbers.lowerBound..<more.upperBound)
        ends[ends.count - 1] = end
      } else {
        pieces.append(piece)
        ends.append(end)
      }
    }

    /// Adds the ids at some places of another section after the others.
    mutating func append(_ positions: Range<Int>, of other: ItemNames) {
      guard !positions.isEmpty else { return }
      var number = other.ends.firstOrdered { $0 > positions.lowerBound }
      while number < other.pieces.count, other.start(ofPiece: number) < positions.upperBound {
        let start = other.start(ofPiece: number)
        let piece = other.pieces[number]
        let part = positions.clamped(to: start..<start + piece.indices.count)
        append(piece.part(part.lowerBound - start..<part.upperBound - start))
        number += 1
      }
    }
  }
}

extension CollectionData.ItemNames.Piece {
  /// The places of its ids, counted from its own beginning.
  var indices: Range<Int> {
    switch self {
    case .listed(let ids): ids.indices
    case .numbered(_, let numbers): 0..<numbers.count
    }
  }

  /// The id at one of the ``indices``.
  func id(at position: Int) -> String {
    switch self {
    case .listed(let ids): ids[position]
    case .numbered(let prefix, let numbers): "\(prefix)/\(numbers.lowerBound + position)"
    }
  }

  /// The ids at some of the ``indices``.
  func part(_ positions: Range<Int>) -> Self {
    switch self {
    case .listed(let ids):
      positions == ids.indices ? self : .listed(Array(ids[positions]))
    case .numbered(let prefix, let numbers):
      .numbered(
        prefix: prefix,
        numbers: numbers.lowerBound + positions.lowerBound..<numbers.lowerBound
          + positions.upperBound)
    }
  }
}

extension CollectionData.ItemNames: Hashable {
  /// Whether both stand for the same ids in the same order.
  static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    var (leftPiece, rightPiece) = (0, 0)
    var position = 0
    while position < left.count {
      let (leftStart, rightStart) = (
        left.start(ofPiece: leftPiece), right.start(ofPiece: rightPiece)
      )
      let (a, b) = (left.pieces[leftPiece], right.pieces[rightPiece])
      let (leftEnd, rightEnd) = (leftStart + a.indices.count, rightStart + b.indices.count)
      let end = min(leftEnd, rightEnd)
      guard a.isEqual(position - leftStart, to: b, position - rightStart, count: end - position)
      else { return false }
      if leftEnd == end { leftPiece += 1 }
      if rightEnd == end { rightPiece += 1 }
      position = end
    }
    return true
  }

  /// Takes the number of ids alone, since the same ids may be kept in several ways.
  func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension CollectionData.ItemNames.Piece {
  /// Whether `count` ids from a place are the same as those of another piece from its own place.
  fileprivate func isEqual(_ position: Int, to other: Self, _ otherPosition: Int, count: Int)
    -> Bool
  {
    switch (self, other) {
    case (.numbered(let prefix, let numbers), .numbered(let otherPrefix, let otherNumbers)):
      // The last slash divides prefix and number, so that no two pairs make the same id.
      prefix == otherPrefix
        && numbers.lowerBound + position == otherNumbers.lowerBound + otherPosition
    case (.listed(let ids), .listed(let others)):
      ids[position..<position + count] == others[otherPosition..<otherPosition + count]
    default:
      (0..<count).allSatisfy { id(at: position + $0) == other.id(at: otherPosition + $0) }
    }
  }
}
