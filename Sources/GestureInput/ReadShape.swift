/// Reads lines of a log in one of the shapes of ``TextShape/all``.
///
/// - Returns: nil. No shape names a device.
func readShape(
  _ source: GestureSource, _ format: GestureFormat, _ reading: GestureReading,
  into log: inout TouchLog
) throws(GestureError) -> String? {
  nil
}
