/// The second sentence of an error about an unknown name: the nearest known name, or at most eight of them.
package func remedy(for name: String, among known: [String]) -> String {
  if let near = nearestName(to: name, among: known) { return "Did you mean \(near)?" }
  guard !known.isEmpty else { return "There is none." }
  let more = known.count > 8 ? ", and \(known.count - 8) more" : ""
  return "Known: " + known.prefix(8).joined(separator: ", ") + more + "."
}

/// The known name that a misspelt one most likely means: the first of the nearest within two edits of it,
/// whatever their case. Within one edit for a word of one or two, which is near to everything. Else the first that
/// has the name without its unit: `lag` means `lag_ms`.
package func nearestName(to name: String, among known: [String]) -> String? {
  let limit = name.count <= 2 ? 1 : 2
  var best: (distance: Int, name: String)?
  for candidate in known {
    // Names are short. A huge one is not a misspelling and not worth the quadratic walk.
    guard abs(candidate.count - name.count) <= limit else { continue }
    let distance = editDistance(Array(name.lowercased()), Array(candidate.lowercased()))
    if distance <= limit && distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  return best?.name ?? known.first { $0.hasPrefix(name + "_") }
}

/// The names in the order of their likeness to another one, whatever their case. Those that are equally like it keep
/// their order. Names are compared by their first 40 letters.
package func nearestFirst(to name: String, among known: [String]) -> [String] {
  let letters = Array(name.lowercased().prefix(40))
  let distances = known.map { editDistance(letters, Array($0.lowercased().prefix(40))) }
  return known.indices.sorted { distances[$0] < distances[$1] }.map { known[$0] }
}

/// How many single letters must be inserted, deleted, replaced or exchanged with their neighbour to make one text
/// from the other, where no letter is changed twice (optimal string alignment; Damerau 1964).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var before: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
      var distance = min(replaced, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, before[j - 1] + 1)
      }
      row.append(distance)
    }
    (before, last) = (last, row)
  }
  return last[right.count]
}

/// `$.layouts.grid`, or `$.layouts["my grid"]` for a name that is not a plain word.
func childPath(of path: String, name: String) -> String {
  let isPlain =
    !name.isEmpty
    && name.unicodeScalars.allSatisfy { scalar in
      scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar)
    }
  return isPlain ? "\(path).\(name)" : "\(path)[\(quoted(name, mark: "\""))]"
}
