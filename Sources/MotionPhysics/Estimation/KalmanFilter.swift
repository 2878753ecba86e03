import TimelineModel

/// Variance that each step adds to the highest derivative of a Kalman filter's state, in units and
/// milliseconds: kSigmaProcess of Chromium's ui/base/prediction/kalman_filter.cc.
private let processVariance = 0.01

/// Variance of a measured place, in squared units: kSigmaMeasurement of the same file.
private let measurementVariance = 1.0

/// The answer of a Kalman filter about the velocity at the newest sample.
struct FilteredVelocity {
  /// Units per second.
  var velocity: Double
  /// Its standard error in units per second, see `kalmanVelocity(of:filter:)`. `nil` without a degree
  /// of freedom.
  var standardError: Double?
  /// How many innovations there are beyond those that settle the state.
  var degreesOfFreedom: Int
}

/// A filter over places that are given one after the other. Its times are milliseconds.
protocol MotionFilter {
  /// How many numbers the state has.
  static var stateCount: Int { get }
  /// Units per millisecond.
  var velocity: Double { get }
  /// Squared units per millisecond, for a measurement variance of 1.
  var velocityVariance: Double { get }
  /// Begins at a place, at rest, with the unit matrix as the covariance.
  init(position: Double)
  /// Predicts over a step and corrects by the place found there.
  ///
  /// - Returns: The squared innovation by its variance. About 1 when the model's noise is right.
  mutating func step(milliseconds: Double, position: Double) -> Double
}

/// Runs a filter from the oldest sample to the newest, as Chromium's KalmanFilter does: the first
/// place sets the state, each further one predicts and corrects. Steps that take no time are passed
/// over.
///
/// The filter's own covariance P supposes a measurement variance of 1 unit². What a key's unit is, it
/// does not know. So P is scaled by the mean of the normalised innovations, y²/S: then neither the
/// unit nor the noise of the device matters to the standard error. Of the n - 1 innovations, those
/// that settle the state beyond its place do not count as degrees of freedom.
///
/// - Returns: nil with fewer than two samples at different times.
func kalmanVelocity<Filter: MotionFilter>(
  of samples: SampleBuffer, filter _: Filter.Type
) -> FilteredVelocity? {
  guard let oldest = samples.first else { return nil }
  var largest = 0.0
  for sample in samples { largest = max(largest, abs(sample.value - oldest.value)) }
  let scale = powerOfTwo(upTo: largest)
  var filter = Filter(position: 0)
  var last = oldest
  var innovations = 0.0
  var count = 0
  for sample in samples.dropFirst() where sample.time > last.time {
    let step = Double(sample.time.nanoseconds(since: last.time)) / 1e6
    innovations += filter.step(milliseconds: step, position: (sample.value - oldest.value) / scale)
    count += 1
    last = sample
  }
  guard count > 0 else { return nil }
  let variance = max(0, filter.velocityVariance) * innovations / Double(count)
  let degreesOfFreedom = count - (Filter.stateCount - 1)
  return FilteredVelocity(
    velocity: filter.velocity * 1000 * scale,
    standardError: degreesOfFreedom > 0 ? variance.squareRoot() * 1000 * scale : nil,
    degreesOfFreedom: degreesOfFreedom)
}

/// A body of constant velocity: state (place, velocity), Q = q g gᵀ with g = (dt, 1): Chromium's filter
/// of one order less, with its q, R and P.
///
/// Chromium's g = (dt²/2, dt, 1) makes each step add a random amount to the highest derivative, the
/// discrete Wiener process model of Y. Bar-Shalom, X. R. Li, T. Kirubarajan, Estimation with
/// Applications to Tracking and Navigation, 2001, section 6.3.3. Here that is the velocity. Their white
/// noise model of this order, g = (dt²/2, dt), would with this q suppose accelerations of 100,000 units
/// per second squared, and shake more than the filter of acceleration does.
struct ConstantVelocityFilter: MotionFilter {
  static let stateCount = 2
  private var position: Double
  private(set) var velocity = 0.0
  private var p00 = 1.0
  private var p01 = 0.0
  private var p11 = 1.0

  init(position: Double) { self.position = position }

  var velocityVariance: Double { p11 }

  mutating func step(milliseconds dt: Double, position measured: Double) -> Double {
    position += velocity * dt
    let n00 = p00 + 2 * dt * p01 + dt * dt * p11 + processVariance * dt * dt
    let n01 = p01 + dt * p11 + processVariance * dt
    let n11 = p11 + processVariance
    let innovation = measured - position
    let variance = n00 + measurementVariance
    position += n00 / variance * innovation
    velocity += n01 / variance * innovation
    p00 = n00 / variance * measurementVariance
    p01 = n01 / variance * measurementVariance
    p11 = n11 - n01 / variance * n01
    return innovation * innovation / variance
  }
}

/// A body of constant acceleration: state (place, velocity, acceleration), Q = q g gᵀ, g = (dt²/2,
/// dt, 1), q = 0.01, R = 1, P = I to begin with: Chromium's ui/base/prediction/kalman_filter.cc.
struct ConstantAccelerationFilter: MotionFilter {
  static let stateCount = 3
  private var position: Double
  private(set) var velocity = 0.0
  private var acceleration = 0.0
  private var p00 = 1.0
  private var p01 = 0.0
  private var p02 = 0.0
  private var p11 = 1.0
  private var p12 = 0.0
  private var p22 = 1.0

  init(position: Double) { self.position = position }

  var velocityVariance: Double { p11 }

  mutating func step(milliseconds dt: Double, position measured: Double) -> Double {
    let half = dt * dt / 2
    position += velocity * dt + acceleration * half
    velocity += acceleration * dt
    // F P, row by row, then F P Fᵀ + Q.
    let f00 = p00 + dt * p01 + half * p02
    let f01 = p01 + dt * p11 + half * p12
    let f02 = p02 + dt * p12 + half * p22
    let f11 = p11 + dt * p12
    let f12 = p12 + dt * p22
    let n00 = f00 + dt * f01 + half * f02 + processVariance * half * half
    let n01 = f01 + dt * f02 + processVariance * half * dt
    let n02 = f02 + processVariance * half
    let n11 = f11 + dt * f12 + processVariance * dt * dt
    let n12 = f12 + processVariance * dt
    let n22 = p22 + processVariance
    let innovation = measured - position
    let variance = n00 + measurementVariance
    position += n00 / variance * innovation
    velocity += n01 / variance * innovation
    acceleration += n02 / variance * innovation
    p00 = n00 / variance * measurementVariance
    p01 = n01 / variance * measurementVariance
    p02 = n02 / variance * measurementVariance
    p11 = n11 - n01 / variance * n01
    p12 = n12 - n01 / variance * n02
    p22 = n22 - n02 / variance * n02
    return innovation * innovation / variance
  }
}
