import TimelineModel

/// When a system calls its spring at rest, and where it says so.
package struct RestTime: Sendable {
  /// Seconds. `nil` if the system never does.
  package let seconds: Double?
  /// The rule in a few words, with its source.
  package let rule: String

  init(_ seconds: Double?, _ rule: String) { (self.seconds, self.rule) = (seconds, rule) }
}

/// The rules of systems that have no ``SettleDefinition``. Each takes the thresholds of its own line.
extension SpringMotion {
  /// React Native: the first frame at which speed and distance are at most 0.001 (`SpringAnimation.js`).
  func reactNativeRest(_ words: MotionWords) -> RestTime {
    let distance = words.value("restdisplacementthreshold") ?? 0.001
    let speed = words.value("restspeedthreshold") ?? 0.001
    return RestTime(
      firstFrame { abs($0) <= distance && abs($1) <= speed },
      "first frame with speed and distance at most \(short(speed)) and \(short(distance)), SpringAnimation.js"
    )
  }

  /// Reanimated 4: the first frame at which the energy is the threshold's share of that of the start (`springUtils.ts`).
  /// Thresholds of version 3 are followed if the line has them.
  func reanimatedRest(_ words: MotionWords) -> RestTime {
    if words.has("restdisplacementthreshold", "restspeedthreshold") {
      let distance = words.value("restdisplacementthreshold") ?? 0.01
      let speed = words.value("restspeedthreshold") ?? 2
      return RestTime(
        firstFrame { abs($0) < distance && abs($1) < speed },
        "first frame with speed and distance below \(short(speed)) and \(short(distance)), Reanimated 3"
      )
    }
    let threshold = words.value("energythreshold") ?? SpringMotion.energyThreshold
    let rule =
      "first frame with at most \(short(threshold)) of the first energy, springUtils.ts of Reanimated 4"
    func energy(_ offset: Double, _ velocity: Double) -> Double {
      spring.stiffness * offset * offset + spring.mass * velocity * velocity
    }
    let first = energy(from - to, velocity)
    guard first > 0 else { return RestTime(0, rule) }
    return RestTime(firstFrame { energy($0, $1) / first <= threshold }, rule)
  }

  /// Reanimated's `energyThreshold` if a line has none.
  static let energyThreshold = 6e-9

  /// react-spring: its own steps of 1 ms, 17 of them for each frame of 1/60 s, until speed and distance are at most their
  /// thresholds (`SpringValue.advance`). Precision is a thousandth of the distance and at most 1, the speed a tenth of that per
  /// millisecond.
  func reactSpringRest(_ words: MotionWords) -> RestTime {
    let precision =
      words.value("precision") ?? (distance == 0 ? 0.005 : min(1, abs(distance) / 1000))
    let restVelocity = words.value("restvelocity") ?? precision / 10
    let rule =
      "first frame with speed and distance at most \(short(restVelocity)) per ms and \(short(precision)), in steps of 1 ms, SpringValue.ts"
    var (position, pace) = (from, velocity / 1000)
    for frame in 1...Int(longestWalkSeconds * 60) {
      for _ in 0..<17 {
        if abs(pace) <= restVelocity, abs(to - position) <= precision {
          return RestTime(Double(frame) / 60, rule)
        }
        let force = -spring.stiffness * 1e-6 * (position - to) - spring.damping * 1e-3 * pace
        pace += force / spring.mass
        position += pace
      }
      guard position.isFinite else { return RestTime(nil, rule) }
    }
    return RestTime(nil, rule)
  }

  /// Motion: the first step of 50 ms at which the distance is small, and below critical damping the speed too
  /// (`calcGeneratorDuration`, spring generator).
  func motionRest(_ words: MotionWords) -> RestTime {
    let isFine = abs(distance) < 5
    let speed = words.value("restspeed") ?? (isFine ? 0.01 : 2)
    let delta = words.value("restdelta") ?? (isFine ? 0.005 : 0.5)
    let rule =
      "first step of 50 ms within \(short(delta)), and below a speed of \(short(speed)) if it swings, calcGeneratorDuration"
    let path = path
    for step in 0..<400 {
      let time = Double(step) / 20
      if isStill(path, time, delta, speed) { return RestTime(time, rule) }
    }
    return RestTime(nil, rule)
  }

  /// Popmotion 11: the first frame by Motion's test, with a hundredth of the distance and at most 0.4, and a speed of 2
  /// (`spring.ts`).
  func popmotionRest(_ words: MotionWords) -> RestTime {
    let speed = words.value("restspeed") ?? 2
    let delta = words.value("restdelta") ?? min(abs(distance) / 100, 0.4)
    let path = path
    let frame = (1...Int(longestWalkSeconds * 60)).first {
      isStill(path, Double($0) / 60, delta, speed)
    }
    return RestTime(
      frame.map { Double($0) / 60 },
      "first frame within \(short(delta)), and below a speed of \(short(speed)) if it swings, Popmotion 11, spring.ts"
    )
  }

  /// Hyprland: the first frame at which the share of the distance and the distances per second are at most 0.001
  /// (`AnimatedVariable.cpp` of hyprutils).
  func hyprlandRest() -> RestTime {
    let share = abs(distance) / 1000
    return RestTime(
      firstFrame { abs($0) <= share && abs($1) <= share },
      "first frame with at most 0.001 of the distance left, and 0.001 of it per second, AnimatedVariable.cpp of hyprutils"
    )
  }

  private func isStill(_ path: SpringPath, _ time: Double, _ delta: Double, _ speed: Double) -> Bool
  {
    guard abs(path.offset(atSeconds: time)) <= delta else { return false }
    guard case .under = path.curve else { return true }
    return abs(path.velocity(atSeconds: time)) <= speed
  }

  private func short(_ number: Double) -> String { NumberText.short(number) }
}
