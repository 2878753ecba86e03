import TimelineModel
import TimelineRecorder
import TimelineStore

/// The motion of 200 elements at 120 Hz when springs are given new targets now and then: in a frame 35 % of them
/// move, and about a tenth of all values differ from those of the frame before (the load of the store
/// design, 4d).
struct AttributeLoad {
  static let items = 200
  static let framesPerSecond = 120

  /// A frame's row and its changes as a crash journal's words.
  struct Frame {
    var record: FrameRecord
    var changes: [[UInt64]]
    /// Every element as it stands in the frame.
    var elements: [ElementRecord]
  }

  let frames: [Frame]

  /// Makes so many seconds of frames, the first of each second a key frame.
  init(seconds: Int) {
    var elements = (0..<Self.items).map(Element.init)
    frames = (0..<seconds * Self.framesPerSecond).map { number in
      let isKey = number.isMultiple(of: Self.framesPerSecond)
      var changes: [[UInt64]] = []
      for index in elements.indices {
        let hasMoved = elements[index].step(number)
        if hasMoved || number == 0 {
          changes.append(JournalRecord.change(.changed(elements[index].record)).unchecked)
        } else if isKey {
          changes.append(JournalRecord.change(.same(elements[index].record)).unchecked)
        }
      }
      let time = Instant(nanoseconds: Int64(number) * 1_000_000_000 / Int64(Self.framesPerSecond))
      return Frame(
        record: FrameRecord(
          number: Int64(number),
          state: FrameState(
            time: time, phase: .settling, progress: 0.5, contentOffset: .zero,
            contentSize: Size2D(width: 1_000, height: 1_000)), isKeyFrame: isKey), changes: changes,
        elements: elements.map(\.record))
    }
  }

  /// An element on its springs: position, in half of them size, in half alpha.
  private struct Element {
    private var values: [Double]
    private var velocities: [Double]
    private var targets: [Double]
    private var restUntil: Int
    private var state: UInt64
    private let number: Int
    private let count: Int

    init(_ number: Int) {
      self.number = number
      state = UInt64(number) &* 0x9e37_79b9_7f4a_7c15 | 1
      values = [Double(number % 20) * 50, Double(number / 20) * 50, 44, 44, 1]
      velocities = Array(repeating: 0, count: 5)
      targets = values
      count = 2 + number % 4
      restUntil = number % Self.period
    }

    /// Frames from one target to the next: springs of about 0.55 s rest for two thirds of it.
    private static let period = 190
    private static let movingFrames = 66
    /// Angular frequency and damping of the springs, per second.
    private static let stiffness = 18.0 * 18.0
    private static let damping = 2 * 0.85 * 18.0

    private mutating func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / 16_777_216
    }

    mutating func step(_ frame: Int) -> Bool {
      if frame == restUntil {
        for position in 0..<count {
          targets[position] =
            position < 2
            ? (random() * 1_000).rounded() : position < 4 ? 44 + random() * 40 : random()
        }
        restUntil += Self.period
      }
      guard frame >= restUntil - Self.period, restUntil - Self.period + Self.movingFrames > frame
      else {
        return false
      }
      for position in 0..<count {
        let force =
          Self.stiffness * (targets[position] - values[position]) - Self.damping
          * velocities[position]
        velocities[position] += force / Double(framesPerSecond)
        values[position] += velocities[position] / Double(framesPerSecond)
      }
      return true
    }

    var record: ElementRecord {
      ElementRecord(
        item: ItemHandle(rawValue: Int32(number)),
        indexPath: ItemIndexPath(section: 0, item: number),
        pose: Pose(
          center: Point2D(x: values[0], y: values[1]),
          size: Size2D(width: values[2], height: values[3]),
          alpha: values[4], zIndex: number))
    }
  }
}

/// ``AttributeLoad`` as an app gives it: the pose of every element in every frame.
struct PoseLoad {
  private let poses: [[ElementRecord]]
  private let states: [FrameState]

  /// Makes so many seconds of frames, after which the load begins again.
  init(seconds: Int) {
    let load = AttributeLoad(seconds: seconds)
    poses = load.frames.map(\.elements)
    states = load.frames.map(\.record.state)
  }

  /// The instant of a frame. Frames go on for ever.
  func time(ofFrame frame: Int) -> Instant {
    Instant(
      nanoseconds: Int64(frame) * 1_000_000_000 / Int64(AttributeLoad.framesPerSecond))
  }

  /// Names the elements to a recorder.
  func items(in recorder: Recorder) -> [ItemHandle] {
    (0..<AttributeLoad.items).map {
      recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
    }
  }

  /// Hands frames to a recorder that seals, and has it write as often as by itself.
  func record(_ frames: Range<Int>, into recorder: Recorder, _ items: [ItemHandle]) {
    let framesPerCommit = SampleLoad.framesPerCommit(isSealing: true)
    for frame in frames {
      var state = states[frame % states.count]
      state.time = time(ofFrame: frame)
      recorder.beginFrame(state)
      let shown = poses[frame % poses.count]
      for position in shown.indices {
        recorder.record(shown[position].pose, of: items[position], at: shown[position].indexPath)
      }
      recorder.endFrame()
      if (frame + 1).isMultiple(of: framesPerCommit) { recorder.writeBatch() }
    }
  }
}
