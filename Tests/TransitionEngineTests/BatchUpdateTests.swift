// More than 400 lines: each example of batch updates, with its numbers.

import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// A view of a few items of 100 × 100 in a column, four frames a second, so that a change of one second
/// is seen at its quarters.
private func column(_ ids: [String], height: Double = 480) throws -> (Stage, HookTrace) {
  let layout = HookTrace(name: "column")
  layout.parameters.itemSize = Size2D(width: 100, height: 100)
  layout.parameters.minimumLineSpacing = 0
  let stage = try Stage(
    viewport: Size2D(width: 100, height: height), refreshRate: 4, from: layout)
  stage.view.data = CollectionData(sections: [.init(id: "s", items: ids)])
  stage.through(0)
  layout.calls = []
  return (stage, layout)
}

private func data(_ sections: [String]...) -> CollectionData {
  CollectionData(
    sections: sections.enumerated().map { .init(id: "s\($0.offset)", items: $0.element) })
}

private func path(_ item: Int, _ section: Int = 0) -> ItemIndexPath {
  ItemIndexPath(section: section, item: item)
}

extension CollectionView {
  /// A batch update of one second.
  fileprivate func update(
    to ids: [String], completion: @escaping (Bool) -> Void = { _ in }, _ body: () throws -> Void
  ) throws {
    var failure: (any Error)?
    try performBatchUpdates(
      duration: 1,
      {
        data = CollectionData(sections: [.init(id: "s", items: ids)])
        do { try body() } catch { failure = error }
      }, completion: completion)
    if let failure { throw failure }
  }
}

private func reasons(_ stage: Stage) -> [String: String] {
  guard case .list(let elements)? = stage.timeline.events(.animation).last?.field("elements") else {
    return [:]
  }
  var reasons: [String: String] = [:]
  for case .object(let fields) in elements {
    var words: [String: String] = [:]
    for field in fields { if case .text(let text) = field.value { words[field.name] = text } }
    var name = words["id"] ?? ""
    // The old content of a reload leaves under the same id.
    if reasons[name] == "reloaded" { name += ", old" }
    #expect(reasons[name] == nil, "one start and one end each")
    reasons[name] = words["reason"]
  }
  return reasons
}

@Suite struct BatchUpdateTests {
  @Test func `an inserted item fades in where it stands, the others make room`() throws {
    let (stage, _) = try column(["a", "b"])
    try stage.view.update(to: ["a", "x", "b"]) { try stage.view.insertItems(at: [path(1)]) }
    for (quarter, alpha) in [(1, 0.25), (2, 0.5), (3, 0.75), (4, 1)] {
      stage.through(Double(quarter) / 4)
      #expect(stage.lastFrame.pose("x")?.alpha == alpha)
      #expect(stage.lastFrame.pose("x")?.frame == Rect2D(x: 0, y: 100, width: 100, height: 100))
      #expect(stage.lastFrame.pose("b")?.frame.minY == 100 + 100 * alpha)
      #expect(stage.lastFrame.pose("b")?.alpha == 1)
      #expect(stage.lastFrame.state.phase == .settling)
    }
    stage.through(1.25)
    #expect(stage.lastFrame.state.phase == .idle)
    #expect(
      reasons(stage) == ["a": "surviving", "b": "surviving", "x": "appearing"])
  }

  @Test func `a deleted item fades out where it stood, and is gone in the last frame`()
    throws
  {
    let (stage, _) = try column(["a", "b", "c"])
    try stage.view.update(to: ["a", "c"]) { try stage.view.deleteItems(at: [path(1)]) }
    stage.through(0.25)
    #expect(stage.lastFrame.pose("b")?.alpha == 0.75)
    #expect(stage.lastFrame.pose("b")?.frame.minY == 100)
    #expect(stage.lastFrame.pose("c")?.frame.minY == 175)
    stage.through(1)
    #expect(stage.lastFrame.ids == ["a", "c"])
    #expect(stage.lastFrame.pose("c")?.frame.minY == 100)
    #expect(stage.lastFrame.state.phase == .settling)
    #expect(reasons(stage) == ["a": "surviving", "b": "disappearing", "c": "surviving"])
  }

  @Test
  func `prepare, then an end for all before and a start for all after, then finalize`()
    throws
  {
    let (stage, layout) = try column(["a", "b"])
    try stage.view.update(to: ["b", "c"]) {
      try stage.view.deleteItems(at: [path(0)])
      try stage.view.insertItems(at: [path(1)])
    }
    #expect(
      layout.calls == [
        "prepare", "prepare updates 2", "final 0.0", "final 0.1", "initial 0.0", "initial 0.1",
        "finalize updates",
      ])
  }

  @Test func `hooks give starts and ends, also of survivors; plain poses give smooth ways`()
    throws
  {
    let (stage, layout) = try column(["a", "b"])
    let pose = Pose(center: Point2D(x: 500, y: 0), size: Size2D(width: 10, height: 10))
    layout.starts[path(1)] = LayoutAttributes(path: .cell(path(1)), pose: pose)
    layout.ends[path(1)] = LayoutAttributes(path: .cell(path(1)), pose: pose)
    try stage.view.update(to: ["a", "c"]) {
      try stage.view.deleteItems(at: [path(1)])
      try stage.view.insertItems(at: [path(1)])
    }
    stage.through(0)
    stage.through(0.25)
    #expect(stage.lastFrame.pose("c")?.center.x == 0.75 * 500 + 0.25 * 50)
    #expect(stage.lastFrame.pose("b")?.center.x == 0.25 * 500 + 0.75 * 50)
    #expect(stage.lastFrame.pose("a")?.center == Point2D(x: 50, y: 50))
  }

  @Test func `a move keeps its identity and goes from place to place`() throws {
    let (stage, _) = try column(["a", "b", "c"])
    try stage.view.update(to: ["c", "a", "b"]) {
      try stage.view.moveItem(at: path(2), to: path(0))
    }
    stage.through(0.5)
    #expect(stage.lastFrame.pose("c")?.frame.minY == 100)
    #expect(stage.lastFrame.pose("a")?.frame.minY == 50)
    #expect(reasons(stage) == ["a": "surviving", "b": "surviving", "c": "moved"])
  }

  /// The poses of an item's contents in the last frame: the one that stays, and the one that leaves.
  private func contents(_ id: String, _ stage: Stage) -> (new: Pose?, old: Pose?) {
    let poses = stage.lastFrame.poses.filter { $0.id == id }.map(\.pose)
    return (poses.first, poses.dropFirst().first)
  }

  @Test func `a reload is a delete and an insert: the new content fades in over the old one`()
    throws
  {
    let (stage, _) = try column(["a", "b"])
    try stage.view.update(to: ["a", "b"]) { try stage.view.reloadItems(at: [path(1)]) }
    #expect(
      reasons(stage) == ["a": "surviving", "b": "reloaded", "b, old": "disappearing"])
    stage.through(0.25)
    let half = contents("b", stage)
    #expect(half.new?.alpha == 0.25)
    #expect(half.old?.alpha == 0.75)
    #expect(half.new?.frame == Rect2D(x: 0, y: 100, width: 100, height: 100))
    #expect(half.old?.frame == half.new?.frame)
    stage.through(1)
    #expect(contents("b", stage).new?.alpha == 1)
    #expect(contents("b", stage).old == nil)
    let old = ElementIdentity(category: .cell, elementKind: "reloaded", id: "b")
    #expect(stage.timeline.items.contains(old), "The old content has a name of its own.")
  }

  @Test func `a reloaded item comes and goes as the layout says of new ones and old ones`()
    throws
  {
    let (stage, layout) = try column(["a", "b"])
    func far(_ x: Double) -> LayoutAttributes {
      LayoutAttributes(
        path: .cell(path(1)),
        pose: Pose(center: Point2D(x: x, y: 150), size: Size2D(width: 100, height: 100)))
    }
    layout.starts[path(1)] = far(950)
    layout.ends[path(1)] = far(450)
    try stage.view.update(to: ["a", "b"]) { try stage.view.reloadItems(at: [path(1)]) }
    stage.through(0.5)
    let (new, old) = contents("b", stage)
    #expect(new?.center.x == 500)
    #expect(old?.center.x == 250)
  }

  @Test func `A reload during a reload takes the place of what was leaving`() throws {
    let (stage, _) = try column(["a"])
    try stage.view.update(to: ["a"]) { try stage.view.reloadItems(at: [path(0)]) }
    stage.through(0.5)
    try stage.view.update(to: ["a"]) { try stage.view.reloadSections([0]) }
    stage.through(1)
    #expect(stage.lastFrame.poses.count == 2)
    let (new, old) = contents("a", stage)
    #expect(new?.alpha == 0.5)
    #expect(old?.alpha == 0.25)
  }

  @Test func `What only a transition places leaves without a jump when it ends in an update`()
    throws
  {
    let header = Size2D(width: 0, height: 10)
    let stage = try Stage(
      items: [2], refreshRate: 1000, from: grid { $0.headerReferenceSize = header },
      to: grid("bare"))
    try stage.view.animateTransition(to: stage.to, duration: 0.4)
    stage.at(0.15)
    try stage.view.performBatchUpdates(duration: 2, {})
    stage.at(0.5)
    try stage.view.startInteractiveTransition(to: stage.from)
    stage.through(3)
    let alphas = stage.timeline.frames.map { $0.pose("s0/header")?.alpha ?? 0 }
    #expect(zip(alphas, alphas.dropFirst()).allSatisfy { abs($0 - $1) < 0.01 })
    #expect(alphas.contains { $0 > 0 && $0 < 1 })
  }

  @Test func `a batch that contradicts itself or the data changes nothing`() throws {
    let (stage, layout) = try column(["a", "b"])
    var completed: [Bool] = []
    #expect(throws: UpdateError.self) {
      try stage.view.update(
        to: ["a", "b"], completion: { completed.append($0) },
        { try stage.view.deleteItems(at: [path(0)]) })
    }
    #expect(throws: UpdateError.self) {
      try stage.view.update(
        to: ["a"], completion: { completed.append($0) },
        {
          try stage.view.deleteItems(at: [path(0)])
          try stage.view.moveItem(at: path(0), to: path(0))
        })
    }
    #expect(layout.calls.isEmpty)
    #expect(completed.isEmpty)
    #expect(stage.view.data.sections[0].items == ["a", "b"])
    #expect(stage.timeline.events(.update).isEmpty)
    let errors = stage.timeline.events(.error).map { $0.field("code") }
    #expect(errors == [.text("itemCountMismatch"), .text("deleteAndMove")])
    #expect(stage.timeline.events(.error).last?.field("indexPaths") == .list([FieldValue(path(0))]))
  }

  @Test func `an element is who the data says, also if the operations say otherwise`() throws {
    let (stage, _) = try column(["a", "b", "c"])
    try stage.view.update(to: ["a", "b", "c"], {})
    try stage.view.update(to: ["c", "x", "a", "b"], { try stage.view.insertItems(at: [path(1)]) })
    stage.through(4)
    #expect(stage.lastFrame.ids == ["c", "x", "a", "b"])
    #expect(stage.lastFrame.pose("c")?.frame.minY == 0)
    // An id that is counted is the same as one that is given.
    try stage.view.performBatchUpdates(duration: 0) {
      stage.view.data = CollectionData(sections: [.init(id: "s", count: 4)])
    }
    try stage.view.performBatchUpdates(duration: 0) {
      stage.view.data = CollectionData(sections: [.init(id: "t", items: ["s/0", "x", "s/2", "b"])])
    }
    stage.through(5)
    #expect(stage.lastFrame.ids == ["s/0", "x", "s/2", "b"])
    #expect(stage.timeline.items.map(\.id) == ["a", "b", "c", "x", "s/0", "s/1", "s/2", "s/3"])
  }

  @Test func `an empty batch animates an invalidation`() throws {
    let (stage, layout) = try column(["a", "b"])
    layout.parameters.minimumLineSpacing = 100
    var completed: [Bool] = []
    try stage.view.performBatchUpdates(duration: 1, {}, completion: { completed.append($0) })
    stage.through(0.5)
    #expect(stage.lastFrame.pose("b")?.frame.minY == 150)
    #expect(stage.lastFrame.poses.allSatisfy { $0.pose.alpha == 1 })
    #expect(completed.isEmpty)
    stage.through(1)
    #expect(completed == [true])
    #expect(stage.lastFrame.pose("b")?.frame.minY == 200)
  }

  @Test func `a layout may say that one of its own views comes or goes; by default none does`()
    throws
  {
    final class Announcing: FlowLayout {
      override func indexPathsToInsertForSupplementaryView(ofKind kind: String) -> [ItemIndexPath] {
        kind == "header" ? [ItemIndexPath(section: 0, item: 0)] : []
      }
    }
    for (layout, reason) in [(FlowLayout(), "surviving"), (Announcing(), "appearing")] {
      layout.parameters.headerReferenceSize = Size2D(width: 10, height: 10)
      #expect(layout.indexPathsToDeleteForSupplementaryView(ofKind: "header").isEmpty)
      #expect(layout.indexPathsToInsertForDecorationView(ofKind: "x").isEmpty)
      #expect(layout.indexPathsToDeleteForDecorationView(ofKind: "x").isEmpty)
      let stage = try Stage(items: [1], refreshRate: 4, from: layout)
      stage.through(0)
      try stage.view.performBatchUpdates(duration: 1, {})
      #expect(reasons(stage)["s0/header"] == reason)
      stage.through(0.25)
      #expect(stage.lastFrame.pose("s0/header")?.alpha == (reason == "appearing" ? 0.25 : 1))
    }
  }

  @Test func `deleted sections go while another layout comes, as one animation`() throws {
    let (stage, _) = try column([])
    stage.view.data = data(["a", "b"], ["k"], ["z"])
    stage.through(0)
    try stage.view.performBatchUpdates(duration: 1) {
      stage.view.data = CollectionData(sections: [stage.view.data.sections[1]])
      try? stage.view.deleteSections([0, 2])
    }
    try stage.view.setCollectionViewLayout(
      fixed("detail", [Rect2D(x: 0, y: 0, width: 100, height: 400)]), animated: true, duration: 1)
    stage.through(0.5)
    // k stood at 200, its place in the detail is 0 with a height of 400.
    #expect(stage.lastFrame.pose("k")?.frame == Rect2D(x: 0, y: 100, width: 100, height: 250))
    #expect(stage.lastFrame.pose("a")?.alpha == 0.5)
    stage.through(1.25)
    #expect(stage.lastFrame.ids == ["k"])
    #expect(stage.view.collectionViewLayout.name == "detail")
  }

  @Test func `Items that come from out of sight come from where they stood`() throws {
    let (stage, _) = try column(["a", "b", "c", "d"], height: 200)
    try stage.view.update(to: ["c", "d"]) { try stage.view.deleteItems(at: [path(0), path(1)]) }
    stage.through(0.5)
    #expect(stage.lastFrame.pose("c")?.frame.minY == 100)
    #expect(stage.lastFrame.pose("d")?.frame.minY == 200)
  }

  @Test func `Items that go out of sight are shown on their way`() throws {
    let (stage, _) = try column(["a", "b"], height: 200)
    try stage.view.update(to: ["x", "y", "a", "b"]) {
      try stage.view.insertItems(at: [path(0), path(1)])
    }
    stage.through(0.5)
    #expect(stage.lastFrame.pose("b")?.frame.minY == 200)
    stage.through(1.25)
    #expect(stage.lastFrame.ids == ["x", "y"])
  }

  @Test func `A second update starts from the screen and interrupts the first`() throws {
    let (stage, _) = try column(["a", "b"])
    var completed: [String] = []
    try stage.view.update(
      to: ["x", "a", "b"], completion: { completed.append("first \($0)") },
      { try stage.view.insertItems(at: [path(0)]) })
    stage.through(0.5)
    let before = stage.lastFrame.poses.map(\.pose.frame.minY).sorted()
    try stage.view.update(
      to: ["a", "b"], completion: { completed.append("second \($0)") },
      { try stage.view.deleteItems(at: [path(0)]) })
    #expect(completed == ["first false"])
    let after = stage.view.screen().elements.map(\.pose.frame.minY).sorted()
    #expect(before == after)
    stage.through(2)
    #expect(completed == ["first false", "second true"])
    #expect(stage.lastFrame.ids == ["a", "b"])
  }

  @Test func `A batch within a batch joins it`() throws {
    let (stage, _) = try column(["a"])
    var completed: [String] = []
    try stage.view.performBatchUpdates(
      duration: 1,
      {
        stage.view.data = CollectionData(sections: [.init(id: "s", items: ["a", "b", "c"])])
        try? stage.view.insertItems(at: [path(2)])
        try? stage.view.performBatchUpdates(
          {
            try? stage.view.insertItems(at: [path(1)])
          }, completion: { completed.append("inner \($0)") })
      }, completion: { completed.append("outer \($0)") })
    #expect(stage.timeline.events(.update).count == 1)
    stage.through(1)
    #expect(completed == ["outer true", "inner true"])
  }

  @Test func `A data source is asked when the block has run`() throws {
    final class Model: CollectionViewDataSource {
      var data = CollectionData(sections: [.init(id: "s", items: ["a"])])
    }
    let (stage, _) = try column(["a"])
    let model = Model()
    stage.view.dataSource = model
    try stage.view.performBatchUpdates(duration: 0) {
      model.data.sections[0].items.append("b")
      try? stage.view.insertItems(at: [path(1)])
    }
    stage.through(0.25)
    #expect(stage.lastFrame.ids == ["a", "b"])
    model.data.sections[0].items.removeAll()
    stage.view.reloadData()
    stage.through(0.5)
    #expect(stage.lastFrame.ids.isEmpty)
  }

  @Test func `the layout says where the viewport rests after an update`() throws {
    let (stage, layout) = try column(["a", "b", "c", "d", "e", "f", "g"])
    layout.target = Point2D(x: 0, y: 100)
    try stage.view.performBatchUpdates(duration: 1, {})
    stage.through(0.5)
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 50))
    stage.through(1)
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 100))
  }

  @Test
  func `an update in the middle of a transition keeps the progress and every number finite`()
    throws
  {
    let (stage, layout) = try column(["a", "b", "c"])
    let detail = grid("detail", Size2D(width: 50, height: 50))
    let transition = try stage.view.startInteractiveTransition(to: detail)
    transition.transitionProgress = 0.5
    stage.view.invalidateLayout()
    try stage.view.update(to: ["a", "c", "d"]) {
      try stage.view.deleteItems(at: [path(1)])
      try stage.view.insertItems(at: [path(2)])
    }
    stage.through(1)
    #expect(stage.view.transitionLayout === transition)
    let mixed = Pose.mixed(
      layout.layoutAttributesForItem(at: path(1))!.pose,
      detail.layoutAttributesForItem(at: path(1))!.pose, progress: 0.5, transforms: .decomposed)
    #expect(stage.lastFrame.pose("c") == mixed)
    #expect(stage.timeline.frames.flatMap(\.poses).allSatisfy { $0.pose.isFinite })
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(stage.lastFrame.ids == ["a", "c", "d"])
  }

  @Test func `Taking a view down in the middle of an update completes it with false`() throws {
    var completed: [Bool] = []
    do {
      let (stage, _) = try column(["a"])
      try stage.view.update(
        to: [], completion: { completed.append($0) },
        { try stage.view.deleteItems(at: [path(0)]) })
    }
    #expect(completed == [false])
  }
}
