extension String {
  /// This text with another one in the place of a word, wherever it stands or at the first places.
  ///
  /// The standard library's own way comes with the engine for regular expressions, a megabyte in every app that records.
  ///
  /// - Parameters:
  ///   - word: The word, of at least one byte; compared byte by byte.
  ///   - other: The text in its place.
  ///   - most: At how many places.
  /// - Complexity: O(n) in the length of the text.
  package func substituting(_ word: String, with other: String, most: Int = .max) -> String {
    let (text, word) = (Array(utf8), Array(word.utf8))
    guard let first = word.first else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var (index, left) = (0, most)
    while index < text.count {
      if left > 0, text[index] == first, text[index...].starts(with: word) {
        result += other.utf8
        (index, left) = (index + word.count, left - 1)
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
