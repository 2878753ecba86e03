import MotionPhysics
import Testing
import TimelineModel

@Suite struct InterpolationTests {
  @Test func `the ends are exact and the way between them is straight`() {
    #expect(lerp(0.1, 0.3, 0) == 0.1)
    #expect(lerp(0.1, 0.3, 1) == 0.3)
    #expect(lerp(10, 20, 0.25) == 12.5)
    #expect(lerp(5530, 34610, 0.25) == 12800)
  }

  @Test(arguments: [(0.25, 2829.0), (0.5, 4658), (1.05, 8681.8), (-0.1, 268.4)])
  func `outside 0 to 1 it goes on`(progress: Double, y: Double) {
    let offset = lerp(Point2D(x: 0, y: 1000), Point2D(x: 0, y: 8316), progress)
    #expect(abs(offset.y - y) < 1e-9)
    #expect(offset.x == 0)
  }

  @Test func `an extent may become negative`() {
    #expect(lerp(Size2D(width: 100, height: 50), .zero, 2) == Size2D(width: -100, height: -50))
  }

  @Test func `equal ends stay equal at any progress`() {
    for progress in [0.1, 0.3, 0.7, 1e300, -1e300] { #expect(lerp(0.1, 0.1, progress) == 0.1) }
  }

  @Test func `the result is finite for any progress`() {
    let huge = Double.greatestFiniteMagnitude
    for progress in [-huge, -2, 0.5, 2, huge, .infinity, -.infinity, .nan] {
      for (from, to) in [(huge, -huge), (-huge, huge), (huge, huge), (0, huge), (huge, 0), (1, 2)] {
        #expect(lerp(from, to, progress).isFinite)
      }
    }
    #expect(lerp(0, huge, 2) == huge)
    #expect(lerp(huge, -huge, 2) == -huge)
    #expect(lerp(1, 2, .nan) == 1)
  }
}
