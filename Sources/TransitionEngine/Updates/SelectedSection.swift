/// Which part of the data a drill-down shows: everything, or one section.
///
/// The data stays whole. Selecting deletes all other sections in the batch update that runs with the
/// transition, and going back inserts them again.
package enum SelectedSection: Hashable, Sendable {
  /// Everything.
  case none
  /// One section by its number in the whole data. A number that the data does not have shows
  /// everything.
  case item(Int)

  /// The part of the whole data that is shown.
  package func shown(of all: CollectionData) -> CollectionData {
    CollectionData(sections: shownSections(of: all).map { all.sections[$0] })
  }

  /// The numbers of the sections to delete when this is selected while everything is shown:
  /// ascending, all but the selected one.
  package func deletedSections(of all: CollectionData) -> [Int] {
    let shown = shownSections(of: all)
    return all.sections.indices.filter { !shown.contains($0) }
  }

  /// The update that leads from this selection to another one, as one batch update.
  package func changes(to other: SelectedSection, of all: CollectionData) -> [DataChange] {
    let (old, new) = (shownSections(of: all), other.shownSections(of: all))
    let deletes = old.enumerated().filter { !new.contains($0.element) }
      .map { DataChange.deleteSection($0.offset) }
    let inserts = new.enumerated().filter { !old.contains($0.element) }
      .map { DataChange.insertSection($0.offset, all.sections[$0.element]) }
    return deletes + inserts
  }

  /// The numbers in the whole data of the shown sections: always neighbours.
  private func shownSections(of all: CollectionData) -> Range<Int> {
    if case .item(let section) = self, all.sections.indices.contains(section) {
      return section..<section + 1
    }
    return all.sections.indices
  }
}
