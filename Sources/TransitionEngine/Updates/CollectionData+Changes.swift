import TimelineModel

extension CollectionData {
  /// The data after a batch update. Ids stay with their items through moves and reloads.
  ///
  /// - Parameter changes: The changes, in any order, with the numberings of ``UpdateOperation``.
  /// - Throws: An ``UpdateError`` for what `UpdatePlan` refuses, and for an inserted id that
  ///   another item, or for a section another section, has after the update.
  /// - Complexity: O(changes · log changes + sections + pieces). Without inserts, listed ids are
  ///   touched only in the sections that change, and with inserts each is looked at once.
  public func applying(_ changes: [DataChange]) throws(UpdateError) -> CollectionData {
    try updated(by: changes).data
  }

  /// The data after a batch update, and the plan that led to it.
  ///
  /// - Throws: As ``applying(_:)``.
  package func updated(
    by changes: [DataChange]
  ) throws(UpdateError) -> (data: CollectionData, plan: UpdatePlan) {
    let arrivals = Arrivals(changes)
    let plan = try UpdatePlan(
      changes.map(\.operation), before: itemCounts,
      brought: arrivals.sections.mapValues(\.itemCount))
    var staying: [ItemNames] = []
    var sections: [Section] = []
    for new in plan.counts.indices {
      let old = plan.oldSection(ofNew: new)
      guard var section = old.map({ self.sections[$0] }) ?? arrivals.sections[new] else { continue }
      if let old {
        section.names = section.names.without(plan.renumbering.sources[old])
        staying.append(section.names)
      }
      section.names = joined(new, section.names, by: plan, with: arrivals)
      sections.append(section)
    }
    staying += plan.renumbering.items.movesByTarget.map { move in
      self.sections[move.from.section].names.part([move.from.item..<move.from.item + 1])
    }
    try arrivals.checkSectionIDs(of: sections)
    try arrivals.checkItemIDs(against: staying)
    return (CollectionData(sections: sections), plan)
  }

  /// The ids of a section after the update: those that stay, and between them the ids that are inserted and
  /// moved into it.
  private func joined(
    _ section: Int, _ staying: ItemNames, by plan: UpdatePlan, with arrivals: Arrivals
  ) -> ItemNames {
    let joining = plan.renumbering.targets[section]
    guard !joining.isEmpty else { return staying }
    var names = ItemNames()
    var taken = 0
    for item in joining {
      let next = taken + item - names.count
      names.append(taken..<next, of: staying)
      taken = next
      let path = ItemIndexPath(section: section, item: item)
      if let from = plan.renumbering.items.source(ofMoved: path) {
        names.append(from.item..<from.item + 1, of: sections[from.section].names)
      } else if let id = arrivals.items[path] {
        names.append(.listed([id]))
      }
    }
    names.append(taken..<staying.count, of: staying)
    return names
  }
}

extension CollectionData.ItemNames {
  /// The ids but for those at some places, sorted ascending.
  fileprivate func without(_ positions: some RandomAccessCollection<Int>) -> Self {
    positions.isEmpty ? self : part(positions.gaps(upTo: count))
  }

  /// The ids at some places.
  fileprivate func part(_ positions: [Range<Int>]) -> Self {
    var part = Self()
    for index in positions { part.append(index, of: self) }
    return part
  }
}
