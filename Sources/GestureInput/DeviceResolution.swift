/// The units of a device in a millimetre, by axis, as its driver reports them.
package struct DeviceResolution: Hashable, Sendable {
  /// Units per millimetre, above 0.
  package var x: Double
  /// Units per millimetre, above 0.
  package var y: Double

  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// libinput's units in a millimetre: a touchpad's deltas are normalized to 1000 to the inch, and then slowed down by
  /// 0.9 x 0.2968 (`touchpad_constant_filter` of libinput's `src/filter-touchpad.c`, with `TP_MAGIC_SLOWDOWN`).
  package static let libinputUnitsPerMillimetre = 1000 / 25.4 * 0.9 * 0.2968
}

/// The resolutions that a recording names, by the kernel's numbers of the axes.
struct AxisResolutions {
  private var units: [UInt16: Double] = [:]

  /// Keeps the resolution of an axis. The kernel writes 0 if the driver knows none.
  mutating func note(_ units: Int, of axis: UInt16) {
    if units > 0 { self.units[axis] = Double(units) }
  }

  /// The resolution of the axes of touches (`ABS_MT_POSITION_X` and `_Y`), or else of a single contact. `nil` if one of
  /// both is missing.
  var device: DeviceResolution? {
    for (x, y) in [(0x35, 0x36), (0x00, 0x01)] as [(UInt16, UInt16)] {
      if let x = units[x], let y = units[y] { return DeviceResolution(x: x, y: y) }
    }
    return nil
  }
}
