import Foundation
import TestSupport

/// A swipe that opens a card, as an app's lines: good in every respect, or with one defect.
///
/// The finger goes up from 700 at 100 pt/s and ever faster, 2,200 pt/s², from 0.2 s to 0.6 s; all else are springs,
/// straight lines and smooth steps.
struct RequiredRun {
  /// The kind of requirement that is not met; nil: all are.
  var defect: String?
  /// Frames per second.
  var rate = 60

  /// Each kind with the defect that it is there for.
  static let defects = [
    ("follows", "the card is 60 ms behind the finger"), ("hands_over", "it starts at rest"),
    ("continuous", "the photo jumps by 22 pt"), ("monotone", "the progress dips by .04"),
    ("overshoot", "the scale's spring has a ratio of .5"), ("settles_by", "the blur is slow"),
    ("stays_in", "the badge is 7 pt outside"), ("before", "the events are swapped"),
    ("stagger", "the third dot sets off 40 ms late"), ("appears_by", "the hint comes 250 ms late"),
    ("apart", "the tiles are 3 pt too near"), ("hitch", "a frame takes 50 ms"),
  ]

  private let landing = 0.2
  private let lift = 0.6

  /// How far the finger is, in points.
  private func way(_ time: Double) -> Double {
    let seconds = max(0, min(time, lift) - landing)
    return 1100 * seconds * seconds + 100 * seconds
  }

  private func card(_ time: Double, defect: String? = nil) -> Double {
    let lag = defect == "follows" ? 0.06 : 0
    guard time > lift else { return 700 - way(time - lag) }
    let speed = defect == "hands_over" ? 0 : -(2200 * (lift - landing) + 100)
    return 200 + spring(10, 1, 500 - way(lift - lag), speed, time - lift)
  }

  private func step(_ share: Double) -> Double {
    let share = max(0, min(1, share))
    return share * share * (3 - 2 * share)
  }

  private func bump(_ share: Double) -> Double { pow(sin(.pi * max(0, min(1, share))), 2) }

  /// The lines, in the order of time.
  var lines: String {
    var rows: [(time: Double, text: String)] = []
    func add(_ time: Double, _ text: String) {
      rows.append((time, "{\"t_ns\": \(Int64((time * 1e9).rounded())), \(text)}"))
    }
    add(landing, "\"event\": \"start\", \"to\": \"open\"")
    let reports = Int(((lift - landing) * 120).rounded())
    for report in 0...reports {
      let time = landing + Double(report) / 120
      let phase = report == 0 ? "began" : "moved"
      add(time, touch(phase, time))
    }
    add(lift, touch("ended", lift))
    add(lift, "\"event\": \"finish\"")
    add(defect == "before" ? 0.9 : 0.25, "\"event\": \"dim\"")
    add(defect == "before" ? 0.25 : 0.9, "\"event\": \"shown\"")
    let missing = defect == "hitch" ? (rate..<rate + rate / 20 - 1) : 0..<0
    for frame in 0...2 * rate where !missing.contains(frame) {
      addFrame(Double(frame) / Double(rate), add)
    }
    let header =
      "{\"kymograph\": 1, \"name\": \"swipe\", \"refreshRate\": \(rate), \"viewport\": [390, 844]}"
    let ordered = rows.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return ([header] + ordered.map(\.element.text)).joined(separator: "\n") + "\n"
  }

  private func touch(_ phase: String, _ time: Double) -> String {
    "\"touch\": {\"contact\": 0, \"phase\": \"\(phase)\", \"x\": 200, \"y\": \(700 - way(time))}"
  }

  private func addFrame(_ time: Double, _ add: (Double, String) -> Void) {
    let phase = time > lift ? "settling" : time >= landing ? "driving" : "idle"
    let since = time - lift
    var progress = (700 - card(time)) / 500
    if defect == "monotone" { progress -= 0.04 * bump((time - 1.5) / 0.2) }
    let ratio = defect == "overshoot" ? 0.5 : 0.85
    let scale = since > 0 ? 1.5 + spring(14, ratio, -0.5, 0, since) : 1
    let blur = since > 0 ? spring(defect == "settles_by" ? 8 : 14, 1, 20, 0, since) : 20
    for (key, value, unit) in [
      ("progress", progress, "1"), ("scale", scale, "1"), ("blur", blur, "pt"),
    ] {
      add(
        time,
        "\"key\": \"\(key)\", \"value\": \(value), \"unit\": \"\(unit)\", \"phase\": \"\(phase)\"")
    }
    var items = [
      "{\"id\": \"card\", \"frame\": [20, \(card(time, defect: defect) - 60), 350, 120]}"
    ]
    func place(_ id: String, _ x: Double, _ y: Double, _ size: Int, _ alpha: Double = 1) {
      items.append(
        "{\"id\": \"\(id)\", \"center\": [\(x), \(y)], \"size\": [\(size), \(size)], \"alpha\": \(alpha)}"
      )
    }
    let teleport = defect == "continuous" && time >= 0.8 ? 22.0 : 0
    place("photo", 50 + 100 * step((time - 0.2) / 1.2) + teleport, 100, 40)
    place("badge", 300 + (defect == "stays_in" ? 77 : 60) * bump(time - 0.5), 40, 40)
    for dot in 0..<4 {
      let late = defect == "stagger" && dot == 2 ? 0.04 : 0
      let onset = 0.65 + 0.04 * Double(dot) + late
      place("dot\(dot + 1)", 50 + 60 * step((time - onset) / 0.3), 300 + 20 * Double(dot), 8)
    }
    let shown = defect == "appears_by" ? 0.95 : 0.7
    place("hint", 195, 500, 20, max(0, min(1, (time - shown) / 0.15)))
    place("left", 50, 600, 100)
    let near = defect == "apart" ? 49.0 : 45
    place("right", 200 - near * step((time - 0.6) / 0.5), 600, 100)
    add(
      time,
      "\"frame\": {\"progress\": \(progress), \"phase\": \"\(phase)\", \"items\": [\(items.joined(separator: ", "))]}"
    )
  }
}

extension Workplace {
  /// Records a swipe.
  func record(_ run: RequiredRun, into name: String) throws -> String {
    try record(lines: run.lines, into: name)
  }

  /// Records an app's lines.
  func record(lines: String, into name: String) throws -> String {
    try? FileManager.default.removeItem(atPath: path(name))
    let call = try kymo("record", "--from-ndjson", "-", "--into", path(name), input: lines)
    guard call.code == 0 else { throw TrialError(reason: call.errors) }
    return path(name)
  }
}
