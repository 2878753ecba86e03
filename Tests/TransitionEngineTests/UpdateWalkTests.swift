import Testing
import TimelineModel
import TransitionEngine

/// A batch update done by the definition, with arrays and loops: it shares no formula with the plan.
struct PlainUpdate {
  /// What stands in each section after the update: old places, nil for what is new.
  var sections: [[ItemIndexPath?]] = []
  /// The old numbers of the sections after the update, nil for a new one.
  var numbers: [Int?] = []

  /// Nil where the operations contradict each other or name what is not there.
  init?(_ operations: [UpdateOperation], before: [Int]) {
    var (left, reloaded, arrived):
      ([ItemIndexPath], [ItemIndexPath], [ItemIndexPath: ItemIndexPath?])
    (left, reloaded, arrived) = ([], [], [:])
    var (leftSections, reloadedSections, arrivedSections): ([Int], [Int], [Int: Int?])
    (leftSections, reloadedSections, arrivedSections) = ([], [], [:])
    for operation in operations {
      switch operation {
      case .deleteItem(let path): left.append(path)
      case .reloadItem(let path): reloaded.append(path)
      case .insertItem(let path):
        guard arrived.updateValue(nil, forKey: path) == nil else { return nil }
      case .moveItem(let from, let to):
        left.append(from)
        guard arrived.updateValue(from, forKey: to) == nil else { return nil }
      case .deleteSection(let section): leftSections.append(section)
      case .reloadSection(let section): reloadedSections.append(section)
      case .insertSection(let section):
        guard arrivedSections.updateValue(nil, forKey: section) == nil else { return nil }
      case .moveSection(let from, let to):
        leftSections.append(from)
        guard arrivedSections.updateValue(from, forKey: to) == nil else { return nil }
      }
    }
    guard Set(left + reloaded).count == left.count + reloaded.count,
      Set(leftSections + reloadedSections).count == leftSections.count + reloadedSections.count,
      (left + reloaded).allSatisfy({
        before.indices.contains($0.section) && (0..<before[$0.section]).contains($0.item)
      }), (leftSections + reloadedSections).allSatisfy(before.indices.contains),
      let numbers = Self.filled(
        before.indices.filter { !leftSections.contains($0) }, arrivedSections)
    else { return nil }
    self.numbers = numbers
    let gone = before.indices.filter { !numbers.contains($0) }
    guard !reloaded.contains(where: { gone.contains($0.section) }),
      !left.contains(where: { reloadedSections.contains($0.section) }),
      arrived.keys.allSatisfy({ numbers.indices.contains($0.section) })
    else { return nil }
    for (new, old) in numbers.enumerated() {
      let arriving = arrived.filter { $0.key.section == new }
      if let old, reloadedSections.contains(old), !arriving.isEmpty { return nil }
      let staying = (0..<(old.map { before[$0] } ?? 0)).map {
        ItemIndexPath(section: old ?? 0, item: $0)
      }
      guard
        let items = Self.filled(
          staying.filter { !left.contains($0) },
          Dictionary(uniqueKeysWithValues: arriving.map { ($0.key.item, $0.value) }))
      else { return nil }
      sections.append(items)
    }
  }

  /// Puts what arrives at its places and lets what stays fill the rest.
  static func filled<Element>(_ staying: [Element], _ arriving: [Int: Element?]) -> [Element?]? {
    let count = staying.count + arriving.count
    guard arriving.keys.allSatisfy((0..<count).contains) else { return nil }
    var rest = staying[...]
    return (0..<count).map { place in
      if let arrived = arriving[place] { return arrived }
      return rest.removeFirst()
    }
  }

  /// What the plan says differently, in words; nil where both agree.
  func difference(from plan: UpdatePlan, before: [Int]) -> String? {
    if plan.counts != sections.map(\.count) { return "counts \(plan.counts)" }
    var leads: [ItemIndexPath: ItemIndexPath] = [:]
    for (section, items) in sections.enumerated() {
      if plan.oldSection(ofNew: section) != numbers[section] { return "old section of \(section)" }
      for (item, old) in items.enumerated() {
        let path = ItemIndexPath(section: section, item: item)
        if plan.oldPath(ofNew: path) != old { return "old path of \(path)" }
        if let old { leads[old] = path }
      }
    }
    for (section, count) in before.enumerated() {
      if plan.newSection(ofOld: section) != numbers.firstIndex(of: section) {
        return "new section of \(section)"
      }
      for item in 0..<count {
        let path = ItemIndexPath(section: section, item: item)
        if plan.newPath(ofOld: path) != leads[path] { return "new path of \(path)" }
      }
    }
    return nil
  }
}

/// Every small batch update, against the plain one.
@Suite struct UpdateWalkTests {
  /// Every operation that names sections and items below the limits.
  static func operations(sections: Int, items: Int) -> [UpdateOperation] {
    let paths = (0..<sections).flatMap { section in
      (0..<items).map { ItemIndexPath(section: section, item: $0) }
    }
    var operations: [UpdateOperation] = []
    for path in paths {
      operations += [.deleteItem(path), .insertItem(path), .reloadItem(path)]
      operations += paths.map { .moveItem(from: path, to: $0) }
    }
    for section in 0..<sections {
      operations += [.deleteSection(section), .insertSection(section), .reloadSection(section)]
      operations += (0..<sections).map { .moveSection(from: section, to: $0) }
    }
    return operations
  }

  /// Compares plan and plain update; whether the operations were taken.
  func agrees(_ operations: [UpdateOperation], _ before: [Int]) -> Bool {
    let plain = PlainUpdate(operations, before: before)
    let plan: UpdatePlan
    do {
      plan = try UpdatePlan(operations, before: before)
    } catch {
      if plain != nil { Issue.record("\(before), \(operations): refused: \(error)") }
      return false
    }
    guard let plain else {
      Issue.record("\(before), \(operations): not refused")
      return true
    }
    if let difference = plain.difference(from: plan, before: before) {
      Issue.record("\(before), \(operations): \(difference)")
    }
    return true
  }

  /// Shapes of up to two sections of up to three items.
  static let shapes: [[Int]] =
    [[]] + (0...3).map { [$0] } + (0...3).flatMap { first in (0...3).map { [first, $0] } }

  @Test(arguments: shapes)
  func `every one and two operations do what the definition says`(_ before: [Int]) {
    // With three items in a section, a third section would make this walk long and show no more.
    let largest = before.max() ?? 0
    let all = Self.operations(
      sections: largest < 3 ? before.count + 1 : before.count, items: largest + 1)
    var taken = 0
    for (index, first) in all.enumerated() {
      if agrees([first], before) { taken += 1 }
      for second in all[index...] where agrees([first, second], before) { taken += 1 }
    }
    #expect(taken > 0)
    #expect(agrees([], before))
  }

  @Test(arguments: [[2], [1, 1], [0, 2]])
  func `every three operations do what the definition says`(_ before: [Int]) {
    let all = Self.operations(sections: 2, items: 2)
    var taken = 0
    for (index, first) in all.enumerated() {
      for (next, second) in all.enumerated().dropFirst(index) {
        for third in all[next...] where agrees([first, second, third], before) { taken += 1 }
      }
    }
    #expect(taken > 100)
  }

  @Test func `the order of the calls changes neither the plan nor the error`() {
    let before = [2, 1]
    let all = Self.operations(sections: 2, items: 3)
    func answer(_ operations: [UpdateOperation]) -> Result<[UpdateItem], UpdateError> {
      do { return .success(try UpdatePlan(operations, before: before).items) } catch {
        return .failure(error)
      }
    }
    for (index, first) in all.enumerated() {
      for second in all[index...] where answer([first, second]) != answer([second, first]) {
        Issue.record("\(first) and \(second) depend on their order")
      }
    }
  }
}
