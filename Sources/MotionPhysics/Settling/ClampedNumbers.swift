/// The number, or the nearest finite one; 0 for what is no number.
func clampedToFinite(_ value: Double) -> Double {
  if value.isFinite { return value }
  if value.isNaN { return 0 }
  return value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
}
