import MotionJudgement
package import MotionMeasures
import TimelineModel
import TimelineStore

/// Which session of the base goes with which session of the new side.
package struct GroupPairing: Sendable, Hashable {
  /// How the pairs were found.
  package enum Way: String, Sendable, CaseIterable {
    /// Every session has a name that no other one on its side has: equal names go together.
    case name
    /// The first goes with the first, the second with the second.
    case order
  }

  /// How the pairs were found.
  package var way: Way
  /// Places of the sessions that go together, in the order of the base.
  package var pairs: [(base: Int, new: Int)] {
    zip(baseIndices, newIndices).map { ($0, $1) }
  }
  private var baseIndices: [Int]
  private var newIndices: [Int]

  /// Finds the pairs.
  ///
  /// By name where every session on both sides has one, none twice on a side, and at least one is on both sides.
  /// Names that are on one side only are left out. Else by order, for which both sides must have as many.
  ///
  /// - Throws: ``MotionMeasures/QueryError`` where they have not.
  package init(_ base: [GroupRun], _ new: [GroupRun]) throws(QueryError) {
    if let baseNames = GroupPairing.positions(base), let newNames = GroupPairing.positions(new) {
      let names = base.compactMap(\.session.description.name).filter { newNames[$0] != nil }
      if !names.isEmpty {
        way = .name
        baseIndices = names.compactMap { baseNames[$0] }
        newIndices = names.compactMap { newNames[$0] }
        return
      }
    }
    guard base.count == new.count else {
      throw QueryError(
        "The \(base.count) base and \(new.count) new sessions cannot be paired. Give the sessions of each side different "
          + "names, or both sides the same number of sessions.")
    }
    way = .order
    baseIndices = Array(base.indices)
    newIndices = Array(new.indices)
  }

  /// Whether both sides have the same names, at least two, and none twice: then each session has its like.
  package static func haveEqualNames(_ base: [GroupRun], _ new: [GroupRun]) -> Bool {
    guard let names = positions(base), let others = positions(new) else { return false }
    return names.count > 1 && Set(names.keys) == Set(others.keys)
  }

  /// The place of each name. `nil` where a name is missing or there twice.
  private static func positions(_ runs: [GroupRun]) -> [String: Int]? {
    var positions: [String: Int] = [:]
    for (index, run) in runs.enumerated() {
      guard let name = run.session.description.name,
        positions.updateValue(index, forKey: name) == nil
      else { return nil }
    }
    return positions
  }

  /// The numbers of those pairs of which both sessions tell one.
  func measured(
    _ base: ArraySlice<OptionalNumber>, _ new: ArraySlice<OptionalNumber>
  ) -> [(base: Double, new: Double)] {
    zip(baseIndices, newIndices).compactMap { first, second in
      base[base.startIndex + first].value.flatMap { before in
        new[new.startIndex + second].value.map { (before, $0) }
      }
    }
  }
}
