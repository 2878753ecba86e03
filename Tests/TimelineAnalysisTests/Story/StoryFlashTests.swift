import Testing
import TimelineModel

@testable import MotionJudgement

/// Something that is there for a moment, before it fades in or when it has faded out.
struct StoryFlashTests {
  /// A veil with an opacity at a time after the click, in seconds.
  private func faults(_ alpha: @escaping (Double) -> Double?) throws -> [StoryFact] {
    var page = FilmedPage()
    page.click("go", at: 0.2)
    page.elements.append(
      (
        "veil",
        { time in
          alpha(time - 0.216).map { (Rect2D(x: 0, y: 0, width: 390, height: 800), $0) }
        }
      ))
    return try page.story().faults
  }

  @Test(arguments: [1.0, 0.5])
  func `something that is there before it fades in flashes, however opaque it is meant to be`(
    full: Double
  ) throws {
    let found = try faults { time in
      time < 0 ? 0 : time < 0.04 ? full : min(full, max(0, (time - 0.06) / 0.15) * full)
    }
    #expect(found.map(\.kind) == [.flash])
    let shown = try #require(found.first?.value)
    #expect(abs(shown - 50) < 17)
  }

  @Test func `something that is back for a moment when it has faded out flashes`() throws {
    let found = try faults { time in
      time < 0 ? 1 : time < 0.2 ? 1 - time / 0.22 : time < 0.25 ? 1 : 0
    }
    #expect(found.map(\.kind) == [.flash])
    let first = try #require(found.first?.time)
    #expect(abs(first - 0.416) < 0.02)
  }

  @Test func `a fade, and something that comes back to stay, do not flash`() throws {
    #expect(try faults { time in max(0, min(1, 1 - time / 0.2)) }.isEmpty)
    #expect(try faults { time in max(0, min(0.5, time / 0.4)) }.isEmpty)
    let stays = try faults { time in
      time < 0 ? 1 : time < 0.2 ? 1 - time / 0.22 : 1
    }
    #expect(stays.isEmpty)
  }
}
