import MotionPhysics
import TimelineModel

/// Linux compositors' gestures told again as their event loops: a swipe begins, reports come in as distances with a
/// time, the fingers lift. Plain and slow, to hold the estimators and rules against. A report is (step in pixels, time
/// in nanoseconds); the answer is a velocity in the compositor's own unit, the progress it has reached, and whether it
/// goes on to the next workspace.
enum CompositorPorts {
  struct Report {
    var step: Double
    var time: Int64
  }

  struct Ending {
    /// Pixels per second; per report for Hyprland, per two for Wayfire; nil where the compositor measures none.
    var velocity: Double?
    /// 1 at the next workspace.
    var progress: Double
    var switches: Bool
  }

  /// What niri and COSMIC remember of a swipe.
  private struct Memory {
    var kept: [Report] = []
    var total = 0.0

    mutating func take(_ report: Report) {
      if let last = kept.last, report.time < last.time { return }
      kept.append(report)
      total += report.step
      while let oldest = kept.first, report.time > oldest.time + 150_000_000 { kept.removeFirst() }
    }

    var velocity: Double {
      guard let oldest = kept.first, let newest = kept.last, newest.time > oldest.time else {
        return 0
      }
      let steps = kept.map(\.step).reduce(0, +)
      return steps / (Double(newest.time - oldest.time) / 1e9)
    }
  }

  /// Workspaces below one another, of which the swipe begins at the first of two.
  static func niri(_ reports: [Report], lift: Int64) -> Ending {
    var memory = Memory()
    for report in reports { memory.take(report) }
    memory.take(Report(step: 0, time: lift))
    let velocity = memory.velocity
    let end = (memory.total - velocity / (1000 * logarithm(0.997))) / 300
    let workspace = min(max(end, 0), 1).rounded(.toNearestOrAwayFromZero)
    return Ending(velocity: velocity, progress: memory.total / 300, switches: workspace == 1)
  }

  static func cosmic(_ reports: [Report], outputWidth: Double) -> Ending {
    var memory = Memory()
    for report in reports { memory.take(report) }
    let share = min(max(memory.total, 0), 150) / 150
    let speed = memory.velocity / outputWidth
    let isFast = !(abs(speed) < 0.02)
    return Ending(
      velocity: memory.velocity, progress: memory.total / 150,
      switches: isFast ? speed > 0 : share > 0.5)
  }

  static func hyprland(
    _ reports: [Report], distance: Double = 300, ratio: Double = 0.5, force: Double = 30
  ) -> Ending {
    var (place, way, side) = (0.0, 0.0, 0)
    var (average, count) = (Float(0), Int32(0))
    var hasBegun = false
    for report in reports {
      way += report.step
      if !hasBegun, abs(way) < 5 { continue }
      hasBegun = true
      let wanted = place + report.step
      let difference = place - wanted
      average = Float(
        (Double(average * Float(count)) + abs(difference)) / Double(count + 1))
      count += 1
      place = wanted < -distance ? -distance : wanted > distance ? distance : wanted
      if side != 0, side != (place < 0 ? -1 : 1) {
        place = 0
      } else if side == 0, abs(place) > 10 {
        side = place < 0 ? -1 : 1
      }
    }
    let goesBack =
      abs(place) < distance * ratio && (force == 0 || Double(average) < force) || abs(place) < 2
    return Ending(
      velocity: Double(average), progress: place / distance, switches: hasBegun && !goesBack)
  }

  /// Desktops side by side, one on either side.
  static func kwin(_ reports: [Report]) -> Ending {
    let way = reports.map(\.step).reduce(0, +)
    let offset = min(abs(way) / 200, 1) * (way < 0 ? -1 : 1)
    return Ending(
      velocity: nil, progress: way / 200, switches: offset <= -0.25 || offset >= 0.25)
  }

  /// The overview opens in one direction; a swipe to the other side does nothing.
  static func kwinOverview(_ reports: [Report]) -> Ending {
    let way = reports.map(\.step).reduce(0, +)
    let factor = way < 0 ? 0 : min(abs(way) / 200, 1)
    return Ending(velocity: nil, progress: way / 200, switches: factor > 0.5)
  }

  /// Workspaces side by side, the swipe in the middle of three; the next one is on the side of positive steps.
  static func wayfire(
    _ reports: [Report], threshold: Double = 0.35, fast: Double = 24
  ) -> Ending {
    var (place, heard) = (0.0, 0.0)
    var lasts = [0.0, 0.0]
    var isSwiping = false
    for report in reports {
      if !isSwiping {
        heard += abs(report.step / 256)
        if heard <= 0.05 { continue }
        isSwiping = true
      }
      let resistance = (abs(place) - 0.025) * (abs(place) - 0.025)
      let free = 1 - resistance * resistance
      let floor = (report.step < 0) == (place < 0) ? 0.005 : 0.2
      let slowed = free < floor ? floor : free > 1 ? 1 : free
      let share = report.step / 256
      place += (share < -0.05 ? -0.05 : share > 0.05 ? 0.05 : share) * slowed
      lasts = [lasts[1], report.step]
    }
    let fastness = lasts[0] + lasts[1]
    var target = 0.0
    if place > 0 {
      target = place.rounded(.down)
      if place - target > threshold || fastness > fast { target += 1 }
    }
    return Ending(velocity: fastness, progress: place, switches: target >= 1)
  }

  /// GNOME Shell's touchpad swipe: two snap points, the oldest event's own step left out of the velocity. The beginning
  /// is an event without a step. Where the progress is does not matter here: it is the sum of the steps.
  static func gnome(_ reports: [Report], lift: Int64) -> Ending {
    var events = reports.prefix(1).map { Report(step: 0, time: $0.time) }
    var way = 0.0
    for report in reports {
      events.removeAll { $0.time < report.time - 150_000_000 }
      events.append(report)
      way += report.step
    }
    events.removeAll { $0.time < lift - 150_000_000 }
    var velocity = 0.0
    if let first = events.first, let last = events.last, last.time > first.time {
      velocity =
        events.dropFirst().map(\.step).reduce(0, +) / (Double(last.time - first.time) / 1e6)
    }
    let end = PeerRules.gnome(
      progress: way / 400, pixelsPerMillisecond: velocity, least: 0.6, deceleration: 0.997)
    return Ending(velocity: velocity * 1000, progress: way / 400, switches: end == 1)
  }

  /// ln x for x just below 1, by the series of its difference from 1.
  private static func logarithm(_ x: Double) -> Double {
    let y = 1 - x
    return (1...20).reversed().reduce(0) { sum, power in
      let term = (0..<power).reduce(1) { product, _ in product * y }
      return sum - term / Double(power)
    }
  }
}
