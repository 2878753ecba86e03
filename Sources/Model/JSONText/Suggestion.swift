/// " Did you mean "itemSize"?" for a known name within two letters of the given one; else nothing.
func suggestion(_ name: String, _ known: [String]) -> String {
  nearestName(to: name, among: known).map { " Did you mean \"\($0)\"?" } ?? ""
}

/// The known name that a misspelt one most likely means: the first of those within two letters of it,
/// whatever their case; within one letter for a word of one or two, which is near to everything.
package func nearestName(to name: String, among known: [String]) -> String? {
  let limit = name.count <= 2 ? 1 : 2
  var best: (distance: Int, name: String)?
  for candidate in known {
    // Names are short; a huge one is no misspelling and not worth the quadratic walk.
    guard abs(candidate.count - name.count) <= limit else { continue }
    let distance = editDistance(Array(name.lowercased()), Array(candidate.lowercased()))
    if distance <= limit && distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  return best?.name
}

/// How many single letters must be put in, taken out or replaced to make one text from the other
/// (Levenshtein 1966, the usual two-row table).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var row = Array(0...right.count)
  for (i, leftCharacter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, rightCharacter) in right.enumerated() {
      let replaced = diagonal + (leftCharacter == rightCharacter ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
    }
  }
  return row[right.count]
}

/// `$.layouts.grid`, or `$.layouts["my grid"]` for a name that is no plain word.
func childPath(of path: String, name: String) -> String {
  let isPlain =
    !name.isEmpty
    && name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar)
    }
  return isPlain ? "\(path).\(name)" : "\(path)[\(quoted(name))]"
}
