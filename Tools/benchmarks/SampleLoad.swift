import KymographCLibrary
import TimelineModel
import TimelineRecorder

/// The motion of sixteen keys at 120 Hz (the load of the store design, part C): six damped springs, four cubic
/// eases, a drag on a grid of thirds of a point with a hand's noise, a scroll that runs out, four that
/// hold still. Each begins again when it has come to its end.
struct SampleLoad {
  static let keys = 16
  static let framesPerSecond = 120
  /// Frames that the usual recorder commits together.
  static func framesPerCommit(isSealing: Bool = false) -> Int {
    var settings = RecorderSettings()
    settings.sealsFromStart = isSealing
    return Int(settings.commitAge) * framesPerSecond / 1_000_000_000
  }

  /// The frames' distances from a display's own time, in nanoseconds, up to 100 µs.
  private let jitter: [Int64]
  /// The values, frame after frame.
  private let values: [Double]

  /// Half a minute, after which the load begins again.
  private static let frames = 30 * framesPerSecond

  init() {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / 16_777_216
    }
    jitter = (0..<Self.frames).map { _ in Int64((random() - 0.5) * 200_000) }
    values = (0..<Self.frames * Self.keys).map { index in
      let seconds = Double(index / Self.keys) / Double(Self.framesPerSecond)
      return Self.value(of: index % Self.keys, at: seconds, random())
    }
  }

  private static func value(of key: Int, at seconds: Double, _ noise: Double) -> Double {
    // Each has a period of its own, so that they do not begin together.
    let period = 1.5 + 0.13 * Double(key)
    let turn = (seconds / period).rounded(.down)
    let since = seconds - turn * period
    let from = 40 * Double(key) + 300 * turn.truncatingRemainder(dividingBy: 2)
    let to = 40 * Double(key) + 300 - 300 * turn.truncatingRemainder(dividingBy: 2)
    switch key {
    case 0..<6:
      // A spring of 0.85 of critical damping that rests, as the engine's do, at a hundredth of a point.
      let left = (to - from) * exp(-0.85 * 18 * since) * cos(9.5 * since)
      return since > 0.75 ? to : to - left
    case 6..<10:
      let part = min(1, since / 0.4)
      return from + (to - from) * part * part * (3 - 2 * part)
    case 10: return ((200 + 150 * sin(2 * since) + 1.5 * noise) * 3).rounded() / 3
    case 11: return to + 900 * (1 - exp(-since / 0.325))
    default: return Double(key) / 2
    }
  }

  /// The instant of a frame, in nanoseconds. Frames go on for ever.
  func time(ofFrame frame: Int) -> Int64 {
    Int64(frame) * 8_333_333 + jitter[frame % Self.frames]
  }

  func value(of key: Int, inFrame frame: Int) -> Double {
    values[frame % Self.frames * Self.keys + key]
  }
}

extension SampleLoad {
  /// Names the keys to a recorder.
  func keys(in recorder: Recorder) -> [KeyHandle] {
    (0..<Self.keys).map {
      recorder.keyHandle(for: "key \($0)", role: $0 == 0 ? .progress : .animated, unit: "pt")
    }
  }

  /// Hands frames to a recorder, and has it write as often as by itself.
  ///
  /// - Parameters:
  ///   - isSealing: Whether it seals.
  ///   - stopwatch: Measures the writing.
  func record(
    _ frames: Range<Int>, into recorder: Recorder, _ keys: [KeyHandle], isSealing: Bool = false,
    measuredBy stopwatch: Stopwatch? = nil
  ) {
    let framesPerCommit = Self.framesPerCommit(isSealing: isSealing)
    for frame in frames {
      let time = Instant(nanoseconds: time(ofFrame: frame))
      for key in 0..<Self.keys {
        recorder.record(value(of: key, inFrame: frame), for: keys[key], at: time, phase: .settling)
      }
      guard (frame + 1).isMultiple(of: framesPerCommit) else { continue }
      if let stopwatch {
        stopwatch.measure { recorder.writeBatch() }
      } else {
        recorder.writeBatch()
      }
    }
  }
}
