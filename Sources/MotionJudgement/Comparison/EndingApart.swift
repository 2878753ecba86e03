import JSONText
package import TimelineModel
import TimelineStore

extension LayoutComparison {
  /// An element that one session ends with on the screen and the other one off it.
  package struct EndingApart: Sendable, Hashable {
    /// Who it is.
    package var identity: ElementIdentity
    /// The session that ends with it off the screen, "A" or "B".
    package var offIn: String

    /// Compares the last frames. What is hidden, transparent or gone is neither on the screen nor off it.
    static func all(
      _ identities: [ElementIdentity], _ a: (LayoutSide, LayoutSight),
      _ b: (LayoutSide, LayoutSight)
    ) -> [EndingApart] {
      var found: [(rank: Int, distance: Double, element: EndingApart)] = []
      for (index, identity) in identities.enumerated() {
        for (name, off, on) in [("A", a, b), ("B", b, a)]
        where off.0.ways[index] != nil
          && !off.1.holds(off.0.shown[index].frame, offset: off.0.shownOffset)
        {
          let end = on.0.shown[index]
          guard on.1.shows(end, offset: on.0.shownOffset) else { continue }
          found.append(
            (
              rank: a.0.seenFirst[index] && b.0.seenFirst[index] ? 0 : 1,
              distance: on.1.distanceFromMiddle(end.frame, offset: on.0.shownOffset),
              element: EndingApart(identity: identity, offIn: name)
            ))
        }
      }
      return found.sorted {
        ($0.rank, $0.distance, $0.element.identity.orderText)
          < ($1.rank, $1.distance, $1.element.identity.orderText)
      }.map(\.element)
    }
  }
}
