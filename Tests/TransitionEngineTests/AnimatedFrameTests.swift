import MotionPhysics
import TestSupport
import Testing
import TimelineModel

@testable import TransitionEngine

@Suite struct AnimatedFrameTests {
  /// The frames come from ways that were gathered once, the screen from each element anew.
  @Test(arguments: 0..<8) func `a frame of an update has the bits of the screen`(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let stage = try Stage(
      items: [6, 9],
      from: grid("flow", Size2D(width: 70, height: 70)) {
        $0.headerReferenceSize = Size2D(width: 10, height: 20)
      })
    let view = stage.view
    view.reentry = .retarget
    var compared = 0
    for round in 0..<30 {
      let section = round % 2
      var items = view.data.sections[section].items
      let (out, into) = (
        Int.random(in: 0..<items.count, using: &random),
        Int.random(in: 0..<items.count, using: &random)
      )
      items.remove(at: out)
      items.insert("new \(round)", at: into)
      var data = view.data
      data.sections[section].items = items
      try view.performBatchUpdates(duration: 0.2) {
        try? view.update([
          .deleteItem(ItemIndexPath(section: section, item: out)),
          .insertItem(ItemIndexPath(section: section, item: into)),
          .reloadItem(ItemIndexPath(section: 1 - section, item: 2)),
        ])
        view.data = data
      }
      // A transition that takes over from another one hands on its velocity.
      if round % 5 == 4 {
        for layout in [stage.to, stage.from] {
          try view.startInteractiveTransition(to: layout).transitionProgress = 0.4
          view.invalidateLayout()
          for _ in 0..<4 { stage.clock.advanceToNextFrame() }
        }
        view.interruptTransition()
      }
      for step in 0..<Int.random(in: 3..<16, using: &random) {
        if step == 2 {
          view.scroll(to: Point2D(x: 0, y: Double.random(in: 0...90, using: &random)))
        }
        if step == 5 { view.invalidateLayout() }
        stage.clock.advanceToNextFrame()
        guard view.state == .idle, view.isMovingByItself else { continue }
        let (shown, expected) = (stage.lastFrame.poses, view.screen().elements)
        #expect(shown.map(\.indexPath) == expected.map(\.path.indexPath))
        #expect(zip(shown, expected).allSatisfy { $0.pose.hasSameBits(as: $1.pose) })
        compared += 1
      }
    }
    #expect(compared > 100)
  }
}

@Suite struct PathTableTests {
  @Test(arguments: 0..<20) func `a table of numbers holds what a dictionary holds`(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var table = NumberTable<Int>()
    var dictionary: [Int: Int] = [:]
    // Up, down, far away, and the ends of all numbers.
    let ranges = [0...40, -300...30, 200...400, 0...1_000_000, Int.min...Int.min + 2]
    func number() -> Int {
      if Int.random(in: 0..<30, using: &random) == 0 { return .max }
      return Int.random(in: ranges.randomElement(using: &random) ?? 0...0, using: &random)
    }
    for value in 0..<600 {
      let place = number()
      table.set(value, at: place)
      dictionary[place] = value
      let other = number()
      #expect(table[other] == dictionary[other])
    }
    for (place, value) in dictionary { #expect(table[place] == value) }
  }

  @Test(arguments: 0..<20) func `a table holds what a dictionary holds`(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var table = PathTable<Int>()
    var dictionary: [ElementPath: Int] = [:]
    func path() -> ElementPath {
      // Runs, gaps, and now and then something far away or of another category.
      let item =
        [0..<40, 30..<400, 0..<1_000_000][Int.random(in: 0..<3, using: &random)]
        .randomElement(using: &random) ?? 0
      return ElementPath(
        category: Int.random(in: 0..<5, using: &random) == 0 ? .decoration : .cell,
        indexPath: ItemIndexPath(section: Int.random(in: 0..<3, using: &random), item: item))
    }
    for number in 0..<400 {
      let place = path()
      table.set(number, at: place)
      dictionary[place] = number
      let other = path()
      #expect(table[other] == dictionary[other])
    }
    for (place, number) in dictionary { #expect(table[place] == number) }
    #expect(table[.cell(ItemIndexPath(section: -1, item: .min))] == nil)
  }
}
