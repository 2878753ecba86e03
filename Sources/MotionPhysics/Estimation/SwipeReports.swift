import KymographCLibrary
import TimelineModel

// The measures of Linux compositors from the reports of a touchpad swipe. A report says how far the fingers went since the one
// before. Here it is the step from one place to the next, so that the first place is where the swipe begins and no
// report itself.

/// The steps of all reports by the time from the oldest report to the newest one, in units per second: the velocity of
/// niri (SwipeTracker in src/input/swipe_tracker.rs) and of COSMIC (GestureState in src/input/gestures/mod.rs). The
/// oldest report's own step counts, which GNOME leaves out (`mean`).
///
/// - Parameters:
///   - reports: The reports, and before them the place from which the oldest one's step counts.
///   - pause: Nanoseconds from the newest report to the lift, where a step of 0 at the lift counts as well, as niri
///     adds one. `nil`: none does.
/// - Returns: 0 where no time passes. `nil` without a report.
func meanStepsVelocity(of reports: SampleBuffer, pause: Int64?) -> Double? {
  guard reports.count > 1, let newest = reports.last else { return nil }
  let nanoseconds = newest.time.nanoseconds(since: reports[1].time)
  let (whole, overflow) = nanoseconds.addingReportingOverflow(max(0, pause ?? 0))
  let time = overflow ? Int64.max : whole
  return time > 0 ? (newest.value - reports[0].value) / (Double(time) / 1e9) : 0
}

/// A swipe as Hyprland keeps account of it, in pixels: CTrackpadGestures::gestureUpdate of
/// src/managers/input/trackpad/TrackpadGestures.cpp and CUnifiedWorkspaceSwipeGesture::update of
/// src/managers/input/UnifiedWorkspaceSwipeGesture.cpp, with workspace_swipe_direction_lock on, as it is by default,
/// and a workspace on either side.
struct HyprlandSwipe {
  /// Where the workspaces are, within ± the distance of a workspace.
  private(set) var position = 0.0
  /// How many reports count.
  private(set) var count = 0
  private var mean: Float = 0
  // Mean and squared distances from it, for the standard error.
  private var middle = 0.0
  private var squares = 0.0
  private let travel: Double
  private var moved = 0.0
  private var direction = 0.0

  /// How far the fingers go before anything counts, in pixels. What they went until then is lost, but for the step of
  /// the report that gets there. Older versions ask it of a single report.
  private static let start = 5.0
  /// From this place on a swipe keeps its direction: workspace_swipe_direction_lock_threshold.
  private static let lock = 10.0

  /// Begins a swipe.
  ///
  /// - Parameter travel: workspace_swipe_distance, in pixels.
  init(travel: Double) { self.travel = travel }

  /// Follows all steps of places.
  init(_ reports: SampleBuffer, pointsPerUnit: Double, travel: Double = 300) {
    self.init(travel: travel)
    for (before, sample) in zip(reports, reports.dropFirst()) {
      report(sample.value * pointsPerUnit - before.value * pointsPerUnit)
    }
  }

  /// The mean length of the steps that count, in pixels per report. 0 without one.
  var meanStep: Double { Double(mean) }

  /// The standard error of ``meanStep``. `nil` below two reports.
  var standardError: Double? {
    guard count > 1 else { return nil }
    return (max(0, squares) / Double(count - 1) / Double(count)).squareRoot()
  }

  mutating func report(_ step: Double) {
    if count == 0 {
      moved += step
      guard abs(moved) >= HyprlandSwipe.start else { return }
    }
    let next = position + step
    let length = abs(position - next)
    // The source's own arithmetic: the sum so far is a product of single precision.
    mean = Float((Double(mean * Float(count)) + length) / Double(count + 1))
    count += 1
    let distance = length - middle
    middle += distance / Double(count)
    squares += distance * (length - middle)
    position = min(max(next, -travel), travel)
    let side = position < 0 ? -1.0 : 1
    if direction == 0 {
      if abs(position) > HyprlandSwipe.lock { direction = side }
    } else if direction != side {
      position = 0
    }
  }
}

/// A swipe as Wayfire keeps account of it: the plugin vswipe (plugins/single_plugins/vswipe.cpp and
/// vswipe-processing.hpp) with the options speed_factor and speed_cap of its metadata, and a workspace on either side.
struct WayfireSwipe {
  /// The progress, 1 at the next workspace. Beyond it hardly gets on.
  private(set) var progress = 0.0
  private var newest = 0.0
  private var before = 0.0
  private var moved = 0.0
  private var isMoving = false

  /// Pixels for a progress of 1 (speed_factor), and the most that a report adds (speed_cap).
  private static let pixels = 256.0
  private static let cap = 0.05
  /// Nothing counts up to this sum of lengths: 12.8 pixels (initial_direction_threshold).
  private static let start = 0.05
  /// The resistance sets in here, and leaves at least these shares of a step: onwards and back.
  private static let ease = 0.025
  private static let least = (onwards: 0.005, back: 0.2)

  init() {}

  /// Follows all steps of places.
  init(_ reports: SampleBuffer, pointsPerUnit: Double) {
    for (before, sample) in zip(reports, reports.dropFirst()) {
      report(sample.value * pointsPerUnit - before.value * pointsPerUnit)
    }
  }

  /// The last two steps since the swipe counts, in pixels.
  var lastTwo: Double { before + newest }

  mutating func report(_ step: Double) {
    let share = step / WayfireSwipe.pixels
    if !isMoving {
      moved += abs(share)
      guard moved > WayfireSwipe.start else { return }
      isMoving = true
    }
    let isOnwards = share.sign == progress.sign
    let least = isOnwards ? WayfireSwipe.least.onwards : WayfireSwipe.least.back
    let free = 1 - pow(abs(progress) - WayfireSwipe.ease, 4)
    progress += min(max(share, -WayfireSwipe.cap), WayfireSwipe.cap) * min(max(free, least), 1)
    (before, newest) = (newest, step)
  }
}
