extension CollectionData {
  /// A set of item ids that keeps counted ones as ranges of numbers.
  struct KnownNames {
    /// Ids of any other form.
    private var plain = Set<String>()
    /// Of ids `<prefix>/<number>`, the numbers by prefix: sorted and disjoint.
    private var numbered: [String: [Range<Int>]] = [:]

    var isEmpty: Bool { plain.isEmpty && numbered.isEmpty }

    /// Takes in the ids of some lists, and says which list is the first to repeat an id of its own
    /// or of one before it. `nil` where all ids are different.
    ///
    /// - Complexity: O(n log n) in the listed ids and the pieces.
    mutating func formUnion(_ lists: [ItemNames]) -> Int? {
      var repeating: Int?
      var claims: [String: [(numbers: Range<Int>, list: Int)]] = [:]
      for (number, list) in lists.enumerated() {
        for piece in list.pieces {
          switch piece {
          case .numbered(let prefix, let numbers):
            claims[prefix, default: []].append((numbers, number))
          case .listed(let ids):
            for id in ids {
              if let name = NumberedName(id), name.number < Int.max {
                let numbers = name.number..<name.number + 1
                claims[name.prefix, default: []].append((numbers, number))
              } else if !plain.insert(id).inserted {
                repeating = min(repeating ?? number, number)
              }
            }
          }
        }
      }
      // The order of the prefixes does not show: the smallest number of a list is kept.
      for (prefix, claims) in claims {
        let sorted = claims.sorted {
          ($0.numbers.lowerBound, $0.list) < ($1.numbers.lowerBound, $1.list)
        }
        for (claim, next) in zip(sorted, sorted.dropFirst())
        where claim.numbers.upperBound > next.numbers.lowerBound {
          let later = max(claim.list, next.list)
          repeating = min(repeating ?? later, later)
        }
        numbered[prefix] = sorted.map(\.numbers)
      }
      return repeating
    }

    /// The first id of some lists that is known.
    func firstShared(with lists: [ItemNames]) -> String? {
      guard !isEmpty else { return nil }
      for list in lists {
        for piece in list.pieces {
          if let id = firstShared(with: piece) { return id }
        }
      }
      return nil
    }

    private func firstShared(with piece: ItemNames.Piece) -> String? {
      switch piece {
      case .numbered(let prefix, let numbers):
        guard let number = firstKnown(prefix, in: numbers) else { return nil }
        return piece.id(at: number - numbers.lowerBound)
      case .listed(let ids):
        return ids.first { id in
          if plain.contains(id) { return true }
          guard !numbered.isEmpty, let name = NumberedName(id), name.number < Int.max
          else { return false }
          return firstKnown(name.prefix, in: name.number..<name.number + 1) != nil
        }
      }
    }

    private func firstKnown(_ prefix: String, in numbers: Range<Int>) -> Int? {
      guard let ranges = numbered[prefix] else { return nil }
      let index = ranges.firstOrdered { $0.upperBound > numbers.lowerBound }
      guard index < ranges.count, ranges[index].lowerBound < numbers.upperBound else { return nil }
      return max(numbers.lowerBound, ranges[index].lowerBound)
    }
  }
}

extension CollectionData {
  /// An id of the form that a number of items makes: `<prefix>/<number>`.
  struct NumberedName: Hashable {
    let prefix: String
    let number: Int

    /// Reads an id. `nil` for one of another form, such as `nuts/`, `nuts/02` or `nuts/-1`.
    init?(_ id: String) {
      guard let slash = id.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      let digits = id.utf8[id.utf8.index(after: slash)...]
      guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        digits.first != UInt8(ascii: "0") || digits.count == 1,
        let number = Int(Substring(digits))
      else { return nil }
      self.prefix = String(id[..<slash])
      self.number = number
    }
  }
}
