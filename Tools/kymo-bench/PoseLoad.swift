import TimelineModel
import TimelineRecorder
import TimelineStore

/// ``AttributeLoad`` as an app gives it: the pose of every element in every frame.
struct PoseLoad {
  private let poses: [[ElementRecord]]
  private let states: [FrameState]

  /// Makes so many seconds of frames, after which the load begins anew.
  init(seconds: Int) {
    let load = AttributeLoad(seconds: seconds)
    poses = load.frames.map(\.elements)
    states = load.frames.map(\.record.state)
  }

  /// The instant of a frame; frames go on for ever.
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

  /// Hands frames to a recorder, and has it write each quarter of a second of them.
  func record(_ frames: Range<Int>, into recorder: Recorder, _ items: [ItemHandle]) {
    for frame in frames {
      var state = states[frame % states.count]
      state.time = time(ofFrame: frame)
      recorder.beginFrame(state)
      let shown = poses[frame % poses.count]
      for place in shown.indices {
        recorder.record(shown[place].pose, of: items[place], at: shown[place].indexPath)
      }
      recorder.endFrame()
      if (frame + 1).isMultiple(of: AttributeLoad.framesPerSecond / 4) { recorder.writeBatch() }
    }
  }
}
