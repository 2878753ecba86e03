import TimelineModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A flat transform by its six numbers.
func flat(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ tx: Double = 0, _ ty: Double = 0)
  -> ElementTransform
{
  .flat(Transform2D(a: a, b: b, c: c, d: d, tx: tx, ty: ty))
}

/// A turn by an angle in radians, after a scale.
func turned(_ angle: Double, scale: Double = 1) -> ElementTransform {
  flat(scale * cos(angle), scale * sin(angle), -scale * sin(angle), scale * cos(angle))
}
