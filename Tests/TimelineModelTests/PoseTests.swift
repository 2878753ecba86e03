import Testing
import TimelineModel

@Suite struct PoseTests {
  @Test func `the frame is the bounding box after the transform`() {
    let pose = Pose(
      center: Point2D(x: 200, y: 100), size: Size2D(width: 100, height: 50),
      transform: turned(.pi / 6))
    let expected = [144.19873, 53.34936, 111.60254, 93.30127]
    let frame = pose.frame
    let numbers = [frame.minX, frame.minY, frame.size.width, frame.size.height]
    #expect(zip(numbers, expected).allSatisfy { abs($0 - $1) < 5.1e-6 })
  }

  @Test func `the frame of a finite pose is finite`() throws {
    let huge = Double.greatestFiniteMagnitude
    var perspective = ElementTransform.identity.spatial.components
    perspective[3] = -1e-300
    let transforms = [
      ElementTransform.identity, turned(1, scale: huge),
      try #require(ElementTransform(components: perspective)),
    ]
    for transform in transforms {
      let pose = Pose(
        center: Point2D(x: -huge, y: huge), size: Size2D(width: huge, height: huge),
        transform: transform)
      #expect(pose.frame.isFinite)
    }
  }

  @Test func `setting the frame sets center and size, and the other way round`() {
    var pose = Pose(frame: Rect2D(x: 10, y: 20, width: 30, height: 40))
    #expect(pose.center == Point2D(x: 25, y: 40))
    #expect(pose.size == Size2D(width: 30, height: 40))
    pose.center.x = 125
    #expect(pose.frame == Rect2D(x: 110, y: 20, width: 30, height: 40))
    pose.frame = Rect2D(x: 0, y: 0, width: 8, height: 6)
    #expect(pose.center == Point2D(x: 4, y: 3))
    pose.bounds = Rect2D(x: 5, y: 5, width: 2, height: 2)
    #expect(pose.frame == Rect2D(x: 3, y: 2, width: 2, height: 2))
  }

  @Test func `the defaults are an upright, opaque, visible element`() {
    let pose = Pose(center: .zero, size: .zero)
    #expect(pose.alpha == 1)
    #expect(pose.zIndex == 0)
    #expect(!pose.isHidden)
    #expect(pose.transform == .identity)
  }

  @Test func `perspective divides, and a point without a place stays where it is`() throws {
    var numbers = ElementTransform.identity.components
    numbers = ElementTransform.identity.spatial.components
    numbers[3] = 0.5
    let transform = try #require(ElementTransform(components: numbers))
    #expect(transform.applied(to: Point2D(x: 2, y: 4)) == Point2D(x: 1, y: 2))
    #expect(transform.applied(to: Point2D(x: -2, y: 4)) == Point2D(x: -2, y: 4))
  }

  @Test func `a number that is not finite is found wherever it is`() {
    let good = Pose(frame: Rect2D(x: 0, y: 0, width: 1, height: 1))
    #expect(good.isFinite)
    var bad = [good, good, good, good]
    bad[0].center.y = .nan
    bad[1].size.width = .infinity
    bad[2].alpha = -.infinity
    bad[3].transform = flat(1, 0, 0, .nan)
    #expect(bad.allSatisfy { !$0.isFinite })
  }
}
