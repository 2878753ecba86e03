extension CollectionData {
  /// One section: its id and the ids of its items.
  ///
  /// Two sections are equal when they stand for the same ids, however these were given. Comparing
  /// costs O(pieces) where both were counted and at most O(items). The hash takes the id and the
  /// number of items alone.
  public struct Section: Hashable, Sendable {
    /// The section's stable id.
    public var id: String
    var names: ItemNames

    /// Makes a section from the ids of its items.
    public init(id: String, items: [String]) {
      self.init(id: id, names: ItemNames(.listed(items)))
    }

    /// Makes a section of `count` items with the ids `<id>/0`, `<id>/1`, …. A negative count is 0,
    /// and one above half the largest integer is taken as that.
    ///
    /// The ids are made when they are asked for, so a million items cost nothing here.
    public init(id: String, count: Int) {
      let count = min(max(0, count), UpdatePlan.countLimit)
      self.init(id: id, names: ItemNames(.numbered(prefix: id, numbers: 0..<count)))
    }

    init(id: String, names: ItemNames) {
      self.id = id
      self.names = names
    }

    /// How many items the section has.
    public var itemCount: Int { names.count }

    /// The id of one item. `nil` outside the section.
    ///
    /// - Complexity: O(log pieces), where an update that takes an item out of a counted section, or
    ///   puts one in, cuts it into one piece more.
    public func itemID(_ item: Int) -> String? { names.id(at: item) }

    /// The ids of all items in order.
    ///
    /// - Complexity: O(items).
    public var items: [String] {
      get { names.all }
      set { names = ItemNames(.listed(newValue)) }
    }
  }
}
