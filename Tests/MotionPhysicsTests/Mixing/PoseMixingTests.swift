import MotionPhysics
import Testing
import TimelineModel

@Suite struct PoseMixingTests {
  private let small = Pose(
    center: Point2D(x: 100, y: 200), size: Size2D(width: 50, height: 50), alpha: 1, zIndex: 3)
  private let large = Pose(
    center: Point2D(x: 300, y: 100), size: Size2D(width: 150, height: 250), alpha: 0, zIndex: -1)

  private func mixed(_ progress: Double) -> Pose {
    Pose.mixed(small, large, progress: progress, transforms: .decomposed)
  }

  @Test func `numbers go straight and are not clamped`() {
    let quarter = mixed(0.25)
    #expect(quarter.center == Point2D(x: 150, y: 175))
    #expect(quarter.size == Size2D(width: 75, height: 100))
    #expect(quarter.alpha == 0.75)
    let beyond = mixed(2)
    #expect(beyond.center == Point2D(x: 500, y: 0))
    #expect(beyond.alpha == -1)
    #expect(mixed(-1).size == Size2D(width: -50, height: -150))
    #expect(abs(mixed(1.00456592).alpha - -0.00456592) < 1e-15)
  }

  @Test func `the ends are exact`() {
    #expect(mixed(0).center == small.center)
    #expect(mixed(0).size == small.size)
    #expect(mixed(1).center == large.center)
    #expect(mixed(1).alpha == large.alpha)
    #expect(mixed(0).frame == small.frame)
    #expect(mixed(1).frame == large.frame)
  }

  @Test func `the larger drawing order holds all the way`() {
    for progress in [0, 0.3, 1] { #expect(mixed(progress).zIndex == 3) }
    #expect(Pose.mixed(large, small, progress: 0.9, transforms: .decomposed).zIndex == 3)
  }

  @Test func `hidden only if both ends are`() {
    var hidden = small
    hidden.isHidden = true
    var alsoHidden = large
    alsoHidden.isHidden = true
    #expect(!Pose.mixed(hidden, large, progress: 0, transforms: .decomposed).isHidden)
    #expect(Pose.mixed(hidden, alsoHidden, progress: 0.5, transforms: .decomposed).isHidden)
  }

  @Test func `equal poses stay the same at any progress`() {
    var pose = small
    pose.transform = turned(1, scale: 0.3)
    for progress in [-3, 0, 0.1, 0.5, 1, 7.7] {
      for transforms in TransformMixing.allCases {
        #expect(Pose.mixed(pose, pose, progress: progress, transforms: transforms) == pose)
      }
    }
  }

  @Test func `a transform is mixed the way that is asked for`() {
    var start = small
    start.transform = turned(.pi, scale: 0.2)
    let half = Pose.mixed(start, large, progress: 0.5, transforms: .decomposed)
    #expect(near(half.transform, flat(0, 0.6, -0.6, 0)))
    let flatHalf = Pose.mixed(start, large, progress: 0.5, transforms: .componentwise)
    #expect(near(flatHalf.transform, flat(0.4, 0, 0, 0.4)))
  }
}
