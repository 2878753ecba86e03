/// Whether a text is what a pattern says: `*` stands for any text, also none, and `?` for one letter.
///
/// - Complexity: the product of both lengths at worst, and no more for many stars.
package func matches(_ pattern: String, _ text: String) -> Bool {
  let (pattern, text) = (Array(pattern.unicodeScalars), Array(text.unicodeScalars))
  var (p, t) = (0, 0)
  var star: (pattern: Int, text: Int)?
  while t < text.count {
    if p < pattern.count, pattern[p] == "*" {
      star = (p, t)
      p += 1
    } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
      (p, t) = (p + 1, t + 1)
    } else if let last = star {
      // The last star takes one letter more.
      star = (last.pattern, last.text + 1)
      (p, t) = (last.pattern + 1, last.text + 1)
    } else {
      return false
    }
  }
  return pattern[p...].allSatisfy { $0 == "*" }
}

extension Collection {
  /// Those of a name, or without one those that match it as a pattern.
  func named(_ name: String, _ path: (Element) -> String) -> [Element] {
    let exact = filter { path($0) == name }
    guard exact.isEmpty, name.contains("*") || name.contains("?") else { return exact }
    // How long the display gives a frame is a setting, and how an element was found is not motion.
    return filter {
      TimelineSession.matches(name, path($0)) && path($0) != Frames.displayIntervalKey
        && !ElementErrors.describes(path($0))
    }
  }
}
