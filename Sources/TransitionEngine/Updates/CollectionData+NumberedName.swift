extension CollectionData {
  /// An id of the form that a number of items makes: `<prefix>/<number>`.
  struct NumberedName: Hashable {
    let prefix: String
    let number: Int

    /// Reads an id; nil for one of another form, such as `nuts/`, `nuts/02` or `nuts/-1`.
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
