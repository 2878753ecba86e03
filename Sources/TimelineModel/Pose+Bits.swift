extension Pose {
  /// Whether every number has the same bits; -0.0 and 0.0 are different here.
  package func hasSameBits(as other: Pose) -> Bool {
    center.x.bitPattern == other.center.x.bitPattern
      && center.y.bitPattern == other.center.y.bitPattern
      && size.width.bitPattern == other.size.width.bitPattern
      && size.height.bitPattern == other.size.height.bitPattern
      && alpha.bitPattern == other.alpha.bitPattern && zIndex == other.zIndex
      && isHidden == other.isHidden && transform.hasSameBits(as: other.transform)
  }
}

extension Transform {
  /// Whether both are flat or both in space, with the same bits.
  package func hasSameBits(as other: Transform) -> Bool {
    switch (self, other) {
    case (.flat(let one), .flat(let two)):
      one.a.bitPattern == two.a.bitPattern && one.b.bitPattern == two.b.bitPattern
        && one.c.bitPattern == two.c.bitPattern && one.d.bitPattern == two.d.bitPattern
        && one.tx.bitPattern == two.tx.bitPattern && one.ty.bitPattern == two.ty.bitPattern
    case (.spatial(let one), .spatial(let two)):
      one.components.elementsEqual(two.components) { $0.bitPattern == $1.bitPattern }
    default: false
    }
  }
}
