import Foundation

/// How far a spring is from its rest: by its frequency in radians a second, ratio, distance and speed at first.
public func spring(
  _ frequency: Double, _ ratio: Double, _ distance: Double, _ speed: Double, _ time: Double
) -> Double {
  let decay = ratio * frequency
  let rest = speed + decay * distance
  let square = frequency * frequency - decay * decay
  let root = abs(square).squareRoot()
  if root * abs(time) < 1e-6 { return exp(-decay * time) * (distance + rest * time) }
  return square > 0
    ? exp(-decay * time) * (distance * cos(root * time) + rest * sin(root * time) / root)
    : exp(-decay * time) * (distance * cosh(root * time) + rest * sinh(root * time) / root)
}
