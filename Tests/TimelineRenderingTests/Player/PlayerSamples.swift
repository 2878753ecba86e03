import TimelineModel

@testable import TimelineRendering

/// A small run that is played in these tests: 11 frames, one each 100 ms from 0 to 1 s, a start at 100 ms,
/// a release at 500 ms.
enum SmallRun {
  static func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  static let frames = (0...10).map { at($0 * 100) }

  static let markers = [
    PlayerMarker(time: at(100), kind: .start, label: "start small → large"),
    PlayerMarker(time: at(500), kind: .release, outcome: .finish, label: "finish, decided by rule"),
    PlayerMarker(time: at(500), kind: .settle, label: "settle"),
    PlayerMarker(time: at(900), kind: .completion, label: "completion"),
  ]

  static func timeline(
    skips: [ClosedRange<Instant>] = [], isGrowing: Bool = false
  ) -> PlayerTimeline {
    PlayerTimeline(
      at(0)...at(1000), frames: frames, markers: markers, skips: skips, isGrowing: isGrowing)
  }

  static func run(title: String = "run.kymo #1", key: String = "progress") -> PlayerRun {
    let range = at(0)...at(1000)
    let rising = PlayerCurve(
      name: key, unit: "1",
      samples: (0...10).map { Sample(time: at($0 * 100), value: Double($0) / 10) })
    let falling = PlayerCurve(
      name: "x", unit: "pt",
      samples: (0...10).map { Sample(time: at($0 * 100), value: 100 - Double($0 * $0)) })
    return PlayerRun(
      title: title, headline: "finish at 0.5 s by rule",
      lines: [PlayerRun.Line(rising, in: range), PlayerRun.Line(falling, in: range)],
      releases: [
        PlayerRun.Release(
          time: at(500), outcome: .finish, words: "finish, progress 1/s (0.9 to 1.1)")
      ])
  }

  static func moment(_ frame: Int, phase: MotionPhase = .driving) -> PlayerMoment {
    let stage = StagePicture(
      viewport: Size2D(width: 160, height: 160),
      items: [
        .init(name: "apple", frame: Rect2D(x: 0, y: 0, width: 80, height: 80)),
        .init(
          name: "plum", frame: Rect2D(x: 60, y: 40, width: 80, height: 80), alpha: 0.2, zIndex: 1),
      ])
    return PlayerMoment(
      frame: frame, frameCount: 11, phase: phase, stage: stage, touches: [Point2D(x: 20, y: 140)])
  }
}

extension CellGrid {
  /// The lines as text, without styles and without the blanks at their ends.
  var lines: [String] {
    (0..<rows).map { row in
      var line = cells[row * columns..<(row + 1) * columns].map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
