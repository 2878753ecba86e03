/// The fewest of evenly spaced places, the first and the last among them, so that straight lines between them miss no other
/// place by more than a tolerance.
///
/// From each place the lines that miss none of those after it form a cone, which narrows place by place (H. Imai and M.
/// Iri, Polygonal approximations of a curve, 1988). The shortest path over the lines is the answer.
///
/// - Complexity: quadratic in the places.
package func fewestPoints(of heights: [Double], within tolerance: Double) -> [Int] {
  let count = heights.count
  guard count > 1 else { return Array(heights.indices) }
  // For each place the fewest lines from it to the end, and the first of them.
  var lines = Array(repeating: Int.max, count: count)
  var next = Array(repeating: 0, count: count)
  lines[count - 1] = 0
  for start in (0..<(count - 1)).reversed() {
    var (low, high) = (-Double.infinity, Double.infinity)
    for end in (start + 1)..<count {
      let distance = Double(end - start)
      let slope = (heights[end] - heights[start]) / distance
      if slope >= low, slope <= high, lines[end] + 1 < lines[start] {
        (lines[start], next[start]) = (lines[end] + 1, end)
      }
      low = max(low, slope - tolerance / distance)
      high = min(high, slope + tolerance / distance)
      if low > high { break }
    }
  }
  var positions = [0]
  while let last = positions.last, last < count - 1 { positions.append(next[last]) }
  return positions
}
